//! `Vec` in a lifted predicate: a field, whose length and elements are slots, or the predicate's own.

use std::ops::{Deref, DerefMut, RangeBounds};

use arrayvec::ArrayVec;

use super::sequence::sequence_traits;
use super::slice::IterMut;
use super::{Array, Elem, Iter, Slice};
use crate::slot::{Shown, Slot};

/// `std::vec::Vec`. The predicate's own vectors keep their first elements in place, so that a work list of a small
/// structure allocates nothing.
pub struct Vec<T>(Repr<T>);

/// Elements that stay in place.
const SMALL: usize = 8;

enum Repr<T> {
    Small(ArrayVec<Elem<T>, SMALL>),
    Large(std::vec::Vec<Elem<T>>),
    Field { len: Slot<usize>, elems: Box<[Elem<T>]> },
}

impl<T> Vec<T> {
    /// The elements for a slice pattern, which binds them without deciding any.
    pub fn __korat_elems(&self) -> &[Elem<T>] {
        self.elems()
    }

    /// A field: its length and as many elements as it may have.
    pub(crate) fn of_elems(len: Slot<usize>, elems: impl Iterator<Item = Elem<T>>) -> Self {
        Vec(Repr::Field { len, elems: elems.collect() })
    }

    pub(crate) fn len_slot(&self) -> &Slot<usize> {
        match &self.0 {
            Repr::Field { len, .. } => len,
            Repr::Small(_) | Repr::Large(_) => panic!("[korat internal bug] only a field has a length slot"),
        }
    }

    /// Every element the field may have, whatever its length.
    pub(crate) fn all_elems(&self) -> &[Elem<T>] {
        match &self.0 {
            Repr::Field { elems, .. } => elems,
            Repr::Small(own) => own,
            Repr::Large(own) => own,
        }
    }

    /// The predicate's own elements, moved out of their place if they were small, for the methods that are called rarely.
    #[inline(never)]
    fn own(&mut self) -> &mut std::vec::Vec<Elem<T>> {
        if let Repr::Small(small) = &mut self.0 {
            self.0 = Repr::Large(small.drain(..).collect());
        }
        match &mut self.0 {
            Repr::Large(own) => own,
            Repr::Small(_) | Repr::Field { .. } => panic!("[korat internal bug] a predicate writes to a field"),
        }
    }

    #[cold]
    #[inline(never)]
    fn outgrow(&mut self, value: Elem<T>) {
        self.own().push(value);
    }

    #[inline(never)]
    fn pop_large(&mut self) -> Option<T> {
        self.own().pop().map(Elem::into_inner)
    }

    /// No elements.
    #[inline]
    #[allow(clippy::new_without_default)]
    pub fn new() -> Self {
        Vec(Repr::Small(ArrayVec::new_const()))
    }

    /// No elements, and room for some.
    pub fn with_capacity(capacity: usize) -> Self {
        Vec(if capacity > SMALL {
            Repr::Large(std::vec::Vec::with_capacity(capacity))
        } else {
            Repr::Small(ArrayVec::new_const())
        })
    }

    /// The elements as a slice.
    pub fn as_slice(&self) -> &Slice<T> {
        self
    }

    /// Adds an element at the end.
    #[inline(always)]
    pub fn push(&mut self, value: T) {
        match &mut self.0 {
            Repr::Small(small) => {
                if let Err(full) = small.try_push(Elem::own(value)) {
                    self.outgrow(full.element());
                }
            }
            Repr::Large(_) | Repr::Field { .. } => self.push_large(value),
        }
    }

    #[inline(never)]
    fn push_large(&mut self, value: T) {
        self.own().push(Elem::own(value));
    }

    /// Takes the last element.
    #[inline(always)]
    pub fn pop(&mut self) -> Option<T> {
        match &mut self.0 {
            Repr::Small(small) => small.pop().map(Elem::into_inner),
            Repr::Large(_) | Repr::Field { .. } => self.pop_large(),
        }
    }

    /// Adds an element at `index`.
    pub fn insert(&mut self, index: usize, value: T) {
        self.own().insert(index, Elem::own(value));
    }

    /// Takes the element at `index`.
    pub fn remove(&mut self, index: usize) -> T {
        self.own().remove(index).into_inner()
    }

    /// Takes the element at `index` and puts the last in its place.
    pub fn swap_remove(&mut self, index: usize) -> T {
        self.own().swap_remove(index).into_inner()
    }

    /// Keeps the first `len`.
    pub fn truncate(&mut self, len: usize) {
        self.own().truncate(len);
    }

    /// Removes all.
    pub fn clear(&mut self) {
        self.own().clear();
    }

    /// Makes it `len` long.
    pub fn resize(&mut self, len: usize, value: T)
    where
        T: Clone,
    {
        let own = self.own();
        own.truncate(len);
        while own.len() < len {
            own.push(Elem::own(value.clone()));
        }
    }

    /// Keeps the elements for which `keep` says so.
    pub fn retain(&mut self, mut keep: impl FnMut(&T) -> bool) {
        self.own().retain(|elem| keep(elem.get()));
    }

    /// Removes an element that equals the one before it.
    pub fn dedup(&mut self)
    where
        T: PartialEq,
    {
        self.own().dedup_by(|one, other| one.get() == other.get());
    }

    /// Moves all of `other` to the end.
    pub fn append(&mut self, other: &mut Vec<T>) {
        self.own().append(other.own());
    }

    /// Takes the elements from `at` on.
    pub fn split_off(&mut self, at: usize) -> Vec<T> {
        self.drain(at..).collect()
    }

    /// Takes the elements of a range.
    pub fn drain<R: RangeBounds<usize>>(&mut self, range: R) -> impl DoubleEndedIterator<Item = T> {
        self.own().drain(range).map(Elem::into_inner)
    }

    /// Removes an element whose key equals that of the one before it.
    pub fn dedup_by_key<K: PartialEq>(&mut self, mut key: impl FnMut(&mut T) -> K) {
        self.own().dedup_by(|one, other| key(one.get_mut()) == key(other.get_mut()));
    }

    /// How many elements fit before more room is made.
    pub fn capacity(&self) -> usize {
        self.len().max(SMALL)
    }

    /// Adds copies of all elements of a slice.
    pub fn extend_from_slice(&mut self, other: &Slice<T>)
    where
        T: Clone,
    {
        self.extend(other.iter().cloned());
    }
}

impl<T> Default for Vec<T> {
    fn default() -> Self {
        Vec::new()
    }
}

impl<T> Deref for Vec<T> {
    type Target = Slice<T>;
    #[inline]
    fn deref(&self) -> &Slice<T> {
        match &self.0 {
            Repr::Small(own) => Slice::of(own),
            Repr::Large(own) => Slice::of(own),
            Repr::Field { len, elems } => Slice::of(&elems[..*len.__korat_read()]),
        }
    }
}

impl<T> DerefMut for Vec<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut Slice<T> {
        match &mut self.0 {
            Repr::Small(own) => Slice::of_mut(own),
            Repr::Large(own) => Slice::of_mut(own),
            Repr::Field { .. } => panic!("[korat internal bug] a predicate writes to a field"),
        }
    }
}

impl<T> Shown for Vec<T> {
    type Out = Vec<T>;
    fn shown(&self) -> &Vec<T> {
        self
    }
}

impl<T: Clone> Clone for Vec<T> {
    fn clone(&self) -> Self {
        self.to_vec()
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
        values.into_iter().collect()
    }
}

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
    type IntoIter = std::iter::Map<std::vec::IntoIter<Elem<T>>, fn(Elem<T>) -> T>;
    fn into_iter(mut self) -> Self::IntoIter {
        std::mem::take(self.own()).into_iter().map(Elem::into_inner)
    }
}

impl<'v, T> IntoIterator for &'v mut Vec<T> {
    type Item = &'v mut T;
    type IntoIter = IterMut<'v, T>;
    fn into_iter(self) -> Self::IntoIter {
        self.iter_mut()
    }
}

sequence_traits!([T] Vec<T>);
