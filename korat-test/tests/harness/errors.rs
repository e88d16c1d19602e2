//! Runs that return an error instead of panicking: which kind it is, and that its text is the text of the panic.

use std::panic::{AssertUnwindSafe, catch_unwind};

use korat::{Error, Finitize, Search, SearchError, rep_ok};

#[derive(Debug, Finitize)]
pub struct Interval {
    pub low: u8,
    pub high: u8,
}

#[rep_ok]
impl Interval {
    fn rep_ok(&self) -> bool {
        self.low <= self.high
    }
}

fn search() -> Search<Interval> {
    Search::new(Interval::scope(3)).regressions(false)
}

/// Asserts that a run fails with the same text in both forms, and returns the error.
fn same<R>(panics: impl FnOnce() -> R, fails: Result<R, Error>) -> Error {
    let payload = catch_unwind(AssertUnwindSafe(panics)).err().expect("it panics");
    let error = fails.err().expect("it fails");
    // Times differ from run to run, and so do the names of the tests to paste.
    let text = |text: &str| {
        text.split(", in ").next().unwrap_or_default().split("as a test of its own").next().map(str::to_string)
    };
    assert_eq!(text(&error.to_string()), text(payload.downcast_ref::<String>().expect("a panic has a text")));
    error
}

#[test]
fn a_run_without_failure_returns_its_report() {
    assert_eq!(search().try_for_each(|interval| interval.low <= interval.high).unwrap().valid, 10);
    assert_eq!(search().try_report().unwrap().explored, 16);
    assert_eq!(search().try_count().unwrap(), 10);
    assert_eq!(search().count(), 10);
}

#[test]
fn a_failing_property_is_data() {
    let property = |interval: Interval| interval.high < 2 || interval.low < 2;
    let Error::Property(failed) = same(|| search().for_each(property), search().try_for_each(property)) else {
        panic!("the property is at fault")
    };
    let [failure] = &failed.failures[..] else { panic!("one failure ends the run") };
    assert_eq!(
        (&*failure.message, &*failure.replay, failure.location.as_ref()),
        ("it returned false", "Interval:3:2.2", None)
    );
    assert!(failure.debug.starts_with("Interval {") && failure.drawing == "Interval { low: 2, high: 2 }\n");
    let panics = search().failures(2).try_for_each(|interval| {
        assert!(interval.low < 1, "low");
        assert!(interval.high < 3, "high");
    });
    let Err(Error::Property(failed)) = panics else { panic!("the property is at fault") };
    let failures: Vec<(&str, bool)> =
        failed.failures.iter().map(|failure| (&*failure.message, failure.location.is_some())).collect();
    assert_eq!(failures, [("high", true), ("low", true)]);
}

#[derive(Debug, Finitize)]
struct Moody {
    number: u8,
}

#[rep_ok]
impl Moody {
    fn rep_ok(&self) -> bool {
        assert!(self.number < 2, "too moody");
        self.number > 0
    }
}

#[test]
fn an_invariant_that_panics_is_an_error_of_the_search() {
    let moody = || Search::new(Moody::scope(2)).regressions(false);
    for error in [
        same(|| moody().report(), moody().try_report()),
        same(|| moody().for_each(|_| {}), moody().try_for_each(|_| {})),
    ] {
        let Error::Search(failed) = error else { panic!("the invariant is at fault") };
        assert!(matches!(&failed.error, SearchError::Panicked { message, .. } if message == "too moody"), "{failed}");
        assert_eq!((failed.explored, failed.valid), (2, 1));
    }
}

#[test]
fn wrong_bounds_are_an_error_of_the_search() {
    let empty = || Search::new(Interval::scope(3).domain(korat::field!(Interval.low), std::iter::empty::<u8>()));
    let error = same(|| empty().count(), empty().try_count());
    assert!(std::error::Error::source(&error).is_some());
    let Error::Search(failed) = error else { panic!("the bounds are at fault") };
    assert!(matches!(failed.error, SearchError::Bounds(_)) && failed.explored == 0, "{failed}");
}

#[test]
fn expectations_that_are_not_met_are_told() {
    let errors = [
        same(|| search().expect_count(9).report(), search().expect_count(9).try_report()),
        same(
            || search().limit(3).expect_complete().for_each(|_| {}),
            search().limit(3).expect_complete().try_for_each(|_| {}),
        ),
        same(|| search().limit(0).report(), search().limit(0).try_report()),
        same(|| search().sizes(7..=9).report(), search().sizes(7..=9).try_report()),
    ];
    for error in errors {
        assert!(matches!(error, Error::Expectation(_)), "{error}");
    }
}

#[test]
fn errors_travel_between_threads_and_through_question_marks() {
    fn run() -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
        search().try_for_each(|interval| interval.high > 0)?;
        Ok(())
    }
    let text = std::thread::spawn(run).join().expect("no panic").unwrap_err().to_string();
    assert!(text.starts_with("property failed on structure #1"), "{text}");
}

#[test]
fn a_search_is_iterated_over() {
    let mut widths = Vec::new();
    for interval in search().limit(3) {
        widths.push(interval.high - interval.low);
    }
    assert_eq!(widths, [0, 1, 2]);
}
