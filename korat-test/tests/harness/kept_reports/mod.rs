//! Reports that are kept as files: what tests leave, and what `korat merge` makes of it.

mod command;
mod files;
pub mod page;
mod scenarios;
mod shards;
mod table;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

use crate::rerun;

/// The guide's chapter on reports.
const CHAPTER: &str = include_str!("../../../../docs/src/reports.md");

/// A folder for reports, which is removed at the end of a test that passes.
struct Folder(PathBuf);

impl Folder {
    /// An empty folder, named after the test.
    fn new() -> Self {
        let name = std::thread::current().name().unwrap_or("main").replace("::", "-");
        let folder = std::env::temp_dir().join(format!("korat-kept-{}-{name}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).unwrap();
        Folder(folder)
    }

    /// Runs a scenario with these variables, and keeps its reports here.
    fn run(&self, scenario: &str, variables: &[(&str, &str)]) -> Output {
        command(scenario, &self.0, variables).output().unwrap()
    }

    /// Runs a scenario that leaves one report, and returns the report.
    fn only(scenario: &str, variables: &[(&str, &str)]) -> Value {
        let folder = Folder::new();
        let output = folder.run(scenario, variables);
        let reports = folder.reports();
        let [report] = &reports[..] else { panic!("{scenario} has left {} reports: {output:?}", reports.len()) };
        report.clone()
    }

    /// Returns the names of the files, in order.
    fn names(&self) -> Vec<String> {
        let entries = std::fs::read_dir(&self.0).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().expect("names are plain")).collect();
        names.sort();
        names
    }

    /// Returns the reports, in the order of their names.
    fn reports(&self) -> Vec<Value> {
        let names = self.names();
        let names = names.iter().filter(|name| name.ends_with(".json"));
        names.map(|name| serde_json::from_str(&self.read(name)).expect("a report is JSON")).collect()
    }

    fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.0.join(name)).unwrap()
    }

    fn write(&self, name: &str, report: &Value) {
        let path = self.0.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, report.to_string()).unwrap();
    }

    /// Merges the reports. Returns the exit code, standard output and standard error, without the folder and times.
    fn merge(&self, options: &[&str]) -> (i32, String, String) {
        let mut command = Command::new(env!("CARGO_BIN_EXE_korat"));
        let output = command.arg("merge").args(options).arg(&self.0).output().unwrap();
        let text =
            |bytes: &[u8]| settled(&String::from_utf8_lossy(bytes).replace(self.0.to_str().unwrap(), "[folder]"));
        (output.status.code().expect("it ends by itself"), text(&output.stdout), text(&output.stderr))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            let _ = std::fs::remove_dir_all(&self.0);
        }
    }
}

/// Returns the command that runs a scenario.
fn command(scenario: &str, folder: &Path, variables: &[(&str, &str)]) -> Command {
    let mut command = rerun::command(&format!("{}::scenarios", module_path!()), scenario);
    command.arg("--ignored");
    for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("KORAT_")) {
        command.env_remove(name);
    }
    // What a scheduler that runs these tests says of the run.
    for name in ["GITHUB_RUN_ID", "CI_PIPELINE_ID", "BUILDKITE_BUILD_ID", "CIRCLE_WORKFLOW_ID", "SLURM_ARRAY_JOB_ID"] {
        command.env_remove(name);
    }
    command.env("RUST_BACKTRACE", "0").env("KORAT_REPORT", folder).env("KORAT_REGRESSIONS", "0");
    command.envs(variables.iter().copied());
    command
}

/// Replaces how long ago a run began.
fn settled(text: &str) -> String {
    let lines = text.lines().map(|line| match line.split_once(", begun ") {
        Some((before, _)) => format!("{before}, begun [ages] ago"),
        None => line.to_string(),
    });
    lines.collect::<Vec<_>>().join("\n")
}
