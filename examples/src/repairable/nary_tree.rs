//! A tree in an arena whose nodes have three child links and a payload.

use std::collections::HashSet;

use korat::{Finitize, rep_ok};
use rand::rngs::StdRng;

use super::faults::{Fault, Faulty, count_true};
use super::shuffled;
use super::tree_links::{self, Links};

/// A node and its subtrees.
#[derive(Clone, Debug, Default, PartialEq, Finitize)]
pub struct Node {
    /// The subtrees.
    #[finitize(index_of = nodes)]
    pub children: [Option<usize>; 3],
    /// The payload, which the invariant does not read.
    #[finitize(0..=scope)]
    pub payload: usize,
}

/// A tree that stores its number of nodes.
#[derive(Clone, Debug, Default, PartialEq, Finitize)]
pub struct NaryTree {
    /// The nodes, in no particular order and without gaps.
    pub nodes: Vec<Node>,
    /// The root; `None` for an empty tree.
    #[finitize(index_of = nodes)]
    pub root: Option<usize>,
    /// The number of nodes.
    #[finitize(0..=scope)]
    pub size: usize,
}

#[rep_ok]
impl NaryTree {
    /// Returns whether every node of the arena is reached exactly once and `size` is their number.
    pub fn rep_ok(&self) -> bool {
        let mut seen: HashSet<usize> = HashSet::new();
        let mut work: Vec<usize> = Vec::new();
        if let Some(root) = self.root {
            seen.insert(root);
            work.push(root);
        }
        while let Some(at) = work.pop() {
            let Some(node) = self.nodes.get(at) else {
                return false;
            };
            for child in &node.children {
                let Some(child) = *child else {
                    continue;
                };
                if !seen.insert(child) {
                    return false;
                }
                work.push(child);
            }
        }
        seen.len() == self.nodes.len() && self.size == seen.len()
    }
}

impl NaryTree {
    /// Returns the stored number of nodes.
    pub fn len(&self) -> usize {
        self.size
    }

    /// Returns whether the stored number of nodes is zero.
    pub fn is_empty(&self) -> bool {
        self.size == 0
    }

    /// Returns the payloads in preorder, first child first. Never ends if the tree has a cycle.
    pub fn iter(&self) -> impl Iterator<Item = usize> {
        let mut work: Vec<usize> = self.root.into_iter().collect();
        std::iter::from_fn(move || {
            let node = self.nodes.get(work.pop()?)?;
            work.extend(node.children.iter().rev().flatten());
            Some(node.payload)
        })
    }
}

impl Faulty for NaryTree {
    /// Builds a tree whose levels are full except for the last; payloads are numbered level by level.
    fn build(n: usize) -> Self {
        let order = shuffled(n);
        let mut nodes = vec![Node::default(); n];
        for (payload, &at) in order.iter().enumerate() {
            let children = [1, 2, 3].map(|child| order.get(3 * payload + child).copied());
            nodes[at] = Node { children, payload };
        }
        Self { nodes, root: order.first().copied(), size: n }
    }

    fn faults() -> &'static [Fault] {
        &tree_links::FAULTS
    }

    fn sites(&self) -> usize {
        self.nodes.len()
    }

    fn inject(&mut self, fault: Fault, site: usize, rng: &mut StdRng) -> bool {
        tree_links::inject(self, fault, site, rng)
    }

    fn reachable(&self) -> usize {
        self.reached()
    }

    fn differences(&self, other: &Self) -> usize {
        let nodes = self.nodes.iter().zip(&other.nodes);
        let links = nodes.clone().flat_map(|(a, b)| [0, 1, 2].map(|place| a.children[place] != b.children[place]));
        let payloads = nodes.map(|(a, b)| a.payload != b.payload);
        count_true(links.chain(payloads).chain([self.root != other.root, self.size != other.size]))
    }
}

impl Links for NaryTree {
    const PLACES: usize = 3;

    fn root(&self) -> Option<usize> {
        self.root
    }

    fn nodes(&self) -> usize {
        self.nodes.len()
    }

    fn child(&self, node: usize, place: usize) -> Option<usize> {
        self.nodes[node].children[place]
    }

    fn child_mut(&mut self, node: usize, place: usize) -> &mut Option<usize> {
        &mut self.nodes[node].children[place]
    }

    fn size_mut(&mut self) -> &mut usize {
        &mut self.size
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::repairable::checks;

    #[test]
    fn a_tree_built_has_all_nodes() {
        for n in [0, 1, 2, 100] {
            let tree = NaryTree::build(n);
            assert!(tree.rep_ok());
            assert_eq!((tree.len(), tree.is_empty()), (n, n == 0));
            let mut payloads: Vec<usize> = tree.iter().collect();
            payloads.sort_unstable();
            assert!(payloads.into_iter().eq(0..n));
        }
        assert!(NaryTree::build(7).iter().eq([0, 1, 4, 5, 6, 2, 3]));
    }

    /// The numbers of ternary trees are 1, 1, 3, 12; each node has one of `scope + 1` payloads.
    #[test]
    fn there_is_one_tree_for_each_shape_and_payload() {
        checks::counts::<NaryTree>(&[1, 1 + 2, 1 + 3 + 3 * 9, 1 + 4 + 3 * 16 + 12 * 64]);
    }

    #[test]
    fn every_fault_breaks_the_invariant() {
        checks::faults_are_noticed::<NaryTree>();
    }

    #[test]
    fn a_fault_changes_one_field() {
        checks::one_field_is_changed::<NaryTree>();
    }

    #[test]
    fn what_is_cut_off_is_not_reached() {
        let mut tree = NaryTree::build(13);
        let root = tree.root.unwrap();
        assert_eq!(tree.reachable(), 13);
        tree.nodes[root].children[1] = None;
        assert_eq!(tree.reachable(), 9);
        tree.nodes[root].children[1] = Some(root);
        assert_eq!(tree.reachable(), 9);
        tree.nodes[root].children[1] = Some(13);
        assert_eq!(tree.reachable(), 9);
        assert!(!tree.rep_ok());
    }

    #[test]
    fn a_million_nodes_are_no_problem() {
        checks::large::<NaryTree>();
    }
}
