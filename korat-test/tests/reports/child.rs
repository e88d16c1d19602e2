//! Runs one scenario in a fresh process, in a package folder of its own.

use std::path::PathBuf;
use std::process::Command;

/// A scenario, and what its process is given.
pub struct Child {
    scenario: String,
    variables: Vec<(String, String)>,
    package: PathBuf,
}

/// What a process said.
pub struct Said {
    /// Whether the test passed.
    pub passed: bool,
    /// Standard error, without what changes from run to run.
    pub text: String,
}

impl Child {
    /// A scenario of `scenarios.rs` by its name, with an empty folder to keep values in.
    pub fn new(scenario: &str) -> Self {
        Child::of("scenarios", scenario)
    }

    /// One of another file.
    pub fn of(module: &str, scenario: &str) -> Self {
        let name = std::thread::current().name().unwrap_or("main").replace("::", "-");
        let package = std::env::temp_dir().join(format!("korat-reports-{}-{name}", std::process::id()));
        let _ = std::fs::remove_dir_all(&package);
        std::fs::create_dir_all(&package).unwrap();
        Child { scenario: format!("{module}::{scenario}"), variables: Vec::new(), package }
    }

    pub fn env(mut self, name: &str, value: &str) -> Self {
        self.variables.push((name.to_string(), value.to_string()));
        self
    }

    /// A file of the package's folder.
    pub fn file(&self, name: &str) -> PathBuf {
        self.package.join(name)
    }

    pub fn run(&self) -> Said {
        let scenario = &self.scenario;
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.args(["--exact", scenario, "--ignored", "--nocapture", "--test-threads=2"]);
        for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("KORAT_")) {
            command.env_remove(name);
        }
        command.env("RUST_BACKTRACE", "0").env("CARGO_MANIFEST_DIR", &self.package);
        command.envs(self.variables.iter().map(|(name, value)| (name, value)));
        let output = command.output().unwrap();
        let stdout = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(stdout.contains("running 1 test"), "there is no scenario {scenario}: {stdout}");
        Said { passed: output.status.success(), text: settled(&String::from_utf8_lossy(&output.stderr)) }
    }
}

impl Drop for Child {
    /// A folder that is left where a test has failed is of use.
    fn drop(&mut self) {
        if !std::thread::panicking() {
            let _ = std::fs::remove_dir_all(&self.package);
        }
    }
}

/// The text without times, rates and numbers of threads.
fn settled(text: &str) -> String {
    let lines = text.lines().map(|line| {
        let line = match line.split_once(" (") {
            Some((thread, rest)) if thread.starts_with("thread '") => {
                format!("{thread} {}", rest.split_once(") ").map_or(rest, |(_, after)| after))
            }
            _ => line.to_string(),
        };
        match line.rsplit_once(", in ") {
            Some((before, time)) if time.ends_with('s') && time.starts_with(|c: char| c.is_ascii_digit()) => {
                format!("{before}, in [time]")
            }
            _ => line,
        }
    });
    lines.filter(|line| !line.starts_with("note: run with `RUST_BACKTRACE")).collect::<Vec<_>>().join("\n")
}
