//! `HashMap` in a lifted predicate: a field, or the predicate's own with entries in insertion order, see `table`.

use std::borrow::Borrow;
use std::fmt;
use std::hash::Hash;
use std::ops::Index;

use super::entries::{Iter, IterMut, Keys, Values, entry_api};
use super::keyed::FieldEntry;
use super::table::{IntoEntries, Place, Table};
use crate::plan::SlotMaker;
use crate::undo::touch;

/// `std::collections::HashMap`, with a fixed order: a handle, copied where the user's map is moved.
pub struct HashMap<K, V>(Table<K, V>);

impl<K: Hash + Eq + Clone, V: Clone> Clone for HashMap<K, V> {
    fn clone(&self) -> Self {
        self.iter().map(|(key, value)| (key.clone(), value.clone())).collect()
    }

    fn clone_from(&mut self, source: &Self) {
        *touch(self) = Clone::clone(source);
    }
}

impl<K: Hash + Eq + Clone, V: Clone> Copy for HashMap<K, V> {}

impl<K: 'static, V: 'static> HashMap<K, V> {
    pub(crate) fn of_field(keys: &'static [FieldEntry<K, V>], slots: &mut SlotMaker<'_>) -> Self {
        HashMap(Table::of_field(keys, slots))
    }

    /// The same map.
    pub(crate) fn handle(&self) -> Self {
        HashMap(self.0)
    }
}

impl<K, V> HashMap<K, V> {
    /// No entries.
    #[inline]
    pub fn new() -> Self {
        HashMap(Table::new())
    }

    /// No entries, and room for some.
    pub fn with_capacity(_capacity: usize) -> Self {
        HashMap::new()
    }

    /// Room is made when it is needed.
    pub fn reserve(&mut self, _additional: usize) {}

    /// How many entries fit before more room is made.
    pub fn capacity(&self) -> usize {
        self.0.room()
    }

    /// How many entries.
    #[inline]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is none.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.0.iter().next().is_none()
    }

    /// The entries in a fixed order.
    pub fn iter(&self) -> Iter<'_, K, V> {
        Iter(self.0.iter())
    }

    /// The entries, whose values may be changed.
    pub fn iter_mut(&mut self) -> IterMut<'_, K, V> {
        IterMut(self.0.entries_mut().iter_mut())
    }

    /// The keys.
    pub fn keys(&self) -> impl ExactSizeIterator<Item = &K> + Clone {
        Keys(self.0.iter())
    }

    /// The values.
    pub fn values(&self) -> impl ExactSizeIterator<Item = &V> + Clone {
        Values(self.0.iter())
    }

    /// The values, to be changed.
    pub fn values_mut(&mut self) -> impl ExactSizeIterator<Item = &mut V> {
        self.iter_mut().map(|(_, value)| value)
    }

    /// The keys, by value.
    pub fn into_keys(self) -> impl ExactSizeIterator<Item = K> {
        self.into_iter().map(|(key, _)| key)
    }

    /// The values, by value.
    pub fn into_values(self) -> impl ExactSizeIterator<Item = V> {
        self.into_iter().map(|(_, value)| value)
    }

    /// Takes all entries.
    pub fn drain(&mut self) -> IntoEntries<K, V> {
        self.0.take_all()
    }

    /// Removes all.
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
            Place::At(position) => Some(position),
            Place::Free(_) => None,
        }
    }

    /// Adds an entry; gives the value that the key had before.
    pub fn insert(&mut self, key: K, value: V) -> Option<V> {
        match self.0.find(&key) {
            Place::At(position) => Some(std::mem::replace(&mut self.0.entry_mut(position).1, value)),
            Place::Free(cell) => {
                self.0.insert_at(cell, key, value);
                None
            }
        }
    }

    /// Removes an entry and gives its value.
    pub fn remove<Q: Hash + Eq + ?Sized>(&mut self, key: &Q) -> Option<V>
    where
        K: Borrow<Q>,
    {
        self.remove_entry(key).map(|(_, value)| value)
    }

    /// Removes an entry and gives it.
    pub fn remove_entry<Q: Hash + Eq + ?Sized>(&mut self, key: &Q) -> Option<(K, V)>
    where
        K: Borrow<Q>,
    {
        self.position(key).map(|position| self.0.remove_at(position))
    }

    /// The value of a key.
    pub fn get<Q: Hash + Eq + ?Sized>(&self, key: &Q) -> Option<&V>
    where
        K: Borrow<Q>,
    {
        self.0.get(key).map(|entry| entry.value())
    }

    /// The entry of a key.
    pub fn get_key_value<Q: Hash + Eq + ?Sized>(&self, key: &Q) -> Option<(&K, &V)>
    where
        K: Borrow<Q>,
    {
        self.0.get(key).map(|entry| entry.pair())
    }

    /// The value of a key, to be changed.
    pub fn get_mut<Q: Hash + Eq + ?Sized>(&mut self, key: &Q) -> Option<&mut V>
    where
        K: Borrow<Q>,
    {
        self.position(key).map(|position| &mut self.0.entry_mut(position).1)
    }

    /// Whether there is an entry for the key.
    #[inline]
    pub fn contains_key<Q: Hash + Eq + ?Sized>(&self, key: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        self.0.get(key).is_some()
    }

    /// Keeps the entries for which `keep` says so.
    pub fn retain(&mut self, mut keep: impl FnMut(&K, &mut V) -> bool) {
        for (key, mut value) in self.drain() {
            if keep(&key, &mut value) {
                self.insert(key, value);
            }
        }
    }

    /// The place of a key, taken or not.
    pub fn entry(&mut self, key: K) -> Entry<'_, K, V> {
        match self.0.find(&key) {
            Place::At(position) => Entry::Occupied(OccupiedEntry { map: self, at: position }),
            Place::Free(cell) => Entry::Vacant(VacantEntry { map: self, place: cell, key }),
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
    type IntoIter = IntoEntries<K, V>;
    fn into_iter(self) -> Self::IntoIter {
        IntoEntries::of(self.0)
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

// Its own changes are logged.
impl<K: std::panic::RefUnwindSafe, V: std::panic::RefUnwindSafe> std::panic::RefUnwindSafe for HashMap<K, V> {}
impl<K: std::panic::UnwindSafe, V: std::panic::UnwindSafe> std::panic::UnwindSafe for HashMap<K, V> {}
