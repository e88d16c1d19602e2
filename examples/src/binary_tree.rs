//! A binary tree without keys: shapes of nodes, and operations that add, drop and move them. [`recursive`] has the
//! invariant in another form.

pub mod recursive;

use std::collections::{HashSet, VecDeque};

use korat::{Finitize, rep_ok};

/// A node, without data.
#[derive(Clone, Debug, Default, PartialEq, Finitize)]
pub struct Node {
    /// The left subtree.
    pub left: Option<Box<Node>>,
    /// The right subtree.
    pub right: Option<Box<Node>>,
}

/// A binary tree that stores its number of nodes.
#[derive(Clone, Debug, Default, PartialEq, Finitize)]
pub struct BinaryTree {
    /// The root; `None` for an empty tree.
    pub root: Option<Box<Node>>,
    /// The number of nodes.
    #[finitize(scope..=scope)]
    pub size: usize,
}

#[rep_ok]
impl BinaryTree {
    /// Returns whether every node is reached once and `size` is the number of nodes.
    pub fn rep_ok(&self) -> bool {
        let Some(root) = &self.root else {
            return self.size == 0;
        };
        let mut seen: HashSet<*const Node> = HashSet::new();
        let mut work: Vec<&Node> = Vec::new();
        seen.insert(&**root);
        work.push(root);
        while let Some(node) = work.pop() {
            if let Some(left) = &node.left {
                if !seen.insert(&**left) {
                    return false;
                }
                work.push(left);
            }
            if let Some(right) = &node.right {
                if !seen.insert(&**right) {
                    return false;
                }
                work.push(right);
            }
        }
        seen.len() == self.size
    }
}

impl BinaryTree {
    /// Creates an empty tree.
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns the number of nodes.
    pub fn len(&self) -> usize {
        self.size
    }

    /// Returns whether the tree is empty.
    pub fn is_empty(&self) -> bool {
        self.size == 0
    }

    /// Returns the number of nodes on the longest path down from the root.
    pub fn height(&self) -> usize {
        fn height(node: &Option<Box<Node>>) -> usize {
            node.as_ref().map_or(0, |node| 1 + height(&node.left).max(height(&node.right)))
        }
        height(&self.root)
    }

    /// Returns the nodes in preorder, left before right.
    pub fn iter(&self) -> impl Iterator<Item = &Node> {
        let mut work: Vec<&Node> = self.root.as_deref().into_iter().collect();
        std::iter::from_fn(move || {
            let node = work.pop()?;
            work.extend(node.right.as_deref());
            work.extend(node.left.as_deref());
            Some(node)
        })
    }

    /// Adds a leaf at the vacant link nearest to the root, the leftmost of several.
    pub fn push_leaf(&mut self) {
        let mut places = VecDeque::from([&mut self.root]);
        while let Some(place) = places.pop_front() {
            match place {
                Some(node) => places.extend([&mut node.left, &mut node.right]),
                None => {
                    *place = Some(Box::default());
                    break;
                }
            }
        }
        self.size += 1;
    }

    /// Drops the leftmost leaf. Returns `false` if there is none.
    pub fn pop_leaf(&mut self) -> bool {
        fn pop(place: &mut Option<Box<Node>>) -> bool {
            match place {
                None => false,
                Some(node) if node.left.is_some() => pop(&mut node.left),
                Some(node) if node.right.is_some() => pop(&mut node.right),
                Some(_) => {
                    *place = None;
                    true
                }
            }
        }
        let popped = pop(&mut self.root);
        self.size -= usize::from(popped);
        popped
    }

    /// Swaps the children of every node.
    pub fn mirror(&mut self) {
        fn mirror(place: &mut Option<Box<Node>>) {
            if let Some(node) = place {
                mirror(&mut node.left);
                mirror(&mut node.right);
                std::mem::swap(&mut node.left, &mut node.right);
            }
        }
        mirror(&mut self.root);
    }

    /// Makes the root's right child the root. Returns `false` if there is none. Preserves the in-order sequence.
    pub fn rotate_left(&mut self) -> bool {
        let Some(mut node) = self.root.take() else {
            return false;
        };
        let Some(mut pivot) = node.right.take() else {
            self.root = Some(node);
            return false;
        };
        node.right = pivot.left.take();
        pivot.left = Some(node);
        self.root = Some(pivot);
        true
    }

    /// Makes the root's left child the root. Returns `false` if there is none. Preserves the in-order sequence.
    pub fn rotate_right(&mut self) -> bool {
        let Some(mut node) = self.root.take() else {
            return false;
        };
        let Some(mut pivot) = node.left.take() else {
            self.root = Some(node);
            return false;
        };
        node.left = pivot.right.take();
        pivot.right = Some(node);
        self.root = Some(pivot);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use korat::{Search, field};

    /// Returns a search for all trees of up to `most` nodes, smallest first. The default bounds generate exactly one
    /// size, as in the literature.
    fn up_to(most: usize) -> Search<BinaryTree> {
        Search::new(BinaryTree::scope(most).domain(field!(BinaryTree.size), 0..=most))
    }

    #[test]
    fn iter_visits_every_node_once() {
        up_to(6)
            .for_each(|tree| {
                assert_eq!(tree.iter().count(), tree.size);
                assert_eq!(tree.len(), tree.size);
                assert_eq!(tree.is_empty(), tree.size == 0);
            })
            // The sum of the Catalan numbers.
            .expect_count(1 + 1 + 2 + 5 + 14 + 42 + 132);
    }

    /// A snapshot of the trees themselves, so that a change of `rep_ok` shows up in review.
    #[test]
    fn the_trees_of_three_nodes_stay_as_they_are() {
        korat::assert_valid_snapshot!(BinaryTree::scope(3));
    }

    #[test]
    fn height_lies_between_full_and_chain() {
        // A property may also return a `bool`.
        up_to(6).for_each(|tree| tree.height() <= tree.len() && tree.len() < 1 << tree.height());
    }

    #[test]
    fn push_leaf_adds_one_node_and_deepens_only_full_trees() {
        up_to(6).for_each(|mut tree| {
            let n = tree.len();
            let height = tree.height();
            let full = n + 1 == 1 << height;
            tree.push_leaf();
            assert!(tree.rep_ok());
            assert_eq!(tree.len(), n + 1);
            assert_eq!(tree.height(), height + usize::from(full));
        });
    }

    #[test]
    fn pop_leaf_drops_one_leaf_until_the_tree_is_empty() {
        korat::for_each_valid(BinaryTree::scope(6), |mut tree| {
            for left in (0..6).rev() {
                assert!(tree.pop_leaf());
                assert!(tree.rep_ok());
                assert_eq!(tree.len(), left);
            }
            assert!(!tree.pop_leaf());
            assert_eq!(tree, BinaryTree::new());
        });
    }

    #[test]
    fn mirror_undoes_itself() {
        up_to(6).for_each(|tree| {
            let mut mirrored = tree.clone();
            mirrored.mirror();
            assert!(mirrored.rep_ok());
            assert_eq!(mirrored.height(), tree.height());
            mirrored.mirror();
            assert_eq!(mirrored, tree);
        });
    }

    #[test]
    fn rotations_undo_each_other() {
        up_to(6).for_each(|tree| {
            let mut turned = tree.clone();
            if turned.rotate_left() {
                assert!(turned.rep_ok());
                assert!(turned.rotate_right());
            }
            assert_eq!(turned, tree);
            if turned.rotate_right() {
                assert!(turned.rep_ok());
                assert!(turned.rotate_left());
            }
            assert_eq!(turned, tree);
        });
    }

    #[test]
    fn a_rotation_is_the_mirror_of_the_other() {
        korat::for_each_valid(BinaryTree::scope(6), |tree| {
            let mut there = tree.clone();
            there.rotate_left();
            let mut around = tree;
            around.mirror();
            around.rotate_right();
            around.mirror();
            assert_eq!(there, around);
        });
    }

    #[test]
    #[should_panic]
    fn a_forgotten_size_is_found() {
        korat::for_each_valid(BinaryTree::scope(3), |mut tree| {
            tree.root = None;
            assert!(tree.rep_ok());
        });
    }
}
