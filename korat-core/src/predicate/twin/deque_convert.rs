//! Conversions of deques: clones, other collections, and the std deque.

use std::ops::Deref;

use super::deque::VecDeque;
use super::{Array, Vec};
use crate::predicate::undo::bits::touch;
use crate::predicate::undo::keep_until_backtrack;

/// Dereferences to a std deque with equal elements, for functions that are not lifted.
impl<T: Clone> Deref for VecDeque<T> {
    type Target = std::collections::VecDeque<T>;
    #[cold]
    fn deref(&self) -> &Self::Target {
        keep_until_backtrack(self.iter().cloned().collect())
    }
}

impl<T> Default for VecDeque<T> {
    fn default() -> Self {
        VecDeque::new()
    }
}

impl<T: Clone> Clone for VecDeque<T> {
    fn clone(&self) -> Self {
        self.iter().cloned().collect()
    }

    fn clone_from(&mut self, source: &Self) {
        *touch(self) = Clone::clone(source);
    }
}

impl<T> Extend<T> for VecDeque<T> {
    #[inline]
    fn extend<I: IntoIterator<Item = T>>(&mut self, values: I) {
        values.into_iter().for_each(|value| self.push_back(value));
    }
}

impl<'v, T: Copy + 'v> Extend<&'v T> for VecDeque<T> {
    fn extend<I: IntoIterator<Item = &'v T>>(&mut self, values: I) {
        self.extend(values.into_iter().copied());
    }
}

impl<T> FromIterator<T> for VecDeque<T> {
    fn from_iter<I: IntoIterator<Item = T>>(values: I) -> Self {
        let mut deque = VecDeque::new();
        deque.extend(values);
        deque
    }
}

impl<T, const N: usize> From<[T; N]> for VecDeque<T> {
    fn from(values: [T; N]) -> Self {
        values.into_iter().collect()
    }
}

impl<T, const N: usize> From<Array<T, N>> for VecDeque<T> {
    fn from(values: Array<T, N>) -> Self {
        values.into_iter().collect()
    }
}

impl<T> From<Vec<T>> for VecDeque<T> {
    fn from(values: Vec<T>) -> Self {
        values.into_iter().collect()
    }
}

impl<T> From<VecDeque<T>> for Vec<T> {
    fn from(values: VecDeque<T>) -> Self {
        values.into_iter().collect()
    }
}
