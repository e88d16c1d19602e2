//! One element of a lifted vector or array: a slot where the vector is a field, a value where the predicate made it.

use crate::slot::Slot;

/// An element.
pub enum Elem<T> {
    #[doc(hidden)]
    Own(T),
    #[doc(hidden)]
    Field(Slot<T>),
}

impl<T> Elem<T> {
    /// The value; of a slot, decided now if it was not.
    #[inline(always)]
    pub(crate) fn get(&self) -> &T {
        match self {
            Elem::Own(value) => value,
            Elem::Field(slot) => slot.__korat_read(),
        }
    }

    #[inline]
    pub(crate) fn get_mut(&mut self) -> &mut T {
        match self {
            Elem::Own(value) => value,
            Elem::Field(_) => panic!("[korat internal bug] a predicate writes to a field"),
        }
    }

    #[inline]
    pub(crate) fn into_inner(self) -> T {
        match self {
            Elem::Own(value) => value,
            Elem::Field(_) => panic!("[korat internal bug] a predicate moves out of a field"),
        }
    }

    pub(crate) fn slot(&self) -> Option<&Slot<T>> {
        match self {
            Elem::Own(_) => None,
            Elem::Field(slot) => Some(slot),
        }
    }
}
