//! Iterators keep the promises of a search, and expectations allow a value to be replayed.

use std::panic::catch_unwind;

use korat::{Finitize, Search, field, rep_ok};
use korat_core::panic_message;

use crate::errors::Interval;
use crate::rerun;

fn search() -> Search<Interval> {
    Search::new(Interval::scope(2))
}

fn message(search: impl FnOnce() -> usize + std::panic::UnwindSafe) -> String {
    catch_unwind(search).map_err(|panic| panic_message(&*panic)).expect_err("it fails")
}

#[test]
fn what_is_expected_is_checked_after_the_last_value() {
    assert_eq!(search().expect_count(6).expect_complete().into_iter().count(), 6);
    let text = message(|| search().expect_count(99).into_iter().count());
    assert!(text.starts_with("expected 99 values of Interval at scope 2, but there are 6: "), "{text}");
    let text = message(|| search().limit(2).expect_complete().into_iter().count());
    assert!(text.starts_with("expected a complete search, but stopped at the limit"), "{text}");
    // Nobody has asked for the last value.
    assert_eq!(search().expect_count(99).into_iter().take(6).count(), 6);
}

#[test]
fn there_may_be_no_value() {
    assert_eq!(korat::valid(Interval::scope(2).domain(field!(Interval.low), [7])).count(), 0);
}

#[test]
fn a_search_that_iterates() {
    assert_eq!(korat::valid(Interval::scope(2)).count(), 6);
}

#[test]
fn how_it_ended_is_printed_if_asked_for() {
    let mut command = rerun::command(module_path!(), "a_search_that_iterates");
    let printed = rerun::printed(command.env("KORAT_VERBOSE", "1"));
    assert!(printed.contains("korat: complete: all 6 values of Interval at scope 2"), "{printed}");
}

#[test]
fn a_search_with_expectations() {
    search().for_each(|interval| assert!(interval.low <= 2)).expect_count(6).expect_complete();
    search().expect_count(6).expect_complete().for_each(|_| {});
}

#[test]
fn a_value_is_replayed_where_a_count_is_expected() {
    let mut command = rerun::command(module_path!(), "a_search_with_expectations");
    rerun::printed(command.env("KORAT_REPLAY", "Interval:2:1.1"));
}

/// Replays know the arguments of a generic type.
mod generic {
    use super::*;

    #[derive(Debug, Finitize)]
    struct Pair<T> {
        low: T,
        high: T,
    }

    #[rep_ok]
    impl<T: PartialOrd> Pair<T> {
        fn rep_ok(&self) -> bool {
            self.low <= self.high
        }
    }

    #[test]
    fn searches_of_two_types() {
        let mut seen = Vec::new();
        Search::new(Pair::<bool>::scope(2)).regressions(false).for_each(|pair| seen.push(format!("{pair:?}")));
        Search::new(Pair::<u8>::scope(2)).regressions(false).for_each(|pair| seen.push(format!("{pair:?}")));
        let is_replayed = std::env::var_os("KORAT_REPLAY").is_some();
        assert_eq!(seen.len(), if is_replayed { 3 + 1 } else { 3 + 6 });
        assert_eq!(
            seen.last().map(String::as_str),
            Some("Pair { low: 0, high: 1 }").filter(|_| is_replayed).or(Some("Pair { low: 2, high: 2 }"))
        );
    }

    #[test]
    fn the_right_one_is_replayed() {
        let failed = Search::new(Pair::<u8>::scope(2)).regressions(false).try_for_each(|pair| pair.high < 1);
        let Err(korat::Error::Property(failed)) = failed else { panic!("it fails") };
        assert_eq!(failed.failures[0].replay, "Pair<u8>:2:0.1");
        let mut command = rerun::command(module_path!(), "searches_of_two_types");
        let printed = rerun::printed(command.env("KORAT_REPLAY", &failed.failures[0].replay));
        assert!(printed.contains("the search of Pair<bool> at "), "{printed}");
    }
}

#[test]
#[should_panic(expected = "property failed")]
fn a_property_that_fails() {
    search().for_each(|interval| interval.high < 1);
}

#[test]
fn without_cargo_it_is_said_that_nothing_is_saved() {
    let mut command = rerun::command(module_path!(), "a_property_that_fails");
    command.env("KORAT_REGRESSIONS", "1").env_remove("CARGO_MANIFEST_DIR");
    let printed = rerun::printed(&mut command);
    assert!(printed.contains("not saved: only cargo says where the package is"), "{printed}");
}
