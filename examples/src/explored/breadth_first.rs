//! Counts states without korat: a breadth-first search over values that can be copied and hashed.

use std::collections::HashSet;
use std::hash::Hash;

/// Returns the number of states that sequences of at most `depth` steps lead to.
pub(crate) fn reached<S: Clone + Eq + Hash>(first: S, depth: usize, next: impl Fn(&S) -> Vec<S>) -> u64 {
    let mut known = HashSet::from([first.clone()]);
    let mut level = vec![first];
    for _ in 0..depth {
        if level.is_empty() {
            break;
        }
        let found: Vec<S> = level.iter().flat_map(&next).collect();
        level = found.into_iter().filter(|state| known.insert(state.clone())).collect();
    }
    known.len() as u64
}
