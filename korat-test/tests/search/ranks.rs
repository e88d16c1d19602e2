//! Ranges of ranks: those that together have every rank generate every value once.

use std::collections::BTreeSet;
use std::fmt::Debug;
use std::rc::Rc;

use korat::{Ending, Error, Finitize, Natural, RepOk, Search, SearchError, rep_ok};

use crate::search_trees::SearchTree;
use crate::structures::Plant;

#[derive(Debug, Finitize)]
struct Shared {
    #[finitize(0..=scope)]
    key: usize,
    next: Option<Rc<Shared>>,
}

#[derive(Debug, Finitize)]
struct Twins {
    one: Rc<Shared>,
    other: Rc<Shared>,
}

#[rep_ok]
impl Twins {
    fn rep_ok(&self) -> bool {
        Rc::ptr_eq(&self.one, &self.other) && self.one.next.is_none()
    }
}

/// Asserts that every partition into equal ranges generates the values of the search, each once, and the ranks of `nth`.
fn assert_partitioned<T: Finitize + RepOk + Debug>(search: impl Fn() -> Search<T>, expected: u64) {
    let all: BTreeSet<String> = search().into_iter().map(|value| format!("{value:?}")).collect();
    assert_eq!((all.len() as u64, search().count()), (expected, Natural::from(expected)));
    for parts in [1, 2, 3, 7] {
        let mut texts = Vec::new();
        for part in 0..parts {
            let (start, end) = (expected * part / parts, expected * (part + 1) / parts);
            let report = search().ranks(start..end).for_each(|value| texts.push(format!("{value:?}")));
            assert_eq!((report.valid, report.total), (end - start, Some(expected.into())));
            assert_eq!(report.ending, if parts == 1 { Ending::Complete } else { Ending::Ranked });
        }
        assert_eq!(texts.len() as u64, expected, "{parts} parts");
        for (number, text) in texts.iter().enumerate().step_by(5) {
            let value = search().nth(number as u64).map(|value| format!("{value:?}"));
            assert_eq!(value.as_ref(), Some(text));
        }
        assert_eq!(texts.into_iter().collect::<BTreeSet<_>>(), all, "{parts} parts");
    }
}

#[test]
fn ranges_of_all_ranks_have_every_value_once() {
    assert_partitioned(|| Search::new(SearchTree::scope(3)), 1 + 4 + 2 * 6 + 5 * 4);
    assert_partitioned(|| Search::new(SearchTree::scope(3)).exact(), 5 * 4);
    assert_partitioned(|| Search::new(SearchTree::scope(4)).sizes(1..=2), 5 + 2 * 10);
    assert_partitioned(|| Search::new(Plant::scope(4)), 2 + 4 + 2 * 8 + 4 * 16);
}

#[test]
fn values_far_away_are_reached_at_once() {
    let first: Natural = "3717464256000".parse().unwrap();
    let mut end = first.clone();
    end += &Natural::from(10);
    let search = Search::new(SearchTree::scope(20)).ranks(first..end);
    let report = search.for_each(|tree| tree.rep_ok());
    let text = report.to_string();
    let beginning = "ran 10 values of SearchTree at scope 20, ranks 3,717,464,256,000..3,717,464,256,010 of 3,717,464,256,720; NOT exhaustive";
    assert!(text.starts_with(beginning), "{text}");
}

#[test]
fn a_part_is_not_complete() {
    let search = || Search::new(SearchTree::scope(3));
    let Err(Error::Expectation(text)) = search().ranks(0..10).expect_complete().try_for_each(|_| true) else {
        panic!("it fails")
    };
    assert!(
        text.starts_with("expected a complete search, but ran 10 values of SearchTree at scope 3, ranks 0..10 of 37")
    );
    search().ranks(0..100).expect_count(37).for_each(|_| true);
}

#[test]
fn ranks_without_values_are_said() {
    let search = || Search::new(SearchTree::scope(3)).ranks(37..40);
    let Err(Error::Expectation(text)) = search().try_for_each(|_| true) else { panic!("it fails") };
    assert!(
        text.starts_with("no value has one of these ranks: ran 0 values of SearchTree at scope 3, ranks 37..40 of 37")
    );
    assert_eq!(search().allow_empty(true).for_each(|_| false).valid, 0);
}

#[test]
fn ranks_need_summaries_and_no_sample() {
    let Err(Error::Search(failed)) = Search::new(Twins::scope(2)).ranks(0..1).try_for_each(|_| true) else {
        panic!("it fails")
    };
    assert!(matches!(failed.error, SearchError::NotSummarised { .. }));
    let text = failed.to_string();
    assert!(text.starts_with("values have numbers only where parts of the structure are summarised"), "{text}");
    let both = Search::new(SearchTree::scope(3)).ranks(0..1).sample(1).try_for_each(|_| true);
    assert!(matches!(both, Err(Error::Expectation(text)) if text.ends_with("give a sample or ranks, not both")));
}
