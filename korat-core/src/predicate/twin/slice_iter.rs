//! Iterators over slices.

use std::iter::FusedIterator;

use super::Elem;
use crate::twin::Slice;

/// An iterator over the elements of a slice, in order.
pub struct Iter<'s, T>(pub(super) std::slice::Iter<'s, Elem<T>>);

impl<'s, T> Iter<'s, T> {
    /// Returns the remaining elements as a slice.
    pub fn as_slice(&self) -> &'s Slice<T> {
        Slice::of(self.0.as_slice())
    }
}

impl<T> Clone for Iter<'_, T> {
    fn clone(&self) -> Self {
        Iter(self.0.clone())
    }
}

impl<'s, T> Iterator for Iter<'s, T> {
    type Item = &'s T;
    #[inline]
    fn next(&mut self) -> Option<&'s T> {
        self.0.next().map(Elem::get)
    }
    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }
    // Skipped elements are not read.
    fn nth(&mut self, n: usize) -> Option<&'s T> {
        self.0.nth(n).map(Elem::get)
    }
    fn count(self) -> usize {
        self.0.count()
    }
}

impl<T> DoubleEndedIterator for Iter<'_, T> {
    #[inline]
    fn next_back(&mut self) -> Option<Self::Item> {
        self.0.next_back().map(Elem::get)
    }
}

impl<T> ExactSizeIterator for Iter<'_, T> {}

impl<T> FusedIterator for Iter<'_, T> {}

impl<'s, T> IntoIterator for &'s Slice<T> {
    type Item = &'s T;
    type IntoIter = Iter<'s, T>;
    #[inline]
    fn into_iter(self) -> Iter<'s, T> {
        self.iter()
    }
}

impl<'s, T> IntoIterator for &'s mut Slice<T> {
    type Item = &'s mut T;
    type IntoIter = IterMut<'s, T>;
    fn into_iter(self) -> IterMut<'s, T> {
        self.iter_mut()
    }
}

/// An iterator over mutable references to the elements of a slice, in order.
pub type IterMut<'s, T> = std::iter::Map<std::slice::IterMut<'s, Elem<T>>, fn(&'s mut Elem<T>) -> &'s mut T>;
