//! A package of a reader's, who has copied an example of the guide into `src/lib.rs`. Takes code and a command line, gives what the
//! command prints.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::book::workspace;

/// The package `lists`, of one chapter.
pub struct Package {
    folder: PathBuf,
}

impl Package {
    /// An empty one.
    pub fn new(chapter: &str) -> Self {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("guide").join(chapter);
        if folder.exists() {
            fs::remove_dir_all(&folder).expect("what an earlier run left can be removed");
        }
        fs::create_dir_all(folder.join("src")).expect("the package can be made");
        // The profile of the random predicates, whose target directory is used: so korat is compiled once for all of them.
        let manifest = format!(
            "[workspace]\n\n[package]\nname = \"lists\"\nedition = \"2024\"\npublish = false\n\n\
             [dev-dependencies]\nkorat-test = {{ path = {:?}, features = [\"insta\"] }}\n\n\
             [profile.dev]\ndebug = 0\nincremental = false\noverflow-checks = false\n\n\
             [profile.dev.package.korat-core]\noverflow-checks = true\nopt-level = 1\n",
            workspace().join("korat-test")
        );
        fs::write(folder.join("Cargo.toml"), manifest).expect("the package can be written");
        fs::copy(workspace().join("Cargo.lock"), folder.join("Cargo.lock")).expect("there is a lock file");
        Package { folder }
    }

    /// Puts the reader's code in place.
    pub fn write(&self, code: &str) {
        fs::write(self.folder.join("src/lib.rs"), code).expect("the package can be written");
    }

    pub fn read(&self, file: &str) -> String {
        fs::read_to_string(self.folder.join(file)).unwrap_or_else(|error| panic!("{file}: {error}"))
    }

    /// All that a command line prints, such as `KORAT_LIMIT=3 cargo test -- --nocapture`.
    pub fn run(&self, line: &str) -> String {
        let words: Vec<&str> = line.split_whitespace().collect();
        let first = words.iter().position(|word| *word == "cargo").unwrap_or_else(|| panic!("{line}: no cargo"));
        let (variables, words) = words.split_at(first);
        let (before, after) = words.split_at(words.iter().position(|word| *word == "--").unwrap_or(words.len()));
        let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or("cargo".into()));
        cargo.args(&before[1..]).args(["--lib", "--offline", "--target", "host-tuple", "--target-dir"]);
        cargo.arg(Path::new(env!("CARGO_TARGET_TMPDIR")).join("random_predicates/target")).args(after);
        cargo.current_dir(&self.folder).env("CARGO_TERM_COLOR", "never").env("RUST_BACKTRACE", "0");
        for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("KORAT_") || name.starts_with("INSTA_")) {
            cargo.env_remove(name);
        }
        // As by default; korat's own repository says otherwise, and the package may lie in it.
        cargo.env("KORAT_REGRESSIONS", "1");
        for variable in variables {
            let (name, value) = variable.split_once('=').unwrap_or_else(|| panic!("{line}: {variable} has no value"));
            cargo.env(name, value.trim_matches('\''));
        }
        let ran = cargo.output().unwrap_or_else(|error| panic!("cannot run {cargo:?}: {error}"));
        let output = String::from_utf8_lossy(&ran.stdout).into_owned() + &String::from_utf8_lossy(&ran.stderr);
        assert!(!output.contains("could not compile") && !output.contains("error: failed"), "{line}:\n{output}");
        output
    }
}
