//! The same trees with an invariant that calls itself and hands on what it has seen. It reads the fields of a subtree
//! in another order than the loop of [`BinaryTree`](super::BinaryTree), and all counts are the same: a field is read
//! once, an alias is refused at once, and how many fields are still to be read does not depend on which of them comes
//! next.

use std::collections::HashSet;

use korat::{Finitize, rep_ok};

use super::Node;

/// A binary tree that knows how many nodes it has.
#[derive(Clone, Debug, Default, PartialEq, Finitize)]
pub struct RecursiveTree {
    /// The topmost node, if there is any.
    pub root: Option<Box<Node>>,
    /// The number of nodes.
    #[finitize(scope..=scope)]
    pub size: usize,
}

#[rep_ok]
impl RecursiveTree {
    /// No node is reached twice, and `size` counts the nodes.
    pub fn rep_ok(&self) -> bool {
        let mut seen: HashSet<*const Node> = HashSet::new();
        Self::all_new(&self.root, &mut seen) && seen.len() == self.size
    }

    /// Whether no node of the subtree was seen before; all of them are now.
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
