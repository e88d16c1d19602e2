//! Iterators over vectors: by value, and by reference through the slice.

use std::mem::needs_drop;

use super::Iter;
use super::slice::Slice;
use super::slice_iter::IterMut;
use super::vec::Vec;

/// An iterator over the elements by value, in order.
pub struct IntoIter<T> {
    vec: Vec<T>,
    front: usize,
    back: usize,
}

impl<T> IntoIter<T> {
    /// Returns the remaining elements as a slice.
    pub fn as_slice(&self) -> &Slice<T> {
        &self.vec[self.front..self.back]
    }
}

impl<T> Clone for IntoIter<T>
where
    T: Clone,
{
    fn clone(&self) -> Self {
        self.as_slice().to_vec().into_iter()
    }
}

impl<T> Iterator for IntoIter<T> {
    type Item = T;
    #[inline]
    fn next(&mut self) -> Option<T> {
        if self.front == self.back {
            return None;
        }
        if const { needs_drop::<T>() } {
            self.back -= 1;
            return Some(self.vec.remove(self.front));
        }
        self.front += 1;
        // SAFETY: the element has a value, and without drop glue it may be duplicated.
        Some(unsafe { self.vec.0.elems.add(self.front - 1).read() }.into_inner())
    }
    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.back - self.front, Some(self.back - self.front))
    }
}

impl<T> DoubleEndedIterator for IntoIter<T> {
    fn next_back(&mut self) -> Option<T> {
        if self.front == self.back {
            return None;
        }
        self.back -= 1;
        if const { needs_drop::<T>() } {
            return Some(self.vec.remove(self.back));
        }
        // SAFETY: the element has a value, and without drop glue it may be duplicated.
        Some(unsafe { self.vec.0.elems.add(self.back).read() }.into_inner())
    }
}

impl<T> ExactSizeIterator for IntoIter<T> {}
impl<T> std::iter::FusedIterator for IntoIter<T> {}

impl<'v, T> IntoIterator for &'v Vec<T> {
    type Item = &'v T;
    type IntoIter = Iter<'v, T>;
    #[inline]
    fn into_iter(self) -> Iter<'v, T> {
        self.iter()
    }
}

impl<T> IntoIterator for Vec<T> {
    type Item = T;
    type IntoIter = IntoIter<T>;
    #[inline]
    fn into_iter(self) -> IntoIter<T> {
        let back = if self.0.field.is_null() { self.0.len } else { self.len() };
        IntoIter { vec: self, front: 0, back }
    }
}

impl<'v, T> IntoIterator for &'v mut Vec<T> {
    type Item = &'v mut T;
    type IntoIter = IterMut<'v, T>;
    fn into_iter(self) -> Self::IntoIter {
        self.iter_mut()
    }
}
