//! `HashMap` of the predicate's own: an `IndexMap`, so that iteration has a fixed order.

use std::borrow::Borrow;
use std::fmt;
use std::hash::Hash;
use std::ops::{Deref, DerefMut, Index};

use indexmap::IndexMap;

/// `std::collections::HashMap`, with a fixed order. Methods that are not here are those of `IndexMap`.
#[derive(Clone)]
pub struct HashMap<K, V>(IndexMap<K, V, ahash::RandomState>);

impl<K, V> HashMap<K, V> {
    /// No entries.
    pub fn new() -> Self {
        HashMap(IndexMap::with_hasher(ahash::RandomState::with_seeds(1, 2, 3, 4)))
    }

    /// No entries, and room for some.
    pub fn with_capacity(capacity: usize) -> Self {
        HashMap(IndexMap::with_capacity_and_hasher(capacity, ahash::RandomState::with_seeds(1, 2, 3, 4)))
    }
}

impl<K, V> HashMap<K, V> {
    /// The keys, by value.
    pub fn into_keys(self) -> impl Iterator<Item = K> {
        self.0.into_keys()
    }

    /// The values, by value.
    pub fn into_values(self) -> impl Iterator<Item = V> {
        self.0.into_values()
    }

    /// Takes all entries.
    pub fn drain(&mut self) -> impl Iterator<Item = (K, V)> {
        self.0.drain(..)
    }
}

impl<K: Hash + Eq, V> HashMap<K, V> {
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
        self.0.shift_remove_entry(&Borrowed(key))
    }

    /// The value of a key.
    pub fn get<Q: Hash + Eq + ?Sized>(&self, key: &Q) -> Option<&V>
    where
        K: Borrow<Q>,
    {
        self.0.get(&Borrowed(key))
    }

    /// The value of a key, to be changed.
    pub fn get_mut<Q: Hash + Eq + ?Sized>(&mut self, key: &Q) -> Option<&mut V>
    where
        K: Borrow<Q>,
    {
        self.0.get_mut(&Borrowed(key))
    }

    /// Whether there is an entry for the key.
    pub fn contains_key<Q: Hash + Eq + ?Sized>(&self, key: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        self.0.contains_key(&Borrowed(key))
    }
}

/// Looks keys up by what they borrow as.
#[derive(Hash)]
struct Borrowed<'q, Q: ?Sized>(&'q Q);

impl<Q: Eq + ?Sized, K: Borrow<Q>> indexmap::Equivalent<K> for Borrowed<'_, Q> {
    fn equivalent(&self, key: &K) -> bool {
        self.0 == key.borrow()
    }
}

impl<K, V> Default for HashMap<K, V> {
    fn default() -> Self {
        HashMap::new()
    }
}

impl<K, V> Deref for HashMap<K, V> {
    type Target = IndexMap<K, V, ahash::RandomState>;
    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl<K, V> DerefMut for HashMap<K, V> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.0
    }
}

impl<K: Hash + Eq, V> Extend<(K, V)> for HashMap<K, V> {
    fn extend<I: IntoIterator<Item = (K, V)>>(&mut self, entries: I) {
        self.0.extend(entries);
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
    type IntoIter = indexmap::map::IntoIter<K, V>;
    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<'m, K, V> IntoIterator for &'m HashMap<K, V> {
    type Item = (&'m K, &'m V);
    type IntoIter = indexmap::map::Iter<'m, K, V>;
    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

impl<'m, K, V> IntoIterator for &'m mut HashMap<K, V> {
    type Item = (&'m K, &'m mut V);
    type IntoIter = indexmap::map::IterMut<'m, K, V>;
    fn into_iter(self) -> Self::IntoIter {
        self.0.iter_mut()
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
        self.0 == other.0
    }
}

impl<K: fmt::Debug, V: fmt::Debug> fmt::Debug for HashMap<K, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
