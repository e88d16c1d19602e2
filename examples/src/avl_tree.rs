//! An AVL tree: a search tree in which the heights of siblings differ by at most one. Heights are computed, not stored.

use std::cmp::Ordering;
use std::collections::HashSet;

use korat::{Finitize, rep_ok};

/// A key and its two subtrees.
#[derive(Clone, Debug, PartialEq, Finitize)]
pub struct Node {
    /// The subtree with the smaller keys.
    pub left: Option<Box<Node>>,
    /// The subtree with the larger keys.
    pub right: Option<Box<Node>>,
    /// The key.
    #[finitize(0..=scope)]
    pub key: usize,
}

/// A set of keys, balanced by height.
#[derive(Clone, Debug, Default, PartialEq, Finitize)]
pub struct AvlTree {
    /// The root; `None` for an empty tree.
    pub root: Option<Box<Node>>,
    /// The number of keys.
    #[finitize(scope..=scope)]
    pub size: usize,
}

#[rep_ok]
impl AvlTree {
    /// Returns whether the nodes form a tree, `size` is their number, the tree is balanced, and the keys are strictly
    /// ordered.
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
        seen.len() == self.size && Self::balanced_height(&self.root).is_some() && Self::ordered(&self.root, None, None)
    }

    /// Returns the height of the subtree if the heights of siblings differ by at most one everywhere in it.
    fn balanced_height(node: &Option<Box<Node>>) -> Option<usize> {
        let Some(node) = node else {
            return Some(0);
        };
        let left = Self::balanced_height(&node.left)?;
        let right = Self::balanced_height(&node.right)?;
        if left.abs_diff(right) > 1 {
            return None;
        }
        Some(left.max(right) + 1)
    }

    /// Returns whether every key of the subtree lies strictly between `lo` and `hi`, and the subtree is ordered.
    fn ordered(node: &Option<Box<Node>>, lo: Option<usize>, hi: Option<usize>) -> bool {
        let Some(node) = node else {
            return true;
        };
        let key = node.key;
        if lo.is_some_and(|lo| key <= lo) || hi.is_some_and(|hi| key >= hi) {
            return false;
        }
        Self::ordered(&node.left, lo, Some(key)) && Self::ordered(&node.right, Some(key), hi)
    }
}

impl AvlTree {
    /// Creates an empty set.
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns the number of keys.
    pub fn len(&self) -> usize {
        self.size
    }

    /// Returns whether the set is empty.
    pub fn is_empty(&self) -> bool {
        self.size == 0
    }

    /// Returns the number of nodes on the longest path down from the root.
    pub fn height(&self) -> usize {
        Self::height_of(&self.root)
    }

    /// Returns whether the set contains `key`.
    pub fn contains(&self, key: usize) -> bool {
        let mut next = &self.root;
        while let Some(node) = next {
            next = match key.cmp(&node.key) {
                Ordering::Less => &node.left,
                Ordering::Greater => &node.right,
                Ordering::Equal => return true,
            };
        }
        false
    }

    /// Returns the keys in increasing order.
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

    /// Adds `key`. Returns whether it was new.
    pub fn insert(&mut self, key: usize) -> bool {
        let inserted = Self::insert_into(&mut self.root, key);
        self.size += usize::from(inserted);
        inserted
    }

    /// Removes `key`. Returns whether it was present.
    pub fn remove(&mut self, key: usize) -> bool {
        let removed = Self::remove_from(&mut self.root, key);
        self.size -= usize::from(removed);
        removed
    }

    fn insert_into(place: &mut Option<Box<Node>>, key: usize) -> bool {
        let Some(node) = place else {
            *place = Some(Box::new(Node { left: None, right: None, key }));
            return true;
        };
        let inserted = match key.cmp(&node.key) {
            Ordering::Less => Self::insert_into(&mut node.left, key),
            Ordering::Greater => Self::insert_into(&mut node.right, key),
            Ordering::Equal => false,
        };
        if inserted {
            Self::rebalance(place);
        }
        inserted
    }

    fn remove_from(place: &mut Option<Box<Node>>, key: usize) -> bool {
        let Some(node) = place else {
            return false;
        };
        let removed = match key.cmp(&node.key) {
            Ordering::Less => Self::remove_from(&mut node.left, key),
            Ordering::Greater => Self::remove_from(&mut node.right, key),
            Ordering::Equal => {
                *place = match (node.left.take(), node.right.take()) {
                    (None, child) | (child, None) => child,
                    (left, mut right) => Self::take_min(&mut right).map(|mut heir| {
                        heir.left = left;
                        heir.right = right;
                        heir
                    }),
                };
                true
            }
        };
        if removed {
            Self::rebalance(place);
        }
        removed
    }

    /// Removes and returns the node with the smallest key of the subtree, which stays balanced.
    fn take_min(place: &mut Option<Box<Node>>) -> Option<Box<Node>> {
        match place {
            Some(node) if node.left.is_some() => {
                let min = Self::take_min(&mut node.left);
                Self::rebalance(place);
                min
            }
            _ => {
                let mut min = place.take()?;
                *place = min.right.take();
                Some(min)
            }
        }
    }

    /// Restores the balance of a subtree whose children are balanced and differ in height by at most two.
    fn rebalance(place: &mut Option<Box<Node>>) {
        let Some(node) = place else {
            return;
        };
        let left = Self::height_of(&node.left);
        let right = Self::height_of(&node.right);
        if left > right + 1 {
            if Self::lean(&node.left) == Ordering::Less {
                Self::rotate_left(&mut node.left);
            }
            Self::rotate_right(place);
        } else if right > left + 1 {
            if Self::lean(&node.right) == Ordering::Greater {
                Self::rotate_right(&mut node.right);
            }
            Self::rotate_left(place);
        }
    }

    /// Compares the height on the left with the height on the right.
    fn lean(node: &Option<Box<Node>>) -> Ordering {
        node.as_ref().map_or(Ordering::Equal, |node| Self::height_of(&node.left).cmp(&Self::height_of(&node.right)))
    }

    fn height_of(node: &Option<Box<Node>>) -> usize {
        node.as_ref().map_or(0, |node| 1 + Self::height_of(&node.left).max(Self::height_of(&node.right)))
    }

    /// Replaces the node by its right child, if there is one.
    fn rotate_left(place: &mut Option<Box<Node>>) {
        let Some(mut node) = place.take() else {
            return;
        };
        let Some(mut pivot) = node.right.take() else {
            *place = Some(node);
            return;
        };
        node.right = pivot.left.take();
        pivot.left = Some(node);
        *place = Some(pivot);
    }

    /// Replaces the node by its left child, if there is one.
    fn rotate_right(place: &mut Option<Box<Node>>) {
        let Some(mut node) = place.take() else {
            return;
        };
        let Some(mut pivot) = node.left.take() else {
            *place = Some(node);
            return;
        };
        node.left = pivot.right.take();
        pivot.right = Some(node);
        *place = Some(pivot);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::set_model::{self, up_to};

    #[test]
    fn height_is_logarithmic() {
        up_to!(AvlTree, 6)
            .for_each(|tree| {
                let n = tree.len();
                // The sparsest tree of height h has one node more than the sparsest ones of heights h - 1 and h - 2.
                let (mut sparsest, mut next) = (0, 1);
                for _ in 0..tree.height() {
                    (sparsest, next) = (next, sparsest + next + 1);
                }
                assert!(sparsest <= n);
                assert!(n < 1 << tree.height());
            })
            // Every choice of at most six of the seven keys, in every balanced shape.
            .expect_count(1 + 7 + 21 * 2 + 35 + 35 * 4 + 21 * 6 + 7 * 4);
    }

    #[test]
    fn contains_finds_exactly_the_keys() {
        up_to!(AvlTree, 5).for_each(|tree| set_model::finds_exactly_its_keys(&tree, 0..=6));
    }

    #[test]
    fn insert_does_what_a_set_does_and_keeps_the_balance() {
        up_to!(AvlTree, 6).for_each(|tree| set_model::insert_agrees(&tree, 0..=7));
    }

    #[test]
    fn remove_does_what_a_set_does_and_keeps_the_balance() {
        up_to!(AvlTree, 6).for_each(|tree| set_model::remove_agrees(&tree, 0..=7, AvlTree::remove));
    }

    #[test]
    fn insert_changes_the_height_by_at_most_one() {
        korat::for_each_valid(AvlTree::scope(6), |tree| {
            for key in 0..=7 {
                let mut grown = tree.clone();
                grown.insert(key);
                assert!((tree.height()..=tree.height() + 1).contains(&grown.height()));
            }
        });
    }

    #[test]
    fn remove_undoes_insert() {
        korat::for_each_valid(AvlTree::scope(5), |tree| set_model::remove_undoes_insert(&tree, 0..=6));
    }

    #[test]
    fn removing_every_key_empties_the_tree() {
        korat::for_each_valid(AvlTree::scope(6), |tree| assert_eq!(set_model::without(tree, 0..=6), AvlTree::new()));
    }

    #[test]
    #[should_panic]
    fn a_rotation_out_of_place_is_found() {
        korat::for_each_valid(AvlTree::scope(4), |mut tree| {
            AvlTree::rotate_left(&mut tree.root);
            assert!(tree.rep_ok());
        });
    }
}
