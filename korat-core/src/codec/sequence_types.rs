//! Sequences of variable length and their twins: vectors, deques and boxed slices.

use std::collections::{LinkedList, VecDeque};

use crate::class::plan::slot_maker::SlotMaker;
use crate::predicate::twin;
use crate::predicate::twin::Elem;
use crate::slots::slot::Slot;

/// The type that a predicate sees in place of a sequence.
pub trait SequenceTwin<L>: 'static {
    /// Creates the twin of a field. The elements live in the heap.
    fn of_field(len: &'static Slot<usize>, elems: *const [Elem<L>], slots: &mut SlotMaker<'_>) -> Self;
    /// Returns another handle to this sequence.
    fn handle(&self) -> Self;
}

impl<L: 'static> SequenceTwin<L> for twin::Vec<L> {
    fn of_field(len: &'static Slot<usize>, elems: *const [Elem<L>], slots: &mut SlotMaker<'_>) -> Self {
        twin::Vec::of_field(slots.keep(twin::VecHeader::field(len, elems)))
    }
    fn handle(&self) -> Self {
        self.handle()
    }
}

impl<L: 'static> SequenceTwin<L> for twin::VecDeque<L> {
    fn of_field(len: &'static Slot<usize>, elems: *const [Elem<L>], slots: &mut SlotMaker<'_>) -> Self {
        twin::VecDeque::of_field(slots.keep(twin::Ring::field(len, elems)))
    }
    fn handle(&self) -> Self {
        self.handle()
    }
}

/// A sequence type in the user's value.
pub trait Sequence<T: 'static>: 'static {
    /// The twin, for elements that a predicate sees as `L`.
    type Twin<L: 'static>: SequenceTwin<L>;
    /// The largest length.
    const CAPACITY: usize = usize::MAX;
    /// Creates a sequence from its elements.
    fn of(elements: Vec<T>) -> Self;
    /// Returns an iterator over the elements.
    fn elements(&self) -> impl ExactSizeIterator<Item = &T>;
    /// Returns a mutable iterator over the elements.
    fn elements_mut(&mut self) -> impl Iterator<Item = &mut T>;
    /// Whether elements can be removed from the end.
    const SHRINKS: bool = true;
    /// Keeps only the first `len` elements. Must not be called unless `SHRINKS`.
    fn truncate(&mut self, len: usize);
    /// Appends elements.
    fn extend(&mut self, elements: impl Iterator<Item = T>);
    /// Removes the elements, or severs each of them with `each` if they cannot be removed, so that no pointers remain.
    fn sever(&mut self, each: fn(&mut T));
}

impl<T: 'static> Sequence<T> for Vec<T> {
    type Twin<L: 'static> = twin::Vec<L>;
    fn of(elements: Vec<T>) -> Self {
        elements
    }
    fn elements(&self) -> impl ExactSizeIterator<Item = &T> {
        self.iter()
    }
    fn elements_mut(&mut self) -> impl Iterator<Item = &mut T> {
        self.iter_mut()
    }
    fn truncate(&mut self, len: usize) {
        self.truncate(len);
    }
    fn extend(&mut self, elements: impl Iterator<Item = T>) {
        Extend::extend(self, elements);
    }
    fn sever(&mut self, _: fn(&mut T)) {
        self.clear();
    }
}

/// Implements `Sequence` for a type with the methods of `Vec`.
macro_rules! like_vec {
    ([$($generics:tt)*] $type:ty, $element:ty, $twin:ty $(, $capacity:expr)?) => {
        impl<$($generics)*> Sequence<$element> for $type {
            type Twin<L: 'static> = $twin;
            $(const CAPACITY: usize = $capacity;)?
            fn of(elements: Vec<$element>) -> Self {
                elements.into_iter().collect()
            }
            fn elements(&self) -> impl ExactSizeIterator<Item = &$element> {
                self.iter()
            }
            fn elements_mut(&mut self) -> impl Iterator<Item = &mut $element> {
                self.iter_mut()
            }
            fn truncate(&mut self, len: usize) {
                self.truncate(len);
            }
            fn extend(&mut self, elements: impl Iterator<Item = $element>) {
                Extend::extend(self, elements);
            }
            fn sever(&mut self, _: fn(&mut $element)) {
                self.clear();
            }
        }
    };
}

#[cfg(any(feature = "arrayvec", feature = "smallvec"))]
pub(super) use like_vec;

like_vec!([T: 'static] VecDeque<T>, T, twin::VecDeque<L>);

impl<T: 'static> Sequence<T> for LinkedList<T> {
    type Twin<L: 'static> = twin::VecDeque<L>;
    fn of(elements: Vec<T>) -> Self {
        elements.into_iter().collect()
    }
    fn elements(&self) -> impl ExactSizeIterator<Item = &T> {
        self.iter()
    }
    fn elements_mut(&mut self) -> impl Iterator<Item = &mut T> {
        self.iter_mut()
    }
    fn truncate(&mut self, len: usize) {
        self.split_off(len);
    }
    fn extend(&mut self, elements: impl Iterator<Item = T>) {
        Extend::extend(self, elements);
    }
    fn sever(&mut self, _: fn(&mut T)) {
        self.clear();
    }
}

impl<T: 'static> Sequence<T> for Box<[T]> {
    type Twin<L: 'static> = twin::Vec<L>;
    fn of(elements: Vec<T>) -> Self {
        elements.into_boxed_slice()
    }
    fn elements(&self) -> impl ExactSizeIterator<Item = &T> {
        self.iter()
    }
    fn elements_mut(&mut self) -> impl Iterator<Item = &mut T> {
        self.iter_mut()
    }
    fn truncate(&mut self, len: usize) {
        let mut elements = std::mem::take(self).into_vec();
        elements.truncate(len);
        *self = elements.into_boxed_slice();
    }
    fn extend(&mut self, elements: impl Iterator<Item = T>) {
        let before = std::mem::take(self).into_vec();
        *self = before.into_iter().chain(elements).collect();
    }
    fn sever(&mut self, each: fn(&mut T)) {
        self.iter_mut().for_each(each);
    }
}
