//! Operations common to all trees in an arena: injecting faults into links, and finding the reachable nodes.

use std::collections::HashSet;
use std::mem;

use rand::RngExt;
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;

use super::faults::{Fault, another, replace};

/// The links of a tree in an arena.
pub(super) trait Links {
    /// The number of child links of a node.
    const PLACES: usize;

    /// Returns the root.
    fn root(&self) -> Option<usize>;

    /// Returns the number of nodes in the arena.
    fn nodes(&self) -> usize;

    /// Returns a child link of a node.
    fn child(&self, node: usize, place: usize) -> Option<usize>;

    /// Returns a mutable reference to a child link of a node.
    fn child_mut(&mut self, node: usize, place: usize) -> &mut Option<usize>;

    /// Returns a mutable reference to the stored number of nodes.
    fn size_mut(&mut self) -> &mut usize;

    /// Returns the children of a node, without links that lead out of the arena.
    fn children(&self, node: usize) -> impl Iterator<Item = usize> {
        (0..Self::PLACES).filter_map(move |place| self.child(node, place)).filter(|&child| child < self.nodes())
    }

    /// Returns the nodes reachable from `top`, each once, beginning with `top`. `is_new` returns `true` on the first
    /// call for a node and `false` afterwards.
    fn below(&self, top: usize, mut is_new: impl FnMut(usize) -> bool) -> Vec<usize> {
        is_new(top);
        let mut found = vec![top];
        let mut next = 0;
        while let Some(&node) = found.get(next) {
            next += 1;
            found.extend(self.children(node).filter(|&child| is_new(child)));
        }
        found
    }

    /// Returns the number of nodes reachable from the root.
    fn reached(&self) -> usize {
        let mut seen = vec![false; self.nodes()];
        let root = self.root().filter(|&root| root < self.nodes());
        root.map_or(0, |root| self.below(root, |node| !mem::replace(&mut seen[node], true)).len())
    }
}

/// The faults that every tree can have.
pub(super) const FAULTS: [Fault; 5] =
    [Fault::WrongLink, Fault::Cycle, Fault::SharedChild, Fault::NullInTheMiddle, Fault::WrongSize];

/// Breaks one link of a node, or the size. Returns whether that was possible.
pub(super) fn inject<T: Links>(tree: &mut T, fault: Fault, node: usize, rng: &mut StdRng) -> bool {
    if fault == Fault::WrongSize {
        let sizes = tree.nodes() + 1;
        return replace(tree.size_mut(), sizes, rng);
    }
    let suits = |link: Option<usize>| match fault {
        Fault::WrongLink | Fault::NullInTheMiddle => link.is_some(),
        Fault::SharedChild => link.is_none(),
        Fault::Cycle => true,
        Fault::WrongSize | Fault::WrongKey | Fault::WrongHeight => panic!("the links of a tree do not have {fault:?}"),
    };
    let places: Vec<usize> = (0..T::PLACES).filter(|&place| suits(tree.child(node, place))).collect();
    let Some(&place) = places.choose(rng) else {
        return false;
    };
    let present = tree.child(node, place);
    let wrong = match fault {
        Fault::WrongLink => another(tree.nodes(), present, rng),
        Fault::Cycle => Some(above(tree, node, rng)),
        Fault::SharedChild => child_elsewhere(tree, node, rng),
        Fault::NullInTheMiddle | Fault::WrongSize | Fault::WrongKey | Fault::WrongHeight => None,
    };
    let can = wrong != present && (wrong.is_some() || fault == Fault::NullInTheMiddle);
    if can {
        *tree.child_mut(node, place) = wrong;
    }
    can
}

/// Returns the node itself or an ancestor a few steps up. There are no parent links, so it scans all nodes.
fn above(tree: &impl Links, mut node: usize, rng: &mut StdRng) -> usize {
    for _ in 0..rng.random_range(0..4) {
        let parent = (0..tree.nodes()).find(|&parent| tree.children(parent).any(|child| child == node));
        node = parent.unwrap_or(node);
    }
    node
}

/// Returns a child of a node such that `node` is not reachable from it, so that a second parent closes no cycle.
fn child_elsewhere(tree: &impl Links, node: usize, rng: &mut StdRng) -> Option<usize> {
    // Half of the nodes are leaves, and few of the others are ancestors of `node`, so 64 tries nearly always suffice.
    for _ in 0..64 {
        let parent = rng.random_range(0..tree.nodes());
        let children: Vec<usize> = tree.children(parent).collect();
        let Some(&child) = children.choose(rng) else {
            continue;
        };
        // Most subtrees are small, so a hash set is cheaper than a mark for each node of the arena.
        let mut seen = HashSet::new();
        if !tree.below(child, |node| seen.insert(node)).contains(&node) {
            return Some(child);
        }
    }
    None
}
