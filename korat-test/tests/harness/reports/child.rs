//! Runs scenarios in a fresh process, in a package folder of its own.

use std::path::PathBuf;
use std::process::Command;
use std::sync::Arc;

/// Scenarios, and what their process is given.
#[derive(Clone)]
pub struct Child {
    scenarios: Vec<String>,
    variables: Vec<(String, String)>,
    package: Arc<Folder>,
    program: PathBuf,
    is_captured: bool,
}

/// A folder that is removed when it is not used any more.
struct Folder(PathBuf);

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
        let program = std::env::current_exe().unwrap();
        let package = Arc::new(Folder(package));
        let scenarios = vec![format!("reports::{module}::{scenario}")];
        Child { scenarios, variables: Vec::new(), package, program, is_captured: false }
    }

    /// Runs a copy of the program, in the package's folder.
    pub fn alone(mut self) -> Self {
        let program = self.file("program");
        // Not on another disk.
        if std::fs::hard_link(&self.program, &program).is_err() {
            std::fs::copy(&self.program, &program).unwrap();
        }
        self.program = program;
        self
    }

    /// Runs another scenario of the same file as well, in the same process.
    pub fn and(mut self, scenario: &str) -> Self {
        let (module, _) = self.scenarios[0].rsplit_once("::").unwrap();
        self.scenarios.push(format!("{module}::{scenario}"));
        self
    }

    /// Returns a child in this program and folder, with another scenario of the same file.
    pub fn instead(self, scenario: &str) -> Self {
        let mut child = self.and(scenario);
        child.scenarios.remove(0);
        child
    }

    /// As `cargo test` runs tests: what they print is shown only if they fail.
    pub fn captured(mut self) -> Self {
        self.is_captured = true;
        self
    }

    pub fn env(mut self, name: &str, value: &str) -> Self {
        self.variables.push((name.to_string(), value.to_string()));
        self
    }

    /// A file of the package's folder.
    pub fn file(&self, name: &str) -> PathBuf {
        self.package.0.join(name)
    }

    pub fn run(&self) -> Said {
        let mut command = Command::new(&self.program);
        command.args(["--exact", "--ignored", "--test-threads=2"]).args(&self.scenarios);
        if !self.is_captured {
            command.arg("--nocapture");
        }
        for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("KORAT_")) {
            command.env_remove(name);
        }
        command.env("RUST_BACKTRACE", "0").env("CARGO_MANIFEST_DIR", &self.package.0);
        command.envs(self.variables.iter().map(|(name, value)| (name, value)));
        let output = command.output().unwrap();
        let stdout = String::from_utf8_lossy(&output.stdout).into_owned();
        let (count, names) = (self.scenarios.len(), &self.scenarios);
        assert!(stdout.contains(&format!("running {count} test")), "there are no scenarios {names:?}: {stdout}");
        Said { passed: output.status.success(), text: settled(&String::from_utf8_lossy(&output.stderr)) }
    }
}

impl Drop for Folder {
    /// A folder that is left where a test has failed is of use.
    fn drop(&mut self) {
        if !std::thread::panicking() {
            let _ = std::fs::remove_dir_all(&self.0);
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
