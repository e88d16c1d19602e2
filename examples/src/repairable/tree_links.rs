//! What is the same for all trees in an arena: which faults their links can have, and which nodes the links lead to.

use std::collections::HashSet;
use std::mem;

use rand::RngExt;
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;

use super::faults::{Fault, another, replace};

/// A tree in an arena, as far as links are concerned.
pub(super) trait Links {
    /// How many places for children a node has.
    const PLACES: usize;

    /// The topmost node.
    fn root(&self) -> Option<usize>;

    /// The number of nodes in the arena.
    fn nodes(&self) -> usize;

    /// The link in one of the places of a node.
    fn child(&self, node: usize, place: usize) -> Option<usize>;

    /// The same, to be changed.
    fn child_mut(&mut self, node: usize, place: usize) -> &mut Option<usize>;

    /// How many nodes the tree says that it has.
    fn size_mut(&mut self) -> &mut usize;

    /// The children of a node, as far as there are such nodes.
    fn children(&self, node: usize) -> impl Iterator<Item = usize> {
        (0..Self::PLACES).filter_map(move |place| self.child(node, place)).filter(|&child| child < self.nodes())
    }

    /// The nodes that can be reached from `top`, that one first, each once. `is_new` says of a node whether it was not
    /// asked about before.
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

    /// The number of nodes that can be reached from the root.
    fn reached(&self) -> usize {
        let mut seen = vec![false; self.nodes()];
        let root = self.root().filter(|&root| root < self.nodes());
        root.map_or(0, |root| self.below(root, |node| !mem::replace(&mut seen[node], true)).len())
    }
}

/// The faults that every tree can have.
pub(super) const FAULTS: [Fault; 5] =
    [Fault::WrongLink, Fault::Cycle, Fault::SharedChild, Fault::NullInTheMiddle, Fault::WrongSize];

/// Breaks one link of a node, or the size; says whether it could.
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

/// The node itself, or one from which it is reached, a few steps up. There are no links upwards, so all nodes are asked.
fn above(tree: &impl Links, mut node: usize, rng: &mut StdRng) -> usize {
    for _ in 0..rng.random_range(0..4) {
        let parent = (0..tree.nodes()).find(|&parent| tree.children(parent).any(|child| child == node));
        node = parent.unwrap_or(node);
    }
    node
}

/// A child of some node from which `node` is not reached, so that another parent for it is no cycle.
fn child_elsewhere(tree: &impl Links, node: usize, rng: &mut StdRng) -> Option<usize> {
    // Half of the nodes are leaves, and few of the others have `node` below them.
    for _ in 0..64 {
        let parent = rng.random_range(0..tree.nodes());
        let children: Vec<usize> = tree.children(parent).collect();
        let Some(&child) = children.choose(rng) else {
            continue;
        };
        // Most subtrees are small, so the nodes in them are fewer than a mark for each node would take.
        let mut seen = HashSet::new();
        if !tree.below(child, |node| seen.insert(node)).contains(&node) {
            return Some(child);
        }
    }
    None
}
