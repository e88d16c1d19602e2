//! Predicates in crates of older editions, where temporaries live longer. Writes a package for each edition below the target directory
//! and runs `cargo test` there, since all of a package is of one edition.

use std::fs;
use std::path::Path;
use std::process::Command;

/// Runs the predicates in a package of an edition.
fn check(edition: &str) {
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
    let predicates = include_str!("predicates.rs");
    let harness = tests.join("exact/harness.rs");
    let predicates = predicates.replace("\"../../exact/harness.rs\"", &format!("{harness:?}"));
    let files = [("Cargo.toml", manifest.as_str()), ("src/lib.rs", ""), ("tests/predicates.rs", predicates.as_str())];
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
    assert!(output.status.success() && text.contains("7 passed"), "edition {edition}:\n{text}");
}

#[test]
fn of_2018() {
    check("2018");
}

#[test]
fn of_2021() {
    check("2021");
}
