//! The twins of `indexmap`'s map and set: one slot holds the keys in their order, and every possible key has an element for
//! its value. Looking at any key decides all keys; a value is decided when it is read.

use std::borrow::Borrow;
use std::iter::Map;
use std::ops::{Deref, Index};
use std::slice;

use crate::predicate::twin::Elem;
use crate::slots::slot::Slot;

/// Positions of keys, in the order of a map.
pub(super) type Order = Vec<u32>;

/// An iterator over the entries of a field, which reads no values.
pub struct All<K: 'static, V: 'static> {
    order: slice::Iter<'static, u32>,
    entries: &'static [(K, Elem<V>)],
}

impl<K, V> Clone for All<K, V> {
    fn clone(&self) -> Self {
        All { order: self.order.clone(), entries: self.entries }
    }
}

impl<K, V> Iterator for All<K, V> {
    type Item = &'static (K, Elem<V>);
    fn next(&mut self) -> Option<Self::Item> {
        self.order.next().map(|&at| &self.entries[at as usize])
    }
    fn size_hint(&self) -> (usize, Option<usize>) {
        self.order.size_hint()
    }
}

impl<K, V> DoubleEndedIterator for All<K, V> {
    fn next_back(&mut self) -> Option<Self::Item> {
        self.order.next_back().map(|&at| &self.entries[at as usize])
    }
}

impl<K, V> ExactSizeIterator for All<K, V> {}

/// An iterator over what `show` returns of each entry.
type Shown<K, V, S> = Map<All<K, V>, fn(&'static (K, Elem<V>)) -> S>;

/// The twin of an `IndexMap`.
pub struct OrderedTwin<K: 'static, V: 'static> {
    pub(super) order: &'static Slot<Order>,
    pub(super) entries: &'static [(K, Elem<V>)],
}

impl<K, V> Clone for OrderedTwin<K, V> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<K, V> Copy for OrderedTwin<K, V> {}

impl<K, V> OrderedTwin<K, V> {
    fn all(&self) -> All<K, V> {
        All { order: self.order.__korat_read().iter(), entries: self.entries }
    }

    fn at(&self, index: usize) -> Option<&'static (K, Elem<V>)> {
        self.all().nth(index)
    }

    /// Returns the number of entries.
    pub fn len(&self) -> usize {
        self.order.__korat_read().len()
    }

    /// Returns whether there is no entry.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns an iterator over the entries.
    pub fn iter(&self) -> Shown<K, V, (&'static K, &'static V)> {
        self.all().map(|(key, value)| (key, value.get()))
    }

    /// Returns an iterator over the keys, which reads no values.
    pub fn keys(&self) -> Shown<K, V, &'static K> {
        self.all().map(|(key, _)| key)
    }

    /// Returns an iterator over the values.
    pub fn values(&self) -> Shown<K, V, &'static V> {
        self.all().map(|(_, value)| value.get())
    }

    /// Returns the entry at an index.
    pub fn get_index(&self, index: usize) -> Option<(&K, &V)> {
        self.at(index).map(|(key, value)| (key, value.get()))
    }

    /// Returns the first entry.
    pub fn first(&self) -> Option<(&K, &V)> {
        self.get_index(0)
    }

    /// Returns the last entry.
    pub fn last(&self) -> Option<(&K, &V)> {
        self.get_index(self.len().checked_sub(1)?)
    }
}

impl<K, V> IntoIterator for &OrderedTwin<K, V> {
    type Item = (&'static K, &'static V);
    type IntoIter = Shown<K, V, Self::Item>;
    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<K, V> OrderedTwin<K, V> {
    /// Returns the index of a key.
    pub fn get_index_of<Q: Eq + ?Sized>(&self, key: &Q) -> Option<usize>
    where
        K: Borrow<Q>,
    {
        self.all().position(|(known, _)| known.borrow() == key)
    }

    /// Returns the index, the key and the value of a key.
    pub fn get_full<Q: Eq + ?Sized>(&self, key: &Q) -> Option<(usize, &K, &V)>
    where
        K: Borrow<Q>,
    {
        let index = self.get_index_of(key)?;
        self.get_index(index).map(|(key, value)| (index, key, value))
    }

    /// Returns the key and the value of a key.
    pub fn get_key_value<Q: Eq + ?Sized>(&self, key: &Q) -> Option<(&K, &V)>
    where
        K: Borrow<Q>,
    {
        self.get_index(self.get_index_of(key)?)
    }

    /// Returns the value of a key.
    pub fn get<Q: Eq + ?Sized>(&self, key: &Q) -> Option<&V>
    where
        K: Borrow<Q>,
    {
        self.get_key_value(key).map(|(_, value)| value)
    }

    /// Returns whether there is an entry for the key.
    pub fn contains_key<Q: Eq + ?Sized>(&self, key: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        self.get_index_of(key).is_some()
    }
}

impl<K: Borrow<Q>, Q: Eq + ?Sized, V> Index<&Q> for OrderedTwin<K, V> {
    type Output = V;
    fn index(&self, key: &Q) -> &V {
        self.get(key).expect("no entry found for key")
    }
}

impl<K, V> Index<usize> for OrderedTwin<K, V> {
    type Output = V;
    fn index(&self, index: usize) -> &V {
        self.get_index(index).expect("the index is out of bounds").1
    }
}

/// The twin of an `IndexSet`: the keys of a map without values.
pub struct OrderedSetTwin<K: 'static>(pub(super) OrderedTwin<K, ()>);

impl<K> Clone for OrderedSetTwin<K> {
    fn clone(&self) -> Self {
        OrderedSetTwin(self.0)
    }
}

impl<K> Deref for OrderedSetTwin<K> {
    type Target = OrderedTwin<K, ()>;
    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl<K> OrderedSetTwin<K> {
    /// Returns an iterator over the elements.
    pub fn iter(&self) -> Shown<K, (), &'static K> {
        self.keys()
    }

    /// Returns the element at an index.
    pub fn get_index(&self, index: usize) -> Option<&K> {
        self.at(index).map(|(key, _)| key)
    }

    /// Returns the first element.
    pub fn first(&self) -> Option<&K> {
        self.get_index(0)
    }

    /// Returns the last element.
    pub fn last(&self) -> Option<&K> {
        self.get_index(self.len().checked_sub(1)?)
    }

    /// Returns the element that equals a key.
    pub fn get<Q: Eq + ?Sized>(&self, key: &Q) -> Option<&K>
    where
        K: Borrow<Q>,
    {
        self.get_index(self.get_index_of(key)?)
    }

    /// Returns the index of an element, and the element.
    pub fn get_full<Q: Eq + ?Sized>(&self, key: &Q) -> Option<(usize, &K)>
    where
        K: Borrow<Q>,
    {
        let index = self.get_index_of(key)?;
        self.get_index(index).map(|key| (index, key))
    }

    /// Returns whether there is such an element.
    pub fn contains<Q: Eq + ?Sized>(&self, key: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        self.contains_key(key)
    }
}

impl<K> Index<usize> for OrderedSetTwin<K> {
    type Output = K;
    fn index(&self, index: usize) -> &K {
        self.get_index(index).expect("the index is out of bounds")
    }
}

impl<K> IntoIterator for &OrderedSetTwin<K> {
    type Item = &'static K;
    type IntoIter = Shown<K, (), &'static K>;
    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}
