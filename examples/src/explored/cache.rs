//! A least-recently-used cache ([`LruCache`](crate::lru_cache::LruCache)) beside a model: a list in which everything is looked for.

use korat::Finitize;

/// A cache whose operations take time in proportion to its entries.
#[derive(Clone, Debug, Finitize)]
pub struct Model {
    /// Keys and values, most recently used first.
    entries: Vec<(u32, u32)>,
    capacity: usize,
}

impl Model {
    /// Creates an empty cache for at most `capacity` entries.
    pub fn new(capacity: usize) -> Self {
        Model { entries: Vec::new(), capacity }
    }

    /// Returns the entries, most recently used first.
    pub fn entries(&self) -> &[(u32, u32)] {
        &self.entries
    }

    /// Removes the entry of `key` and returns its value.
    pub fn remove(&mut self, key: u32) -> Option<u32> {
        let at = self.entries.iter().position(|entry| entry.0 == key)?;
        Some(self.entries.remove(at).1)
    }

    /// Returns the value of `key`, which becomes the most recently used one.
    pub fn get(&mut self, key: u32) -> Option<u32> {
        let value = self.remove(key)?;
        self.entries.insert(0, (key, value));
        Some(value)
    }

    /// Sets the value of `key`, which becomes the most recently used one. Returns the entry that leaves the cache.
    pub fn put(&mut self, key: u32, value: u32) -> Option<(u32, u32)> {
        let gone = match self.remove(key) {
            Some(old) => Some((key, old)),
            None if self.entries.len() == self.capacity => self.entries.pop(),
            None => None,
        };
        self.entries.insert(0, (key, value));
        gone
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explored::breadth_first::reached;
    use crate::lru_cache::LruCache;
    use crate::lru_cache::tests::put_counting_slots;
    use crate::seeded::machine::assert_shortest;
    use korat::{Explore, ExploreEnding};

    const KEYS: [u32; 3] = [1, 2, 3];
    const VALUES: [u32; 2] = [0, 1];

    type Put = fn(&mut LruCache, u32, u32) -> Option<(u32, u32)>;

    fn exploration(capacity: usize, put: Put) -> Explore<(LruCache, Model)> {
        let entries = KEYS.into_iter().flat_map(|key| VALUES.map(|value| (key, value)));
        let put = move |cache: &mut LruCache, (key, value)| put(cache, key, value);
        Explore::from(LruCache::new(capacity))
            .check(LruCache::rep_ok)
            .beside(Model::new(capacity))
            .both("put", entries, put, |model, (key, value)| model.put(key, value))
            .both("get", KEYS, LruCache::get, Model::get)
            .both("remove", KEYS, LruCache::remove, Model::remove)
            .same("the entries", |cache| cache.iter().collect(), |model| model.entries().to_vec())
    }

    /// What the cache is made of, without links: the slots, those in use by the time of use, and the vacant ones, last vacated first.
    #[derive(Clone, PartialEq, Eq, Hash)]
    struct Slots {
        entries: Vec<Option<(u32, u32)>>,
        recent: Vec<usize>,
        vacant: Vec<usize>,
    }

    impl Slots {
        fn vacate(&mut self, at: usize) {
            let slot = self.recent.remove(at);
            self.entries[slot] = None;
            self.vacant.insert(0, slot);
        }

        fn position(&self, key: u32) -> Option<usize> {
            self.recent.iter().position(|&slot| self.entries[slot].is_some_and(|entry| entry.0 == key))
        }

        fn put(mut self, capacity: usize, key: u32, value: u32) -> Self {
            match self.position(key) {
                Some(at) => self.vacate(at),
                None if self.recent.len() == capacity => self.vacate(capacity - 1),
                None => {}
            }
            if self.vacant.is_empty() {
                self.entries.push(None);
                self.vacant.push(self.entries.len() - 1);
            }
            let slot = self.vacant.remove(0);
            self.entries[slot] = Some((key, value));
            self.recent.insert(0, slot);
            self
        }

        fn get(mut self, key: u32) -> Self {
            if let Some(at) = self.position(key) {
                self.recent[..=at].rotate_right(1);
            }
            self
        }

        fn remove(mut self, key: u32) -> Self {
            if let Some(at) = self.position(key) {
                self.vacate(at);
            }
            self
        }
    }

    /// The number of caches, counted with [`Slots`].
    fn counted(capacity: usize) -> u64 {
        let empty = Slots { entries: Vec::new(), recent: Vec::new(), vacant: Vec::new() };
        reached(empty, usize::MAX, |slots| {
            let next = |key| {
                let put = VALUES.map(|value| slots.clone().put(capacity, key, value));
                put.into_iter().chain([slots.clone().get(key), slots.clone().remove(key)])
            };
            KEYS.into_iter().flat_map(next).collect()
        })
    }

    #[test]
    fn a_cache_does_what_the_model_does() {
        for (capacity, states) in [(1, 8), (2, 70), (3, 544)] {
            let report = exploration(capacity, LruCache::put).run();
            assert_eq!(report.ending, ExploreEnding::Fixpoint);
            assert_eq!((report.found, counted(capacity)), (states, states), "{capacity}");
        }
    }

    #[test]
    fn evicting_in_spite_of_a_vacant_slot_is_found() {
        let calls = ["put(1, 0)", "put(2, 0)", "remove(1)", "put(1, 0)"];
        assert_shortest(|| exploration(2, put_counting_slots), &calls);
    }
}
