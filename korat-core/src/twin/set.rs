//! `HashSet` in a lifted predicate: a field, or the predicate's own with elements in insertion order, see `table`.

use std::borrow::Borrow;
use std::fmt;
use std::hash::Hash;

use super::entries::{IntoKeys, Keys};
use super::keyed::FieldEntry;
use super::table::{IntoEntries, Place, Table};
use crate::plan::SlotMaker;
use crate::undo::touch;

/// `std::collections::HashSet`, with a fixed order: a handle, copied where the user's set is moved.
pub struct HashSet<K>(Table<K, ()>);

impl<K: Hash + Eq + Clone> Clone for HashSet<K> {
    fn clone(&self) -> Self {
        self.iter().cloned().collect()
    }

    fn clone_from(&mut self, source: &Self) {
        *touch(self) = Clone::clone(source);
    }
}

impl<K: Hash + Eq + Clone> Copy for HashSet<K> {}

impl<K: 'static> HashSet<K> {
    pub(crate) fn of_field(keys: &'static [FieldEntry<K, ()>], slots: &mut SlotMaker<'_>) -> Self {
        HashSet(Table::of_field(keys, slots))
    }

    /// The same set.
    pub(crate) fn handle(&self) -> Self {
        HashSet(self.0)
    }
}

impl<K> HashSet<K> {
    /// No elements.
    #[inline]
    #[allow(clippy::new_without_default)]
    pub fn new() -> Self {
        HashSet(Table::new())
    }

    /// How many elements.
    #[inline]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is none.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.0.iter().next().is_none()
    }

    /// The elements in a fixed order.
    #[inline]
    pub fn iter(&self) -> Keys<'_, K> {
        Keys(self.0.iter())
    }

    /// How many elements fit before more room is made.
    pub fn capacity(&self) -> usize {
        self.0.room()
    }

    /// Room is made when it is needed.
    pub fn reserve(&mut self, _additional: usize) {}

    /// Removes all.
    pub fn clear(&mut self) {
        self.drain().for_each(drop);
    }

    /// Takes all, in the order of their insertion.
    pub fn drain(&mut self) -> IntoKeys<IntoEntries<K, ()>> {
        IntoKeys(self.0.take_all())
    }
}

impl<K: Hash + Eq> HashSet<K> {
    /// No elements, and room for some.
    pub fn with_capacity(capacity: usize) -> Self {
        let mut set = HashSet::new();
        if capacity > 0 {
            set.0.make_room(capacity, None);
        }
        set
    }

    /// Adds an element; false if it was there.
    #[inline(always)]
    pub fn insert(&mut self, key: K) -> bool {
        match self.0.find(&key) {
            Place::At(_) => false,
            Place::Free(cell) => {
                self.0.insert_at(cell, key, ());
                true
            }
        }
    }

    /// Whether the element is there.
    #[inline]
    pub fn contains<Q: Hash + Eq + ?Sized>(&self, key: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        self.0.get(key).is_some()
    }

    /// The element that equals `key`.
    pub fn get<Q: Hash + Eq + ?Sized>(&self, key: &Q) -> Option<&K>
    where
        K: Borrow<Q>,
    {
        self.0.get(key).map(|entry| entry.key())
    }

    /// Removes an element; false if it was not there.
    pub fn remove<Q: Hash + Eq + ?Sized>(&mut self, key: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        self.take(key).is_some()
    }

    /// Removes an element and gives it.
    pub fn take<Q: Hash + Eq + ?Sized>(&mut self, key: &Q) -> Option<K>
    where
        K: Borrow<Q>,
    {
        match self.0.find(key) {
            Place::At(position) => Some(self.0.remove_at(position).0),
            Place::Free(_) => None,
        }
    }

    /// Keeps the elements for which `keep` says so.
    pub fn retain(&mut self, mut keep: impl FnMut(&K) -> bool) {
        for key in self.drain() {
            if keep(&key) {
                self.insert(key);
            }
        }
    }

    /// Adds an element in place of an equal one, which it gives.
    pub fn replace(&mut self, key: K) -> Option<K> {
        match self.0.find(&key) {
            Place::At(position) => Some(std::mem::replace(&mut self.0.entry_mut(position).0, key)),
            Place::Free(cell) => {
                self.0.insert_at(cell, key, ());
                None
            }
        }
    }

    /// The elements that are in both.
    pub fn intersection<'s>(&'s self, other: &'s HashSet<K>) -> impl Iterator<Item = &'s K> {
        self.iter().filter(|key| other.contains(*key))
    }

    /// The elements that are here and not in `other`.
    pub fn difference<'s>(&'s self, other: &'s HashSet<K>) -> impl Iterator<Item = &'s K> {
        self.iter().filter(|key| !other.contains(*key))
    }

    /// The elements of either.
    pub fn union<'s>(&'s self, other: &'s HashSet<K>) -> impl Iterator<Item = &'s K> {
        self.iter().chain(other.difference(self))
    }

    /// The elements that are in one of the two only.
    pub fn symmetric_difference<'s>(&'s self, other: &'s HashSet<K>) -> impl Iterator<Item = &'s K> {
        self.difference(other).chain(other.difference(self))
    }

    /// Whether every element is in `other`.
    pub fn is_subset(&self, other: &HashSet<K>) -> bool {
        self.iter().all(|key| other.contains(key))
    }

    /// Whether every element of `other` is here.
    pub fn is_superset(&self, other: &HashSet<K>) -> bool {
        other.is_subset(self)
    }

    /// Whether no element is in both.
    pub fn is_disjoint(&self, other: &HashSet<K>) -> bool {
        self.iter().all(|key| !other.contains(key))
    }
}

impl<K: Hash + Eq, const N: usize> From<super::Array<K, N>> for HashSet<K> {
    fn from(keys: super::Array<K, N>) -> Self {
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
    type IntoIter = IntoKeys<IntoEntries<K, ()>>;
    fn into_iter(self) -> Self::IntoIter {
        IntoKeys(IntoEntries::of(self.0))
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

// Its own changes are logged.
impl<K: std::panic::RefUnwindSafe> std::panic::RefUnwindSafe for HashSet<K> {}
impl<K: std::panic::UnwindSafe> std::panic::UnwindSafe for HashSet<K> {}
