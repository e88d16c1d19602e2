//! Values are counted on several threads as on one.

use std::fmt::Debug;

use korat::{Error, Finitize, RepOk, Search, SearchError, Shard, Unread, rep_ok};

use crate::search_trees::SearchTree;
use crate::structures::{Arena, Chain, Grove, Plant, Tree};
use crate::threads::{Fixed, counts, searched};

/// Asserts that any number of threads counts what one does. Returns how many of them there were.
fn agree<T: Finitize + RepOk + Debug>(scope: usize, setting: fn(Search<T>) -> Search<T>) -> usize {
    let search = || setting(Search::new(T::scope(scope)));
    let one = search().report();
    assert!(one.valid > 0 && one.threads == 1);
    let mut all = Vec::new();
    for threads in [2, 3, 8] {
        let report = search().threads(threads).report();
        assert_eq!(counts(&report), counts(&one), "{} at scope {scope} on {threads} threads", T::NAME);
        assert_eq!(search().threads(threads).count_by_size(), search().count_by_size(), "{}", T::NAME);
        all.push(report.threads);
    }
    assert!(all == [2, 3, 8] || all == [1, 1, 1], "{}: {all:?}", T::NAME);
    all[0]
}

#[test]
fn counts_are_those_of_one_thread() {
    assert_eq!(agree::<Tree>(7, searched), 2);
    assert_eq!(agree::<SearchTree>(4, searched), 2);
    assert_eq!(agree::<SearchTree>(4, |search| searched(search).sizes(2..=3)), 2);
    assert_eq!(agree::<SearchTree>(4, |search| searched(search).exact()), 2);
    assert_eq!(agree::<Chain>(3, searched), 2);
    assert_eq!(agree::<Plant>(4, |search| searched(search).unread(Unread::First)), 2);
    assert_eq!(agree::<Fixed>(7, searched), 2);
    assert_eq!(agree::<Tree>(7, |search| searched(search).shard(Shard::new(2, 3).expect("it is one of them"))), 2);
    assert_eq!(agree::<SearchTree>(4, |search| search), 2);
}

/// The first ones are those of one thread, and what is found in several orders is remembered on one.
#[test]
fn some_counts_have_one_thread() {
    assert_eq!(agree::<Arena>(3, searched), 1);
    assert_eq!(agree::<Grove>(3, searched), 1);
    assert_eq!(agree::<Tree>(7, |search| searched(search).limit(100)), 1);
}

/// A mark whose last value nobody expects.
#[derive(Debug, Finitize)]
struct Mark {
    #[finitize(0..=999)]
    high: u16,
    #[finitize(0..=9)]
    low: u8,
}

#[rep_ok]
impl Mark {
    fn rep_ok(&self) -> bool {
        assert!(self.high < 700 || self.low < 5, "nobody expects {}", self.high);
        self.low.is_multiple_of(2)
    }
}

#[test]
fn errors_are_those_of_one_thread() {
    let fails = |search: Search<Mark>| {
        let Err(Error::Search(failed)) = search.try_report() else { panic!("it fails") };
        let SearchError::Panicked { message, candidate } = &failed.error else { panic!("{}", failed.error) };
        (message.clone(), candidate.clone(), failed.explored, failed.valid)
    };
    let one = fails(searched(Search::new(Mark::scope(1))));
    assert!(one.0.contains("nobody expects 700"));
    for threads in [2, 8] {
        assert_eq!(fails(searched(Search::new(Mark::scope(1))).threads(threads)), one);
    }
}
