//! `BinaryHeap` of the predicate's own: elements in order, see `sorted`, shown from the greatest on.

use std::fmt;
use std::iter::Rev;
use std::ops::Deref;

use super::entries::{IntoKeys, Keys};
use super::sorted::{IntoEntries, Sorted};
use super::{Array, Vec};
use crate::undo::{hold, touch};

/// `std::collections::BinaryHeap`, with a fixed order: a handle, copied where the user's heap is moved.
pub struct BinaryHeap<T>(Sorted<T, ()>);

impl<T: Clone> Clone for BinaryHeap<T> {
    fn clone(&self) -> Self {
        BinaryHeap(self.0.duplicate())
    }

    fn clone_from(&mut self, source: &Self) {
        *touch(self) = Clone::clone(source);
    }
}

impl<T: Clone> Copy for BinaryHeap<T> {}

impl<T> BinaryHeap<T> {
    /// How many elements.
    #[inline]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is none.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many elements fit before more room is made.
    pub fn capacity(&self) -> usize {
        self.0.room()
    }

    /// Room is made when it is needed.
    pub fn reserve(&mut self, _additional: usize) {}

    /// The greatest element.
    #[inline]
    pub fn peek(&self) -> Option<&T> {
        self.iter().next()
    }

    /// The elements from the greatest on.
    pub fn iter(&self) -> Iter<'_, T> {
        Keys(self.0.iter()).rev()
    }

    /// Removes all.
    pub fn clear(&mut self) {
        self.0.truncate(0);
    }

    /// Takes all, from the greatest on.
    pub fn drain(&mut self) -> IntoIter<T> {
        IntoKeys(IntoEntries::of(self.0.split_off(0))).rev()
    }

    /// The elements from the greatest on.
    pub fn into_vec(self) -> Vec<T> {
        self.into_iter().collect()
    }

    /// Keeps the elements for which `keep` says so.
    pub fn retain(&mut self, mut keep: impl FnMut(&T) -> bool) {
        self.0.retain(|value, ()| keep(value));
    }
}

impl<T: Ord> BinaryHeap<T> {
    /// No elements.
    #[inline]
    pub fn new() -> Self {
        BinaryHeap(Sorted::new())
    }

    /// No elements, and room for some.
    pub fn with_capacity(_capacity: usize) -> Self {
        BinaryHeap::new()
    }

    /// Adds an element.
    #[inline]
    pub fn push(&mut self, value: T) {
        let (Ok(at) | Err(at)) = self.0.find(&value);
        self.0.insert_at(at, value, ());
    }

    /// Takes the greatest element.
    #[inline]
    pub fn pop(&mut self) -> Option<T> {
        self.0.pop().map(|(value, ())| value)
    }

    /// The elements from the least on.
    pub fn into_sorted_vec(self) -> Vec<T> {
        self.into_iter().rev().collect()
    }

    /// Moves all of `other` here.
    pub fn append(&mut self, other: &mut BinaryHeap<T>) {
        self.extend(other.drain());
    }
}

/// The elements from the greatest on.
pub type Iter<'h, T> = Rev<Keys<'h, T>>;

/// The elements by value, from the greatest on.
pub type IntoIter<T> = Rev<IntoKeys<IntoEntries<T, ()>>>;

/// A heap of std with the same elements, for a function that is not lifted.
impl<T: Ord + Clone> Deref for BinaryHeap<T> {
    type Target = std::collections::BinaryHeap<T>;
    #[cold]
    fn deref(&self) -> &Self::Target {
        hold(self.iter().cloned().collect())
    }
}

impl<T: Ord> Default for BinaryHeap<T> {
    fn default() -> Self {
        BinaryHeap::new()
    }
}

impl<T: Ord> Extend<T> for BinaryHeap<T> {
    fn extend<I: IntoIterator<Item = T>>(&mut self, values: I) {
        values.into_iter().for_each(|value| self.push(value));
    }
}

impl<'v, T: Ord + Copy + 'v> Extend<&'v T> for BinaryHeap<T> {
    fn extend<I: IntoIterator<Item = &'v T>>(&mut self, values: I) {
        self.extend(values.into_iter().copied());
    }
}

impl<T: Ord> FromIterator<T> for BinaryHeap<T> {
    fn from_iter<I: IntoIterator<Item = T>>(values: I) -> Self {
        let mut heap = BinaryHeap::new();
        heap.extend(values);
        heap
    }
}

impl<T: Ord, const N: usize> From<[T; N]> for BinaryHeap<T> {
    fn from(values: [T; N]) -> Self {
        values.into_iter().collect()
    }
}

impl<T: Ord, const N: usize> From<Array<T, N>> for BinaryHeap<T> {
    fn from(values: Array<T, N>) -> Self {
        values.into_iter().collect()
    }
}

impl<T: Ord> From<Vec<T>> for BinaryHeap<T> {
    fn from(values: Vec<T>) -> Self {
        values.into_iter().collect()
    }
}

impl<T> From<BinaryHeap<T>> for Vec<T> {
    fn from(values: BinaryHeap<T>) -> Self {
        values.into_vec()
    }
}

impl<T> IntoIterator for BinaryHeap<T> {
    type Item = T;
    type IntoIter = IntoIter<T>;
    fn into_iter(self) -> IntoIter<T> {
        IntoKeys(IntoEntries::of(self.0)).rev()
    }
}

impl<'h, T> IntoIterator for &'h BinaryHeap<T> {
    type Item = &'h T;
    type IntoIter = Iter<'h, T>;
    fn into_iter(self) -> Iter<'h, T> {
        self.iter()
    }
}

impl<T: fmt::Debug> fmt::Debug for BinaryHeap<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self).finish()
    }
}

// Its own changes are logged.
impl<T: std::panic::RefUnwindSafe> std::panic::RefUnwindSafe for BinaryHeap<T> {}
impl<T: std::panic::UnwindSafe> std::panic::UnwindSafe for BinaryHeap<T> {}
