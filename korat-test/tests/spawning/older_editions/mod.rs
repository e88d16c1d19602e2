//! Predicates in crates of older editions, where temporaries live longer. Writes a package for each edition below the target directory
//! and runs `cargo test` there, since all of a package is of one edition.

use std::fs;
use std::path::Path;
use std::process::Command;

/// Runs the predicates in a package of an edition.
fn check(edition: &str) {
    let predicates = include_str!("predicates.rs");
    let harness = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/exact/harness.rs");
    run(edition, &predicates.replace("\"../../exact/harness.rs\"", &format!("{harness:?}")), 7);
}

/// Runs tests in a package of an edition.
fn run(edition: &str, tests_file: &str, count: usize) {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let temporary = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let directory = temporary.join(format!("older_editions/{edition}"));
    let korat = |package: &str| tests.join("../..").join(package).canonicalize().expect("the package is there");
    let manifest = format!(
        "[workspace]\n\n[package]\nname = \"edition-{edition}\"\nedition = \"{edition}\"\npublish = false\n\n\
         [dev-dependencies]\nkorat-test = {{ path = {:?} }}\nkorat-core = {{ path = {:?} }}\n\n\
         [profile.dev]\ndebug = 0\nincremental = false\noverflow-checks = false\n\n\
         [profile.dev.package.korat-core]\noverflow-checks = true\nopt-level = 1\n",
        korat("korat-test"),
        korat("korat-core"),
    );
    let files = [("Cargo.toml", manifest.as_str()), ("src/lib.rs", ""), ("tests/predicates.rs", tests_file)];
    for (path, text) in files {
        let path = directory.join(path);
        fs::create_dir_all(path.parent().expect("a file is in a directory")).expect("the directory can be made");
        fs::write(path, text).expect("the package can be written");
    }
    // The versions of the workspace.
    fs::copy(tests.join("../../Cargo.lock"), directory.join("Cargo.lock")).expect("there is a lock file");
    let output = Command::new(std::env::var_os("CARGO").unwrap_or("cargo".into()))
        .args(["test", "--offline", "--quiet", "--test", "predicates"])
        .current_dir(&directory)
        // The directory and the profile of the random predicates: so korat is compiled once for all of them.
        .env("CARGO_TARGET_DIR", temporary.join("random_predicates/target"))
        .output()
        .expect("cargo can be run");
    let text = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
    assert!(output.status.success() && text.contains(&format!("{count} passed")), "edition {edition}:\n{text}");
}

/// Macros are imported by `use`, and names in modules begin at the root.
#[test]
fn of_2015() {
    let tests = "extern crate korat;

    mod list {
        use korat::{Finitize, rep_ok};

        #[derive(Debug, Finitize)]
        struct Node {
            #[finitize(0..=1)]
            key: u8,
            next: Option<Box<Node>>,
        }

        #[derive(Debug, ::korat::Finitize)]
        struct List {
            head: Option<Box<Node>>,
        }

        #[rep_ok]
        impl List {
            fn rep_ok(&self) -> bool {
                let mut at = &self.head;
                while let &Some(ref node) = at {
                    if node.next.as_ref().map_or(false, |next| next.key < node.key) {
                        return false;
                    }
                    at = &node.next;
                }
                true
            }
        }

        #[test]
        fn rising_lists() {
            ::korat::for_each_valid(List::scope(3), |list| list.rep_ok()).expect_count(1 + 2 + 3 + 4);
        }
    }";
    run("2015", tests, 1);
}

#[test]
fn of_2018() {
    check("2018");
}

#[test]
fn of_2021() {
    check("2021");
}
