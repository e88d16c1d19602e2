//! Failing properties: what is said, and that it leads back to the failure.

use super::child::Child;

fn report(scenario: &str) -> String {
    let said = Child::new(scenario).run();
    assert!(!said.passed, "{}", said.text);
    said.text
}

#[test]
fn of_a_panic() {
    insta::assert_snapshot!(report("panicking"));
}

#[test]
fn of_false() {
    insta::assert_snapshot!(report("returning_false"));
}

#[test]
fn of_an_error() {
    insta::assert_snapshot!(report("returning_an_error"));
}

#[test]
fn of_several_kinds() {
    insta::assert_snapshot!(report("several"));
}

#[test]
fn of_a_structure_with_ways_back() {
    insta::assert_snapshot!(report("linked_both_ways"));
}

/// The text between two others.
fn between<'t>(text: &'t str, before: &str, after: &str) -> &'t str {
    let (_, rest) = text.split_once(before).unwrap_or_else(|| panic!("no {before:?} in {text}"));
    rest.split_once(after).unwrap_or_else(|| panic!("no {after:?} in {rest}")).0
}

#[test]
fn the_replay_line_leads_back_to_the_failure() {
    for scenario in ["panicking", "returning_false", "returning_an_error", "several", "linked_both_ways"] {
        let text = report(scenario);
        let replay = between(&text, "KORAT_REPLAY='", "'");
        let name = between(&text, "' cargo test ", "\n");
        assert_eq!(name, format!("reports::scenarios::{scenario}"));
        let again = Child::new(scenario).env("KORAT_REPLAY", replay).run();
        assert!(!again.passed);
        assert!(again.text.contains("property failed on the replayed structure"), "{}", again.text);
        // The same value, drawn and printed.
        let value = |text: &str| between(text, "\n\n", "\nreplay:").to_string();
        assert_eq!(value(&text), value(&again.text));
    }
}

#[test]
fn the_pasted_test_leads_back_to_the_failure() {
    let text = report("panicking");
    let test = between(&text, "as a test of its own:\n", "\n\nso far:");
    let test: String = test.lines().map(|line| format!("{}\n", line.strip_prefix("    ").unwrap_or(line))).collect();
    let test = test.trim_start_matches("#[test]\n");
    let source = include_str!("scenarios.rs");
    assert!(source.contains(test), "the scenarios have no such test:\n{test}");
    let again = Child::new("panicking_on_one_value").run();
    assert!(!again.passed);
    assert!(again.text.contains("on the replayed structure, size 1: the order is lost"), "{}", again.text);
}

/// How many frames of each backtrace of a scenario there are, and how many of them are korat's.
fn frames(scenario: &str, backtrace: &str) -> Vec<(usize, usize)> {
    let said = Child::new(scenario).env("RUST_BACKTRACE", backtrace).run();
    let is_frame =
        |line: &&str| line.trim_start().split_once(": ").is_some_and(|(number, _)| number.parse::<u32>().is_ok());
    let text = said.text.replace("backtrace of the property:", "stack backtrace:");
    let backtraces = text.split("stack backtrace:\n").skip(1);
    let backtraces = backtraces.map(|part| part.lines().take_while(|line| line.starts_with("  ")));
    let counts = backtraces.map(|lines| {
        let frames: Vec<&str> = lines.filter(is_frame).collect();
        (
            frames.len(),
            frames.iter().filter(|frame| frame.contains("korat::") || frame.contains("korat_core::")).count(),
        )
    });
    counts.filter(|(frames, _)| *frames > 0).collect()
}

#[test]
fn there_is_one_backtrace_and_it_is_the_users() {
    assert_eq!(frames("panicking", "0"), []);
    let [(all, 0)] = frames("panicking", "1")[..] else { panic!("{:?}", frames("panicking", "1")) };
    assert!(all <= 4, "{all} frames");
    // Whoever wants all of them gets them.
    let [(all, _)] = frames("panicking", "full")[..] else { panic!("{:?}", frames("panicking", "full")) };
    assert!(all > 20, "{all} frames");
    // That of an invariant's panic is printed where it happens, and that of the report is none.
    assert_eq!(frames("panicking_invariant", "1").len(), 1);
}

#[test]
fn colours_are_left_out_where_nobody_sees_them() {
    assert!(!report("panicking").contains('\u{1b}'));
}
