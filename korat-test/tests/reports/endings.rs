//! How searches end, and that they say so.

use crate::child::Child;

#[test]
fn a_complete_search_says_that_it_was() {
    let said = Child::new("passing").env("KORAT_VERBOSE", "1").run();
    assert!(said.passed);
    insta::assert_snapshot!(said.text);
}

#[test]
fn a_search_says_nothing_unasked() {
    let said = Child::new("passing").run();
    assert_eq!((said.passed, said.text.as_str()), (true, ""));
}

#[test]
fn a_limit_is_not_complete() {
    let said = Child::new("limited").run();
    assert!(!said.passed);
    insta::assert_snapshot!(said.text);
}

#[test]
fn another_count_than_expected_fails() {
    let said = Child::new("miscounted").run();
    assert!(!said.passed);
    insta::assert_snapshot!(said.text);
}

#[test]
fn a_time_limit_ends_a_search_that_finds_nothing() {
    let said = Child::new("endless").run();
    assert!(said.passed, "{}", said.text);
    let line = said.text.lines().next().unwrap_or_default();
    assert!(line.starts_with("korat: stopped after 3") && line.contains("NOT exhaustive"), "{line}");
}

#[test]
fn a_time_limit_ends_a_slow_property() {
    let said = Child::new("slow_property").run();
    assert!(!said.passed);
    assert!(said.text.contains("expected a complete search, but stopped after 2"), "{}", said.text);
}

#[test]
fn progress_is_said_in_lines_where_there_is_no_terminal() {
    let said = Child::new("endless").env("KORAT_PROGRESS", "always").run();
    let lines: Vec<&str> = said.text.lines().filter(|line| line.contains("explored, 0 valid")).collect();
    assert!(!lines.is_empty(), "{}", said.text);
    assert!(lines.iter().all(|line| line.starts_with("korat: Digits at scope 0: ")), "{lines:?}");
    let said = Child::new("endless").env("KORAT_PROGRESS", "never").run();
    assert!(!said.text.contains(" a second"), "{}", said.text);
}
