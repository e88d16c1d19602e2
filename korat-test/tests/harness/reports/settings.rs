//! Settings from the environment, and what is wrong with them.

use super::child::Child;

#[test]
fn the_scope_of_the_environment_counts() {
    let said = Child::new("passing").env("KORAT_SCOPE", "2").run();
    assert!(!said.passed);
    assert!(said.text.contains("expected 15 values of SortedList at scope 2, but there are 7"), "{}", said.text);
}

#[test]
fn the_limit_of_the_environment_comes_before_that_of_the_code() {
    let said = Child::new("limited").env("KORAT_LIMIT", "4").run();
    assert!(said.text.contains("left: (4, false)"), "{}", said.text);
}

#[test]
fn a_limit_of_the_environment_is_not_complete() {
    let said = Child::new("passing").env("KORAT_LIMIT", "4").run();
    assert!(!said.passed);
    assert!(said.text.contains("expected a complete search, but stopped at the limit of 4 values"), "{}", said.text);
}

#[test]
fn a_test_that_passes_says_that_the_environment_has_limited_it() {
    for (scenario, values) in
        [("only_one_value", None), ("returning_false", Some("3 values")), ("iterated", Some("3 values"))]
    {
        let said = Child::new(scenario).env("KORAT_LIMIT", "3").run();
        assert!(said.passed, "{scenario}: {}", said.text);
        match values {
            None => assert_eq!(said.text, "", "the limit was not reached"),
            Some(values) => {
                let expected =
                    format!("korat: stopped at the limit of {values} of SortedList at scope 3; NOT exhaustive; ");
                assert!(
                    said.text.starts_with(&expected) && said.text.lines().count() == 1,
                    "{scenario}: {}",
                    said.text
                );
            }
        }
    }
}

#[test]
fn wrong_variables_are_warned_about_and_change_nothing() {
    let said = Child::new("passing")
        .env("KORAT_SCOP", "2")
        .env("KORAT_LIMIT", "0")
        .env("KORAT_TIME_LIMIT", "soon")
        .env("KORAT_BACKTRACKING", "both")
        .run();
    assert!(said.passed);
    insta::assert_snapshot!(said.text);
}

#[test]
fn a_limit_of_nothing_is_refused() {
    let said = Child::new("no_values_wanted").run();
    assert!(!said.passed);
    assert!(said.text.contains("a limit of 0 values runs the property on nothing"), "{}", said.text);
}

#[test]
fn replays_that_are_none_are_refused() {
    let texts = ["nonsense", "SortedList:3:1.9.0", "SortedList:3:1.1.2.1.0", "SortedList:three:0"].map(|replay| {
        let said = Child::new("passing").env("KORAT_REPLAY", replay).run();
        assert!(!said.passed, "{replay}: {}", said.text);
        // The place is where the user calls korat; its line is of no interest.
        let text = said.text.trim();
        text.replace(
            &text[text.find(".rs:").expect("it names a place")..text.find('\n').expect("it has two lines")],
            ".rs",
        )
    });
    insta::assert_snapshot!(texts.join("\n"));
}

#[test]
fn a_replay_for_another_type_is_told_and_nothing_is_left_out() {
    let said = Child::new("passing").env("KORAT_REPLAY", "Chain:2:0").run();
    assert!(said.passed, "all values were run: {}", said.text);
    assert!(said.text.contains("KORAT_REPLAY is a value of Chain; the search of SortedList at "), "{}", said.text);
    // Of two searches in one test, that of the type is replayed.
    let said = Child::new("two_types").env("KORAT_REPLAY", "SortedList:3:1.1.0").run();
    assert!(!said.passed);
    assert!(said.text.contains("property failed on the replayed structure"), "{}", said.text);
}

#[test]
fn both_ways_of_going_on_are_there() {
    for (way, undone) in [("checkpoint", false), ("reexecute", true)] {
        let said = Child::new("passing").env("KORAT_BACKTRACKING", way).env("KORAT_VERBOSE", "1").run();
        assert!(said.passed);
        assert_eq!(said.text.contains(", 0 undone"), undone, "{way}: {}", said.text);
    }
}
