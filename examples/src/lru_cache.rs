//! A least-recently-used cache: a hash map into a doubly linked list in an arena.

use std::collections::HashMap;

use korat::{Finitize, rep_ok};

/// The null link.
const NIL: usize = usize::MAX;

/// One slot of the arena: an entry in the recency list, or a vacant slot in the free list.
#[derive(Clone, Debug, PartialEq, Finitize)]
struct Entry {
    key: u32,
    #[finitize(0..=1)]
    value: u32,
    /// The entry that was used just after this one.
    #[finitize(index_of = entries, none = NIL)]
    prev: usize,
    /// The entry that was used just before this one; for a vacant slot, the next vacant one.
    #[finitize(index_of = entries, none = NIL)]
    next: usize,
}

/// A map with a fixed capacity. Every operation takes constant time: the map finds an entry, and the entry's links
/// suffice to move it to the front of the list or to remove it.
#[derive(Clone, Debug, Finitize)]
pub struct LruCache {
    /// The slot of each key.
    #[finitize(index_of = entries)]
    map: HashMap<u32, usize>,
    /// The slots that were ever needed, at most `capacity` of them.
    entries: Vec<Entry>,
    /// The most recently used entry.
    #[finitize(index_of = entries, none = NIL)]
    head: usize,
    /// The least recently used entry, which is evicted first.
    #[finitize(index_of = entries, none = NIL)]
    tail: usize,
    /// The head of the free list, whose slots are linked by `next`.
    #[finitize(index_of = entries, none = NIL)]
    free: usize,
    #[finitize(1..=scope)]
    capacity: usize,
    /// The number of calls of `get` that found their key.
    #[finitize(skip = 0)]
    hits: u64,
}

#[rep_ok]
impl LruCache {
    /// Returns whether every slot is in exactly one of the two lists, the map has exactly the keys of the recency list,
    /// and there are at most `capacity` slots.
    pub fn rep_ok(&self) -> bool {
        let mut seen = vec![false; self.entries.len()];
        self.capacity > 0
            && self.entries.len() <= self.capacity
            && self.recent_ok(&mut seen)
            && self.free_ok(&mut seen)
            && seen.iter().all(|&seen| seen)
    }

    /// Checks the recency list: it must be linked in both directions from `head` to `tail`, and the map must point to
    /// each entry, so that no two have the same key.
    fn recent_ok(&self, seen: &mut [bool]) -> bool {
        let mut used = 0;
        let mut prev = NIL;
        let mut slot = self.head;
        while slot != NIL {
            if seen.get(slot) != Some(&false) {
                return false;
            }
            seen[slot] = true;
            let entry = &self.entries[slot];
            if entry.prev != prev || self.map.get(&entry.key) != Some(&slot) {
                return false;
            }
            used += 1;
            prev = slot;
            slot = entry.next;
        }
        self.tail == prev && self.map.len() == used
    }

    /// Checks the free list, whose slots must not contain data of former entries.
    fn free_ok(&self, seen: &mut [bool]) -> bool {
        let mut slot = self.free;
        while slot != NIL {
            if seen.get(slot) != Some(&false) {
                return false;
            }
            seen[slot] = true;
            let Entry { key, value, prev, next } = self.entries[slot];
            if (key, value, prev) != (0, 0, NIL) {
                return false;
            }
            slot = next;
        }
        true
    }
}

impl LruCache {
    /// Creates an empty cache for at most `capacity` entries, which must be positive.
    pub fn new(capacity: usize) -> Self {
        assert!(capacity > 0, "a cache needs room for one entry");
        Self { map: HashMap::new(), entries: Vec::new(), head: NIL, tail: NIL, free: NIL, capacity, hits: 0 }
    }

    /// Returns the number of entries.
    pub fn len(&self) -> usize {
        self.map.len()
    }

    /// Returns whether the cache is empty.
    pub fn is_empty(&self) -> bool {
        self.map.is_empty()
    }

    /// Returns the maximum number of entries.
    pub fn capacity(&self) -> usize {
        self.capacity
    }

    /// Returns how often [`get`](Self::get) found its key.
    pub fn hits(&self) -> u64 {
        self.hits
    }

    /// Returns the value of `key` without marking it as used.
    pub fn peek(&self, key: u32) -> Option<u32> {
        self.map.get(&key).map(|&slot| self.entries[slot].value)
    }

    /// Returns the value of `key`, which becomes the most recently used one.
    pub fn get(&mut self, key: u32) -> Option<u32> {
        let slot = *self.map.get(&key)?;
        self.hits += 1;
        self.unlink(slot);
        self.link_first(slot);
        Some(self.entries[slot].value)
    }

    /// Sets the value of `key`, which becomes the most recently used one. Returns the entry that left the cache: the
    /// former entry of `key` or, if there was none and the cache was full, the least recently used entry.
    pub fn put(&mut self, key: u32, value: u32) -> Option<(u32, u32)> {
        let gone = if self.map.contains_key(&key) {
            self.remove(key).map(|old| (key, old))
        } else if self.map.len() == self.capacity {
            self.pop_oldest()
        } else {
            None
        };
        let slot = self.vacant_slot();
        self.entries[slot] = Entry { key, value, prev: NIL, next: NIL };
        self.map.insert(key, slot);
        self.link_first(slot);
        gone
    }

    /// Removes the entry of `key` and returns its value.
    pub fn remove(&mut self, key: u32) -> Option<u32> {
        let slot = self.map.remove(&key)?;
        self.unlink(slot);
        let vacant = Entry { key: 0, value: 0, prev: NIL, next: self.free };
        self.free = slot;
        Some(std::mem::replace(&mut self.entries[slot], vacant).value)
    }

    /// Removes the least recently used entry.
    pub fn pop_oldest(&mut self) -> Option<(u32, u32)> {
        let key = self.entries.get(self.tail)?.key;
        self.remove(key).map(|value| (key, value))
    }

    /// Returns the entries, most recently used first.
    pub fn iter(&self) -> impl Iterator<Item = (u32, u32)> {
        let first = self.entries.get(self.head);
        std::iter::successors(first, |entry| self.entries.get(entry.next)).map(|entry| (entry.key, entry.value))
    }

    /// Returns a slot for a new entry: a vacant one, or a new one at the end of the arena.
    fn vacant_slot(&mut self) -> usize {
        if self.free == NIL {
            self.entries.push(Entry { key: 0, value: 0, prev: NIL, next: NIL });
            return self.entries.len() - 1;
        }
        let slot = self.free;
        self.free = self.entries[slot].next;
        slot
    }

    /// Removes an entry from the recency list. Its own links stay unchanged.
    fn unlink(&mut self, slot: usize) {
        let Entry { prev, next, .. } = self.entries[slot];
        match prev {
            NIL => self.head = next,
            _ => self.entries[prev].next = next,
        }
        match next {
            NIL => self.tail = prev,
            _ => self.entries[next].prev = prev,
        }
    }

    /// Puts an entry that is in no list at the front of the recency list.
    fn link_first(&mut self, slot: usize) {
        let second = std::mem::replace(&mut self.head, slot);
        self.entries[slot].prev = NIL;
        self.entries[slot].next = second;
        match second {
            NIL => self.tail = slot,
            _ => self.entries[second].prev = slot,
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::seeded::found_at;

    /// A naive model: a vector of the entries, most recently used first.
    fn model(cache: &LruCache) -> Vec<(u32, u32)> {
        cache.iter().collect()
    }

    fn position(model: &[(u32, u32)], key: u32) -> Option<usize> {
        model.iter().position(|entry| entry.0 == key)
    }

    type Put = fn(&mut LruCache, u32, u32) -> Option<(u32, u32)>;

    /// A buggy `put`: it counts slots instead of entries, and evicts although a slot is vacant.
    pub(crate) fn put_counting_slots(cache: &mut LruCache, key: u32, value: u32) -> Option<(u32, u32)> {
        let mut gone = cache.remove(key).map(|old| (key, old));
        if gone.is_none() && cache.entries.len() == cache.capacity {
            gone = cache.pop_oldest();
        }
        let slot = cache.vacant_slot();
        cache.entries[slot] = Entry { key, value, prev: NIL, next: NIL };
        cache.map.insert(key, slot);
        cache.link_first(slot);
        gone
    }

    fn check_put(cache: &LruCache, put: Put) {
        for key in 0..=5 {
            let mut cache = cache.clone();
            let mut model = model(&cache);
            let gone = match position(&model, key) {
                Some(at) => Some(model.remove(at)),
                None if model.len() == cache.capacity() => model.pop(),
                None => None,
            };
            model.insert(0, (key, 7));
            assert_eq!(put(&mut cache, key, 7), gone);
            assert!(cache.rep_ok());
            assert!(cache.iter().eq(model));
        }
    }

    fn check_get(cache: &LruCache) {
        for key in 0..=5 {
            let mut cache = cache.clone();
            let mut model = model(&cache);
            let found = position(&model, key).map(|at| model.remove(at));
            model.splice(0..0, found);
            assert_eq!(cache.peek(key), found.map(|entry| entry.1));
            assert_eq!(cache.get(key), found.map(|entry| entry.1));
            assert_eq!(cache.hits(), u64::from(found.is_some()));
            assert!(cache.rep_ok());
            assert!(cache.iter().eq(model));
        }
    }

    fn check_remove(cache: &LruCache) {
        for key in 0..=5 {
            let mut cache = cache.clone();
            let mut model = model(&cache);
            let found = position(&model, key).map(|at| model.remove(at));
            assert_eq!(cache.remove(key), found.map(|entry| entry.1));
            assert_eq!(cache.len(), model.len());
            assert!(cache.rep_ok());
            assert!(cache.iter().eq(model));
        }
    }

    /// A typical hand-written test: fills the cache, uses an entry, and checks which one is evicted.
    fn example(put: Put) {
        let mut cache = LruCache::new(3);
        for key in 1..=3 {
            assert_eq!(put(&mut cache, key, key * 10), None);
        }
        assert_eq!(cache.get(1), Some(10));
        assert_eq!(put(&mut cache, 4, 40), Some((2, 20)));
        assert_eq!(put(&mut cache, 3, 33), Some((3, 30)));
        assert!(cache.iter().eq([(3, 33), (4, 40), (1, 10)]));
        assert_eq!(cache.remove(4), Some(40));
        assert_eq!(cache.get(4), None);
        assert_eq!(cache.len(), 2);
    }

    #[test]
    fn the_entry_used_longest_ago_goes_first() {
        example(LruCache::put);
        example(put_counting_slots);
    }

    #[test]
    fn operations_agree_with_the_model_after_a_removal() {
        let mut cache = LruCache::new(3);
        for key in [1, 2, 3] {
            cache.put(key, 0);
            check_put(&cache, LruCache::put);
        }
        for key in [2, 1, 3] {
            cache.remove(key);
            check_put(&cache, LruCache::put);
            check_get(&cache);
            check_remove(&cache);
        }
    }

    #[test]
    fn put_does_what_the_model_does() {
        korat::for_each_valid(LruCache::scope(4), |cache| check_put(&cache, LruCache::put));
    }

    #[test]
    fn get_does_what_the_model_does() {
        korat::for_each_valid(LruCache::scope(4), |cache| check_get(&cache));
    }

    #[test]
    fn remove_does_what_the_model_does() {
        korat::for_each_valid(LruCache::scope(4), |cache| check_remove(&cache));
    }

    /// One entry and one vacant slot suffice, in a cache for two. The hand-written test never puts after its removal.
    #[test]
    fn evicting_in_spite_of_a_vacant_slot_is_found() {
        let found = found_at(1, |scope| {
            korat::for_each_valid(LruCache::scope(scope), |cache| check_put(&cache, put_counting_slots));
        });
        assert_eq!(found, Some(2));
    }
}
