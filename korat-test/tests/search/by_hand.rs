//! Compares searches with values made by hand: all of them are listed, and brought into one form by trying every order.

use std::collections::BTreeSet;
use std::fmt::Debug;

use korat::{Backtracking, Finitize, Pruning, RepOk, Search};

/// Every way to run a search.
const WAYS: [(Pruning, Backtracking); 4] = [
    (Pruning::Ownership, Backtracking::Checkpoint),
    (Pruning::Ownership, Backtracking::Reexecute),
    (Pruning::Classic, Backtracking::Checkpoint),
    (Pruning::Classic, Backtracking::Reexecute),
];

/// One search for each way to run it.
pub fn searches<T: Finitize + RepOk + Debug>(scope: usize) -> [Search<T>; 4] {
    WAYS.map(|(pruning, backtracking)| {
        Search::new(T::scope(scope)).pruning(pruning).backtracking(backtracking).allow_empty(true)
    })
}

/// Compares the searches with the valid ones among `all`, told apart by `form`; returns how many there are.
pub fn agree<T>(scope: usize, all: impl IntoIterator<Item = T>, form: impl Fn(&T) -> String) -> u64
where
    T: Finitize + RepOk + Debug,
{
    let expected: BTreeSet<String> = all.into_iter().filter(T::holds).map(|value| form(&value)).collect();
    for (way, search) in WAYS.into_iter().zip(searches(scope)) {
        let mut found = BTreeSet::new();
        let report = search.for_each(|value: T| {
            assert!(value.holds());
            let text = form(&value);
            assert!(found.insert(text.clone()), "{text} comes twice, {way:?}");
        });
        assert_eq!(found, expected, "at scope {scope}, {way:?}");
        assert_eq!(report.valid, expected.len() as u64);
    }
    expected.len() as u64
}

/// Every list of `len` elements from `choices`.
pub fn lists<T: Clone>(choices: &[T], len: usize) -> Vec<Vec<T>> {
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
pub fn orders(count: usize) -> Vec<Vec<usize>> {
    let Some(last) = count.checked_sub(1) else { return vec![Vec::new()] };
    let with_last = |order: Vec<usize>| {
        (0..count).map(move |at| [&order[..at], &[last], &order[at..]].concat()).collect::<Vec<_>>()
    };
    orders(last).into_iter().flat_map(with_last).collect()
}
