//! A B-tree of order 4: nodes with up to three keys and, unless they are leaves, one more child than keys.

use korat::{Finitize, rep_ok};

/// The maximum number of keys in a node.
const MAX_KEYS: usize = 3;

/// The minimum number of keys in a node other than the root.
const MIN_KEYS: usize = 1;

/// A sequence of keys, with subtrees between them and at both ends.
#[allow(clippy::vec_box, reason = "splits and merges move pointers, not nodes")]
#[derive(Clone, Debug, Default, PartialEq, Finitize)]
#[finitize(objects = scope + 1)]
pub struct Node {
    #[finitize(len = 0..=MAX_KEYS)]
    keys: Vec<u32>,
    /// Child `i` has the keys between `keys[i - 1]` and `keys[i]`. Empty in a leaf.
    #[finitize(len = 0..=MAX_KEYS + 1)]
    children: Vec<Box<Node>>,
}

/// A set of keys.
#[derive(Clone, Debug, Default, PartialEq, Finitize)]
pub struct BTree {
    /// The root; a leaf without keys if the set is empty.
    root: Box<Node>,
    /// The number of keys.
    #[finitize(scope..=scope)]
    len: usize,
}

#[rep_ok]
impl BTree {
    /// Returns whether every node has an allowed number of keys, all leaves are equally deep, the keys are strictly
    /// ordered, and `len` is their number.
    pub fn rep_ok(&self) -> bool {
        let mut count = 0;
        let fill_ok = !self.root.keys.is_empty() || self.root.children.is_empty();
        fill_ok && Self::depth(&self.root, None, None, &mut count).is_some() && count == self.len
    }

    /// Returns the number of levels below `node` if its subtree is valid and every key lies strictly between `lo` and
    /// `hi`. Adds the number of keys to `count`.
    fn depth(node: &Node, lo: Option<u32>, hi: Option<u32>, count: &mut usize) -> Option<usize> {
        let Node { keys, children } = node;
        if keys.len() > MAX_KEYS || !children.is_empty() && children.len() != keys.len() + 1 {
            return None;
        }
        *count += keys.len();
        let in_order = keys.windows(2).all(|pair| pair[0] < pair[1]);
        let above_lo = lo.is_none_or(|lo| keys.first().is_none_or(|&first| lo < first));
        let below_hi = hi.is_none_or(|hi| keys.last().is_none_or(|&last| last < hi));
        if !in_order || !above_lo || !below_hi {
            return None;
        }
        let mut depth_below = None;
        for (i, child) in children.iter().enumerate() {
            if child.keys.len() < MIN_KEYS {
                return None;
            }
            let lo = if i == 0 { lo } else { Some(keys[i - 1]) };
            let hi = keys.get(i).copied().or(hi);
            let depth = Self::depth(child, lo, hi, count)?;
            if *depth_below.get_or_insert(depth) != depth {
                return None;
            }
        }
        Some(depth_below.map_or(0, |depth| depth + 1))
    }
}

impl BTree {
    /// Creates an empty set.
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns the number of keys.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Returns whether the set is empty.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Returns the number of levels.
    pub fn height(&self) -> usize {
        std::iter::successors(Some(&self.root), |node| node.children.first()).count()
    }

    /// Returns whether the set contains `key`.
    pub fn contains(&self, key: u32) -> bool {
        let mut node = &self.root;
        loop {
            match node.keys.binary_search(&key) {
                Ok(_) => return true,
                Err(i) => match node.children.get(i) {
                    Some(child) => node = child,
                    None => return false,
                },
            }
        }
    }

    /// Returns the keys in increasing order.
    pub fn iter(&self) -> impl Iterator<Item = u32> {
        // The nodes on the path down, each with the number of its keys already returned.
        let mut path: Vec<(&Node, usize)> = Vec::new();
        let mut next = Some(&*self.root);
        std::iter::from_fn(move || {
            while let Some(node) = next {
                path.push((node, 0));
                next = node.children.first().map(Box::as_ref);
            }
            while let Some((node, done)) = path.last_mut() {
                if let Some(&key) = node.keys.get(*done) {
                    *done += 1;
                    next = node.children.get(*done).map(Box::as_ref);
                    return Some(key);
                }
                path.pop();
            }
            None
        })
    }

    /// Adds `key`. Returns whether it was new.
    pub fn insert(&mut self, key: u32) -> bool {
        let inserted = self.root.insert(key);
        if self.root.keys.len() > MAX_KEYS {
            let old_root = std::mem::take(&mut self.root);
            self.root.children.push(old_root);
            self.root.split_child(0);
        }
        self.len += usize::from(inserted);
        inserted
    }

    /// Removes `key`. Returns whether it was present.
    pub fn remove(&mut self, key: u32) -> bool {
        let removed = self.root.remove(key);
        self.drop_empty_root();
        self.len -= usize::from(removed);
        removed
    }

    /// If the last two children of the root were merged, makes the remaining one the new root.
    fn drop_empty_root(&mut self) {
        if self.root.keys.is_empty()
            && let Some(child) = self.root.children.pop()
        {
            self.root = child;
        }
    }
}

impl Node {
    fn is_leaf(&self) -> bool {
        self.children.is_empty()
    }

    /// Adds `key` below this node, which may have one key too many afterwards.
    fn insert(&mut self, key: u32) -> bool {
        let Err(i) = self.keys.binary_search(&key) else {
            return false;
        };
        if self.is_leaf() {
            self.keys.insert(i, key);
            return true;
        }
        let inserted = self.children[i].insert(key);
        if self.children[i].keys.len() > MAX_KEYS {
            self.split_child(i);
        }
        inserted
    }

    /// Splits child `i`, which has one key too many, and moves the key between the halves up. The left half gets the
    /// minimum, since keys inserted in ascending order go to the right half.
    fn split_child(&mut self, i: usize) {
        let left = &mut self.children[i];
        let keys = left.keys.split_off(MIN_KEYS + 1);
        let children = if left.is_leaf() { Vec::new() } else { left.children.split_off(MIN_KEYS + 1) };
        self.keys.splice(i..i, left.keys.pop());
        self.children.insert(i + 1, Box::new(Node { keys, children }));
    }

    /// Removes `key` below this node, which may have one key too few afterwards.
    fn remove(&mut self, key: u32) -> bool {
        match self.keys.binary_search(&key) {
            Ok(i) if self.is_leaf() => {
                self.keys.remove(i);
            }
            Ok(i) => {
                self.keys[i] = self.children[i].take_last();
                self.refill_child(i);
            }
            Err(_) if self.is_leaf() => return false,
            Err(i) => {
                let removed = self.children[i].remove(key);
                self.refill_child(i);
                return removed;
            }
        }
        true
    }

    /// Removes and returns the largest key below this node, which must have a key and may have one too few afterwards.
    fn take_last(&mut self) -> u32 {
        let last = self.keys.len();
        let taken = match self.children.last_mut() {
            Some(child) => child.take_last(),
            None => return self.keys.remove(last - 1),
        };
        self.refill_child(last);
        taken
    }

    /// If child `i` has one key too few, takes one from a sibling that can spare it, or merges two siblings.
    fn refill_child(&mut self, i: usize) {
        let can_spare = |child: &Node| child.keys.len() > MIN_KEYS;
        if self.children[i].keys.len() >= MIN_KEYS {
            // Nothing is missing.
        } else if i > 0 && can_spare(&self.children[i - 1]) {
            self.rotate_right(i - 1);
        } else if i + 1 < self.children.len() && can_spare(&self.children[i + 1]) {
            self.rotate_left(i);
        } else {
            self.merge_children(i.saturating_sub(1));
        }
    }

    /// Moves the last key of child `i` up, and the separating key down to child `i + 1`.
    fn rotate_right(&mut self, i: usize) {
        let Some(up) = self.children[i].keys.pop() else { return };
        let grandchild = self.children[i].children.pop();
        let down = std::mem::replace(&mut self.keys[i], up);
        self.children[i + 1].keys.insert(0, down);
        self.children[i + 1].children.splice(0..0, grandchild);
    }

    /// Moves the first key of child `i + 1` up, and the separating key down to child `i`.
    fn rotate_left(&mut self, i: usize) {
        let right = &mut self.children[i + 1];
        let up = right.keys.remove(0);
        let grandchild = if right.is_leaf() { None } else { Some(right.children.remove(0)) };
        let down = std::mem::replace(&mut self.keys[i], up);
        self.children[i].keys.push(down);
        self.children[i].children.extend(grandchild);
    }

    /// Merges the children `i` and `i + 1` and the key between them.
    fn merge_children(&mut self, i: usize) {
        let right = *self.children.remove(i + 1);
        let between = self.keys.remove(i);
        let left = &mut self.children[i];
        left.keys.push(between);
        left.keys.extend(right.keys);
        left.children.extend(right.children);
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::seeded::found_at;
    use crate::set_model;
    use korat::{Order, Search};

    type Remove = fn(&mut BTree, u32) -> bool;

    /// A buggy `remove`: it borrows the first key of the left sibling instead of the last.
    pub(crate) fn remove_borrowing_the_first(tree: &mut BTree, key: u32) -> bool {
        fn remove(node: &mut Node, key: u32) -> bool {
            let Err(i) = node.keys.binary_search(&key) else {
                return node.remove(key);
            };
            if node.is_leaf() {
                return false;
            }
            let removed = remove(&mut node.children[i], key);
            if i > 0 && node.children[i].keys.is_empty() && node.children[i - 1].keys.len() > MIN_KEYS {
                let up = node.children[i - 1].keys.remove(0);
                let grandchild = node.children[i - 1].children.pop();
                let down = std::mem::replace(&mut node.keys[i - 1], up);
                node.children[i].keys.insert(0, down);
                node.children[i].children.splice(0..0, grandchild);
            }
            node.refill_child(i);
            removed
        }
        let removed = remove(&mut tree.root, key);
        tree.drop_empty_root();
        tree.len -= usize::from(removed);
        removed
    }

    fn check_contains(tree: &BTree) {
        set_model::finds_exactly_its_keys(tree, 0..=10);
        // A tree of height h has at least 2^h - 1 keys and at most 4^h - 1, but for the empty one.
        assert!(tree.is_empty() || tree.len() >= (1 << tree.height()) - 1);
        assert!(tree.len() < 1 << (2 * tree.height()));
    }

    fn check_insert(tree: &BTree) {
        set_model::insert_agrees(tree, 0..=10);
    }

    fn check_remove(tree: &BTree, remove: Remove) {
        set_model::remove_agrees(tree, 0..=10, remove);
    }

    /// A typical hand-written test: inserts many keys and removes them from either end.
    fn example(remove: Remove) {
        let full: BTree = (0..200).fold(BTree::new(), |mut tree, key| {
            assert!(tree.insert(key));
            tree
        });
        assert!(full.rep_ok() && full.iter().eq(0..200));
        let (mut up, mut down) = (full.clone(), full);
        for key in 0..200 {
            assert!(remove(&mut up, key) && !up.contains(key));
            assert!(up.rep_ok() && up.iter().eq(key + 1..200));
            assert!(remove(&mut down, 199 - key) && !down.contains(199 - key));
            assert!(down.rep_ok() && down.iter().eq(0..199 - key));
        }
        assert!(up.is_empty() && down.is_empty());
    }

    #[test]
    fn removing_from_either_end_leaves_the_rest() {
        example(BTree::remove);
        example(remove_borrowing_the_first);
    }

    #[test]
    fn operations_agree_with_a_set_in_a_mixed_order() {
        let mut tree = BTree::new();
        for i in 0..101 {
            tree.insert(i * 37 % 101);
            check_contains(&tree);
            check_insert(&tree);
            check_remove(&tree, BTree::remove);
        }
        for i in 0..101 {
            assert!(tree.remove(i * 29 % 101));
            assert!(tree.rep_ok());
            check_remove(&tree, BTree::remove);
        }
        assert_eq!(tree, BTree::new());
    }

    #[test]
    fn operations_do_what_a_set_does() {
        for (n, shapes) in (0..).zip([1, 1, 1, 2, 2, 4, 5, 9]) {
            // All trees have n keys, so the order does not matter and one pass suffices.
            Search::new(BTree::scope(n))
                .order(Order::AsFound)
                .for_each(|tree| {
                    check_contains(&tree);
                    check_insert(&tree);
                    check_remove(&tree, BTree::remove);
                })
                // Each shape occurs with every choice of n of the n + 1 keys.
                .expect_count(shapes * (n as u64 + 1));
        }
    }

    /// Four keys suffice: two in the left leaf, one in the root, and one in the right leaf, which is removed. In a tree
    /// filled in ascending order, no left sibling ever has more than one key.
    #[test]
    fn borrowing_the_wrong_key_is_found() {
        let found = found_at(0, |scope| {
            korat::for_each_valid(BTree::scope(scope), |tree| check_remove(&tree, remove_borrowing_the_first));
        });
        assert_eq!(found, Some(4));
    }
}
