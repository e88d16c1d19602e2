//! Values drawn at random where parts cannot be summarised: valid ones, with a seed the same, and with a report that says how.

use std::collections::BTreeSet;
use std::fmt::Debug;

use korat::{Ending, Error, Finitize, RepOk, Search, SearchError, Summaries, Unread, rep_ok};

use crate::search_trees::CountedTree;
use crate::structures::{Arena, Chain, Diamond, Plant};

#[derive(Debug, Finitize)]
struct Pair {
    low: u8,
    high: u8,
}

/// Its filter decides, and not `rep_ok`.
#[rep_ok(filter = Self::is_odd)]
impl Pair {
    fn rep_ok(&self) -> bool {
        self.low <= self.high
    }
}

impl Pair {
    fn is_odd(&self) -> bool {
        (self.low + self.high) % 2 == 1
    }
}

/// Draws values by descents; returns their texts and the report's.
fn drawn<T: Finitize + RepOk + Debug>(search: Search<T>) -> (Vec<String>, String) {
    let mut texts = Vec::new();
    let report = search.for_each(|value| texts.push(format!("{value:?}")));
    assert_eq!((report.ending, report.sampled_of.is_none()), (Ending::Sampled, true));
    assert!(report.descents.as_ref().is_some_and(|descents| descents.attempts >= report.valid));
    (texts, report.to_string())
}

/// Asserts that exactly the values of a search are drawn, if that are enough.
fn assert_covered<T: Finitize + RepOk + Debug>(search: impl Fn() -> Search<T>, samples: u64) {
    let all: BTreeSet<String> = search().into_iter().map(|value| format!("{value:?}")).collect();
    let (texts, _) = drawn(search().summaries(Summaries::Never).sample(samples));
    assert_eq!(texts.len() as u64, samples);
    assert_eq!(texts.into_iter().collect::<BTreeSet<_>>(), all);
}

#[test]
fn the_values_of_the_search_are_drawn_and_no_others() {
    assert_covered(|| Search::new(CountedTree::scope(3)), 3_000);
    assert_covered(|| Search::new(CountedTree::scope(3)).exact(), 3_000);
    assert_covered(|| Search::new(CountedTree::scope(3)).sizes(1..=2), 1_000);
    assert_covered(|| Search::new(Plant::scope(3)), 1_000);
    assert_covered(|| Search::new(Plant::scope(3)).unread(Unread::First), 1_000);
    assert_covered(|| Search::new(Pair::scope(5)), 1_000);
}

#[test]
fn each_size_is_drawn_about_as_often() {
    let search = Search::new(CountedTree::scope(7)).summaries(Summaries::Never);
    let report = search.sample(400).for_each(|tree| tree.rep_ok());
    // 50 each; five standard deviations either way.
    assert_eq!(report.by_size.len(), 8);
    assert!(report.by_size.iter().all(|(_, values)| (17..83).contains(values)), "{:?}", report.by_size);
}

/// Shared objects, links back and indices cannot be summarised.
#[test]
fn a_structure_that_cannot_be_summarised_is_drawn_all_the_same() {
    fn text_of<T: Finitize + RepOk + Debug>(search: Search<T>) -> String {
        let mut valid = 0;
        let report = search.sample(50).for_each(|value| valid += u64::from(value.holds()));
        assert_eq!((report.valid, valid), (50, 50));
        report.to_string()
    }
    let text = text_of(Search::new(Diamond::scope(4)));
    let beginning = "drew 50 values of Diamond at scope 4 by random descents, not uniformly: ";
    assert!(text.starts_with(beginning) && text.contains("; NOT exhaustive; "), "{text}");
    text_of(Search::new(Chain::scope(4)));
    text_of(Search::new(Arena::scope(3)));
}

#[test]
fn a_seed_draws_the_same_values() {
    let of_seed = |seed| drawn(Search::new(CountedTree::scope(6)).summaries(Summaries::Never).sample(30).seed(seed)).0;
    assert_eq!(of_seed(3), of_seed(3));
    assert_ne!(of_seed(3), of_seed(4));
}

/// Which values a filter accepts is not known from summaries of `rep_ok`.
#[test]
fn a_filter_is_asked() {
    let (texts, report) = drawn(Search::new(Pair::scope(5)).sample(100));
    assert_eq!(texts.len(), 100);
    assert!(report.contains("not uniformly: a filter decides about whole values; NOT exhaustive"), "{report}");
    let why = Search::new(Pair::scope(5)).try_nth(0);
    assert!(matches!(why, Err(Error::Search(failed)) if matches!(failed.error, SearchError::NotSummarised { .. })));
}

/// A number that only its last digit decides about, with a valid value in a million.
#[derive(Debug, Finitize)]
struct Lock {
    #[finitize(0..=9)]
    digits: [u8; 9],
}

#[rep_ok]
impl Lock {
    fn rep_ok(&self) -> bool {
        let number = self.digits.iter().fold(0_u64, |number, digit| number * 10 + u64::from(*digit));
        number.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 34 == 5
    }
}

#[test]
fn nothing_drawn_is_an_error() {
    let search = Search::new(Lock::scope(1)).summaries(Summaries::Never);
    let Err(error) = search.sample(10).try_for_each(|_| true) else { panic!("it fails") };
    let text = error.to_string();
    let beginning =
        "nothing was drawn: 10 random descents with 19100 candidates led to no valid value, so the property never ran";
    assert!(text.starts_with(beginning), "{text}");
    assert!(text.contains("cannot be summarised: the settings say so"), "{text}");
}

/// There is something behind one door of 150, and too much behind the others to see that none of it will do.
#[derive(Debug, Finitize)]
struct Doors {
    #[finitize(0..150)]
    door: u8,
    #[finitize(0..64)]
    one: u8,
    #[finitize(0..64)]
    other: u8,
}

#[rep_ok]
impl Doors {
    fn rep_ok(&self) -> bool {
        self.door == 77 || self.one + self.other > 200
    }
}

#[test]
fn fewer_are_drawn_than_asked_for_if_hardly_any_descent_leads_to_one() {
    let search = |seed| Search::new(Doors::scope(1)).summaries(Summaries::Never).sample(10_000).seed(seed);
    // Most seeds draw nothing at all.
    let report = (0..100).find_map(|seed| search(seed).try_for_each(|doors| doors.door == 77).ok());
    let report = report.expect("a descent leads to the right door for one seed in 15");
    assert_eq!((report.ending, report.sample), (Ending::Sampled, Some(10_000)));
    assert!((1..1_000).contains(&report.valid), "{}", report.valid);
    let valid = report.valid;
    let values = if valid == 1 { "1 value".to_string() } else { format!("{valid} values") };
    let beginning = format!("drew {values}, not 10,000, of Doors at scope 1 by random descents, not uniformly: ");
    let text = report.to_string();
    assert!(text.starts_with(&beginning) && text.contains("; NOT exhaustive; "), "{text}");
}

#[derive(Debug, Finitize)]
struct Never {
    number: u8,
}

#[rep_ok]
impl Never {
    fn rep_ok(&self) -> bool {
        self.number > 100
    }
}

#[test]
fn without_any_value_the_search_says_why() {
    let search = || Search::new(Never::scope(3)).summaries(Summaries::Never).sample(10);
    let Err(Error::Expectation(text)) = search().try_for_each(|_| true) else { panic!("it fails") };
    assert!(text.starts_with("no valid value of Never at scope 3: rep_ok rejected every candidate"), "{text}");
    assert_eq!(search().allow_empty(true).for_each(|_| false).valid, 0);
}
