//! One element of a lifted vector or array: a slot where the vector is a field, a value where the predicate made it. A copy
//! of a field's element still is the slot, and is read when it is looked at; it becomes a value when it is written to.

use std::mem::needs_drop;
use std::ptr;

use crate::slot::Slot;

/// An element.
pub enum Elem<T> {
    #[doc(hidden)]
    Own(T),
    /// A slot of the heap, which outlives everything that a predicate makes.
    #[doc(hidden)]
    Field(*const Slot<T>),
}

impl<T: 'static> Elem<T> {
    /// An element that is a slot; the slot is kept by the heap.
    pub(crate) fn field(slot: &'static Slot<T>) -> Self {
        Elem::Field(slot)
    }
}

impl<T> Elem<T> {
    pub(crate) fn slot(&self) -> Option<&Slot<T>> {
        match self {
            Elem::Own(_) => None,
            // SAFETY: `field` was given a slot that the heap keeps; predicates end before their heap.
            Elem::Field(slot) => Some(unsafe { &**slot }),
        }
    }

    /// The value; of a slot, decided now if it was not.
    #[inline(always)]
    pub(crate) fn get(&self) -> &T {
        match self {
            Elem::Own(value) => value,
            // SAFETY: as in `slot`.
            Elem::Field(slot) => unsafe { &**slot }.__korat_read(),
        }
    }

    /// What a pattern of the element's own is matched against.
    #[inline]
    pub fn __korat_cell(&self) -> &T {
        self.get()
    }

    #[inline]
    pub(crate) fn get_mut(&mut self) -> &mut T {
        if let Elem::Field(slot) = self {
            // SAFETY: as in `slot`.
            *self = Elem::Own(duplicate(unsafe { &**slot }.__korat_read()));
        }
        match self {
            Elem::Own(value) => value,
            Elem::Field(_) => unreachable!("[korat internal bug] the element was just made a value"),
        }
    }

    #[inline]
    pub(crate) fn into_inner(self) -> T {
        match self {
            Elem::Own(value) => value,
            // SAFETY: as in `slot`.
            Elem::Field(slot) => duplicate(unsafe { &*slot }.__korat_read()),
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
        match self {
            Elem::Own(value) => Elem::Own(value.clone()),
            Elem::Field(_) if needs_drop::<T>() => Elem::Own(self.get().clone()),
            Elem::Field(slot) => Elem::Field(*slot),
        }
    }
}

impl<T: Copy> Copy for Elem<T> {}
