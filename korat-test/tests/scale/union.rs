//! The union of all shards is the whole search: each value and each candidate once, however the search is divided.

use std::fmt::Debug;

use korat::{Backtracking, Division, Finitize, Natural, Pruning, RepOk, Search, Shard, Summaries, Unread, rep_ok};
use korat_core::{CanonicalValue, Searcher, Settings};

use crate::search_trees::SearchTree;
use crate::structures::{Arena, Chain, Containers, Diamond, Formula, Graph, Grove, Plant, Siblings, Tree, Watched};

/// A vector whose length alone is read: nearly every value is a completion of the same few candidates.
#[derive(Debug, Finitize)]
struct Unread8 {
    kind: bool,
    marks: [bool; 8],
}

#[rep_ok]
impl Unread8 {
    fn rep_ok(&self) -> bool {
        self.kind || !self.marks[0]
    }
}

fn shards(of: u32) -> impl Iterator<Item = Shard> {
    (1..=of).map(move |index| Shard::new(index, of).expect("it is one of them"))
}

/// Returns the values of a search, with what is not told apart left out, and how the search was divided.
fn values<T: Finitize + RepOk + Debug>(search: Search<T>, scope: usize) -> (Vec<Box<[u32]>>, Option<Division>) {
    let mut searcher = Searcher::<T>::new(&T::scope(scope), Settings::default()).expect("it has a heap");
    let mut forms = Vec::new();
    let report = search.regressions(false).crash_notes(false).for_each(|value: T| {
        let slots: CanonicalValue = searcher.abstract_value(&value).expect("it is within the bounds");
        forms.push(searcher.canonical_form(&slots));
    });
    assert_eq!(report.valid, forms.len() as u64);
    assert!(report.is_complete(), "{report}");
    (forms, report.division)
}

/// Asserts that shards together find what one run finds. Returns how they divide the search.
fn unite<T: Finitize + RepOk + Debug>(scope: usize, setting: fn(Search<T>) -> Search<T>) -> Division {
    let search = || setting(Search::new(T::scope(scope)));
    let (mut expected, none) = values(search(), scope);
    assert_eq!(none, None);
    expected.sort();
    let (whole, count) = (search().report(), search().count());
    let mut division = None;
    for of in [1, 2, 3, 8, 64] {
        let name = format!("{} at scope {scope} in {of} shards", T::NAME);
        let (mut found, mut explored, mut valid, mut counted) = (Vec::new(), Vec::new(), 0, Natural::ZERO);
        for shard in shards(of) {
            let (forms, divided) = values(search().shard(shard), scope);
            found.extend(forms);
            assert!(division.is_none_or(|division| divided == Some(division)), "{name}: shards divide differently");
            division = divided;
            let report = search().shard(shard).report();
            explored.push(report.explored);
            valid += report.valid;
            counted += &search().shard(shard).count();
            if report.division == Some(Division::Values) {
                assert_eq!(report.explored, whole.explored, "{name}");
            }
        }
        found.sort();
        assert!(found == expected, "{name}: {} values, not {}", found.len(), expected.len());
        assert_eq!((valid, &counted), (whole.valid, &count), "{name}");
        if division != Some(Division::Values) {
            assert_eq!(explored.iter().sum::<u64>(), whole.explored, "{name}: {explored:?}");
        }
    }
    division.expect("they are divided")
}

fn searched<T: Finitize + RepOk + Debug>(search: Search<T>) -> Search<T> {
    search.summaries(Summaries::Never)
}

#[test]
fn pieces_of_trees_and_lists() {
    assert_eq!(unite::<Tree>(5, searched), Division::Pieces);
    assert_eq!(unite::<SearchTree>(4, searched), Division::Pieces);
    assert_eq!(
        unite::<SearchTree>(4, |search| searched(search).backtracking(Backtracking::Reexecute)),
        Division::Pieces
    );
    assert_eq!(unite::<SearchTree>(2, |search| searched(search).pruning(Pruning::Classic)), Division::Pieces);
    assert_eq!(unite::<SearchTree>(4, |search| searched(search).sizes(2..=3)), Division::Pieces);
    assert_eq!(unite::<Chain>(3, searched), Division::Pieces);
    assert_eq!(unite::<Formula>(4, searched), Division::Pieces);
}

#[test]
fn pieces_of_shared_and_raw_objects() {
    assert_eq!(unite::<Diamond>(4, searched), Division::Pieces);
    assert_eq!(unite::<Watched>(2, searched), Division::Pieces);
    assert_eq!(unite::<Siblings>(2, searched), Division::Pieces);
}

/// What no candidate reads is divided as well.
#[test]
fn pieces_of_unread_fields() {
    assert_eq!(unite::<Plant>(3, searched), Division::Pieces);
    assert_eq!(unite::<Unread8>(1, searched), Division::Pieces);
    assert_eq!(unite::<Containers>(3, |search| searched(search).unread(Unread::First)), Division::Pieces);
    assert_eq!(unite::<Unread8>(1, |search| searched(search).unread(Unread::First)), Division::Pieces);
    let valid = |shard| Search::new(Unread8::scope(1)).summaries(Summaries::Never).shard(shard).report().valid;
    let shares: Vec<u64> = shards(4).map(valid).collect();
    assert!(shares.iter().all(|values| (80..=110).contains(values)), "{shares:?}");
}

/// One value may be found in several pieces.
#[test]
fn values_without_an_order() {
    assert_eq!(unite::<Arena>(3, searched), Division::Values);
    assert_eq!(unite::<Grove>(2, searched), Division::Values);
    assert_eq!(unite::<Graph>(2, searched), Division::Values);
}

#[test]
fn ranks_where_parts_are_summarised() {
    assert_eq!(unite::<Tree>(7, |search| search.summaries(Summaries::Always)), Division::Ranks);
    assert_eq!(unite::<SearchTree>(4, |search| search), Division::Ranks);
    assert_eq!(unite::<SearchTree>(4, |search| search.sizes(2..=3)), Division::Ranks);
}

/// Shards of a search that one process never ends.
#[test]
fn a_shard_of_what_is_too_large() {
    let search = || Search::new(SearchTree::scope(12));
    let effort = search().ranks(0..1).for_each(|_| {}).summaries.expect("there are summaries").effort;
    assert!(effort.runs < 200_000, "{effort:?}");
    let total = search().count();
    let counts = shards(3).map(|shard| search().shard(shard).count());
    assert_eq!(counts.sum::<Natural>(), total);
}

#[test]
fn a_sample_is_shared_out() {
    let sampled = |shard, seed| {
        let search = Search::new(SearchTree::scope(9)).sample(10).seed(seed).shard(shard);
        values_of_sample(search)
    };
    let first: Vec<Vec<String>> = shards(4).map(|shard| sampled(shard, 1)).collect();
    assert_eq!(first.iter().map(Vec::len).collect::<Vec<_>>(), [3, 3, 2, 2]);
    assert_eq!(first, shards(4).map(|shard| sampled(shard, 1)).collect::<Vec<_>>());
    assert!(first[0] != first[1] && first[0] != sampled(shards(4).next().expect("there are four"), 2));
    // More shards than values.
    assert_eq!(sampled(Shard::new(11, 12).expect("it is one of them"), 1).len(), 0);
}

fn values_of_sample<T: Finitize + RepOk + Debug>(search: Search<T>) -> Vec<String> {
    let mut texts = Vec::new();
    search.regressions(false).crash_notes(false).for_each(|value: T| texts.push(format!("{value:?}")));
    texts
}

#[test]
fn ranks_that_are_asked_for_are_shared_out() {
    let valid = |shard| {
        let search = Search::new(SearchTree::scope(5)).ranks(10..31).shard(shard).regressions(false);
        search.crash_notes(false).for_each(|_| {}).valid
    };
    assert_eq!(shards(4).map(valid).collect::<Vec<_>>(), [5, 5, 5, 6]);
}
