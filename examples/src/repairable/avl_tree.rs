//! An AVL tree in an arena: a search tree in which the heights of siblings differ by at most one. Heights are stored.

use std::collections::HashSet;

use korat::{Finitize, rep_ok};
use rand::rngs::StdRng;

use super::faults::{Fault, Faulty, count_true, replace};
use super::tree_links::{self, Links};
use super::{middle, shuffled};

/// A key and its two subtrees.
#[derive(Clone, Debug, Default, PartialEq, Finitize)]
pub struct Node {
    /// The key.
    #[finitize(0..=scope)]
    pub key: usize,
    /// The number of nodes on the longest path down, including this one.
    #[finitize(1..=tallest(scope))]
    pub height: usize,
    /// The subtree with the smaller keys.
    #[finitize(index_of = nodes)]
    pub left: Option<usize>,
    /// The subtree with the larger keys.
    #[finitize(index_of = nodes)]
    pub right: Option<usize>,
}

/// A set of keys, balanced by height.
#[derive(Clone, Debug, Default, PartialEq, Finitize)]
pub struct AvlTree {
    /// The nodes, in no particular order and without gaps.
    pub nodes: Vec<Node>,
    /// The root; `None` for an empty tree.
    #[finitize(index_of = nodes)]
    pub root: Option<usize>,
    /// The number of keys.
    #[finitize(0..=scope)]
    pub size: usize,
}

#[rep_ok]
impl AvlTree {
    /// Returns whether every node of the arena is reached exactly once and `size` is their number; every key lies
    /// between those above it, every height is one more than that of the taller child, and the heights of siblings
    /// differ by at most one.
    pub fn rep_ok(&self) -> bool {
        let mut seen: HashSet<usize> = HashSet::new();
        let mut work: Vec<(usize, Option<usize>, Option<usize>)> = Vec::new();
        if let Some(root) = self.root {
            seen.insert(root);
            work.push((root, None, None));
        }
        while let Some((at, lo, hi)) = work.pop() {
            let Some(node) = self.nodes.get(at) else {
                return false;
            };
            let key = node.key;
            if lo.is_some_and(|lo| key <= lo) || hi.is_some_and(|hi| key >= hi) {
                return false;
            }
            let mut left_height = 0;
            if let Some(left) = node.left {
                if !seen.insert(left) {
                    return false;
                }
                left_height = self.height_of(left);
                work.push((left, lo, Some(key)));
            }
            let mut right_height = 0;
            if let Some(right) = node.right {
                if !seen.insert(right) {
                    return false;
                }
                right_height = self.height_of(right);
                work.push((right, Some(key), hi));
            }
            if left_height.abs_diff(right_height) > 1 || node.height != left_height.max(right_height) + 1 {
                return false;
            }
        }
        seen.len() == self.nodes.len() && self.size == seen.len()
    }

    /// Returns the stored height of a node; 0 if there is no such node.
    fn height_of(&self, at: usize) -> usize {
        self.nodes.get(at).map_or(0, |node| node.height)
    }
}

impl AvlTree {
    /// Returns the stored number of keys.
    pub fn len(&self) -> usize {
        self.size
    }

    /// Returns whether the stored number of keys is zero.
    pub fn is_empty(&self) -> bool {
        self.size == 0
    }

    /// Returns the keys in increasing order. May never end if the tree has a cycle.
    pub fn iter(&self) -> impl Iterator<Item = usize> {
        let mut above: Vec<&Node> = Vec::new();
        let mut next = self.root;
        std::iter::from_fn(move || {
            while let Some(node) = next.and_then(|at| self.nodes.get(at)) {
                above.push(node);
                next = node.left;
            }
            let node = above.pop()?;
            next = node.right;
            Some(node.key)
        })
    }
}

/// Returns the height of the tallest tree with at most `keys` keys; at least 1.
fn tallest(keys: usize) -> usize {
    // The sparsest tree has one node more than the sparsest ones of the two heights before.
    let (mut sparsest, mut next, mut height) = (1, 2, 1);
    while next <= keys {
        (sparsest, next, height) = (next, sparsest + next + 1, height + 1);
    }
    height
}

impl Faulty for AvlTree {
    /// Builds a balanced tree whose keys are the numbers below `n`.
    fn build(n: usize) -> Self {
        let order = shuffled(n);
        let top = |first, end| middle(first, end).map(|key| order[key]);
        let mut nodes = vec![Node::default(); n];
        let mut work = vec![(0, n)];
        while let Some((first, end)) = work.pop() {
            let Some(key) = middle(first, end) else {
                continue;
            };
            // All levels are full except for the last.
            let height = (end - first).ilog2() as usize + 1;
            nodes[order[key]] = Node { key, height, left: top(first, key), right: top(key + 1, end) };
            work.extend([(first, key), (key + 1, end)]);
        }
        Self { nodes, root: top(0, n), size: n }
    }

    fn faults() -> &'static [Fault] {
        &[
            Fault::WrongLink,
            Fault::Cycle,
            Fault::SharedChild,
            Fault::NullInTheMiddle,
            Fault::WrongSize,
            Fault::WrongKey,
            Fault::WrongHeight,
        ]
    }

    fn sites(&self) -> usize {
        self.nodes.len()
    }

    fn inject(&mut self, fault: Fault, site: usize, rng: &mut StdRng) -> bool {
        let n = self.nodes.len();
        match fault {
            // All keys below `n` are in use.
            Fault::WrongKey => replace(&mut self.nodes[site].key, n, rng),
            Fault::WrongHeight => {
                let mut above_leaf = self.nodes[site].height - 1;
                let can = replace(&mut above_leaf, tallest(n), rng);
                self.nodes[site].height = above_leaf + 1;
                can
            }
            _ => tree_links::inject(self, fault, site, rng),
        }
    }

    fn reachable(&self) -> usize {
        self.reached()
    }

    fn differences(&self, other: &Self) -> usize {
        let nodes = self.nodes.iter().zip(&other.nodes);
        let fields =
            nodes.flat_map(|(a, b)| [a.key != b.key, a.height != b.height, a.left != b.left, a.right != b.right]);
        count_true(fields.chain([self.root != other.root, self.size != other.size]))
    }
}

impl Links for AvlTree {
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
    fn a_tree_built_has_its_keys_in_order() {
        for n in (0..70).chain([1000]) {
            let tree = AvlTree::build(n);
            assert!(tree.rep_ok(), "{tree:?}");
            assert_eq!((tree.len(), tree.is_empty()), (n, n == 0));
            assert!(tree.iter().eq(0..n));
        }
        assert!(!AvlTree::build(100).nodes.is_sorted_by_key(|node| node.key));
    }

    #[test]
    fn the_tallest_trees_are_the_sparsest() {
        assert_eq!([0, 1, 2, 3, 4, 6, 7, 11, 12].map(tallest), [1, 1, 2, 2, 3, 3, 4, 4, 5]);
    }

    /// Every choice of `n` of the `scope + 1` keys, in every balanced shape (1, 1, 2, 1, 4, 6).
    #[test]
    fn there_is_one_tree_for_each_shape_and_choice_of_keys() {
        checks::counts::<AvlTree>(&[
            1,
            1 + 2,
            1 + 3 + 3 * 2,
            1 + 4 + 6 * 2 + 4,
            1 + 5 + 10 * 2 + 10 + 5 * 4,
            1 + 6 + 15 * 2 + 20 + 15 * 4 + 6 * 6,
        ]);
    }

    #[test]
    fn every_fault_breaks_the_invariant() {
        checks::faults_are_noticed::<AvlTree>();
    }

    #[test]
    fn a_fault_changes_one_field() {
        checks::one_field_is_changed::<AvlTree>();
    }

    #[test]
    fn what_is_cut_off_is_not_reached() {
        let mut tree = AvlTree::build(7);
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
        checks::large::<AvlTree>();
    }
}
