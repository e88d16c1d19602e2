//! `BTreeMap` of the predicate's own: entries in the order of their keys, see `sorted`.

use std::borrow::Borrow;
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::iter::FusedIterator;
use std::ops::{Deref, Index, RangeBounds};

use super::Array;
use super::sorted::{IntoEntries, Sorted};
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
        self.len() == 0
    }

    /// The entries in the order of their keys.
    #[inline]
    pub fn iter(&self) -> Iter<'_, K, V> {
        Iter(self.0.entries().iter())
    }

    /// The entries, whose values may be changed.
    pub fn iter_mut(&mut self) -> IterMut<'_, K, V> {
        IterMut(self.0.entries_mut().iter_mut())
    }

    /// The keys in order.
    pub fn keys(&self) -> impl DoubleEndedIterator<Item = &K> + ExactSizeIterator + Clone {
        self.iter().map(|(key, _)| key)
    }

    /// The values in the order of their keys.
    pub fn values(&self) -> impl DoubleEndedIterator<Item = &V> + ExactSizeIterator + Clone {
        self.iter().map(|(_, value)| value)
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
        self.0.entries().first().map(|(key, value)| (key, value))
    }

    /// The entry with the greatest key.
    #[inline]
    pub fn last_key_value(&self) -> Option<(&K, &V)> {
        self.0.entries().last().map(|(key, value)| (key, value))
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
        self.get_key_value(key).map(|(_, value)| value)
    }

    /// The entry of a key.
    #[inline]
    pub fn get_key_value<Q: Ord + ?Sized>(&self, key: &Q) -> Option<(&K, &V)>
    where
        K: Borrow<Q>,
    {
        let (key, value) = &self.0.entries()[self.0.find(key).ok()?];
        Some((key, value))
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
        self.0.find(key).is_ok()
    }

    /// The entries whose keys are in a range.
    #[track_caller]
    pub fn range<Q: Ord + ?Sized, R: RangeBounds<Q>>(&self, range: R) -> Iter<'_, K, V>
    where
        K: Borrow<Q>,
    {
        Iter(self.0.entries()[self.0.span(&range)].iter())
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
            Err(at) => Entry::Vacant(VacantEntry { map: self, at, key }),
        }
    }
}

/// The place of a key.
pub enum Entry<'m, K, V> {
    /// There is no entry.
    Vacant(VacantEntry<'m, K, V>),
    /// There is one.
    Occupied(OccupiedEntry<'m, K, V>),
}

/// An entry that is there.
pub struct OccupiedEntry<'m, K, V> {
    map: &'m mut BTreeMap<K, V>,
    at: usize,
}

/// An entry that is not there.
pub struct VacantEntry<'m, K, V> {
    map: &'m mut BTreeMap<K, V>,
    at: usize,
    key: K,
}

impl<'m, K: Ord, V> Entry<'m, K, V> {
    /// The value, `default` if there was none.
    pub fn or_insert(self, default: V) -> &'m mut V {
        self.or_insert_with(|| default)
    }

    /// The value, made now if there was none.
    pub fn or_insert_with(self, default: impl FnOnce() -> V) -> &'m mut V {
        self.or_insert_with_key(|_| default())
    }

    /// The value, made of the key now if there was none.
    pub fn or_insert_with_key(self, default: impl FnOnce(&K) -> V) -> &'m mut V {
        match self {
            Entry::Occupied(entry) => entry.into_mut(),
            Entry::Vacant(entry) => {
                let value = default(&entry.key);
                entry.insert(value)
            }
        }
    }

    /// The value, the default one if there was none.
    pub fn or_default(self) -> &'m mut V
    where
        V: Default,
    {
        self.or_insert_with(V::default)
    }

    /// Changes the value if there is one.
    pub fn and_modify(self, change: impl FnOnce(&mut V)) -> Self {
        match self {
            Entry::Occupied(mut entry) => {
                change(entry.get_mut());
                Entry::Occupied(entry)
            }
            Entry::Vacant(entry) => Entry::Vacant(entry),
        }
    }

    /// The key.
    pub fn key(&self) -> &K {
        match self {
            Entry::Occupied(entry) => entry.key(),
            Entry::Vacant(entry) => entry.key(),
        }
    }
}

impl<'m, K, V> OccupiedEntry<'m, K, V> {
    /// The key.
    pub fn key(&self) -> &K {
        &self.map.0.entries()[self.at].0
    }
    /// The value.
    pub fn get(&self) -> &V {
        &self.map.0.entries()[self.at].1
    }
    /// The value, to be changed.
    pub fn get_mut(&mut self) -> &mut V {
        &mut self.map.0.entry_mut(self.at).1
    }
    /// The value, to be changed, for as long as the map is borrowed.
    pub fn into_mut(self) -> &'m mut V {
        &mut self.map.0.entry_mut(self.at).1
    }
    /// Puts another value in its place.
    pub fn insert(&mut self, value: V) -> V {
        std::mem::replace(self.get_mut(), value)
    }
    /// Removes the entry.
    pub fn remove(self) -> V {
        self.remove_entry().1
    }
    /// Removes the entry and gives it.
    pub fn remove_entry(self) -> (K, V) {
        self.map.0.remove_at(self.at)
    }
}

impl<'m, K, V> VacantEntry<'m, K, V> {
    /// The key.
    pub fn key(&self) -> &K {
        &self.key
    }
    /// The key, by value.
    pub fn into_key(self) -> K {
        self.key
    }
    /// Adds the entry.
    pub fn insert(self, value: V) -> &'m mut V {
        self.map.0.insert_at(self.at, self.key, value);
        &mut self.map.0.entry_mut(self.at).1
    }
}

/// The entries in the order of their keys.
pub struct Iter<'m, K, V>(std::slice::Iter<'m, (K, V)>);

impl<K, V> Clone for Iter<'_, K, V> {
    fn clone(&self) -> Self {
        Iter(self.0.clone())
    }
}

/// The entries, whose values may be changed.
pub struct IterMut<'m, K, V>(std::slice::IterMut<'m, (K, V)>);

/// The entries by value, in the order of their keys.
pub struct IntoIter<K, V>(IntoEntries<K, V>);

macro_rules! in_order {
    ([$($lifetime:lifetime)?] $iter:ty, $item:ty, $entry:pat => $show:expr) => {
        impl<$($lifetime,)? K, V> Iterator for $iter {
            type Item = $item;
            #[inline]
            fn next(&mut self) -> Option<$item> {
                self.0.next().map(|$entry| $show)
            }
            fn size_hint(&self) -> (usize, Option<usize>) {
                self.0.size_hint()
            }
        }

        impl<$($lifetime,)? K, V> DoubleEndedIterator for $iter {
            fn next_back(&mut self) -> Option<$item> {
                self.0.next_back().map(|$entry| $show)
            }
        }

        impl<$($lifetime,)? K, V> ExactSizeIterator for $iter {}
        impl<$($lifetime,)? K, V> FusedIterator for $iter {}
    };
}

in_order!(['m] Iter<'m, K, V>, (&'m K, &'m V), (key, value) => (key, value));
in_order!(['m] IterMut<'m, K, V>, (&'m K, &'m mut V), (key, value) => (&*key, value));
in_order!([] IntoIter<K, V>, (K, V), entry => entry);

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
    type IntoIter = IntoIter<K, V>;
    fn into_iter(self) -> IntoIter<K, V> {
        IntoIter(IntoEntries::of(self.0))
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
        self.0.entries() == other.0.entries()
    }
}

impl<K: Eq, V: Eq> Eq for BTreeMap<K, V> {}

impl<K: PartialOrd, V: PartialOrd> PartialOrd for BTreeMap<K, V> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        self.0.entries().partial_cmp(other.0.entries())
    }
}

impl<K: Ord, V: Ord> Ord for BTreeMap<K, V> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.entries().cmp(other.0.entries())
    }
}

impl<K: Hash, V: Hash> Hash for BTreeMap<K, V> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.entries().hash(state);
    }
}

impl<K: fmt::Debug, V: fmt::Debug> fmt::Debug for BTreeMap<K, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self).finish()
    }
}

// Its own changes are logged.
impl<K: std::panic::RefUnwindSafe, V: std::panic::RefUnwindSafe> std::panic::RefUnwindSafe for BTreeMap<K, V> {}
