//! `HashSet` in a lifted predicate: a field, or a set owned by the predicate, with elements in insertion order. See
//! `table`.

use std::borrow::Borrow;
use std::fmt;
use std::hash::Hash;
use std::ops::Deref;

use super::entries::{IntoKeys, Keys};
use super::ghosts::Haunted;
use super::keyed::FieldEntry;
use super::table;
use super::table::{Lookup, Table};
use super::table_entries::IntoTableEntries;
use crate::predicate::undo::bits::touch;
use crate::predicate::undo::keep_until_backtrack;

/// The twin of `std::collections::HashSet`, with a fixed order: a handle, copied where the user's code moves the set.
pub struct HashSet<K>(pub(super) Table<K, ()>);

impl<K: Hash + Eq + Clone> Clone for HashSet<K> {
    fn clone(&self) -> Self {
        if self.is_field() {
            return self.iter().cloned().collect();
        }
        let (known, ghosts) = self.known();
        Self::of_known(known.iter().map(|(key, ())| key.clone()), ghosts)
    }

    fn clone_from(&mut self, source: &Self) {
        *touch(self) = Clone::clone(source);
    }
}

impl<K: Hash + Eq + Clone> Copy for HashSet<K> {}

/// Dereferences to a std set with equal elements, for functions that are not lifted.
impl<K: Hash + Eq + Clone> Deref for HashSet<K> {
    type Target = std::collections::HashSet<K>;
    #[cold]
    fn deref(&self) -> &Self::Target {
        keep_until_backtrack(self.iter().cloned().collect())
    }
}

impl<K: 'static> HashSet<K> {
    /// Creates the data of a field with these keys.
    pub(crate) fn field_data(keys: &'static [FieldEntry<K, ()>]) -> table::TableHeader<K, ()> {
        table::TableHeader::of_field(keys)
    }

    /// Returns the container of a field, whose data the heap keeps.
    pub(crate) fn of_field(data: &'static table::TableHeader<K, ()>) -> Self {
        HashSet(Table::of_field(data))
    }

    /// Returns another handle to the same set.
    pub(crate) fn handle(&self) -> Self {
        HashSet(self.0)
    }
}

impl<K> HashSet<K> {
    /// Creates an empty set.
    #[inline]
    #[allow(clippy::new_without_default)]
    pub fn new() -> Self {
        HashSet(Table::new())
    }

    /// Returns the number of elements.
    #[inline]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns whether it is empty.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns an iterator over the elements, in a fixed order.
    #[inline]
    pub fn iter(&self) -> Keys<'_, K> {
        Keys(self.0.iter())
    }

    /// Returns the number of elements that fit before it grows.
    pub fn capacity(&self) -> usize {
        self.0.room()
    }

    /// Creates an empty container. The hasher is ignored: nothing depends on hashing.
    pub fn with_hasher<S>(_hasher: S) -> Self {
        HashSet::new()
    }

    /// Creates an empty container. The capacity and the hasher are ignored.
    pub fn with_capacity_and_hasher<S>(_capacity: usize, _hasher: S) -> Self {
        HashSet::new()
    }

    /// Does nothing: the container grows on demand.
    pub fn reserve(&mut self, _additional: usize) {}

    /// Removes all elements.
    pub fn clear(&mut self) {
        self.0.lay_ghosts();
        self.drain().for_each(drop);
    }

    /// Removes all elements, and returns an iterator over them in insertion order.
    pub fn drain(&mut self) -> IntoKeys<IntoTableEntries<K, ()>> {
        IntoKeys(self.0.take_all())
    }
}

impl<K: Hash + Eq> HashSet<K> {
    /// Creates an empty set with room for `capacity` elements.
    pub fn with_capacity(capacity: usize) -> Self {
        let mut set = HashSet::new();
        if capacity > 0 {
            set.0.make_room(capacity, None);
        }
        set
    }

    /// Inserts an element. Returns false if it was present.
    #[inline(always)]
    pub fn insert(&mut self, key: K) -> bool {
        match self.0.find(&key) {
            Lookup::At(_) => false,
            Lookup::Free(cell) => {
                self.0.insert_at(cell, key, ());
                true
            }
        }
    }

    /// Returns whether the element is present.
    #[inline]
    pub fn contains<Q: Hash + Eq + ?Sized>(&self, key: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        self.0.get(key).is_some()
    }

    /// Returns the element that equals `key`.
    pub fn get<Q: Hash + Eq + ?Sized>(&self, key: &Q) -> Option<&K>
    where
        K: Borrow<Q>,
    {
        self.0.get(key).map(|entry| entry.key())
    }

    /// Removes an element. Returns false if it was not present.
    pub fn remove<Q: Hash + Eq + ?Sized>(&mut self, key: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        self.take(key).is_some()
    }

    /// Removes and returns an element.
    pub fn take<Q: Hash + Eq + ?Sized>(&mut self, key: &Q) -> Option<K>
    where
        K: Borrow<Q>,
    {
        match self.0.find(key) {
            Lookup::At(position) => Some(self.0.remove_at(position).0),
            Lookup::Free(_) => None,
        }
    }

    /// Keeps only the elements for which `keep` returns true.
    pub fn retain(&mut self, mut keep: impl FnMut(&K) -> bool) {
        for key in self.drain() {
            if keep(&key) {
                self.insert(key);
            }
        }
    }

    /// Inserts an element in place of an equal one. Returns the old one.
    pub fn replace(&mut self, key: K) -> Option<K> {
        match self.0.find(&key) {
            Lookup::At(position) => Some(std::mem::replace(&mut self.0.entry_mut(position).0, key)),
            Lookup::Free(cell) => {
                self.0.insert_at(cell, key, ());
                None
            }
        }
    }

    /// Returns an iterator over the elements of both sets.
    pub fn intersection<'s>(&'s self, other: &'s HashSet<K>) -> impl Iterator<Item = &'s K> {
        self.iter().filter(|key| other.contains(*key))
    }

    /// Returns an iterator over the elements that are not in `other`.
    pub fn difference<'s>(&'s self, other: &'s HashSet<K>) -> impl Iterator<Item = &'s K> {
        self.iter().filter(|key| !other.contains(*key))
    }

    /// Returns an iterator over the elements of either set.
    pub fn union<'s>(&'s self, other: &'s HashSet<K>) -> impl Iterator<Item = &'s K> {
        self.iter().chain(other.difference(self))
    }

    /// Returns an iterator over the elements of exactly one of the sets.
    pub fn symmetric_difference<'s>(&'s self, other: &'s HashSet<K>) -> impl Iterator<Item = &'s K> {
        self.difference(other).chain(other.difference(self))
    }

    /// Returns whether every element is in `other`.
    pub fn is_subset(&self, other: &HashSet<K>) -> bool {
        self.iter().all(|key| other.contains(key))
    }

    /// Returns whether every element of `other` is in `self`.
    pub fn is_superset(&self, other: &HashSet<K>) -> bool {
        other.is_subset(self)
    }

    /// Returns whether the sets have no element in common.
    pub fn is_disjoint(&self, other: &HashSet<K>) -> bool {
        self.iter().all(|key| !other.contains(key))
    }
}

impl<K: Hash + Eq, const N: usize> From<crate::predicate::twin::Array<K, N>> for HashSet<K> {
    fn from(keys: crate::predicate::twin::Array<K, N>) -> Self {
        keys.into_iter().collect()
    }
}

impl<K: Hash + Eq + Clone> std::ops::BitAnd for &HashSet<K> {
    type Output = HashSet<K>;
    fn bitand(self, other: Self) -> HashSet<K> {
        self.intersection(other).cloned().collect()
    }
}

impl<K: Hash + Eq + Clone> std::ops::BitOr for &HashSet<K> {
    type Output = HashSet<K>;
    fn bitor(self, other: Self) -> HashSet<K> {
        self.union(other).cloned().collect()
    }
}

impl<K: Hash + Eq + Clone> std::ops::Sub for &HashSet<K> {
    type Output = HashSet<K>;
    fn sub(self, other: Self) -> HashSet<K> {
        self.difference(other).cloned().collect()
    }
}

impl<K> Default for HashSet<K> {
    fn default() -> Self {
        HashSet::new()
    }
}

impl<K: Hash + Eq> Extend<K> for HashSet<K> {
    fn extend<I: IntoIterator<Item = K>>(&mut self, keys: I) {
        for key in keys {
            self.insert(key);
        }
    }
}

impl<'k, K: Hash + Eq + Copy + 'k> Extend<&'k K> for HashSet<K> {
    fn extend<I: IntoIterator<Item = &'k K>>(&mut self, keys: I) {
        self.extend(keys.into_iter().copied());
    }
}

impl<K: Hash + Eq> FromIterator<K> for HashSet<K> {
    fn from_iter<I: IntoIterator<Item = K>>(keys: I) -> Self {
        let mut set = HashSet::new();
        set.extend(keys);
        set
    }
}

impl<K: Hash + Eq, const N: usize> From<[K; N]> for HashSet<K> {
    fn from(keys: [K; N]) -> Self {
        keys.into_iter().collect()
    }
}

impl<'s, K> IntoIterator for &'s HashSet<K> {
    type Item = &'s K;
    type IntoIter = Keys<'s, K>;
    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<K> IntoIterator for HashSet<K> {
    type Item = K;
    type IntoIter = IntoKeys<IntoTableEntries<K, ()>>;
    fn into_iter(self) -> Self::IntoIter {
        IntoKeys(IntoTableEntries::of(self.0))
    }
}

impl<K: Hash + Eq> PartialEq for HashSet<K> {
    fn eq(&self, other: &Self) -> bool {
        self.is_subset(other) && other.is_subset(self)
    }
}

impl<K: Hash + Eq> Eq for HashSet<K> {}

impl<K: fmt::Debug> fmt::Debug for HashSet<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self).finish()
    }
}

// It logs its own changes, so `machine::probe` may treat it as restorable.
impl<K: std::panic::RefUnwindSafe> std::panic::RefUnwindSafe for HashSet<K> {}
impl<K: std::panic::UnwindSafe> std::panic::UnwindSafe for HashSet<K> {}
