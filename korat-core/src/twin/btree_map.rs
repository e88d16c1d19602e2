//! `BTreeMap` in a lifted predicate: a field or the predicate's own, with entries in the order of their keys, see `sorted`.

use std::borrow::Borrow;
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::{Deref, Index, RangeBounds};

use super::Array;
use super::entries::{Iter, IterMut, Keys, Values, entry_api};
use super::keyed::FieldEntry;
use super::sorted::{IntoEntries, Sorted};
use crate::plan::SlotMaker;
use crate::undo::{hold, touch};

/// `std::collections::BTreeMap`: a handle, copied where the user's map is moved.
pub struct BTreeMap<K, V>(Sorted<K, V>);

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
    pub(crate) fn of_field(keys: &'static [FieldEntry<K, V>], slots: &mut SlotMaker<'_>) -> Self {
        BTreeMap(Sorted::of_field(keys, slots))
    }

    /// The same map.
    pub(crate) fn handle(&self) -> Self {
        BTreeMap(self.0)
    }
}

impl<K, V> BTreeMap<K, V> {
    /// No entries.
    #[inline]
    pub fn new() -> Self {
        BTreeMap(Sorted::new())
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

    /// The entries in the order of their keys.
    #[inline]
    pub fn iter(&self) -> Iter<'_, K, V> {
        Iter(self.0.iter())
    }

    /// The entries, whose values may be changed.
    pub fn iter_mut(&mut self) -> IterMut<'_, K, V> {
        IterMut(self.0.entries_mut().iter_mut())
    }

    /// The keys in order.
    pub fn keys(&self) -> impl DoubleEndedIterator<Item = &K> + ExactSizeIterator + Clone {
        Keys(self.0.iter())
    }

    /// The values in the order of their keys.
    pub fn values(&self) -> impl DoubleEndedIterator<Item = &V> + ExactSizeIterator + Clone {
        Values(self.0.iter())
    }

    /// The values, to be changed.
    pub fn values_mut(&mut self) -> impl DoubleEndedIterator<Item = &mut V> + ExactSizeIterator {
        self.iter_mut().map(|(_, value)| value)
    }

    /// The keys, by value.
    pub fn into_keys(self) -> impl DoubleEndedIterator<Item = K> + ExactSizeIterator {
        self.into_iter().map(|(key, _)| key)
    }

    /// The values, by value.
    pub fn into_values(self) -> impl DoubleEndedIterator<Item = V> + ExactSizeIterator {
        self.into_iter().map(|(_, value)| value)
    }

    /// The entry with the least key.
    #[inline]
    pub fn first_key_value(&self) -> Option<(&K, &V)> {
        self.iter().next()
    }

    /// The entry with the greatest key.
    #[inline]
    pub fn last_key_value(&self) -> Option<(&K, &V)> {
        self.iter().next_back()
    }

    /// The entry with the least key, to be changed.
    pub fn first_entry(&mut self) -> Option<OccupiedEntry<'_, K, V>> {
        (!self.is_empty()).then_some(OccupiedEntry { map: self, at: 0 })
    }

    /// The entry with the greatest key, to be changed.
    pub fn last_entry(&mut self) -> Option<OccupiedEntry<'_, K, V>> {
        let at = self.len().checked_sub(1)?;
        Some(OccupiedEntry { map: self, at })
    }

    /// Takes the entry with the least key.
    pub fn pop_first(&mut self) -> Option<(K, V)> {
        (!self.is_empty()).then(|| self.0.remove_at(0))
    }

    /// Takes the entry with the greatest key.
    #[inline]
    pub fn pop_last(&mut self) -> Option<(K, V)> {
        self.0.pop()
    }

    /// Removes all.
    pub fn clear(&mut self) {
        self.0.truncate(0);
    }

    /// Keeps the entries for which `keep` says so.
    pub fn retain(&mut self, keep: impl FnMut(&K, &mut V) -> bool) {
        self.0.retain(keep);
    }
}

impl<K: Ord, V> BTreeMap<K, V> {
    /// Adds an entry; gives the value that the key had before.
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

    /// Removes an entry and gives its value.
    pub fn remove<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<V>
    where
        K: Borrow<Q>,
    {
        self.remove_entry(key).map(|(_, value)| value)
    }

    /// Removes an entry and gives it.
    pub fn remove_entry<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<(K, V)>
    where
        K: Borrow<Q>,
    {
        self.0.find(key).ok().map(|at| self.0.remove_at(at))
    }

    /// The value of a key.
    #[inline]
    pub fn get<Q: Ord + ?Sized>(&self, key: &Q) -> Option<&V>
    where
        K: Borrow<Q>,
    {
        self.0.get(key).map(|entry| entry.value())
    }

    /// The entry of a key.
    #[inline]
    pub fn get_key_value<Q: Ord + ?Sized>(&self, key: &Q) -> Option<(&K, &V)>
    where
        K: Borrow<Q>,
    {
        self.0.get(key).map(|entry| entry.pair())
    }

    /// The value of a key, to be changed.
    pub fn get_mut<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<&mut V>
    where
        K: Borrow<Q>,
    {
        let at = self.0.find(key).ok()?;
        Some(&mut self.0.entry_mut(at).1)
    }

    /// Whether there is an entry for the key.
    #[inline]
    pub fn contains_key<Q: Ord + ?Sized>(&self, key: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        self.0.get(key).is_some()
    }

    /// The entries whose keys are in a range.
    #[track_caller]
    pub fn range<Q: Ord + ?Sized, R: RangeBounds<Q>>(&self, range: R) -> Iter<'_, K, V>
    where
        K: Borrow<Q>,
    {
        Iter(self.0.range(&range))
    }

    /// The entries whose keys are in a range, whose values may be changed.
    #[track_caller]
    pub fn range_mut<Q: Ord + ?Sized, R: RangeBounds<Q>>(&mut self, range: R) -> IterMut<'_, K, V>
    where
        K: Borrow<Q>,
    {
        let span = self.0.span(&range);
        IterMut(self.0.entries_mut()[span].iter_mut())
    }

    /// Moves all of `other` here.
    pub fn append(&mut self, other: &mut BTreeMap<K, V>) {
        self.extend(BTreeMap(other.0.split_off(0)));
    }

    /// Takes the entries from `key` on.
    pub fn split_off<Q: Ord + ?Sized>(&mut self, key: &Q) -> BTreeMap<K, V>
    where
        K: Borrow<Q>,
    {
        let (Ok(at) | Err(at)) = self.0.find(key);
        BTreeMap(self.0.split_off(at))
    }

    /// The place of a key, taken or not.
    pub fn entry(&mut self, key: K) -> Entry<'_, K, V> {
        match self.0.find(&key) {
            Ok(at) => Entry::Occupied(OccupiedEntry { map: self, at }),
            Err(at) => Entry::Vacant(VacantEntry { map: self, place: at, key }),
        }
    }
}

entry_api!(BTreeMap, Ord);

/// A map of std with the same entries, for a function that is not lifted.
impl<K: Ord + Clone, V: Clone> Deref for BTreeMap<K, V> {
    type Target = std::collections::BTreeMap<K, V>;
    #[cold]
    fn deref(&self) -> &Self::Target {
        hold(self.iter().map(|(key, value)| (key.clone(), value.clone())).collect())
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
    type IntoIter = IntoEntries<K, V>;
    fn into_iter(self) -> IntoEntries<K, V> {
        IntoEntries::of(self.0)
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

// Its own changes are logged.
impl<K: std::panic::RefUnwindSafe, V: std::panic::RefUnwindSafe> std::panic::RefUnwindSafe for BTreeMap<K, V> {}
impl<K: std::panic::UnwindSafe, V: std::panic::UnwindSafe> std::panic::UnwindSafe for BTreeMap<K, V> {}
