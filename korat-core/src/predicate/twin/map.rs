//! `HashMap` in a lifted predicate: a field, or a map owned by the predicate, with entries in insertion order. See
//! `table`.

use std::borrow::Borrow;
use std::fmt;
use std::hash::Hash;
use std::ops::{Deref, Index};

use super::entries::{Iter, IterMut, Keys, Values, entry_api};
use super::keyed::FieldEntry;
use super::table;
use super::table::{Lookup, Table};
use super::table_entries::IntoTableEntries;
use crate::predicate::undo::bits::touch;
use crate::predicate::undo::keep_until_backtrack;

/// The twin of `std::collections::HashMap`, with a fixed order: a handle, copied where the user's code moves the map.
pub struct HashMap<K, V>(pub(super) Table<K, V>);

impl<K: Hash + Eq + Clone, V: Clone> Clone for HashMap<K, V> {
    fn clone(&self) -> Self {
        self.iter().map(|(key, value)| (key.clone(), value.clone())).collect()
    }

    fn clone_from(&mut self, source: &Self) {
        *touch(self) = Clone::clone(source);
    }
}

impl<K: Hash + Eq + Clone, V: Clone> Copy for HashMap<K, V> {}

/// Dereferences to a std map with equal entries, for functions that are not lifted.
impl<K: Hash + Eq + Clone, V: Clone> Deref for HashMap<K, V> {
    type Target = std::collections::HashMap<K, V>;
    #[cold]
    fn deref(&self) -> &Self::Target {
        keep_until_backtrack(self.iter().map(|(key, value)| (key.clone(), value.clone())).collect())
    }
}

impl<K: 'static, V: 'static> HashMap<K, V> {
    /// Creates the data of a field with these keys.
    pub(crate) fn field_data(keys: &'static [FieldEntry<K, V>]) -> table::TableHeader<K, V> {
        table::TableHeader::of_field(keys)
    }

    /// Returns the container of a field, whose data the heap keeps.
    pub(crate) fn of_field(data: &'static table::TableHeader<K, V>) -> Self {
        HashMap(Table::of_field(data))
    }

    /// Returns another handle to the same map.
    pub(crate) fn handle(&self) -> Self {
        HashMap(self.0)
    }
}

impl<K, V> HashMap<K, V> {
    /// Creates an empty map.
    #[inline]
    pub fn new() -> Self {
        HashMap(Table::new())
    }

    /// Creates an empty map. The capacity is ignored.
    pub fn with_capacity(_capacity: usize) -> Self {
        HashMap::new()
    }

    /// Creates an empty container. The hasher is ignored: nothing depends on hashing.
    pub fn with_hasher<S>(_hasher: S) -> Self {
        HashMap::new()
    }

    /// Creates an empty container. The capacity and the hasher are ignored.
    pub fn with_capacity_and_hasher<S>(_capacity: usize, _hasher: S) -> Self {
        HashMap::new()
    }

    /// Does nothing: the container grows on demand.
    pub fn reserve(&mut self, _additional: usize) {}

    /// Returns the number of entries that fit before it grows.
    pub fn capacity(&self) -> usize {
        self.0.room()
    }

    /// Returns the number of entries.
    #[inline]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns whether it is empty.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.0.iter().next().is_none()
    }

    /// Returns an iterator over the entries, in a fixed order.
    pub fn iter(&self) -> Iter<'_, K, V> {
        Iter(self.0.iter())
    }

    /// Returns an iterator over the entries, with mutable references to the values.
    pub fn iter_mut(&mut self) -> IterMut<'_, K, V> {
        IterMut(self.0.entries_mut().iter_mut())
    }

    /// Returns an iterator over the keys.
    pub fn keys(&self) -> impl ExactSizeIterator<Item = &K> + Clone {
        Keys(self.0.iter())
    }

    /// Returns an iterator over the values.
    pub fn values(&self) -> impl ExactSizeIterator<Item = &V> + Clone {
        Values(self.0.iter())
    }

    /// Returns an iterator over mutable references to the values.
    pub fn values_mut(&mut self) -> impl ExactSizeIterator<Item = &mut V> {
        self.iter_mut().map(|(_, value)| value)
    }

    /// Returns an iterator over the keys, by value.
    pub fn into_keys(self) -> impl ExactSizeIterator<Item = K> {
        self.into_iter().map(|(key, _)| key)
    }

    /// Returns an iterator over the values, by value.
    pub fn into_values(self) -> impl ExactSizeIterator<Item = V> {
        self.into_iter().map(|(_, value)| value)
    }

    /// Removes all entries, and returns an iterator over them.
    pub fn drain(&mut self) -> IntoTableEntries<K, V> {
        self.0.take_all()
    }

    /// Removes all entries.
    pub fn clear(&mut self) {
        self.drain().for_each(drop);
    }
}

impl<K: Hash + Eq, V> HashMap<K, V> {
    #[inline]
    fn position<Q: Hash + Eq + ?Sized>(&self, key: &Q) -> Option<usize>
    where
        K: Borrow<Q>,
    {
        match self.0.find(key) {
            Lookup::At(position) => Some(position),
            Lookup::Free(_) => None,
        }
    }

    /// Inserts an entry. Returns the previous value of the key.
    pub fn insert(&mut self, key: K, value: V) -> Option<V> {
        match self.0.find(&key) {
            Lookup::At(position) => Some(std::mem::replace(&mut self.0.entry_mut(position).1, value)),
            Lookup::Free(cell) => {
                self.0.insert_at(cell, key, value);
                None
            }
        }
    }

    /// Removes an entry. Returns its value.
    pub fn remove<Q: Hash + Eq + ?Sized>(&mut self, key: &Q) -> Option<V>
    where
        K: Borrow<Q>,
    {
        self.remove_entry(key).map(|(_, value)| value)
    }

    /// Removes and returns an entry.
    pub fn remove_entry<Q: Hash + Eq + ?Sized>(&mut self, key: &Q) -> Option<(K, V)>
    where
        K: Borrow<Q>,
    {
        self.position(key).map(|position| self.0.remove_at(position))
    }

    /// Returns the value of a key.
    pub fn get<Q: Hash + Eq + ?Sized>(&self, key: &Q) -> Option<&V>
    where
        K: Borrow<Q>,
    {
        self.0.get(key).map(|entry| entry.value())
    }

    /// Returns the entry of a key.
    pub fn get_key_value<Q: Hash + Eq + ?Sized>(&self, key: &Q) -> Option<(&K, &V)>
    where
        K: Borrow<Q>,
    {
        self.0.get(key).map(|entry| entry.pair())
    }

    /// Returns a mutable reference to the value of a key.
    pub fn get_mut<Q: Hash + Eq + ?Sized>(&mut self, key: &Q) -> Option<&mut V>
    where
        K: Borrow<Q>,
    {
        self.position(key).map(|position| &mut self.0.entry_mut(position).1)
    }

    /// Returns whether there is an entry for the key.
    #[inline]
    pub fn contains_key<Q: Hash + Eq + ?Sized>(&self, key: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        self.0.get(key).is_some()
    }

    /// Keeps only the entries for which `keep` returns true.
    pub fn retain(&mut self, mut keep: impl FnMut(&K, &mut V) -> bool) {
        for (key, mut value) in self.drain() {
            if keep(&key, &mut value) {
                self.insert(key, value);
            }
        }
    }

    /// Returns the entry of a key, occupied or vacant.
    pub fn entry(&mut self, key: K) -> Entry<'_, K, V> {
        match self.0.find(&key) {
            Lookup::At(position) => Entry::Occupied(OccupiedEntry { map: self, at: position }),
            Lookup::Free(cell) => Entry::Vacant(VacantEntry { map: self, place: cell, key }),
        }
    }
}

entry_api!(HashMap, Hash + Eq);

impl<K, V> Default for HashMap<K, V> {
    fn default() -> Self {
        HashMap::new()
    }
}

impl<K: Hash + Eq, V> Extend<(K, V)> for HashMap<K, V> {
    fn extend<I: IntoIterator<Item = (K, V)>>(&mut self, entries: I) {
        for (key, value) in entries {
            self.insert(key, value);
        }
    }
}

impl<K: Hash + Eq, V> FromIterator<(K, V)> for HashMap<K, V> {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(entries: I) -> Self {
        let mut map = HashMap::new();
        map.extend(entries);
        map
    }
}

impl<K: Hash + Eq, V, const N: usize> From<[(K, V); N]> for HashMap<K, V> {
    fn from(entries: [(K, V); N]) -> Self {
        entries.into_iter().collect()
    }
}

impl<K, V> IntoIterator for HashMap<K, V> {
    type Item = (K, V);
    type IntoIter = IntoTableEntries<K, V>;
    fn into_iter(self) -> Self::IntoIter {
        IntoTableEntries::of(self.0)
    }
}

impl<'m, K, V> IntoIterator for &'m HashMap<K, V> {
    type Item = (&'m K, &'m V);
    type IntoIter = Iter<'m, K, V>;
    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<'m, K, V> IntoIterator for &'m mut HashMap<K, V> {
    type Item = (&'m K, &'m mut V);
    type IntoIter = IterMut<'m, K, V>;
    fn into_iter(self) -> Self::IntoIter {
        self.iter_mut()
    }
}

impl<K: Hash + Eq + Borrow<Q>, Q: Hash + Eq + ?Sized, V> Index<&Q> for HashMap<K, V> {
    type Output = V;
    fn index(&self, key: &Q) -> &V {
        self.get(key).expect("no entry found for key")
    }
}

impl<K: Hash + Eq, V: PartialEq> PartialEq for HashMap<K, V> {
    fn eq(&self, other: &Self) -> bool {
        self.iter().all(|(key, value)| other.get(key) == Some(value)) && other.keys().all(|key| self.contains_key(key))
    }
}

impl<K: Hash + Eq, V: Eq> Eq for HashMap<K, V> {}

impl<K: fmt::Debug, V: fmt::Debug> fmt::Debug for HashMap<K, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self).finish()
    }
}

// It logs its own changes, so `machine::probe` may treat it as restorable.
impl<K: std::panic::RefUnwindSafe, V: std::panic::RefUnwindSafe> std::panic::RefUnwindSafe for HashMap<K, V> {}
impl<K: std::panic::UnwindSafe, V: std::panic::UnwindSafe> std::panic::UnwindSafe for HashMap<K, V> {}
