//! A binary search tree of boxes. Each node has one owner, so links cannot be wrong, only missing; the nodes that a
//! missing link led to are freed.

use std::collections::HashSet;

use korat::{Finitize, rep_ok};
use rand::RngExt;
use rand::rngs::StdRng;

use super::faults::{Fault, Faulty, replace};
use super::middle;

/// A key and its two subtrees.
#[derive(Clone, Debug, PartialEq, Finitize)]
pub struct Node {
    /// The key.
    #[finitize(0..=scope)]
    pub key: usize,
    /// The subtree with the smaller keys.
    pub left: Option<Box<Node>>,
    /// The subtree with the larger keys.
    pub right: Option<Box<Node>>,
}

/// A set of keys.
#[derive(Clone, Debug, Default, PartialEq, Finitize)]
pub struct BoxedTree {
    /// The root; `None` for an empty tree.
    pub root: Option<Box<Node>>,
    /// The number of keys.
    #[finitize(0..=scope)]
    pub size: usize,
}

#[rep_ok]
impl BoxedTree {
    /// Returns whether every node is reached once, every key lies between those above it, and `size` is the number of
    /// nodes.
    pub fn rep_ok(&self) -> bool {
        let mut seen: HashSet<*const Node> = HashSet::new();
        let mut work: Vec<(&Node, Option<usize>, Option<usize>)> = Vec::new();
        if let Some(root) = &self.root {
            seen.insert(&**root);
            work.push((root, None, None));
        }
        while let Some((node, lo, hi)) = work.pop() {
            let key = node.key;
            if lo.is_some_and(|lo| key <= lo) || hi.is_some_and(|hi| key >= hi) {
                return false;
            }
            if let Some(left) = &node.left {
                if !seen.insert(&**left) {
                    return false;
                }
                work.push((left, lo, Some(key)));
            }
            if let Some(right) = &node.right {
                if !seen.insert(&**right) {
                    return false;
                }
                work.push((right, Some(key), hi));
            }
        }
        self.size == seen.len()
    }
}

impl BoxedTree {
    /// Returns the stored number of keys.
    pub fn len(&self) -> usize {
        self.size
    }

    /// Returns whether the stored number of keys is zero.
    pub fn is_empty(&self) -> bool {
        self.size == 0
    }

    /// Returns the keys from left to right, which is the increasing order in a valid tree.
    pub fn iter(&self) -> impl Iterator<Item = usize> {
        let mut above: Vec<&Node> = Vec::new();
        let mut next = self.root.as_deref();
        std::iter::from_fn(move || {
            while let Some(node) = next {
                above.push(node);
                next = node.left.as_deref();
            }
            let node = above.pop()?;
            next = node.right.as_deref();
            Some(node.key)
        })
    }

    /// Returns the node at a site: the root is at 1, and the children of the node at `n` are at `2 * n` and `2 * n +
    /// 1`. So the loss of some nodes does not change the sites of others.
    fn at(&mut self, site: usize) -> Option<&mut Node> {
        let mut node = self.root.as_deref_mut()?;
        for bit in (0..site.checked_ilog2()?).rev() {
            let side = if site >> bit & 1 == 0 { &mut node.left } else { &mut node.right };
            node = side.as_deref_mut()?;
        }
        Some(node)
    }
}

impl Faulty for BoxedTree {
    /// Builds a balanced tree whose keys are the numbers below `n`.
    fn build(n: usize) -> Self {
        fn subtree(first: usize, end: usize) -> Option<Box<Node>> {
            let key = middle(first, end)?;
            Some(Box::new(Node { key, left: subtree(first, key), right: subtree(key + 1, end) }))
        }
        Self { root: subtree(0, n), size: n }
    }

    fn faults() -> &'static [Fault] {
        &[Fault::NullInTheMiddle, Fault::WrongSize, Fault::WrongKey]
    }

    fn sites(&self) -> usize {
        // All levels of a tree built with `build` are full, except for the last.
        (self.size + 1).next_power_of_two()
    }

    /// A removed link drops everything below it, including earlier faults.
    fn inject(&mut self, fault: Fault, site: usize, rng: &mut StdRng) -> bool {
        let n = self.size;
        match fault {
            Fault::NullInTheMiddle => self.at(site).is_some_and(|node| {
                let leftwards = node.right.is_none() || node.left.is_some() && rng.random();
                let link = if leftwards { &mut node.left } else { &mut node.right };
                link.take().is_some()
            }),
            Fault::WrongSize => replace(&mut self.size, n + 1, rng),
            // All keys below `n` are in use.
            Fault::WrongKey => self.at(site).is_some_and(|node| replace(&mut node.key, n, rng)),
            Fault::WrongLink | Fault::Cycle | Fault::SharedChild | Fault::WrongHeight => {
                panic!("a tree of boxes without heights does not have {fault:?}")
            }
        }
    }

    fn reachable(&self) -> usize {
        self.iter().count()
    }

    /// Counts a subtree that is missing in one of the two as one difference.
    fn differences(&self, other: &Self) -> usize {
        let mut differences = usize::from(self.size != other.size);
        let mut work = vec![(&self.root, &other.root)];
        while let Some(pair) = work.pop() {
            match pair {
                (Some(a), Some(b)) => {
                    differences += usize::from(a.key != b.key);
                    work.extend([(&a.left, &b.left), (&a.right, &b.right)]);
                }
                (None, None) => {}
                (Some(_), None) | (None, Some(_)) => differences += 1,
            }
        }
        differences
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::repairable::checks;

    #[test]
    fn a_tree_built_has_its_keys_in_order() {
        for n in [0, 1, 2, 100] {
            let tree = BoxedTree::build(n);
            assert!(tree.rep_ok());
            assert_eq!((tree.len(), tree.is_empty()), (n, n == 0));
            assert!(tree.iter().eq(0..n));
        }
    }

    #[test]
    fn every_node_has_one_site() {
        for n in [0, 1, 2, 50, 63, 64] {
            let mut tree = BoxedTree::build(n);
            let mut keys: Vec<usize> =
                (0..tree.sites()).filter_map(|site| tree.at(site).map(|node| node.key)).collect();
            keys.sort_unstable();
            assert!(keys.into_iter().eq(0..n));
        }
    }

    /// Every choice of `n` of the `scope + 1` keys, in every shape (Catalan numbers).
    #[test]
    fn there_is_one_tree_for_each_shape_and_choice_of_keys() {
        checks::counts::<BoxedTree>(&[
            1,
            1 + 2,
            1 + 3 + 3 * 2,
            1 + 4 + 6 * 2 + 4 * 5,
            1 + 5 + 10 * 2 + 10 * 5 + 5 * 14,
        ]);
    }

    #[test]
    fn every_fault_breaks_the_invariant() {
        checks::faults_are_noticed::<BoxedTree>();
    }

    /// Injects one fault at a time, since one of several missing links may lie below another.
    #[test]
    fn a_fault_changes_one_field() {
        let before = BoxedTree::build(1000);
        for &fault in BoxedTree::faults() {
            for seed in 0..20 {
                let mut after = before.clone();
                crate::repairable::faults::corrupt(&mut after, fault, 1, seed);
                assert_eq!(before.differences(&after), 1, "{fault:?}");
            }
        }
    }

    #[test]
    fn what_is_cut_off_is_gone() {
        let mut tree = BoxedTree::build(7);
        tree.root.as_mut().unwrap().left = None;
        assert_eq!(tree.reachable(), 4);
        assert!(tree.iter().eq(3..7));
        assert!(!tree.rep_ok());
    }

    #[test]
    fn a_million_nodes_are_no_problem() {
        checks::large::<BoxedTree>();
    }
}
