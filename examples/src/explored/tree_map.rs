//! `java.util.TreeMap`, a red-black tree: `put` and `remove` as they are there, colours included. Not every red-black tree can be reached by
//! them.

use korat::{Finitize, rep_ok};

mod entries;

use Color::Red;
use entries::Entries;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Finitize)]
enum Color {
    Red,
    Black,
}

/// A key with the entries below it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Finitize)]
struct Entry {
    #[finitize(1..=scope)]
    key: u8,
    color: Color,
    left: Option<Box<Entry>>,
    right: Option<Box<Entry>>,
}

/// A map from keys to nothing, as `java.util.TreeSet` uses it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Finitize)]
pub struct TreeMap {
    root: Option<Box<Entry>>,
}

#[rep_ok]
impl TreeMap {
    /// Returns whether the keys are in order, the root is black, and the colours balance the tree.
    pub fn rep_ok(&self) -> bool {
        Self::black_height(&self.root, 0, u8::MAX, Red).is_some()
    }

    /// Returns the number of black entries on each path down, if the entries below are valid and their keys lie between `low` and `high`.
    fn black_height(entry: &Option<Box<Entry>>, low: u8, high: u8, above: Color) -> Option<u8> {
        let Some(entry) = entry else { return Some(0) };
        let is_red = entry.color == Red;
        if entry.key <= low || entry.key >= high || is_red && above == Red {
            return None;
        }
        let left = Self::black_height(&entry.left, low, entry.key, entry.color)?;
        let right = Self::black_height(&entry.right, entry.key, high, entry.color)?;
        (left == right).then_some(left + u8::from(!is_red))
    }
}

impl TreeMap {
    /// Adds `key`, if it is not there.
    pub fn put(&mut self, key: u8) {
        let mut entries = Entries::of(self);
        entries.put(key);
        *self = entries.map();
    }

    /// Removes `key`, if it is there.
    pub fn remove(&mut self, key: u8) {
        self.remove_with(key, Entries::fix_after_deletion);
    }

    /// Removes `key`. Where that takes a black entry away, `fix` balances the tree.
    fn remove_with(&mut self, key: u8, fix: fn(&mut Entries, usize)) {
        let mut entries = Entries::of(self);
        entries.remove(key, fix);
        *self = entries.map();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explored::breadth_first::reached;
    use crate::seeded::machine::assert_shortest;
    use korat::Explore;

    /// A buggy [`TreeMap::remove`]: it colours the entry black that takes the place of a black one. That suffices if it was red.
    fn remove_without_rotations(map: &mut TreeMap, key: u8) {
        map.remove_with(key, |entries, at| entries.set_color(at, Color::Black));
    }

    fn exploration(n: u8, remove: fn(&mut TreeMap, u8)) -> Explore<TreeMap> {
        Explore::from(TreeMap::default())
            .operation("put", 1..=n, TreeMap::put)
            .operation("remove", 1..=n, remove)
            .check(TreeMap::rep_ok)
    }

    /// The number of maps, counted with copies of them.
    fn counted(n: u8, depth: usize) -> u64 {
        reached(TreeMap::default(), depth, |map| {
            let after = |key, operation: fn(&mut TreeMap, u8)| {
                let mut map = map.clone();
                operation(&mut map, key);
                map
            };
            (1..=n).flat_map(|key| [after(key, TreeMap::put), after(key, TreeMap::remove)]).collect()
        })
    }

    #[test]
    fn sequences_of_n_operations() {
        for (n, found) in [(4, 25), (5, 72), (6, 185), (7, 537)] {
            exploration(n, TreeMap::remove).depth(n.into()).run().expect_states(found);
            assert_eq!(counted(n, n.into()), found);
        }
    }

    #[test]
    fn reachable_and_valid_maps() {
        for (n, reached, valid) in [(4, 29, 29), (5, 72, 74), (6, 197, 201)] {
            assert_reached(n, reached, valid);
            assert_eq!(counted(n, usize::MAX), reached);
        }
    }

    fn assert_reached(n: u8, reached: u64, valid: u64) {
        let compared = exploration(n, TreeMap::remove).compare(TreeMap::scope(n.into()));
        let counts = (compared.explored.found, compared.valid, compared.reached);
        assert_eq!(counts, (reached, valid, reached), "{compared}");
        compared.expect_unreachable((valid - reached) as usize);
    }

    #[test]
    #[ignore = "takes long in a debug build"]
    fn large_maps() {
        for (n, found) in [(8, 1_613), (9, 4_709), (10, 13_189)] {
            exploration(n, TreeMap::remove).depth(n.into()).run().expect_states(found);
        }
        assert_reached(7, 561, 573);
        assert_reached(8, 1_657, 1_673);
    }

    #[test]
    fn the_maps_that_nothing_reaches() {
        let compared = exploration(5, TreeMap::remove).compare(TreeMap::scope(5));
        let guide = include_str!("../../../docs/src/explore.md");
        assert_eq!(compared.unreachable.len(), 2);
        for map in &compared.unreachable {
            assert!(guide.contains(map.trim_end()), "the guide does not show\n{map}");
        }
    }

    #[test]
    fn a_black_entry_that_is_missed_is_found() {
        let seeded = || exploration(4, remove_without_rotations);
        assert_shortest(seeded, &["put(1)", "put(2)", "put(3)", "put(4)", "remove(1)"]);
    }
}
