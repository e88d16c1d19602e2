//! Binary trees with a recursive invariant that passes on the set of visited nodes. It reads the fields of a subtree in
//! another order than the loop of [`BinaryTree`](super::BinaryTree), and all counts are equal: a field is read once, an
//! alias is rejected at once, and the number of unread fields does not depend on which one is read next.

use std::collections::HashSet;

use korat::{Finitize, rep_ok};

use super::Node;

/// A binary tree that stores its number of nodes.
#[derive(Clone, Debug, Default, PartialEq, Finitize)]
pub struct RecursiveTree {
    /// The root; `None` for an empty tree.
    pub root: Option<Box<Node>>,
    /// The number of nodes.
    #[finitize(scope..=scope)]
    pub size: usize,
}

#[rep_ok]
impl RecursiveTree {
    /// Returns whether every node is reached once and `size` is the number of nodes.
    pub fn rep_ok(&self) -> bool {
        let mut seen: HashSet<*const Node> = HashSet::new();
        Self::all_new(&self.root, &mut seen) && seen.len() == self.size
    }

    /// Adds the nodes of the subtree to `seen`. Returns whether all of them were new.
    fn all_new(node: &Option<Box<Node>>, seen: &mut HashSet<*const Node>) -> bool {
        let Some(node) = node else {
            return true;
        };
        if !seen.insert(&**node) {
            return false;
        }
        Self::all_new(&node.left, seen) && Self::all_new(&node.right, seen)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::super::BinaryTree;
    use super::*;

    #[test]
    fn the_trees_are_those_of_the_loop() {
        for n in 0..=7 {
            let (mut recursive, mut looped) = (BTreeSet::new(), BTreeSet::new());
            korat::for_each_valid(RecursiveTree::scope(n), |tree| {
                assert!(tree.rep_ok());
                assert!(recursive.insert(format!("{:?}", tree.root)));
            });
            korat::for_each_valid(BinaryTree::scope(n), |tree| {
                assert!(looped.insert(format!("{:?}", tree.root)));
            });
            assert_eq!(recursive, looped);
        }
    }

    #[test]
    #[should_panic]
    fn a_wrong_size_is_found() {
        korat::for_each_valid(RecursiveTree::scope(3), |mut tree| {
            tree.size += 1;
            assert!(tree.rep_ok());
        });
    }
}
