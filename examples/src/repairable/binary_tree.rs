//! A binary tree in an arena, whose nodes have a payload.

use std::collections::HashSet;

use korat::{Finitize, rep_ok};
use rand::rngs::StdRng;

use super::faults::{Fault, Faulty, count_true};
use super::tree_links::{self, Links};
use super::{middle, shuffled};

/// A node and its two subtrees.
#[derive(Clone, Debug, Default, PartialEq, Finitize)]
pub struct Node {
    /// The left subtree.
    #[finitize(index_of = nodes)]
    pub left: Option<usize>,
    /// The right subtree.
    #[finitize(index_of = nodes)]
    pub right: Option<usize>,
    /// The payload, which the invariant does not read.
    #[finitize(0..=scope)]
    pub payload: usize,
}

/// A binary tree that stores its number of nodes.
#[derive(Clone, Debug, Default, PartialEq, Finitize)]
pub struct BinaryTree {
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
impl BinaryTree {
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
            if let Some(left) = node.left {
                if !seen.insert(left) {
                    return false;
                }
                work.push(left);
            }
            if let Some(right) = node.right {
                if !seen.insert(right) {
                    return false;
                }
                work.push(right);
            }
        }
        seen.len() == self.nodes.len() && self.size == seen.len()
    }
}

impl BinaryTree {
    /// Returns the stored number of nodes.
    pub fn len(&self) -> usize {
        self.size
    }

    /// Returns whether the stored number of nodes is zero.
    pub fn is_empty(&self) -> bool {
        self.size == 0
    }

    /// Returns the payloads in preorder, left before right. Never ends if the tree has a cycle.
    pub fn iter(&self) -> impl Iterator<Item = usize> {
        let mut work: Vec<usize> = self.root.into_iter().collect();
        std::iter::from_fn(move || {
            let node = self.nodes.get(work.pop()?)?;
            work.extend(node.right);
            work.extend(node.left);
            Some(node.payload)
        })
    }
}

impl Faulty for BinaryTree {
    /// Builds a balanced tree; payloads are numbered from left to right.
    fn build(n: usize) -> Self {
        let order = shuffled(n);
        let top = |first, end| middle(first, end).map(|number| order[number]);
        let mut nodes = vec![Node::default(); n];
        let mut work = vec![(0, n)];
        while let Some((first, end)) = work.pop() {
            let Some(payload) = middle(first, end) else {
                continue;
            };
            nodes[order[payload]] = Node { left: top(first, payload), right: top(payload + 1, end), payload };
            work.extend([(first, payload), (payload + 1, end)]);
        }
        Self { nodes, root: top(0, n), size: n }
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
        let fields = nodes.flat_map(|(a, b)| [a.left != b.left, a.right != b.right, a.payload != b.payload]);
        count_true(fields.chain([self.root != other.root, self.size != other.size]))
    }
}

impl Links for BinaryTree {
    const PLACES: usize = 2;

    fn root(&self) -> Option<usize> {
        self.root
    }

    fn nodes(&self) -> usize {
        self.nodes.len()
    }

    fn child(&self, node: usize, place: usize) -> Option<usize> {
        [self.nodes[node].left, self.nodes[node].right][place]
    }

    fn child_mut(&mut self, node: usize, place: usize) -> &mut Option<usize> {
        let node = &mut self.nodes[node];
        [&mut node.left, &mut node.right][place]
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
    fn a_tree_built_has_its_nodes_in_order() {
        for n in [0, 1, 2, 100] {
            let tree = BinaryTree::build(n);
            assert!(tree.rep_ok());
            assert_eq!((tree.len(), tree.is_empty()), (n, n == 0));
            let mut payloads: Vec<usize> = tree.iter().collect();
            payloads.sort_unstable();
            assert!(payloads.into_iter().eq(0..n));
        }
        assert!(BinaryTree::build(7).iter().eq([3, 1, 0, 2, 5, 4, 6]));
    }

    /// Catalan numbers, with one of `scope + 1` payloads per node.
    #[test]
    fn there_is_one_tree_for_each_shape_and_payload() {
        checks::counts::<BinaryTree>(&[1, 1 + 2, 1 + 3 + 2 * 9, 1 + 4 + 2 * 16 + 5 * 64]);
    }

    #[test]
    fn every_fault_breaks_the_invariant() {
        checks::faults_are_noticed::<BinaryTree>();
    }

    #[test]
    fn a_fault_changes_one_field() {
        checks::one_field_is_changed::<BinaryTree>();
    }

    #[test]
    fn what_is_cut_off_is_not_reached() {
        let mut tree = BinaryTree::build(7);
        let root = tree.root.unwrap();
        assert_eq!(tree.reachable(), 7);
        tree.nodes[root].left = None;
        assert_eq!(tree.reachable(), 4);
        tree.nodes[root].left = Some(root);
        assert_eq!(tree.reachable(), 4);
        tree.nodes[root].left = Some(7);
        assert_eq!(tree.reachable(), 4);
        assert!(!tree.rep_ok());
    }

    #[test]
    fn a_million_nodes_are_no_problem() {
        checks::large::<BinaryTree>();
    }
}
