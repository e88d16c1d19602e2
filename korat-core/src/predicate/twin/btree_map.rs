//! `BTreeMap` in a lifted predicate: a field, or a map owned by the predicate, with entries in key order. See `sorted`.

use std::borrow::Borrow;
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::{Deref, Index, RangeBounds};

use super::entries::{Iter, IterMut, Keys, Values, entry_api};
use super::keyed::FieldEntry;
use super::sorted::Sorted;
use super::sorted_entries::IntoSortedEntries;
use super::{Array, sorted};
use crate::predicate::undo::bits::touch;
use crate::predicate::undo::keep_until_backtrack;

/// The twin of `std::collections::BTreeMap`: a handle, copied where the user's code moves the map.
pub struct BTreeMap<K, V>(pub(super) Sorted<K, V>);

impl<K: Clone, V: Clone> Clone for BTreeMap<K, V> {
    fn clone(&self) -> Self {
        BTreeMap(self.0.duplicate())
    }

    fn clone_from(&mut self, source: &Self) {
        *touch(self) = Clone::clone(source);
    }
}

impl<K: Clone, V: Clone> Copy for BTreeMap<K, V> {}

impl<K: 'static, V: 'static> BTreeMap<K, V> {
    /// Creates the data of a field with these keys.
    pub(crate) fn field_data(keys: &'static [FieldEntry<K, V>]) -> sorted::SortedHeader<K, V> {
        sorted::SortedHeader::of_field(keys)
    }

    /// Returns the container of a field, whose data the heap keeps.
    pub(crate) fn of_field(data: &'static sorted::SortedHeader<K, V>) -> Self {
        BTreeMap(Sorted::of_field(data))
    }

    /// Returns another handle to the same map.
    pub(crate) fn handle(&self) -> Self {
        BTreeMap(self.0)
    }
}

impl<K, V> BTreeMap<K, V> {
    /// Creates an empty map.
    #[inline]
    pub fn new() -> Self {
        BTreeMap(Sorted::new())
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

    /// Returns an iterator over the entries, in key order.
    #[inline]
    pub fn iter(&self) -> Iter<'_, K, V> {
        Iter(self.0.iter())
    }

    /// Returns an iterator over the entries, with mutable references to the values.
    pub fn iter_mut(&mut self) -> IterMut<'_, K, V> {
        IterMut(self.0.entries_mut().iter_mut())
    }

    /// Returns an iterator over the keys, in order.
    pub fn keys(&self) -> impl DoubleEndedIterator<Item = &K> + ExactSizeIterator + Clone {
        Keys(self.0.iter())
    }

    /// Returns an iterator over the values, in key order.
    pub fn values(&self) -> impl DoubleEndedIterator<Item = &V> + ExactSizeIterator + Clone {
        Values(self.0.iter())
    }

    /// Returns an iterator over mutable references to the values.
    pub fn values_mut(&mut self) -> impl DoubleEndedIterator<Item = &mut V> + ExactSizeIterator {
        self.iter_mut().map(|(_, value)| value)
    }

    /// Returns an iterator over the keys, by value.
    pub fn into_keys(self) -> impl DoubleEndedIterator<Item = K> + ExactSizeIterator {
        self.into_iter().map(|(key, _)| key)
    }

    /// Returns an iterator over the values, by value.
    pub fn into_values(self) -> impl DoubleEndedIterator<Item = V> + ExactSizeIterator {
        self.into_iter().map(|(_, value)| value)
    }

    /// Returns the entry with the least key.
    #[inline]
    pub fn first_key_value(&self) -> Option<(&K, &V)> {
        self.iter().next()
    }

    /// Returns the entry with the greatest key.
    #[inline]
    pub fn last_key_value(&self) -> Option<(&K, &V)> {
        self.iter().next_back()
    }

    /// Returns the entry with the least key, for changes.
    pub fn first_entry(&mut self) -> Option<OccupiedEntry<'_, K, V>> {
        (!self.is_empty()).then_some(OccupiedEntry { map: self, at: 0 })
    }

    /// Returns the entry with the greatest key, for changes.
    pub fn last_entry(&mut self) -> Option<OccupiedEntry<'_, K, V>> {
        let at = self.len().checked_sub(1)?;
        Some(OccupiedEntry { map: self, at })
    }

    /// Removes and returns the entry with the least key.
    pub fn pop_first(&mut self) -> Option<(K, V)> {
        (!self.is_empty()).then(|| self.0.remove_at(0))
    }

    /// Removes and returns the entry with the greatest key.
    #[inline]
    pub fn pop_last(&mut self) -> Option<(K, V)> {
        self.0.pop()
    }

    /// Removes all entries.
    pub fn clear(&mut self) {
        self.0.truncate(0);
    }

    /// Keeps only the entries for which `keep` returns true.
    pub fn retain(&mut self, keep: impl FnMut(&K, &mut V) -> bool) {
        self.0.retain(keep);
    }
}

impl<K: Ord, V> BTreeMap<K, V> {
    /// Inserts an entry. Returns the previous value of the key.
    #[inline]
    pub fn insert(&mut self, key: K, value: V) -> Option<V> {
        match self.0.find(&key) {
            Ok(at) => Some(std::mem::replace(&mut self.0.entry_mut(at).1, value)),
            Err(at) => {
                self.0.insert_at(at, key, value);
                None
            }
        }
    }

    /// Removes an entry. Returns its value.
    pub fn remove<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<V>
    where
        K: Borrow<Q>,
    {
        self.remove_entry(key).map(|(_, value)| value)
    }

    /// Removes and returns an entry.
    pub fn remove_entry<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<(K, V)>
    where
        K: Borrow<Q>,
    {
        self.0.find(key).ok().map(|at| self.0.remove_at(at))
    }

    /// Returns the value of a key.
    #[inline]
    pub fn get<Q: Ord + ?Sized>(&self, key: &Q) -> Option<&V>
    where
        K: Borrow<Q>,
    {
        self.0.get(key).map(|entry| entry.value())
    }

    /// Returns the entry of a key.
    #[inline]
    pub fn get_key_value<Q: Ord + ?Sized>(&self, key: &Q) -> Option<(&K, &V)>
    where
        K: Borrow<Q>,
    {
        self.0.get(key).map(|entry| entry.pair())
    }

    /// Returns a mutable reference to the value of a key.
    pub fn get_mut<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<&mut V>
    where
        K: Borrow<Q>,
    {
        let at = self.0.find(key).ok()?;
        Some(&mut self.0.entry_mut(at).1)
    }

    /// Returns whether there is an entry for the key.
    #[inline]
    pub fn contains_key<Q: Ord + ?Sized>(&self, key: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        self.0.get(key).is_some()
    }

    /// Returns an iterator over the entries whose keys are in a range.
    #[track_caller]
    pub fn range<Q: Ord + ?Sized, R: RangeBounds<Q>>(&self, range: R) -> Iter<'_, K, V>
    where
        K: Borrow<Q>,
    {
        Iter(self.0.range(&range))
    }

    /// Returns an iterator over the entries whose keys are in a range, with mutable references to the values.
    #[track_caller]
    pub fn range_mut<Q: Ord + ?Sized, R: RangeBounds<Q>>(&mut self, range: R) -> IterMut<'_, K, V>
    where
        K: Borrow<Q>,
    {
        let span = self.0.span(&range);
        IterMut(self.0.entries_mut()[span].iter_mut())
    }

    /// Moves everything from `other` to `self`.
    pub fn append(&mut self, other: &mut BTreeMap<K, V>) {
        self.extend(BTreeMap(other.0.split_off(0)));
    }

    /// Removes and returns the entries from `key` on.
    pub fn split_off<Q: Ord + ?Sized>(&mut self, key: &Q) -> BTreeMap<K, V>
    where
        K: Borrow<Q>,
    {
        let (Ok(at) | Err(at)) = self.0.find(key);
        BTreeMap(self.0.split_off(at))
    }

    /// Returns the entry of a key, occupied or vacant.
    pub fn entry(&mut self, key: K) -> Entry<'_, K, V> {
        match self.0.find(&key) {
            Ok(at) => Entry::Occupied(OccupiedEntry { map: self, at }),
            Err(at) => Entry::Vacant(VacantEntry { map: self, place: at, key }),
        }
    }
}

entry_api!(BTreeMap, Ord);

/// Dereferences to a std map with equal entries, for functions that are not lifted.
impl<K: Ord + Clone, V: Clone> Deref for BTreeMap<K, V> {
    type Target = std::collections::BTreeMap<K, V>;
    #[cold]
    fn deref(&self) -> &Self::Target {
        keep_until_backtrack(self.iter().map(|(key, value)| (key.clone(), value.clone())).collect())
    }
}

impl<K, V> Default for BTreeMap<K, V> {
    fn default() -> Self {
        BTreeMap::new()
    }
}

impl<K: Ord, V> Extend<(K, V)> for BTreeMap<K, V> {
    fn extend<I: IntoIterator<Item = (K, V)>>(&mut self, entries: I) {
        for (key, value) in entries {
            self.insert(key, value);
        }
    }
}

impl<'e, K: Ord + Copy + 'e, V: Copy + 'e> Extend<(&'e K, &'e V)> for BTreeMap<K, V> {
    fn extend<I: IntoIterator<Item = (&'e K, &'e V)>>(&mut self, entries: I) {
        self.extend(entries.into_iter().map(|(key, value)| (*key, *value)));
    }
}

impl<K: Ord, V> FromIterator<(K, V)> for BTreeMap<K, V> {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(entries: I) -> Self {
        let mut map = BTreeMap::new();
        map.extend(entries);
        map
    }
}

impl<K: Ord, V, const N: usize> From<[(K, V); N]> for BTreeMap<K, V> {
    fn from(entries: [(K, V); N]) -> Self {
        entries.into_iter().collect()
    }
}

impl<K: Ord, V, const N: usize> From<Array<(K, V), N>> for BTreeMap<K, V> {
    fn from(entries: Array<(K, V), N>) -> Self {
        entries.into_iter().collect()
    }
}

impl<K, V> IntoIterator for BTreeMap<K, V> {
    type Item = (K, V);
    type IntoIter = IntoSortedEntries<K, V>;
    fn into_iter(self) -> IntoSortedEntries<K, V> {
        IntoSortedEntries::of(self.0)
    }
}

impl<'m, K, V> IntoIterator for &'m BTreeMap<K, V> {
    type Item = (&'m K, &'m V);
    type IntoIter = Iter<'m, K, V>;
    fn into_iter(self) -> Iter<'m, K, V> {
        self.iter()
    }
}

impl<'m, K, V> IntoIterator for &'m mut BTreeMap<K, V> {
    type Item = (&'m K, &'m mut V);
    type IntoIter = IterMut<'m, K, V>;
    fn into_iter(self) -> IterMut<'m, K, V> {
        self.iter_mut()
    }
}

impl<K: Ord + Borrow<Q>, Q: Ord + ?Sized, V> Index<&Q> for BTreeMap<K, V> {
    type Output = V;
    #[track_caller]
    fn index(&self, key: &Q) -> &V {
        self.get(key).expect("no entry found for key")
    }
}

impl<K: PartialEq, V: PartialEq> PartialEq for BTreeMap<K, V> {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}

impl<K: Eq, V: Eq> Eq for BTreeMap<K, V> {}

impl<K: PartialOrd, V: PartialOrd> PartialOrd for BTreeMap<K, V> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        self.iter().partial_cmp(other.iter())
    }
}

impl<K: Ord, V: Ord> Ord for BTreeMap<K, V> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.iter().cmp(other.iter())
    }
}

impl<K: Hash, V: Hash> Hash for BTreeMap<K, V> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.len().hash(state);
        self.iter().for_each(|entry| entry.hash(state));
    }
}

impl<K: fmt::Debug, V: fmt::Debug> fmt::Debug for BTreeMap<K, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self).finish()
    }
}

// It logs its own changes, so `machine::probe` may treat it as restorable.
impl<K: std::panic::RefUnwindSafe, V: std::panic::RefUnwindSafe> std::panic::RefUnwindSafe for BTreeMap<K, V> {}
impl<K: std::panic::UnwindSafe, V: std::panic::UnwindSafe> std::panic::UnwindSafe for BTreeMap<K, V> {}
