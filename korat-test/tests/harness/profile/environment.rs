//! Profiles that the environment asks for, in a process of its own.

use super::*;

/// What a test of this file prints, with a variable set.
fn printed(test: &str, variable: Option<(&str, &str)>) -> String {
    let mut command = rerun::command(module_path!(), test);
    rerun::printed(command.env_remove("KORAT_PROFILE").env_remove("KORAT_EXPLAIN").envs(variable))
}

#[test]
fn a_search_that_asks_for_nothing() {
    let report = Search::new(List::scope(2)).report();
    let asked = std::env::var("KORAT_PROFILE").is_ok_and(|value| value == "1");
    assert_eq!(report.profile.is_some(), asked);
}

#[test]
fn a_search_that_asks_itself() {
    assert!(Search::new(List::scope(2)).profile(true).report().profile.is_some());
}

/// Output that the environment asks for is shown even if the test's own output is captured, also if the code asks for it as well.
#[test]
fn what_the_environment_asks_for_is_not_captured() {
    for test in ["a_search_that_asks_for_nothing", "a_search_that_asks_itself"] {
        let shown = |value: &str| {
            let (_, module) = module_path!().split_once("::").expect("the test is in a module");
            let mut command = std::process::Command::new(std::env::current_exe().expect("this test is a program"));
            command.args([&format!("{module}::{test}"), "--exact"]);
            rerun::printed(command.env_remove("KORAT_EXPLAIN").env("KORAT_PROFILE", value)).contains("rejects 67 %")
        };
        assert!(shown("1") && !shown(""), "{test}");
    }
}

#[test]
fn one_variable_asks_for_all_searches() {
    let test = "a_search_that_asks_for_nothing";
    let told = printed(test, Some(("KORAT_PROFILE", "1")));
    assert!(told.contains("complete: the only value of List at scope 2"), "{told}");
    assert!(told.contains("rejects 67 % of 3 candidates; the field read last was List.head at line "), "{told}");
    for quiet in [None, Some(("KORAT_PROFILE", "0")), Some(("KORAT_PROFILE", ""))] {
        assert_eq!(printed(test, quiet), "");
    }
}
