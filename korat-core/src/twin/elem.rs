//! One element of a lifted vector or array: a slot where the vector is a field, a value where the predicate made it. A copy
//! of a field's element still is the slot, and is read when it is looked at; it becomes a value when it is written to.

use std::mem::needs_drop;
use std::ptr;

use crate::slot::{Shown, Slot};
use crate::undo::copied;

/// An element.
pub struct Elem<T>(Repr<T>);

enum Repr<T> {
    Own(T),
    /// A slot of a heap, which is never freed.
    Field(*const Slot<T>),
    /// A part of a heap that is not one slot.
    Part(*const Part<T>),
}

/// A part of the structure, and how a predicate sees it.
pub struct Part<T> {
    cell: *const (),
    look: unsafe fn(*const ()) -> *const T,
}

impl<T> Part<T> {
    /// `look` shows the cell, in which the value is or which leads to it.
    pub(crate) fn new<C: Shown<Out = T>>(cell: &'static C) -> Self {
        unsafe fn look<C: Shown<Out: Sized>>(cell: *const ()) -> *const C::Out {
            // SAFETY: `new` was given a cell of this type.
            unsafe { &*cell.cast::<C>() }.shown()
        }
        Part { cell: ptr::from_ref(cell).cast(), look: look::<C> }
    }
}

impl<T: 'static> Elem<T> {
    /// An element that is a slot; the slot is kept by the heap.
    pub(crate) fn field(slot: &'static Slot<T>) -> Self {
        Elem(Repr::Field(slot))
    }

    /// An element that is another part of the structure; it is kept by the heap.
    pub(crate) fn part(part: &'static Part<T>) -> Self {
        Elem(Repr::Part(part))
    }
}

impl<T> Elem<T> {
    /// An element that is a value.
    #[inline(always)]
    pub(crate) fn own(value: T) -> Self {
        Elem(Repr::Own(value))
    }

    /// The value; of a slot, decided now if it was not.
    #[inline(always)]
    pub(crate) fn get(&self) -> &T {
        match &self.0 {
            Repr::Own(value) => value,
            // SAFETY: `field` was given a slot that its heap keeps, and heaps are never freed.
            Repr::Field(slot) => unsafe { &**slot }.__korat_read(),
            Repr::Part(part) => Self::look(*part),
        }
    }

    /// Not inline: elements that are slots or values are read in hot loops.
    #[inline(never)]
    fn look<'s>(part: *const Part<T>) -> &'s T {
        // SAFETY: `part` was given one that its heap keeps, and heaps are never freed; so are the cell and what it shows.
        unsafe { &*((*part).look)((*part).cell) }
    }

    /// What a pattern of the element's own is matched against.
    #[inline]
    pub fn __korat_cell(&self) -> &T {
        self.get()
    }

    #[inline]
    pub(crate) fn get_mut(&mut self) -> &mut T {
        if !matches!(self.0, Repr::Own(_)) {
            *self = Elem::own(duplicate(self.get()));
        }
        match &mut self.0 {
            Repr::Own(value) => value,
            Repr::Field(_) | Repr::Part(_) => unreachable!("[korat internal bug] the element was just made a value"),
        }
    }

    #[inline]
    pub(crate) fn into_inner(self) -> T {
        match self.0 {
            Repr::Own(value) => value,
            Repr::Field(_) | Repr::Part(_) => duplicate(self.get()),
        }
    }
}

/// A second owner of a field's value. A predicate gets here only with a copy of a field, so the type is `Copy`, or was
/// cloned into values before. Nothing can be fallen back to here: it is run by lifted code, too.
fn duplicate<T>(value: &T) -> T {
    copied(value).expect("[korat internal bug] a field that must be dropped is moved out of its object")
}

impl<T: Clone> Clone for Elem<T> {
    #[inline]
    fn clone(&self) -> Self {
        match &self.0 {
            Repr::Own(value) => Elem::own(value.clone()),
            Repr::Field(slot) if !needs_drop::<T>() => Elem(Repr::Field(*slot)),
            Repr::Part(part) if !needs_drop::<T>() => Elem(Repr::Part(*part)),
            Repr::Field(_) | Repr::Part(_) => Elem::own(self.get().clone()),
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
