//! A binary search tree: keys in strict order, no balance.

use std::cmp::Ordering;
use std::collections::HashSet;

use korat::{Finitize, rep_ok};

/// One key and the subtrees on its two sides.
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
    /// The topmost node, if there is any.
    pub root: Option<Box<Node>>,
    /// The number of keys.
    #[finitize(scope..=scope)]
    pub size: usize,
}

#[rep_ok]
impl SearchTree {
    /// The nodes form a tree, `size` counts them, and their keys are in strict order.
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

    /// Whether every key lies strictly between `lo` and `hi`, and on its own side of every key above it.
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
    /// The empty set.
    pub fn new() -> Self {
        Self::default()
    }

    /// The number of keys.
    pub fn len(&self) -> usize {
        self.size
    }

    /// Whether there is no key.
    pub fn is_empty(&self) -> bool {
        self.size == 0
    }

    /// Whether `key` is in the set.
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

    /// The keys, smallest first.
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

    /// Adds `key` as a leaf; says whether it was new.
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

    /// Removes `key`; says whether it was there.
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

    /// Takes the node with the smallest key out of the subtree.
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
    use korat::{Search, field};
    use std::collections::BTreeSet;

    /// All trees of up to `most` keys from `0..=most`, smallest first. By itself a scope means those of exactly that size, as in the
    /// literature.
    fn up_to(most: usize) -> Search<SearchTree> {
        Search::new(SearchTree::scope(most)).domain(field!(SearchTree.size), 0..=most)
    }

    #[test]
    fn iter_gives_the_keys_in_order() {
        up_to(4)
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
        up_to(4).for_each(|tree| {
            let model: BTreeSet<usize> = tree.iter().collect();
            for key in 0..=5 {
                assert_eq!(tree.contains(key), model.contains(&key));
            }
        });
    }

    #[test]
    fn insert_does_what_a_set_does() {
        up_to(4).for_each(|tree| {
            for key in 0..=5 {
                let mut tree = tree.clone();
                let mut model: BTreeSet<usize> = tree.iter().collect();
                assert_eq!(tree.insert(key), model.insert(key));
                assert!(tree.rep_ok());
                assert!(tree.iter().eq(model));
            }
        });
    }

    #[test]
    fn remove_does_what_a_set_does() {
        up_to(4).for_each(|tree| {
            for key in 0..=5 {
                let mut tree = tree.clone();
                let mut model: BTreeSet<usize> = tree.iter().collect();
                assert_eq!(tree.remove(key), model.remove(&key));
                assert!(tree.rep_ok());
                assert!(tree.iter().eq(model));
            }
        });
    }

    #[test]
    fn remove_undoes_insert() {
        korat::for_each_valid(SearchTree::scope(5), |tree| {
            for key in (0..=6).filter(|&key| !tree.contains(key)) {
                let mut changed = tree.clone();
                assert!(changed.insert(key));
                assert!(changed.remove(key));
                // A new key is a leaf, so not only the set but the shape is restored.
                assert_eq!(changed, tree);
            }
        });
    }

    #[test]
    fn removing_every_key_empties_the_tree() {
        korat::for_each_valid(SearchTree::scope(4), |mut tree| {
            for key in 0..=4 {
                tree.remove(key);
                assert!(tree.rep_ok());
            }
            assert_eq!(tree, SearchTree::new());
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
