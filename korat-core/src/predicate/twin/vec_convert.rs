//! Conversions of vectors: clones, other collections, slices, and the std vector.

use std::ops::Deref;

use super::Array;
use super::slice::Slice;
use super::vec::Vec;
use crate::predicate::undo::bits::touch;
use crate::predicate::undo::keep_until_backtrack;

/// Dereferences to a std vector with equal elements, for functions that are not lifted. Subslices are given to them, too.
impl<T: Clone> Deref for Slice<T> {
    type Target = std::vec::Vec<T>;
    #[cold]
    fn deref(&self) -> &Self::Target {
        keep_until_backtrack(self.iter().cloned().collect())
    }
}

impl<T> Default for Vec<T> {
    fn default() -> Self {
        Vec::new()
    }
}

impl<T: Clone> Clone for Vec<T> {
    fn clone(&self) -> Self {
        self.to_vec()
    }

    fn clone_from(&mut self, source: &Self) {
        *touch(self) = Clone::clone(source);
    }
}

impl<T> Extend<T> for Vec<T> {
    fn extend<I: IntoIterator<Item = T>>(&mut self, values: I) {
        values.into_iter().for_each(|value| self.push(value));
    }
}

impl<'v, T: Copy + 'v> Extend<&'v T> for Vec<T> {
    fn extend<I: IntoIterator<Item = &'v T>>(&mut self, values: I) {
        values.into_iter().for_each(|value| self.push(*value));
    }
}

impl<T> FromIterator<T> for Vec<T> {
    fn from_iter<I: IntoIterator<Item = T>>(values: I) -> Self {
        let mut vec = Vec::new();
        vec.extend(values);
        vec
    }
}

impl<T, const N: usize> From<Array<T, N>> for Vec<T> {
    fn from(values: Array<T, N>) -> Self {
        values.into_iter().collect()
    }
}

impl<T: Clone> From<&Slice<T>> for Vec<T> {
    fn from(values: &Slice<T>) -> Self {
        values.to_vec()
    }
}

impl<T, const N: usize> From<[T; N]> for Vec<T> {
    fn from(values: [T; N]) -> Self {
        Vec::of(values)
    }
}

impl<T> AsRef<Slice<T>> for Vec<T> {
    fn as_ref(&self) -> &Slice<T> {
        self
    }
}
