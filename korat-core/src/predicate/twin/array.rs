//! `[T; N]` in a lifted predicate: a field, whose elements are slots, a copy of one, or an argument of a helper.

use std::ops::{Deref, DerefMut};

use super::sequence::sequence_traits;
use super::slice_iter::IterMut;
use super::{Elem, Iter, Slice};
use crate::slots::slot::ReadCell;

/// The twin of `[T; N]`.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub struct Array<T, const N: usize>([Elem<T>; N]);

impl<T, const N: usize> Array<T, N> {
    pub(crate) fn elems(&self) -> &[Elem<T>; N] {
        &self.0
    }

    pub(crate) fn referenced_elems<'a, 'b>(array: &'a &'b Self) -> &'a &'b [Elem<T>; N] {
        // SAFETY: `Array` is a transparent wrapper of `[Elem<T>; N]`, so references to both have the same layout.
        unsafe { &*std::ptr::from_ref(array).cast() }
    }

    pub(crate) fn of_elems(elems: [Elem<T>; N]) -> Self {
        Array(elems)
    }

    /// Returns the elements as a slice.
    pub fn as_slice(&self) -> &Slice<T> {
        self
    }

    /// Returns an array of the results of applying `map` to each element.
    pub fn map<U>(self, mut map: impl FnMut(T) -> U) -> [U; N] {
        self.0.map(|elem| map(elem.into_inner()))
    }

    /// Returns an array of references to the elements.
    pub fn each_ref(&self) -> [&T; N] {
        self.0.each_ref().map(Elem::get)
    }
}

impl<T, const N: usize> From<[T; N]> for Array<T, N> {
    fn from(values: [T; N]) -> Self {
        Array(values.map(Elem::own))
    }
}

impl<T, const N: usize> Deref for Array<T, N> {
    type Target = Slice<T>;
    #[inline]
    fn deref(&self) -> &Slice<T> {
        Slice::of(&self.0)
    }
}

impl<T, const N: usize> DerefMut for Array<T, N> {
    #[inline]
    fn deref_mut(&mut self) -> &mut Slice<T> {
        Slice::of_mut(&mut self.0)
    }
}

impl<T, const N: usize> ReadCell for Array<T, N> {
    type Out = Array<T, N>;
    fn read_cell(&self) -> &Array<T, N> {
        self
    }
    fn is_decided(&self) -> bool {
        true
    }
}

impl<'a, T, const N: usize> IntoIterator for &'a Array<T, N> {
    type Item = &'a T;
    type IntoIter = Iter<'a, T>;
    #[inline]
    fn into_iter(self) -> Iter<'a, T> {
        self.iter()
    }
}

impl<'a, T, const N: usize> IntoIterator for &'a mut Array<T, N> {
    type Item = &'a mut T;
    type IntoIter = IterMut<'a, T>;
    fn into_iter(self) -> Self::IntoIter {
        self.iter_mut()
    }
}

impl<T, const N: usize> IntoIterator for Array<T, N> {
    type Item = T;
    type IntoIter = std::iter::Map<std::array::IntoIter<Elem<T>, N>, fn(Elem<T>) -> T>;
    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter().map(Elem::into_inner)
    }
}

impl<T, const N: usize> AsRef<Slice<T>> for Array<T, N> {
    fn as_ref(&self) -> &Slice<T> {
        self
    }
}

sequence_traits!([T, const N: usize] Array<T, N>);
