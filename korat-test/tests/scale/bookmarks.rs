//! A search that another process goes on with, wherever it stood, finds what is left, and counts what one search counts.

use std::fmt::Debug;

use korat::{Backtracking, Finitize, Pruning, RepOk, SelfCheck, Unread, rep_ok};
use korat_core::{Bookmark, Counters, Part, Searcher, Settings, StepResult};

use crate::search_trees::SearchTree;
use crate::structures::{Arena, Chain, Containers, Diamond, Formula, Plant, Siblings, Tree, Watched};

/// What a search is given beside its settings.
#[derive(Clone, Copy, Debug)]
struct Given {
    sizes: (usize, usize),
    part: Option<Part>,
    pause: u64,
}

const ALL: Given = Given { sizes: (0, usize::MAX), part: None, pause: 1 };

/// The most bookmarks of one search that are gone on from.
const MOST: usize = 100;

/// What a search has found and counted at its end.
#[derive(Debug, PartialEq)]
struct Found {
    values: Vec<Vec<u32>>,
    counters: Counters,
    unread: Vec<String>,
    hit_size_bound: bool,
    compared: Option<u64>,
}

fn searcher<T: Finitize + RepOk>(scope: usize, settings: Settings, given: Given) -> Searcher<T> {
    let mut searcher = Searcher::<T>::new(&T::scope(scope), settings).expect("it has a heap");
    searcher.set_sizes(given.sizes.0..=given.sizes.1);
    if let Some(part) = given.part {
        searcher.take_part(part);
    }
    searcher.pause_every(given.pause);
    searcher
}

/// Goes to the end; tells where the search stands after each step, with the number of values until then.
fn run<T: Finitize + RepOk>(
    mut searcher: Searcher<T>,
    settings: Settings,
    mut told: impl FnMut(usize, &Searcher<T>),
) -> Found {
    let mut values = Vec::new();
    told(0, &searcher);
    loop {
        let step = searcher.step().expect("the search goes on");
        if step == StepResult::Value {
            values.push(searcher.slot_vector().0);
        }
        told(values.len(), &searcher);
        if step == StepResult::Done {
            let compared = (settings.self_check == SelfCheck::All).then(|| searcher.checked().compared);
            let (counters, unread) = (searcher.counters(), searcher.field_use().unread());
            return Found { values, counters, unread, hit_size_bound: searcher.hit_size_bound(), compared };
        }
    }
}

#[track_caller]
fn goes_on<T: Finitize + RepOk + Debug>(scope: usize, settings: Settings, given: Given) {
    let mut bookmarks: Vec<(usize, Bookmark)> = Vec::new();
    let whole = run(searcher::<T>(scope, settings, given), settings, |values, searcher| {
        bookmarks.push((values, searcher.bookmark().expect("nothing is remembered")));
    });
    let every = bookmarks.len().div_ceil(MOST);
    let last = bookmarks.len() - 1;
    for (at, (values, bookmark)) in bookmarks.iter().enumerate().filter(|(at, _)| at % every == 0 || *at == last) {
        let at = format!("{} {scope}, {settings:?}, {given:?}, step {at} of {last}: {bookmark:?}", T::NAME);
        let mut unmoved = searcher::<T>(scope, settings, given);
        assert!(unmoved.go_on_from(bookmark), "{at}");
        // A run may end before it takes a step.
        let unmoved = unmoved.bookmark().expect("nothing is remembered");
        assert_eq!(unmoved.0[2..5], bookmark.0[2..5], "{at}");
        let mut searcher = searcher::<T>(scope, settings, given);
        assert!(searcher.go_on_from(&unmoved), "{at}: {unmoved:?}");
        let rest = run(searcher, settings, |_, _| {});
        let found = Found { values: [&whole.values[..*values], &rest.values].concat(), ..rest };
        assert_eq!(found, whole, "{at}");
    }
}

fn everywhere<T: Finitize + RepOk + Debug>(scope: usize) {
    let settings = Settings { self_check: SelfCheck::Off, ..Settings::default() };
    goes_on::<T>(scope, settings, ALL);
    goes_on::<T>(scope, Settings { self_check: SelfCheck::All, ..settings }, ALL);
    goes_on::<T>(scope, Settings { backtracking: Backtracking::Reexecute, ..settings }, ALL);
    goes_on::<T>(scope, Settings { unread: Unread::First, ..settings }, ALL);
    goes_on::<T>(scope, settings, Given { pause: 7, ..ALL });
    goes_on::<T>(scope, settings, Given { sizes: (1, 2), ..ALL });
    for (index, depth) in [(0, 1), (1, 3), (2, 4), (1, 9)] {
        goes_on::<T>(scope, settings, Given { part: Some(Part { index, of: 3, depth }), ..ALL });
        let first = Settings { unread: Unread::First, ..settings };
        goes_on::<T>(scope, first, Given { part: Some(Part { index, of: 2, depth }), pause: 5, ..ALL });
    }
}

#[test]
fn trees_and_lists() {
    everywhere::<Tree>(4);
    everywhere::<SearchTree>(3);
    everywhere::<Chain>(3);
    everywhere::<Formula>(3);
    let classic = Settings { pruning: Pruning::Classic, self_check: SelfCheck::Off, ..Settings::default() };
    goes_on::<SearchTree>(2, classic, Given { pause: 3, ..ALL });
}

#[test]
fn shared_and_raw_objects() {
    everywhere::<Diamond>(3);
    everywhere::<Watched>(2);
    everywhere::<Siblings>(2);
}

/// A leaf of what a predicate leaves unread: another is needed where there is one.
#[derive(Debug, Finitize)]
struct Leaf {
    mark: u8,
    more: Option<Box<Leaf>>,
}

/// Most fields are unread, and which are differs.
#[derive(Debug, Finitize)]
struct HalfRead {
    kind: u8,
    #[finitize(0..=1)]
    flag: u8,
    pair: (u8, bool),
    list: Vec<bool>,
    leaf: Option<Box<Leaf>>,
}

#[rep_ok]
impl HalfRead {
    fn rep_ok(&self) -> bool {
        match self.kind {
            0 => true,
            1 => self.flag == 1,
            _ => self.list.len() == 1,
        }
    }
}

#[test]
fn unread_fields() {
    everywhere::<Plant>(2);
    everywhere::<Containers>(2);
    everywhere::<HalfRead>(1);
    // The pieces of a part end among the fields that are not read.
    let settings = Settings { self_check: SelfCheck::Off, ..Settings::default() };
    for depth in 4..=8 {
        for index in 0..4 {
            let part = Some(Part { index, of: 4, depth });
            goes_on::<HalfRead>(2, settings, Given { sizes: (2, 4), part, ..ALL });
        }
    }
}

#[test]
fn what_remembers_its_values_has_no_bookmark() {
    assert_eq!(Searcher::<Arena>::new(&Arena::scope(2), Settings::default()).expect("it has a heap").bookmark(), None);
}

#[test]
fn a_bookmark_of_something_else_is_refused() {
    let settings = Settings { self_check: SelfCheck::Off, ..Settings::default() };
    let mut bookmarks = Vec::new();
    run(searcher::<SearchTree>(2, settings, ALL), settings, |_, searcher| bookmarks.extend(searcher.bookmark()));
    for Bookmark(numbers) in bookmarks.iter().step_by(40) {
        for at in 0..numbers.len() {
            for other in [0, 1, numbers[at].wrapping_add(1), u64::MAX] {
                let mut numbers = numbers.clone();
                numbers[at] = other;
                // Whether it leads somewhere else in the same search or nowhere, it does not panic.
                searcher::<SearchTree>(2, settings, ALL).go_on_from(&Bookmark(numbers));
            }
        }
        let mut short = numbers.clone();
        short.pop();
        assert!(!searcher::<SearchTree>(2, settings, ALL).go_on_from(&Bookmark(short)));
    }
}
