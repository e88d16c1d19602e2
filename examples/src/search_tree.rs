//! An unbalanced binary search tree with strictly ordered keys.

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

/// A set of keys.
#[derive(Clone, Debug, Default, PartialEq, Finitize)]
pub struct SearchTree {
    /// The root; `None` for an empty tree.
    pub root: Option<Box<Node>>,
    /// The number of keys.
    #[finitize(scope..=scope)]
    pub size: usize,
}

#[rep_ok]
impl SearchTree {
    /// Returns whether the nodes form a tree, `size` is their number, and the keys are strictly ordered.
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
        seen.len() == self.size && Self::ordered(&self.root, None, None)
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

impl SearchTree {
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

    /// Adds `key` as a leaf. Returns whether it was new.
    pub fn insert(&mut self, key: usize) -> bool {
        let mut place = &mut self.root;
        while let Some(node) = place {
            place = match key.cmp(&node.key) {
                Ordering::Less => &mut node.left,
                Ordering::Greater => &mut node.right,
                Ordering::Equal => return false,
            };
        }
        *place = Some(Box::new(Node { left: None, right: None, key }));
        self.size += 1;
        true
    }

    /// Removes `key`. Returns whether it was present.
    pub fn remove(&mut self, key: usize) -> bool {
        let removed = Self::remove_from(&mut self.root, key);
        self.size -= usize::from(removed);
        removed
    }

    fn remove_from(place: &mut Option<Box<Node>>, key: usize) -> bool {
        let Some(node) = place else {
            return false;
        };
        match key.cmp(&node.key) {
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
        }
    }

    /// Removes and returns the node with the smallest key of the subtree.
    fn take_min(place: &mut Option<Box<Node>>) -> Option<Box<Node>> {
        match place {
            Some(node) if node.left.is_some() => Self::take_min(&mut node.left),
            _ => {
                let mut min = place.take()?;
                *place = min.right.take();
                Some(min)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::set_model::{self, up_to};

    #[test]
    fn iter_gives_the_keys_in_order() {
        up_to!(SearchTree, 4)
            .for_each(|tree| {
                let keys: Vec<usize> = tree.iter().collect();
                assert_eq!(keys.len(), tree.len());
                assert!(keys.is_sorted_by(|a, b| a < b));
            })
            // Every choice of at most four of the five keys, in every shape.
            .expect_count(1 + 5 + 10 * 2 + 10 * 5 + 5 * 14);
    }

    #[test]
    fn contains_finds_exactly_the_keys() {
        up_to!(SearchTree, 4).for_each(|tree| set_model::finds_exactly_its_keys(&tree, 0..=5));
    }

    #[test]
    fn insert_does_what_a_set_does() {
        up_to!(SearchTree, 4).for_each(|tree| set_model::insert_agrees(&tree, 0..=5));
    }

    #[test]
    fn remove_does_what_a_set_does() {
        up_to!(SearchTree, 4).for_each(|tree| set_model::remove_agrees(&tree, 0..=5, SearchTree::remove));
    }

    #[test]
    fn remove_undoes_insert() {
        // A new key is a leaf, so not only the set but the shape is restored.
        korat::for_each_valid(SearchTree::scope(5), |tree| set_model::remove_restores_the_shape(&tree, 0..=6));
    }

    #[test]
    fn removing_every_key_empties_the_tree() {
        korat::for_each_valid(SearchTree::scope(4), |tree| {
            assert_eq!(set_model::without(tree, 0..=4), SearchTree::new());
        });
    }

    #[test]
    #[should_panic]
    fn a_key_on_the_wrong_side_is_found() {
        korat::for_each_valid(SearchTree::scope(3), |mut tree| {
            if let Some(root) = &mut tree.root {
                std::mem::swap(&mut root.left, &mut root.right);
            }
            assert!(tree.rep_ok());
        });
    }
}
