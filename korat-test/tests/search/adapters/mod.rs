//! Fields of types of other crates: arenas of `slotmap` and `id-arena`, graphs of `petgraph`, containers of others. Arenas are compared with all their
//! values made by hand, brought into one form by trying every order; graphs are counted.

mod arena;
mod compared;
mod containers;
mod graphs;
mod slot_map;

use std::collections::BTreeSet;
use std::fmt::Debug;

use korat::{Finitize, RepOk, rep_ok};
use korat_core::{Searcher, Settings};

use crate::by_hand::{agree, lists, orders, searches};

/// A search that does not begin, to take values apart and build them.
fn idle<T: Finitize + RepOk>(scope: usize) -> Searcher<T> {
    Searcher::new(&T::scope(scope), Settings::default()).expect("the bounds are right")
}

/// How many values there are, which every way to search must agree on.
fn count<T: Finitize + RepOk + Debug>(scope: usize) -> u64 {
    let counts: BTreeSet<u64> = searches::<T>(scope).into_iter().map(|search| search.report().valid).collect();
    assert_eq!(counts.len(), 1, "{counts:?}");
    counts.first().copied().unwrap_or(0)
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
