//! Values that failed once: kept, run first, and never forgotten in silence.

use std::fs;

use super::child::Child;

const FILE: &str = "korat-regressions/harness.reports.scenarios.txt";

#[test]
fn a_failing_value_is_kept_in_a_file_that_can_be_read() {
    let child = Child::new("panicking");
    assert!(!child.run().passed);
    insta::assert_snapshot!(fs::read_to_string(child.file(FILE)).unwrap());
}

#[test]
fn a_kept_value_is_run_first() {
    let child = Child::new("panicking");
    assert!(!child.run().passed);
    let kept = fs::read_to_string(child.file(FILE)).unwrap();
    let again = child.run();
    assert!(!again.passed);
    insta::assert_snapshot!(again.text);
    assert_eq!(kept, fs::read_to_string(child.file(FILE)).unwrap(), "a value is kept once");
}

#[test]
fn a_value_that_is_mended_stays_and_passes() {
    let child = Child::new("passing");
    fs::create_dir_all(child.file("korat-regressions")).unwrap();
    fs::write(
        child.file(FILE),
        "passing SortedList:3:1.1.0 # SortedList { head: Node#1 }, Node#1 { value: 1, next: null }\n",
    )
    .unwrap();
    let said = child.env("KORAT_VERBOSE", "1").run();
    assert!(said.passed, "{}", said.text);
}

/// The values beside it tell whose a kept value is.
#[test]
fn a_value_of_another_search_of_the_test_is_passed_over() {
    let child = Child::new("two_searches_with_others");
    assert!(!child.run().passed);
    let kept = fs::read_to_string(child.file(FILE)).unwrap();
    assert!(
        kept.ends_with("two_searches_with_others SortedList,i32:1:0+1 # SortedList { head: null } with 6\n"),
        "{kept}"
    );
    let again = child.run().text;
    assert!(again.contains("property failed on a saved structure"), "{again}");
}

#[test]
fn lines_that_are_no_valid_value_any_more_fail_the_test() {
    let child = Child::new("passing");
    fs::create_dir_all(child.file("korat-regressions")).unwrap();
    let lines = [
        // Two equal values.
        "passing SortedList:3:1.1.2.1.0 # ",
        // Two owners of one node.
        "passing SortedList:3:1.1.1 # ",
        // What it was is not what it is.
        "passing SortedList:3:1.1.0 # SortedList { head: Node#1 }, Node#1 { value: 7, next: null }",
        // No such values, too few and too many slots, no number.
        "passing SortedList:3:1.9.0",
        "passing SortedList:3:1.1",
        "passing SortedList:3:1.1.0.0",
        "passing SortedList:3:1.x",
        "passing",
        // Of others.
        "failing SortedList:x",
        "passing Chain:2:0",
    ];
    fs::write(child.file(FILE), lines.join("\n")).unwrap();
    let said = child.run();
    assert!(!said.passed, "{}", said.text);
    insta::assert_snapshot!(said.text);
}

#[test]
fn a_file_that_cannot_be_written_is_told_and_the_failure_as_well() {
    let child = Child::new("panicking");
    // Where the folder should be is a file.
    fs::write(child.file("korat-regressions"), "").unwrap();
    let said = child.run();
    assert!(!said.passed);
    assert!(said.text.contains("property failed on structure"), "{}", said.text);
    let line = said.text.lines().find(|line| line.starts_with("not saved:")).map(str::to_string);
    assert!(
        line.as_ref().is_some_and(|line| line.contains("korat-regressions/harness.reports.scenarios.txt cannot be")),
        "{}",
        said.text
    );
}

#[test]
fn nothing_is_kept_where_it_is_not_wanted() {
    let child = Child::new("panicking").env("KORAT_REGRESSIONS", "0");
    assert!(!child.run().passed);
    assert!(!child.file("korat-regressions").exists());
}
