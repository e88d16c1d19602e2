//! Large structures to be broken and repaired, each with its invariant, a builder for any size, and the faults that can
//! be injected into it ([`faults`]).
//!
//! | | |
//! | --- | --- |
//! | indices into an arena | [`doubly_linked_list`], [`binary_tree`], [`nary_tree`], [`avl_tree`], [`disjoint_sets`] |
//! | shared nodes | [`shared_list`] |
//! | owned boxes | [`boxed_tree`] |
//!
//! In an arena, safe Rust lets a link point anywhere, and an unreachable node still exists and can be linked again.
//! Therefore the invariants demand that every node of the arena is in use, so that lost nodes must be found. Each
//! invariant makes one pass over the nodes, checks a link where it reads it, and checks `size` at the end.

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

/// Returns the positions of the first, second, .. node in an arena of `n` nodes. Neighbours lie near each other but in
/// no order, as after a long life of the structure; the result depends only on `n`.
fn shuffled(n: usize) -> Vec<usize> {
    let mut rng = StdRng::seed_from_u64(n as u64);
    let mut positions: Vec<usize> = (0..n).collect();
    for neighbours in positions.chunks_mut(NEIGHBOURS) {
        neighbours.shuffle(&mut rng);
    }
    positions
}

/// The number of nodes that are shuffled among themselves. If all nodes lay anywhere, cache misses would dominate the
/// time of a large structure and hide what is measured.
const NEIGHBOURS: usize = 1 << 10;

/// Returns the root of the balanced tree over the nodes `first..end`, numbered from left to right; `None` if the range
/// is empty. Each side gets half of the others, so that the sizes of siblings differ by at most one.
fn middle(first: usize, end: usize) -> Option<usize> {
    (first < end).then_some(first.midpoint(end))
}
