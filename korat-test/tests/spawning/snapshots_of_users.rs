//! The snapshot macros in a package of a user's: a first run, accepting, an invariant that changed, insta's settings.
//! Each test writes a package below the target directory and runs `cargo test` there, as the user would.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A list whose invariant a test may change.
const STRUCTURE: &str = r#"
use korat::{Finitize, rep_ok};

#[derive(Clone, Debug, Finitize)]
struct Node {
    #[finitize(1..=2)]
    value: u8,
    next: Option<Box<Node>>,
}

#[derive(Clone, Debug, Finitize)]
struct List {
    head: Option<Box<Node>>,
}

#[rep_ok]
impl List {
    fn rep_ok(&self) -> bool {
        let mut at = &self.head;
        while let Some(node) = at {
            if node.next.as_ref().is_some_and(|next| next.value < node.value) {
                return false;
            }
            at = &node.next;
        }
        true
    }
}

impl List {
    fn values(&self) -> Vec<u8> {
        std::iter::successors(self.head.as_deref(), |node| node.next.as_deref()).map(|node| node.value).collect()
    }
}
"#;

/// A package of a user's; its files are new for every test.
struct Package {
    directory: PathBuf,
}

/// What a run gave: whether it passed, and all its output.
struct Run {
    passed: bool,
    output: String,
}

impl Package {
    /// A package with one test file, `tests/lists.rs`; `dependencies` besides korat.
    fn new(name: &str, tests: &str, dependencies: &str) -> Self {
        let directory = Self::all().join(name);
        if directory.exists() {
            fs::remove_dir_all(&directory).expect("what an earlier run left can be removed");
        }
        let workspace =
            Path::new(env!("CARGO_MANIFEST_DIR")).join("..").canonicalize().expect("the workspace is there");
        let package = Package { directory };
        package.write(
            "Cargo.toml",
            &format!(
                "[workspace]\n\n[package]\nname = \"{name}\"\nedition = \"2024\"\npublish = false\n\n\
                 [dev-dependencies]\nkorat-test = {{ path = {:?}, features = [\"insta\"] }}\n{dependencies}\n\n\
                 [profile.dev]\ndebug = 0\nincremental = false\noverflow-checks = false\n\n\
                 [profile.dev.package.korat-core]\noverflow-checks = true\nopt-level = 1\n",
                workspace.join("korat-test")
            ),
        );
        package.write("src/lib.rs", "");
        package.write("tests/lists.rs", &format!("{STRUCTURE}\n{tests}"));
        // The versions of the workspace.
        fs::copy(workspace.join("Cargo.lock"), package.directory.join("Cargo.lock")).expect("there is a lock file");
        package
    }

    fn all() -> PathBuf {
        Path::new(env!("CARGO_TARGET_TMPDIR")).join("snapshots_of_users")
    }

    /// The directory and the profile of the random predicates: so korat is compiled once for all of them.
    fn target() -> PathBuf {
        Path::new(env!("CARGO_TARGET_TMPDIR")).join("random_predicates/target")
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.directory.join(path);
        fs::create_dir_all(path.parent().expect("a file is in a directory")).expect("the directory can be made");
        fs::write(path, text).expect("the package can be written");
    }

    fn read(&self, path: &str) -> String {
        fs::read_to_string(self.directory.join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
    }

    /// The files in `tests/snapshots`, sorted.
    fn snapshots(&self) -> Vec<String> {
        let Ok(entries) = fs::read_dir(self.directory.join("tests/snapshots")) else { return Vec::new() };
        let mut names: Vec<String> =
            entries.map(|entry| entry.expect("it can be read").file_name().into_string().expect("a name")).collect();
        names.sort();
        names
    }

    /// Replaces text in the test file, which must be there.
    fn change(&self, from: &str, to: &str) {
        let text = self.read("tests/lists.rs");
        assert!(text.contains(from), "{from:?} is not in the test file");
        self.write("tests/lists.rs", &text.replace(from, to));
    }

    /// Runs `cargo test` with `INSTA_UPDATE` as given.
    fn test(&self, update: &str) -> Run {
        self.test_with(update, &[])
    }

    /// Runs the tests with more environment variables.
    fn test_with(&self, update: &str, variables: &[(&str, &str)]) -> Run {
        let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or("cargo".into()));
        cargo.args(["test", "--offline", "--quiet", "--test", "lists", "--target", "host-tuple", "--target-dir"]);
        cargo.arg(Self::target()).args(["--", "--test-threads=1"]).current_dir(&self.directory);
        // As from the user's shell: the continuous integration's `INSTA_*` and `CI` are not the user's.
        for variable in ["CI", "INSTA_WORKSPACE_ROOT", "INSTA_FORCE_PASS", "INSTA_OUTPUT", "RUST_BACKTRACE"] {
            cargo.env_remove(variable);
        }
        let ran = cargo
            .env("INSTA_UPDATE", update)
            .envs(variables.iter().copied())
            .env("CARGO_TERM_COLOR", "never")
            .output()
            .unwrap_or_else(|error| panic!("cannot run {cargo:?}: {error}"));
        let output = String::from_utf8_lossy(&ran.stdout).into_owned() + &String::from_utf8_lossy(&ran.stderr);
        assert!(!output.contains("could not compile") && !output.contains("error: failed"), "{output}");
        Run { passed: ran.status.success(), output }
    }
}

impl Run {
    #[track_caller]
    fn passes(self) {
        assert!(self.passed, "it is to pass:\n{}", self.output);
    }

    #[track_caller]
    fn fails(self, texts: &[&str]) {
        assert!(!self.passed, "it is to fail:\n{}", self.output);
        for text in texts {
            assert!(self.output.contains(text), "{text:?} is not in:\n{}", self.output);
        }
    }
}

#[test]
fn a_list_is_pending_then_accepted_then_differs() {
    let package =
        Package::new("lists", "#[test]\nfn all_lists() { korat::assert_valid_snapshot!(List::scope(2)); }\n", "");

    // A first run fails and leaves a pending snapshot beside the test; with `no` it leaves nothing.
    package.test("no").fails(&["snapshot assertion for 'List_scope_2' failed in line"]);
    assert_eq!(package.snapshots(), Vec::<String>::new());
    package.test("new").fails(&["snapshot assertion for 'List_scope_2' failed in line", "cargo insta review"]);
    assert_eq!(package.snapshots(), ["lists__List_scope_2.snap.new"]);

    // Accepting is what `cargo insta accept` does: the pending file without what only pending files say.
    accept(&package);
    assert_eq!(package.snapshots(), ["lists__List_scope_2.snap"]);
    let snapshot = package.read("tests/snapshots/lists__List_scope_2.snap");
    assert!(snapshot.contains("source: tests/lists.rs\nexpression: \"List::scope(2)\"\n"), "{snapshot}");
    assert!(
        snapshot.contains("List at scope 2: 6 values\nsize 0: 1\nsize 1: 2\nsize 2: 3\n\n#1, size 0\nList\n"),
        "{snapshot}"
    );
    package.test("no").passes();
    // What another run of a search is to do does not change what was kept.
    package
        .test_with("no", &[("KORAT_SCOPE", "1"), ("KORAT_LIMIT", "1"), ("KORAT_BACKTRACKING", "reexecute")])
        .passes();

    // A list that decreases is rejected no longer: the difference says which one is new.
    package.change("next.value < node.value", "next.value + 1 < node.value");
    package.test("no").fails(&[
        "-List at scope 2: 6 values",
        "+List at scope 2: 7 values",
        "-size 2: 3",
        "+size 2: 4",
        "│+`- head: Node { value: 2 }",
        "│+   `- next: Node { value: 1 }",
    ]);
    assert_eq!(package.snapshots(), ["lists__List_scope_2.snap"]);
}

#[test]
fn each_case_is_run_and_all_that_differ_are_listed() {
    let tests =
        "#[test]\nfn sums() { korat::snapshot_each!(List::scope(2), |list| list.values().iter().sum::<u8>()); }\n";
    let package = Package::new("cases", tests, "");

    package.test("new").fails(&["6 of 6 snapshots of List at scope 2 failed"]);
    let case = |size: u8, number: u8| format!("lists__sums@List_scope_2_size_{size}_number_{number}.snap");
    let all = [case(0, 1), case(1, 2), case(1, 3), case(2, 4), case(2, 5), case(2, 6)];
    assert_eq!(package.snapshots(), all.each_ref().map(|name| format!("{name}.new")));
    accept(&package);
    assert_eq!(package.snapshots(), all);
    package.test("no").passes();
    let last = package.read(&format!("tests/snapshots/{}", case(2, 6)));
    assert!(last.ends_with("\n---\n4\n"), "{last}");
    assert!(last.contains("#6 of List at scope 2, size 2"), "{last}");
    assert!(last.contains("  - \"`- head: Node { value: 2 }\"\n  - \"   `- next: Node { value: 2 }\"\n"), "{last}");

    // Two of the six have a sum above two.
    package.change(".sum::<u8>()", ".sum::<u8>().min(2)");
    let run = package.test("no");
    assert!(!run.output.contains("number_4: "), "what did not change is not listed:\n{}", run.output);
    run.fails(&[
        "2 of 6 snapshots of List at scope 2 failed",
        "number_5: snapshot assertion",
        "number_6: snapshot assertion",
    ]);
    package.change(".sum::<u8>().min(2)", ".sum::<u8>()");
    package.test("no").passes();

    // Lists of two equal values are gone: of those of two values one is left, and its number is another's.
    package.change("next.value < node.value", "next.value <= node.value");
    let run = package.test("no");
    assert!(!run.output.contains("number_3.snap"), "what is not gone is not listed:\n{}", run.output);
    run.fails(&[
        "2 snapshots of List at scope 2 belong to values that are no longer generated; remove them, or run the test with",
        &format!("tests/snapshots/{}\n", case(2, 5)),
        &format!("tests/snapshots/{}\n", case(2, 6)),
    ]);
    assert_eq!(package.snapshots().len(), 6);
    // Those of another test stay, whatever is removed.
    package.write("tests/snapshots/lists__other@List_scope_2_size_9_number_9.snap", "---\nsource: x\n---\n1\n");
    package.test("always").passes();
    let mut left: Vec<String> = all[..4].to_vec();
    left.insert(0, "lists__other@List_scope_2_size_9_number_9.snap".to_string());
    assert_eq!(package.snapshots(), left);
    package.test("no").passes();
}

#[test]
fn settings_of_the_users_own_insta_apply() {
    let tests = r#"
#[test]
fn with_settings() {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_suffix("own");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_description("from the settings");
    settings.bind(|| {
        korat::assert_valid_snapshot!(List::scope(1), { "Node.value" => "[redacted]" });
        korat::snapshot_value!("one", &List { head: None });
    });
}
"#;
    // The version is the one that korat has.
    let package = Package::new("settings", tests, "insta = \"1\"");
    package.test("always").passes();
    assert_eq!(package.snapshots(), ["List_scope_1@own.snap", "one@own.snap"]);
    let snapshot = package.read("tests/snapshots/List_scope_1@own.snap");
    assert!(snapshot.contains("description: from the settings\n"), "{snapshot}");
    assert!(snapshot.contains("Node { value: [redacted] }"), "{snapshot}");
    package.test("no").passes();
}

/// Accepts every pending snapshot.
fn accept(package: &Package) {
    for name in package.snapshots() {
        let Some(accepted) = name.strip_suffix(".new") else { continue };
        let pending = package.read(&format!("tests/snapshots/{name}"));
        // The line of the assertion is of no interest once it is accepted.
        let lines: Vec<&str> = pending.lines().filter(|line| !line.starts_with("assertion_line: ")).collect();
        package.write(&format!("tests/snapshots/{accepted}"), &(lines.join("\n") + "\n"));
        fs::remove_file(package.directory.join("tests/snapshots").join(&name)).expect("it can be removed");
    }
}
