//! A skip list: sorted nodes in an arena, each with a tower of links; the higher a link, the more nodes it skips.

use korat::{Finitize, rep_ok};

/// The maximum height of a tower.
pub const MAX_HEIGHT: usize = 16;

/// A key and its tower.
#[derive(Clone, Debug, PartialEq, Finitize)]
pub struct Node {
    /// The key.
    #[finitize(0..=scope as u32)]
    pub key: u32,
    /// For each level of the tower, from the bottom up, the next node whose tower reaches that level.
    #[finitize(index_of = nodes, len = 1..=3)]
    pub next: Vec<Option<usize>>,
}

/// A set of keys.
#[derive(Clone, Debug, Default, PartialEq, Finitize)]
pub struct SkipList {
    /// The nodes, in no particular order and without gaps.
    pub nodes: Vec<Node>,
    /// For each level, from the bottom up, the first node whose tower reaches it; as high as the highest tower.
    #[finitize(index_of = nodes, len = 0..=3)]
    pub head: Vec<Option<usize>>,
    /// The state of the generator for the heights of new towers.
    #[finitize(skip = 0)]
    pub seed: u64,
}

#[rep_ok]
impl SkipList {
    /// Returns whether the bottom level links all nodes in strict order, every other level links exactly the nodes
    /// whose towers reach it, and the top level links at least one node.
    pub fn rep_ok(&self) -> bool {
        if self.head.is_empty() {
            return self.nodes.is_empty();
        }
        let Some(order) = self.ground_level() else {
            return false;
        };
        order.len() == self.nodes.len()
            && self.head.len() <= MAX_HEIGHT
            && self.head[self.head.len() - 1].is_some()
            && (1..self.head.len()).all(|level| self.skips_low_towers(level, &order))
    }

    /// Returns the nodes of the bottom level if their keys are strictly ordered and every tower has a valid height.
    fn ground_level(&self) -> Option<Vec<usize>> {
        let mut order: Vec<usize> = Vec::new();
        let mut next = self.head[0];
        while let Some(index) = next {
            let node = self.nodes.get(index)?;
            if let Some(&before) = order.last()
                && self.nodes[before].key >= node.key
            {
                return None;
            }
            if node.next.is_empty() || node.next.len() > self.head.len() {
                return None;
            }
            order.push(index);
            next = node.next[0];
        }
        Some(order)
    }

    /// Returns whether a level links exactly those nodes of `order` whose towers reach it, in that order.
    fn skips_low_towers(&self, level: usize, order: &[usize]) -> bool {
        let mut expected = self.head[level];
        for &index in order {
            let tower = &self.nodes[index].next;
            if tower.len() > level {
                if expected != Some(index) {
                    return false;
                }
                expected = tower[level];
            }
        }
        expected.is_none()
    }
}

impl SkipList {
    /// Creates an empty set.
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns the number of keys.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Returns whether the set is empty.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Returns the keys in increasing order.
    pub fn iter(&self) -> impl Iterator<Item = u32> {
        let mut next = self.head.first().copied().flatten();
        std::iter::from_fn(move || {
            let node = &self.nodes[next?];
            next = node.next[0];
            Some(node.key)
        })
    }

    /// Returns the smallest key that is at least `key`.
    pub fn ceiling(&self, key: u32) -> Option<u32> {
        let before = *self.path_to(key).first()?;
        Some(self.nodes[self.link(before, 0)?].key)
    }

    /// Returns whether the set contains `key`.
    pub fn contains(&self, key: u32) -> bool {
        self.ceiling(key) == Some(key)
    }

    /// Adds `key` with a tower of random height. Returns whether it was new.
    pub fn insert(&mut self, key: u32) -> bool {
        self.seed = self.seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        self.insert_with_height(key, 1 + (self.seed >> 40).trailing_ones() as usize)
    }

    /// Adds `key` with a tower of the given height, clamped to `1..=MAX_HEIGHT`. Returns whether it was new.
    pub fn insert_with_height(&mut self, key: u32, height: usize) -> bool {
        let mut path = self.path_to(key);
        if self.find(&path, key).is_some() {
            return false;
        }
        let height = height.clamp(1, MAX_HEIGHT);
        if self.head.len() < height {
            self.head.resize(height, None);
            path.resize(height, None);
        }
        let new = self.nodes.len();
        let next = (0..height).map(|level| self.link_mut(path[level], level).replace(new)).collect();
        self.nodes.push(Node { key, next });
        true
    }

    /// Removes `key`. Returns whether it was present.
    pub fn remove(&mut self, key: u32) -> bool {
        let path = self.path_to(key);
        let Some(gone) = self.find(&path, key) else {
            return false;
        };
        self.unlink(gone, &path);
        self.fill_hole(gone);
        true
    }

    /// Returns, for each level, the last node on it with a key less than `key`; `None` (the head) if there is none.
    fn path_to(&self, key: u32) -> Vec<Option<usize>> {
        let mut path = vec![None; self.head.len()];
        let mut at = None;
        for level in (0..self.head.len()).rev() {
            while let Some(next) = self.link(at, level)
                && self.nodes[next].key < key
            {
                at = Some(next);
            }
            path[level] = at;
        }
        path
    }

    /// Returns the node with this key, given the path to it.
    fn find(&self, path: &[Option<usize>], key: u32) -> Option<usize> {
        let node = self.link(*path.first()?, 0)?;
        (self.nodes[node].key == key).then_some(node)
    }

    /// Returns the link on a level that leaves a node or, for `None`, the head.
    fn link(&self, from: Option<usize>, level: usize) -> Option<usize> {
        match from {
            Some(node) => self.nodes[node].next[level],
            None => self.head[level],
        }
    }

    fn link_mut(&mut self, from: Option<usize>, level: usize) -> &mut Option<usize> {
        match from {
            Some(node) => &mut self.nodes[node].next[level],
            None => &mut self.head[level],
        }
    }

    /// Makes every link bypass the node at the end of `path`, and removes the levels that become empty.
    fn unlink(&mut self, node: usize, path: &[Option<usize>]) {
        for (level, &before) in path.iter().enumerate().take(self.nodes[node].next.len()) {
            *self.link_mut(before, level) = self.nodes[node].next[level];
        }
        while self.head.last() == Some(&None) {
            self.head.pop();
        }
    }

    /// Moves the last node of the arena into the slot of a node that is no longer linked.
    fn fill_hole(&mut self, hole: usize) {
        let last = self.nodes.len() - 1;
        if hole != last {
            let path = self.path_to(self.nodes[last].key);
            for (level, &before) in path.iter().enumerate().take(self.nodes[last].next.len()) {
                *self.link_mut(before, level) = Some(hole);
            }
        }
        self.nodes.swap_remove(hole);
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::seeded::found_at;
    use crate::set_model;
    use std::collections::BTreeSet;

    /// An operation that takes a key and returns whether it changed the set.
    type Operation = fn(&mut SkipList, u32) -> bool;

    /// A buggy [`SkipList::remove`]: it updates the links to the moved node on as many levels as the removed tower had,
    /// instead of those of the moved tower.
    pub(crate) fn remove_mending_the_wrong_height(list: &mut SkipList, key: u32) -> bool {
        let path = list.path_to(key);
        let Some(gone) = list.find(&path, key) else {
            return false;
        };
        let height = list.nodes[gone].next.len();
        list.unlink(gone, &path);
        let last = list.nodes.len() - 1;
        if gone != last {
            let path = list.path_to(list.nodes[last].key);
            for (level, &before) in path.iter().enumerate().take(height) {
                *list.link_mut(before, level) = Some(gone);
            }
        }
        list.nodes.swap_remove(gone);
        true
    }

    /// Every key up to `max` is found if it is there, and so is the next one if it is not.
    fn searches_well(list: &SkipList, max: u32) {
        set_model::finds_exactly_its_keys(list, 0..=max);
        let keys: BTreeSet<u32> = list.iter().collect();
        for key in 0..=max {
            assert_eq!(list.ceiling(key), keys.range(key..).next().copied());
        }
    }

    fn list(towers: &[(u32, usize)]) -> SkipList {
        let mut list = SkipList::new();
        for &(key, height) in towers {
            assert!(list.insert_with_height(key, height));
            assert!(list.rep_ok());
        }
        list
    }

    #[test]
    fn rep_ok_rejects_broken_links() {
        let good = list(&[(1, 1), (5, 3), (3, 2)]);
        let broken: [fn(&mut SkipList); 9] = [
            |list| list.nodes[0].key = 3,
            |list| list.nodes[2].next[0] = Some(0),
            |list| list.nodes[2].next[0] = Some(7),
            |list| list.nodes[2].next[0] = None,
            |list| list.nodes[2].next[1] = None,
            |list| list.head[1] = Some(1),
            |list| list.head.push(None),
            |list| list.nodes[0].next.push(None),
            |list| list.nodes.push(Node { key: 9, next: vec![None] }),
        ];
        assert!(good.rep_ok() && SkipList::new().rep_ok());
        for change in broken {
            let mut list = good.clone();
            change(&mut list);
            assert!(!list.rep_ok(), "{list:?}");
        }
    }

    #[test]
    fn random_heights_make_a_valid_list() {
        let mut list = SkipList::new();
        for step in 0..500 {
            assert!(list.insert(step * 7 % 500));
        }
        assert!(list.rep_ok());
        assert!(list.iter().eq(0..500));
        assert!((4..=MAX_HEIGHT).contains(&list.head.len()));
        for key in (0..500).rev() {
            assert!(list.remove(key));
            assert!(list.rep_ok());
        }
        assert_eq!(list.head, []);
    }

    #[test]
    fn keys_are_found_between_towers_of_any_height() {
        searches_well(&SkipList::new(), 2);
        searches_well(&list(&[(4, 1), (2, 3), (7, 2), (6, 1)]), 8);
    }

    #[test]
    fn a_test_by_hand_does_not_tell_the_mistake() {
        for remove in [SkipList::remove, remove_mending_the_wrong_height] {
            for list in [list(&[(0, 1), (1, 1), (2, 1)]), list(&[(2, 3), (0, 2), (1, 2)]), list(&[(4, 2), (1, 2)])] {
                set_model::remove_agrees(&list, 0..=1, remove);
            }
        }
    }

    #[test]
    fn searches_find_exactly_the_keys() {
        korat::for_each_valid(SkipList::scope(3), |list| searches_well(&list, 4));
    }

    #[test]
    fn insert_does_what_a_set_does() {
        let inserts: [Operation; 4] = [
            SkipList::insert,
            |list, key| list.insert_with_height(key, 1),
            |list, key| list.insert_with_height(key, 2),
            |list, key| list.insert_with_height(key, 4),
        ];
        korat::for_each_valid(SkipList::scope(3), |list| {
            for insert in inserts {
                set_model::agrees(&list, 0..=4, insert, |set, key| set.insert(key));
            }
        });
    }

    #[test]
    fn remove_does_what_a_set_does() {
        korat::for_each_valid(SkipList::scope(4), |list| {
            set_model::remove_agrees(&list, 0..=5, SkipList::remove);
        });
    }

    #[test]
    fn mending_the_wrong_height_is_found() {
        let found = found_at(0, |scope| {
            korat::for_each_valid(SkipList::scope(scope), |list| {
                set_model::remove_agrees(&list, 0..=2, remove_mending_the_wrong_height);
            });
        });
        assert_eq!(found, Some(2));
    }
}
