//! A slab: assigns keys to values, and links the vacant slots into a free list for reuse.

use std::collections::HashSet;

use korat::{Finitize, rep_ok};

/// The end of the free list, in place of a key.
pub const NONE: usize = usize::MAX;

/// A slot for one value.
#[derive(Clone, Debug, PartialEq, Finitize)]
pub enum Slot<T> {
    /// The slot holds a value.
    Occupied(T),
    /// The slot holds no value.
    Vacant {
        /// The next slot of the free list, or [`NONE`].
        #[finitize(index_of = slots, none = usize::MAX)]
        next_free: usize,
    },
}

/// A map from keys, which are slot numbers, to values.
#[derive(Clone, Debug, PartialEq, Finitize)]
pub struct Slab<T> {
    /// The slots.
    pub slots: Vec<Slot<T>>,
    /// The head of the free list, or [`NONE`].
    #[finitize(index_of = slots, none = usize::MAX)]
    pub first_free: usize,
    /// The number of values.
    pub len: usize,
}

#[rep_ok]
impl<T> Slab<T> {
    /// Returns whether the free list contains exactly the vacant slots, each once, and `len` is the number of the
    /// others.
    pub fn rep_ok(&self) -> bool {
        let mut free: HashSet<usize> = HashSet::new();
        let mut next = self.first_free;
        while next != NONE {
            let Some(Slot::Vacant { next_free }) = self.slots.get(next) else {
                return false;
            };
            if !free.insert(next) {
                return false;
            }
            next = *next_free;
        }
        let occupied = self.slots.iter().filter(|slot| matches!(slot, Slot::Occupied(_))).count();
        occupied == self.len && occupied + free.len() == self.slots.len()
    }
}

impl<T> Default for Slab<T> {
    fn default() -> Self {
        Self { slots: Vec::new(), first_free: NONE, len: 0 }
    }
}

impl<T> Slab<T> {
    /// Creates an empty slab.
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns the number of values.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Returns whether the slab is empty.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Returns the value under `key`.
    pub fn get(&self, key: usize) -> Option<&T> {
        match self.slots.get(key)? {
            Slot::Occupied(value) => Some(value),
            Slot::Vacant { .. } => None,
        }
    }

    /// Returns a mutable reference to the value under `key`.
    pub fn get_mut(&mut self, key: usize) -> Option<&mut T> {
        match self.slots.get_mut(key)? {
            Slot::Occupied(value) => Some(value),
            Slot::Vacant { .. } => None,
        }
    }

    /// Returns the keys and values, smallest key first.
    pub fn iter(&self) -> impl Iterator<Item = (usize, &T)> {
        (0..self.slots.len()).filter_map(|key| Some((key, self.get(key)?)))
    }

    /// Inserts a value and returns its key.
    pub fn insert(&mut self, value: T) -> usize {
        self.len += 1;
        let key = self.first_free;
        if key == NONE {
            self.slots.push(Slot::Occupied(value));
            return self.slots.len() - 1;
        }
        self.first_free = self.next_free(key);
        self.slots[key] = Slot::Occupied(value);
        key
    }

    /// Inserts a value under a key of an earlier value. Returns the value as an error if no vacant slot has that
    /// number.
    pub fn insert_at(&mut self, key: usize, value: T) -> Result<(), T> {
        if !matches!(self.slots.get(key), Some(Slot::Vacant { .. })) {
            return Err(value);
        }
        let next = self.next_free(key);
        if self.first_free == key {
            self.first_free = next;
        } else {
            let mut before = self.first_free;
            while self.next_free(before) != key {
                before = self.next_free(before);
            }
            self.slots[before] = Slot::Vacant { next_free: next };
        }
        self.slots[key] = Slot::Occupied(value);
        self.len += 1;
        Ok(())
    }

    /// Removes the value under `key`. Its slot is the next one to be reused.
    pub fn remove(&mut self, key: usize) -> Option<T> {
        self.get(key)?;
        let slot = std::mem::replace(&mut self.slots[key], Slot::Vacant { next_free: self.first_free });
        self.first_free = key;
        self.len -= 1;
        match slot {
            Slot::Occupied(value) => Some(value),
            Slot::Vacant { .. } => None,
        }
    }

    /// Removes all values for which `keep` returns `false`.
    pub fn retain(&mut self, mut keep: impl FnMut(usize, &mut T) -> bool) {
        for key in 0..self.slots.len() {
            if self.get_mut(key).is_some_and(|value| !keep(key, value)) {
                self.remove(key);
            }
        }
    }

    /// Removes all values and all slots.
    pub fn clear(&mut self) {
        *self = Self::default();
    }

    /// Returns the slot after a vacant one in the free list.
    fn next_free(&self, key: usize) -> usize {
        match self.slots[key] {
            Slot::Vacant { next_free } => next_free,
            Slot::Occupied(_) => unreachable!("slot {key} is in the list of vacant ones"),
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::seeded::found_at;
    use std::collections::BTreeMap;

    /// An operation that inserts a value under a given key.
    type InsertAt = fn(&mut Slab<u8>, usize, u8) -> Result<(), u8>;

    /// A buggy [`Slab::insert_at`]: a slot that is not the head of the free list stays in it.
    pub(crate) fn insert_at_without_relinking(slab: &mut Slab<u8>, key: usize, value: u8) -> Result<(), u8> {
        let Some(&Slot::Vacant { next_free }) = slab.slots.get(key) else {
            return Err(value);
        };
        if slab.first_free == key {
            slab.first_free = next_free;
        }
        slab.slots[key] = Slot::Occupied(value);
        slab.len += 1;
        Ok(())
    }

    fn model(slab: &Slab<u8>) -> BTreeMap<usize, u8> {
        slab.iter().map(|(key, &value)| (key, value)).collect()
    }

    /// Checks that the slab is valid and has the values of `expected`.
    fn check(slab: &Slab<u8>, expected: &BTreeMap<usize, u8>) {
        assert!(slab.rep_ok());
        assert_eq!(&model(slab), expected);
        assert_eq!(slab.len(), expected.len());
        assert_eq!(slab.is_empty(), expected.is_empty());
        for key in 0..=slab.slots.len() {
            assert_eq!(slab.get(key), expected.get(&key));
        }
    }

    fn insert_takes_a_new_key(slab: &Slab<u8>) {
        let mut slab = slab.clone();
        let mut expected = model(&slab);
        let vacant = slab.slots.len() - slab.len();
        // The vacant slots are used up before a new one is added.
        for round in 0..=vacant {
            let slots = slab.slots.len();
            let key = slab.insert(9);
            assert_eq!(expected.insert(key, 9), None);
            assert_eq!(slab.slots.len(), slots + usize::from(round == vacant));
            check(&slab, &expected);
        }
    }

    fn insert_at_fills_a_vacant_slot(slab: &Slab<u8>, insert_at: InsertAt) {
        for key in 0..=slab.slots.len() {
            let mut slab = slab.clone();
            let mut expected = model(&slab);
            if key < slab.slots.len() && !expected.contains_key(&key) {
                expected.insert(key, 9);
                assert_eq!(insert_at(&mut slab, key, 9), Ok(()));
            } else {
                assert_eq!(insert_at(&mut slab, key, 9), Err(9));
            }
            check(&slab, &expected);
        }
    }

    fn remove_takes_one_value(slab: &Slab<u8>) {
        for key in 0..=slab.slots.len() {
            let mut removed = slab.clone();
            let mut expected = model(slab);
            let value = removed.remove(key);
            assert_eq!(value, expected.remove(&key));
            check(&removed, &expected);
            assert_eq!(removed.remove(key), None);
            // The slot that was vacated last is reused first.
            if let Some(value) = value {
                assert_eq!(removed.insert(value), key);
                assert_eq!(&removed, slab);
            }
        }
    }

    fn retain_does_what_a_map_does(slab: &Slab<u8>) {
        for bound in 0..3 {
            let mut slab = slab.clone();
            let mut expected = model(&slab);
            slab.retain(|_, value| *value < bound);
            expected.retain(|_, value| *value < bound);
            check(&slab, &expected);
        }
    }

    fn all_operations(slab: &Slab<u8>) {
        check(slab, &model(slab));
        insert_takes_a_new_key(slab);
        insert_at_fills_a_vacant_slot(slab, Slab::insert_at);
        remove_takes_one_value(slab);
        retain_does_what_a_map_does(slab);
    }

    #[test]
    fn rep_ok_rejects_broken_lists() {
        let vacant = |next_free| Slot::Vacant { next_free };
        let slab = |first_free, len, slots| Slab { slots, first_free, len };
        assert!(Slab::<u8>::new().rep_ok());
        assert!(slab(2, 1, vec![vacant(NONE), Slot::Occupied(7), vacant(0)]).rep_ok());
        for broken in [
            slab(0, 1, vec![vacant(NONE), Slot::Occupied(7), vacant(0)]),
            slab(2, 2, vec![vacant(NONE), Slot::Occupied(7), vacant(0)]),
            slab(2, 1, vec![vacant(2), Slot::Occupied(7), vacant(0)]),
            slab(2, 1, vec![vacant(1), Slot::Occupied(7), vacant(0)]),
            slab(2, 1, vec![vacant(3), Slot::Occupied(7), vacant(0)]),
            slab(NONE, 0, vec![vacant(NONE)]),
            slab(0, 0, vec![]),
        ] {
            assert!(!broken.rep_ok(), "{broken:?}");
        }
    }

    #[test]
    fn a_test_by_hand_does_not_tell_the_mistake() {
        for insert_at in [Slab::insert_at, insert_at_without_relinking] {
            let mut slab = Slab::new();
            let keys: Vec<usize> = (0..3).map(|value| slab.insert(value)).collect();
            assert_eq!(keys, [0, 1, 2]);
            assert_eq!(slab.remove(1), Some(1));
            assert_eq!(insert_at(&mut slab, 1, 5), Ok(()));
            assert_eq!(insert_at(&mut slab, 1, 6), Err(6));
            assert_eq!(insert_at(&mut slab, 3, 6), Err(6));
            check(&slab, &BTreeMap::from([(0, 0), (1, 5), (2, 2)]));
        }
    }

    #[test]
    fn operations_do_what_a_map_does_on_a_slab_made_by_hand() {
        let mut slab = Slab::new();
        for value in 0..5 {
            slab.insert(value);
        }
        slab.remove(3);
        slab.remove(1);
        all_operations(&slab);
        all_operations(&Slab::new());
    }

    #[test]
    fn clear_gives_up_the_slots() {
        let mut slab = Slab::new();
        slab.insert(1);
        slab.insert(2);
        slab.remove(0);
        *slab.get_mut(1).unwrap() = 3;
        check(&slab, &BTreeMap::from([(1, 3)]));
        slab.clear();
        assert_eq!(slab, Slab::new());
    }

    #[test]
    fn operations_do_what_a_map_does() {
        korat::for_each_valid(Slab::<u8>::scope(3), |slab| all_operations(&slab));
    }

    #[test]
    fn a_slot_left_in_the_list_is_found() {
        let found = found_at(0, |scope| {
            korat::for_each_valid(Slab::<u8>::scope(scope), |slab| {
                insert_at_fills_a_vacant_slot(&slab, insert_at_without_relinking);
            });
        });
        assert_eq!(found, Some(2));
    }
}
