//! Runs one test of this binary again, in a process of its own.

use std::process::Command;

/// A command that runs the test of this name, and no other. `module` is the test's `module_path!()`.
pub fn command(module: &str, test: &str) -> Command {
    // Names of tests begin after the crate.
    let (_, module) = module.split_once("::").expect("the test is in a module");
    let mut command = Command::new(std::env::current_exe().expect("this test is a program"));
    command.args([&format!("{module}::{test}"), "--exact", "--nocapture"]);
    command
}

/// Runs the command, which must pass one test. Returns its standard error.
pub fn printed(command: &mut Command) -> String {
    let output = command.output().expect("it can be run");
    assert!(output.status.success(), "{output:?}");
    let stdout = String::from_utf8_lossy(&output.stdout);
    assert!(stdout.contains("running 1 test"), "there is no such test: {command:?}");
    String::from_utf8_lossy(&output.stderr).into_owned()
}
