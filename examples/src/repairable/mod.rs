//! Large structures to be broken and repaired, each with its invariant, a way to build a valid one of any size, and the
//! faults that can be put into it ([`faults`]).
//!
//! | | |
//! | --- | --- |
//! | indices into an arena | [`doubly_linked_list`], [`binary_tree`], [`nary_tree`], [`avl_tree`], [`disjoint_sets`] |
//! | shared nodes | [`shared_list`] |
//! | owned boxes | [`boxed_tree`] |
//!
//! In an arena, links can go anywhere in safe Rust, and what no link leads to any more is still there to be linked
//! again. So the invariants say that every node of the arena is in use: what is lost must be found. Each invariant goes
//! once over the nodes and asks about a link where it reads it, and about `size` at the end.

pub mod avl_tree;
pub mod binary_tree;
pub mod boxed_tree;
#[cfg(test)]
mod checks;
pub mod disjoint_sets;
pub mod doubly_linked_list;
pub mod faults;
pub mod nary_tree;
pub mod shared_list;
mod tree_links;

use rand::SeedableRng;
use rand::rngs::StdRng;
use rand::seq::SliceRandom;

/// Where in an arena of `n` nodes the first, second, .. node lies: near each other but in no order, as after a long life of
/// the structure, and always the same for the same `n`.
fn shuffled(n: usize) -> Vec<usize> {
    let mut rng = StdRng::seed_from_u64(n as u64);
    let mut positions: Vec<usize> = (0..n).collect();
    for neighbours in positions.chunks_mut(NEIGHBOURS) {
        neighbours.shuffle(&mut rng);
    }
    positions
}

/// How many nodes lie in one part of the arena. With all of them anywhere, a large structure would be slow by the time that
/// memory takes, and hide what is measured.
const NEIGHBOURS: usize = 1 << 10;

/// The node on top of the balanced tree over the nodes from `first` up to `end`, numbered from left to right; none if
/// there are none. Each of its sides has half of the others, so that sizes of siblings differ by at most one.
fn middle(first: usize, end: usize) -> Option<usize> {
    (first < end).then_some(first.midpoint(end))
}
