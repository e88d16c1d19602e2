//! One element of a lifted vector or array: a slot where the vector is a field, a value where the predicate made it. A copy
//! of a field's element still is the slot, and is read when it is looked at; it becomes a value when it is written to.

use std::mem::needs_drop;
use std::ptr;

use crate::slot::Slot;

/// An element.
pub struct Elem<T>(Repr<T>);

enum Repr<T> {
    Own(T),
    /// A slot of a heap, which is never freed.
    Field(*const Slot<T>),
}

impl<T: 'static> Elem<T> {
    /// An element that is a slot; the slot is kept by the heap.
    pub(crate) fn field(slot: &'static Slot<T>) -> Self {
        Elem(Repr::Field(slot))
    }
}

impl<T> Elem<T> {
    /// An element that is a value.
    #[inline(always)]
    pub(crate) fn own(value: T) -> Self {
        Elem(Repr::Own(value))
    }

    pub(crate) fn slot(&self) -> Option<&Slot<T>> {
        match &self.0 {
            Repr::Own(_) => None,
            // SAFETY: `field` was given a slot that its heap keeps, and heaps are never freed.
            Repr::Field(slot) => Some(unsafe { &**slot }),
        }
    }

    /// The value; of a slot, decided now if it was not.
    #[inline(always)]
    pub(crate) fn get(&self) -> &T {
        match &self.0 {
            Repr::Own(value) => value,
            // SAFETY: as in `slot`.
            Repr::Field(slot) => unsafe { &**slot }.__korat_read(),
        }
    }

    /// What a pattern of the element's own is matched against.
    #[inline]
    pub fn __korat_cell(&self) -> &T {
        self.get()
    }

    #[inline]
    pub(crate) fn get_mut(&mut self) -> &mut T {
        if let Repr::Field(slot) = self.0 {
            // SAFETY: as in `slot`.
            *self = Elem::own(duplicate(unsafe { &*slot }.__korat_read()));
        }
        match &mut self.0 {
            Repr::Own(value) => value,
            Repr::Field(_) => unreachable!("[korat internal bug] the element was just made a value"),
        }
    }

    #[inline]
    pub(crate) fn into_inner(self) -> T {
        match self.0 {
            Repr::Own(value) => value,
            // SAFETY: as in `slot`.
            Repr::Field(slot) => duplicate(unsafe { &*slot }.__korat_read()),
        }
    }
}

/// A second owner of a field's value. A predicate gets here only with a copy of a field, so the type is `Copy`, or was
/// cloned into values before.
fn duplicate<T>(value: &T) -> T {
    assert!(!needs_drop::<T>(), "[korat internal bug] a field that must be dropped is moved out of its object");
    // SAFETY: a value without drop glue may have any number of bitwise copies.
    unsafe { ptr::read(value) }
}

impl<T: Clone> Clone for Elem<T> {
    #[inline]
    fn clone(&self) -> Self {
        match &self.0 {
            Repr::Own(value) => Elem::own(value.clone()),
            Repr::Field(_) if needs_drop::<T>() => Elem::own(self.get().clone()),
            Repr::Field(slot) => Elem(Repr::Field(*slot)),
        }
    }
}

impl<T: Copy> Clone for Repr<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T: Copy> Copy for Repr<T> {}

impl<T: Copy> Copy for Elem<T> {}
