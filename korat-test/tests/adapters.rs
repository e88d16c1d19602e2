//! Fields of types of other crates: arenas of `slotmap` and `id-arena`, graphs of `petgraph`. Arenas are compared with all their
//! values made by hand, brought into one form by trying every order; graphs are counted.

#[path = "adapters/arena.rs"]
mod arena;
#[path = "adapters/graphs.rs"]
mod graphs;
#[path = "adapters/slot_map.rs"]
mod slot_map;

use std::collections::BTreeSet;
use std::fmt::Debug;

use korat::{Backtracking, Finitize, Pruning, RepOk, Search, rep_ok};
use korat_core::{Searcher, Settings};

/// A search that does not begin, to take values apart and build them.
fn idle<T: Finitize + RepOk>(scope: usize) -> Searcher<T> {
    Searcher::new(&T::scope(scope), Settings::default()).expect("the bounds are right")
}

/// Every way to run a search.
fn searches<T: Finitize + RepOk + Debug>(scope: usize) -> Vec<Search<T>> {
    let mut all = Vec::new();
    for pruning in [Pruning::Ownership, Pruning::Classic] {
        for backtracking in [Backtracking::Checkpoint, Backtracking::Reexecute] {
            all.push(Search::new(T::scope(scope)).pruning(pruning).backtracking(backtracking).allow_empty());
        }
    }
    all
}

/// Compares the searches with the valid ones among `all`, told apart by `form`; gives how many there are.
fn agree<T>(scope: usize, all: impl IntoIterator<Item = T>, form: impl Fn(&T) -> String) -> u64
where
    T: Finitize + RepOk + Debug,
{
    let expected: BTreeSet<String> = all.into_iter().filter(T::holds).map(|value| form(&value)).collect();
    for search in searches(scope) {
        let mut found = BTreeSet::new();
        search.for_each(|value: T| {
            assert!(value.holds());
            let text = form(&value);
            assert!(found.insert(text.clone()), "{text} comes twice");
        });
        assert_eq!(found, expected, "at scope {scope}");
    }
    expected.len() as u64
}

/// How many values there are, which every way to search must agree on.
fn count<T: Finitize + RepOk + Debug>(scope: usize) -> u64 {
    let counts: BTreeSet<u64> = searches::<T>(scope).into_iter().map(|search| search.count().valid).collect();
    assert_eq!(counts.len(), 1, "{counts:?}");
    counts.first().copied().unwrap_or(0)
}

/// Every list of `len` elements from `choices`.
fn lists<T: Clone>(choices: &[T], len: usize) -> Vec<Vec<T>> {
    let mut all = vec![Vec::new()];
    for _ in 0..len {
        let longer = |list: &Vec<T>| {
            choices.iter().map(|next| [&list[..], std::slice::from_ref(next)].concat()).collect::<Vec<_>>()
        };
        all = all.iter().flat_map(longer).collect();
    }
    all
}

/// Every order of `0..count`: the new place of each element.
fn orders(count: usize) -> Vec<Vec<usize>> {
    let all = lists(&(0..count).collect::<Vec<_>>(), count);
    all.into_iter().filter(|order| order.iter().collect::<BTreeSet<_>>().len() == count).collect()
}

/// A list whose nodes are named by position: where it begins and ends, and what comes before and after each node.
type Linked = ([Option<usize>; 2], Vec<[Option<usize>; 2]>);

/// Every such list, of linked nodes or not, of up to `scope` nodes.
fn all_linked(scope: usize) -> Vec<Linked> {
    let mut all = Vec::new();
    for len in 0..=scope {
        let links: Vec<Option<usize>> = std::iter::once(None).chain((0..len).map(Some)).collect();
        let pairs: Vec<[Option<usize>; 2]> =
            links.iter().flat_map(|&one| links.iter().map(move |&other| [one, other])).collect();
        for nodes in lists(&pairs, len) {
            all.extend(pairs.iter().map(|&ends| (ends, nodes.clone())));
        }
    }
    all
}

/// The list without the positions of its nodes.
fn form((ends, nodes): &Linked) -> String {
    let moved = |order: Vec<usize>| {
        let moved = |links: &[Option<usize>; 2]| links.map(|link| link.map(|at| order[at]));
        let mut places = vec![[None; 2]; nodes.len()];
        for (at, links) in nodes.iter().enumerate() {
            places[order[at]] = moved(links);
        }
        format!("{:?} {places:?}", moved(ends))
    };
    orders(nodes.len()).into_iter().map(moved).min().unwrap_or_default()
}
