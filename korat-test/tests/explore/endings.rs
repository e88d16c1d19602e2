//! Operations that end the process, or that do not end: each in a process of its own.

use std::path::PathBuf;
use std::process::Output;
use std::time::Duration;
use std::{env, fs};

use korat::Explore;

use crate::rerun;

/// The variable that makes a test explore, and says what goes wrong.
const WITHIN: &str = "KORAT_TEST_WITHIN";

fn explore(mode: &str) {
    let mode = mode.to_string();
    let explore = Explore::from(0_u8)
        .operation("add", [1, 2], |sum, add| *sum += add)
        .operation_if(
            "odd",
            |sum| *sum == 3,
            move |_| match &*mode {
                "abort" => std::process::abort(),
                "endless" => loop {
                    std::thread::sleep(Duration::from_millis(1));
                },
                "slow" => std::thread::sleep(Duration::from_millis(40)),
                _ => {}
            },
        )
        .execution_limit(Duration::from_millis(300));
    explore.depth(6).run().expect_states(13);
}

/// Runs a test again, as one of a package.
fn run(package: &PathBuf, test: &str, mode: &str) -> (Output, String) {
    let mut command = rerun::command(module_path!(), test);
    command.env(WITHIN, mode).env("CARGO_MANIFEST_DIR", package).env("RUST_BACKTRACE", "0");
    command.env_remove("KORAT_REGRESSIONS").env_remove("KORAT_CRASH_NOTES");
    let output = command.output().expect("it can be run");
    let printed = String::from_utf8_lossy(&output.stderr).into_owned();
    (output, printed)
}

fn package(name: &str) -> PathBuf {
    let folder = env::temp_dir().join(format!("korat-explore-{}-{name}", std::process::id()));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("there is a folder for temporary files");
    folder
}

const CALLS: &str =
    "in `odd()` after `add(1); add(2)`\nreplay: KORAT_REPLAY='explore u8: add(1); add(2); odd()' cargo test";

#[test]
fn an_operation_that_ends_the_process_is_told_by_the_next_run() {
    if let Ok(mode) = env::var(WITHIN) {
        return explore(&mode);
    }
    let package = package("abort");
    let run = |mode| run(&package, "an_operation_that_ends_the_process_is_told_by_the_next_run", mode);
    let (first, printed) = run("abort");
    assert!(!first.status.success() && !printed.contains("died"), "{printed}");
    let (second, printed) = run("right");
    assert!(second.status.success() && printed.contains(" died ") && printed.contains(CALLS), "{printed}");
    let (third, printed) = run("right");
    assert!(third.status.success() && !printed.contains("died"), "{printed}");
    let _ = fs::remove_dir_all(&package);
}

#[test]
fn an_operation_that_does_not_end_is_named() {
    if let Ok(mode) = env::var(WITHIN) {
        return explore(&mode);
    }
    let package = package("endless");
    let run = |mode| run(&package, "an_operation_that_does_not_end_is_named", mode);
    let (slow, printed) = run("slow");
    assert!(slow.status.success(), "{printed}");
    let (endless, printed) = run("endless");
    assert_eq!(endless.status.code(), Some(101), "{printed}");
    assert!(printed.contains("has not ended within 300ms") && printed.contains(CALLS), "{printed}");
    let kept = fs::read_to_string(package.join("korat-regressions/explore.endings.txt")).expect("it is kept");
    assert!(kept.ends_with("explore explore u8: add(1); add(2); odd() # it did not end within 300ms\n"), "{kept}");
    // The kept sequence is what does not end now.
    let (again, printed) = run("endless");
    assert!(again.status.code() == Some(101) && printed.contains(CALLS), "{printed}");
    let _ = fs::remove_dir_all(&package);
}

/// Throws dice; what the third die shows decides what goes wrong.
fn throw(mode: &str) {
    let mode = mode.to_string();
    let throw = move |sum: &mut u8| {
        let thrown: [u8; 3] = std::array::from_fn(|_| korat::choose(0..=5));
        match &*mode {
            "abort" if thrown == [0, 0, 4] => std::process::abort(),
            "endless" if thrown == [0, 0, 4] => loop {
                std::thread::sleep(Duration::from_millis(1));
            },
            _ => *sum = thrown.iter().sum(),
        }
    };
    let throws = Explore::from(0_u8).operation_if("throw", |_| true, throw);
    throws.execution_limit(Duration::from_millis(500)).depth(1).run().expect_states(16);
}

#[test]
fn what_an_operation_chose_is_told() {
    if let Ok(mode) = env::var(WITHIN) {
        return throw(&mode);
    }
    let package = package("choose");
    let run = |mode| run(&package, "what_an_operation_chose_is_told", mode);
    let replay = "in `throw()`\nreplay: KORAT_REPLAY='explore u8: throw()/0.0.4' cargo test";
    run("abort");
    let (_, printed) = run("right");
    assert!(printed.contains(" died ") && printed.contains(replay), "{printed}");
    let (_, printed) = run("endless");
    assert!(printed.contains("has not ended within 500ms") && printed.contains(replay), "{printed}");
    // The kept sequence is what does not end now.
    let started = std::time::Instant::now();
    let (again, printed) = run("endless");
    assert!(again.status.code() == Some(101) && printed.contains(replay), "{printed}");
    assert!(started.elapsed() > Duration::from_millis(500) && !printed.contains("other choices"), "{printed}");
    let _ = fs::remove_dir_all(&package);
}

#[test]
fn checks_of_first_states_are_named() {
    if let Ok(mode) = env::var(WITHIN) {
        let check = move |state: &u8| match &*mode {
            "abort" if *state == 7 => std::process::abort(),
            "endless" if *state == 7 => loop {
                std::thread::sleep(Duration::from_millis(1));
            },
            _ => {}
        };
        let add = Explore::from(0_u8).and_from(7).operation("add", [1], |sum, add| *sum += add).check(check);
        add.execution_limit(Duration::from_millis(300)).depth(1).run().expect_states(4);
        return;
    }
    let package = package("first");
    let run = |mode| run(&package, "checks_of_first_states_are_named", mode);
    let told = "in the checks of the first state `start 1`";
    run("abort");
    let (right, printed) = run("right");
    assert!(right.status.success() && printed.contains(told), "{printed}");
    let (endless, printed) = run("endless");
    assert!(endless.status.code() == Some(101) && printed.contains(told), "{printed}");
    let _ = fs::remove_dir_all(&package);
}

#[test]
fn many_calls_are_not_noted() {
    if env::var(WITHIN).is_ok() {
        let deep = Explore::from(0_u16).operation("add", [1], |sum, add| {
            if *sum == 30_000 {
                std::process::abort();
            }
            *sum += add;
        });
        deep.run();
        return;
    }
    let package = package("deep");
    let run = || run(&package, "many_calls_are_not_noted", "abort").1;
    let started = std::time::Instant::now();
    run();
    let printed = run();
    let told = "died in `add(1)` after 30000 calls, which are too many to be noted\n";
    assert!(printed.contains(told), "{printed}");
    // The calls to all states would be 450 million.
    assert!(started.elapsed() < Duration::from_secs(60));
    let _ = fs::remove_dir_all(&package);
}
