//! `BinaryHeap` in a lifted predicate, always owned by the predicate. Its elements are kept in order, see `sorted`, and
//! presented from the greatest on.

use std::fmt;
use std::iter::Rev;
use std::ops::Deref;

use super::entries::{IntoKeys, Keys};
use super::sorted::Sorted;
use super::sorted_entries::IntoSortedEntries;
use super::{Array, Vec};
use crate::predicate::undo::bits::touch;
use crate::predicate::undo::keep_until_backtrack;

/// The twin of `std::collections::BinaryHeap`, with a fixed order: a handle, copied where the user's code moves the
/// heap.
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
    /// Returns the number of elements.
    #[inline]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns whether it is empty.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the number of elements that fit before it grows.
    pub fn capacity(&self) -> usize {
        self.0.room()
    }

    /// Does nothing: the container grows on demand.
    pub fn reserve(&mut self, _additional: usize) {}

    /// Returns the greatest element.
    #[inline]
    pub fn peek(&self) -> Option<&T> {
        self.iter().next()
    }

    /// Returns an iterator over the elements, from the greatest on.
    pub fn iter(&self) -> Iter<'_, T> {
        Keys(self.0.iter()).rev()
    }

    /// Removes all elements.
    pub fn clear(&mut self) {
        self.0.truncate(0);
    }

    /// Removes all elements, and returns an iterator over them from the greatest on.
    pub fn drain(&mut self) -> IntoIter<T> {
        IntoKeys(IntoSortedEntries::of(self.0.split_off(0))).rev()
    }

    /// Returns the elements as a vector, from the greatest on.
    pub fn into_vec(self) -> Vec<T> {
        self.into_iter().collect()
    }

    /// Keeps only the elements for which `keep` returns true.
    pub fn retain(&mut self, mut keep: impl FnMut(&T) -> bool) {
        self.0.retain(|value, ()| keep(value));
    }
}

impl<T: Ord> BinaryHeap<T> {
    /// Creates an empty heap.
    #[inline]
    pub fn new() -> Self {
        BinaryHeap(Sorted::new())
    }

    /// Creates an empty heap. The capacity is ignored.
    pub fn with_capacity(_capacity: usize) -> Self {
        BinaryHeap::new()
    }

    /// Adds an element.
    #[inline]
    pub fn push(&mut self, value: T) {
        let (Ok(at) | Err(at)) = self.0.find(&value);
        self.0.insert_at(at, value, ());
    }

    /// Removes and returns the greatest element.
    #[inline]
    pub fn pop(&mut self) -> Option<T> {
        self.0.pop().map(|(value, ())| value)
    }

    /// Returns the elements as a vector, from the least on.
    pub fn into_sorted_vec(self) -> Vec<T> {
        self.into_iter().rev().collect()
    }

    /// Moves everything from `other` to `self`.
    pub fn append(&mut self, other: &mut BinaryHeap<T>) {
        self.extend(other.drain());
    }
}

/// An iterator over the elements, from the greatest on.
pub type Iter<'h, T> = Rev<Keys<'h, T>>;

/// An iterator over the elements by value, from the greatest on.
pub type IntoIter<T> = Rev<IntoKeys<IntoSortedEntries<T, ()>>>;

/// Dereferences to a std heap with equal elements, for functions that are not lifted.
impl<T: Ord + Clone> Deref for BinaryHeap<T> {
    type Target = std::collections::BinaryHeap<T>;
    #[cold]
    fn deref(&self) -> &Self::Target {
        keep_until_backtrack(self.iter().cloned().collect())
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
        IntoKeys(IntoSortedEntries::of(self.0)).rev()
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

// It logs its own changes, so `machine::probe` may treat it as restorable.
impl<T: std::panic::RefUnwindSafe> std::panic::RefUnwindSafe for BinaryHeap<T> {}
impl<T: std::panic::UnwindSafe> std::panic::UnwindSafe for BinaryHeap<T> {}
