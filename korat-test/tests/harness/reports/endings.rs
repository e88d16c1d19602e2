//! How searches end, and that they say so.

use std::time::Duration;

use korat::{Finitize, Search, rep_ok};

use super::child::Child;

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
    let (_, rest) = said.text.split_once("expected a complete search, but stopped after ").unwrap_or_default();
    // The property sleeps; on a busy machine longer than it asked for.
    let time = rest.split_once(" at size ").and_then(|(time, _)| humantime(time));
    assert!(time.is_some_and(|time| time < Duration::from_secs(5)), "{}", said.text);
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

#[test]
fn a_slow_search_says_what_reruns() {
    let notes = |scenario| {
        let said = Child::new(scenario).env("KORAT_PROGRESS", "always").run();
        assert!(said.passed, "{}", said.text);
        let notes = said.text.lines().filter(|line| line.starts_with("korat: note: "));
        notes.map(str::to_string).collect::<Vec<_>>()
    };
    let [note] = &notes("from_the_top")[..] else { panic!("one note") };
    assert!(
        note.contains("rep_ok runs from the top for every candidate") && note.contains("`Rc<RefCell<u8>>`"),
        "{note}"
    );
    let [note] = &notes("replayed")[..] else { panic!("one note") };
    assert!(note.contains("reruns from its start for") && note.contains("self.digits.iter().all("), "{note}");
    assert_eq!(notes("passing"), [""; 0]);
}

/// Nothing of it is a part.
#[derive(Debug, Finitize)]
struct Switches([bool; 12]);

#[rep_ok]
impl Switches {
    fn rep_ok(&self) -> bool {
        self.0.iter().filter(|on| **on).count().is_multiple_of(2)
    }
}

#[test]
#[ignore = "is run by another test"]
fn counted() {
    assert_eq!(Search::new(Switches::scope(0)).count(), 1 << 11);
}

#[test]
fn a_count_that_searches_says_why() {
    let why = "korat: note: values are counted by searching: parts are not summarised: ";
    let child = || Child::of("endings", "counted").env("KORAT_PROGRESS", "always");
    let said = child().run();
    assert!(said.passed && said.text.matches(why).count() == 1, "{}", said.text);
    let said = child().env("KORAT_SUMMARIES", "never").run();
    assert!(said.passed && !said.text.contains(why), "{}", said.text);
}

/// How long the search of a scenario took that was to stop after 300 ms.
fn stopped_after(scenario: &str) -> Duration {
    let said = Child::new(scenario).run();
    assert!(said.passed, "{}", said.text);
    let line = said.text.lines().find_map(|line| line.strip_prefix("korat: stopped after "));
    let time = line.and_then(|rest| rest.split_once(" at size "));
    let time = time.unwrap_or_else(|| panic!("no time in {:?}", said.text)).0;
    humantime(time).unwrap_or_else(|| panic!("no time: {time:?}"))
}

/// `301.2ms` or `1.5s`.
fn humantime(text: &str) -> Option<Duration> {
    let seconds = match text.strip_suffix("ms") {
        Some(milliseconds) => milliseconds.parse::<f64>().ok()? / 1000.0,
        None => text.strip_suffix('s')?.parse().ok()?,
    };
    Some(Duration::from_secs_f64(seconds))
}

/// At most twice the limit, in one of several runs: the machine may be busy. Before, each took until the values or the candidates were
/// used up.
#[test]
fn a_time_limit_holds_wherever_the_time_goes() {
    for scenario in [
        "slow_candidates_after_quick_values",
        "slow_values_that_wait",
        "slow_values_that_are_counted",
        "slow_property_after_quick_values",
    ] {
        let most = Duration::from_millis(600);
        assert!((0..5).any(|_| stopped_after(scenario) < most), "{scenario} takes too long");
    }
}

/// The second line comes after two seconds, when nearly all values found so far wait.
#[test]
fn progress_is_said_while_values_wait() {
    let child = Child::new("slow_values_that_wait").env("KORAT_PROGRESS", "always").env("KORAT_SCOPE", "12");
    // Otherwise the values are counted, and progress is said in values.
    let said = child.env("KORAT_TIME_LIMIT", "2300ms").env("KORAT_SUMMARIES", "never").run();
    let line = said.text.lines().filter(|line| line.contains(" a second")).nth(1);
    let line = line.unwrap_or_else(|| panic!("it was silent: {}", said.text));
    // There are at most twelve objects, however many sizes the pass takes.
    let upto =
        line.split_once("sizes up to ").and_then(|(_, rest)| rest.split([' ', ',']).next()?.parse::<usize>().ok());
    assert!(line.contains("all sizes") || upto.is_some_and(|upto| upto < 12), "{line}");
    assert!(line.ends_with(" values found to run after it"), "{line}");
}

#[test]
fn one_value_is_the_only_one() {
    let said = Child::new("only_one_value").env("KORAT_VERBOSE", "1").run();
    assert!(said.passed, "{}", said.text);
    let expected = "korat: complete: the only value of Only at scope 0; 1 candidate explored, 1 field initialisation, 0 undone, 1 candidate and 1 value checked, in [time]";
    assert_eq!(said.text, expected);
}
