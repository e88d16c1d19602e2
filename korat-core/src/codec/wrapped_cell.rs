//! The cell of a field with one slot, whose values are wrapped in the domain: a heap that counts as a multiset, a set of bits
//! that is shown by its bits. A predicate sees what is inside.

use std::ops::Deref;

use crate::slots::slot::{AnySlot, ReadCell, Slot};

/// A slot of values that wrap what a predicate sees.
pub struct WrappedCell<W: 'static>(pub(in crate::codec) Slot<W>);

impl<W: Deref> WrappedCell<W> {
    /// Returns the value that a predicate sees.
    pub fn __korat_read(&self) -> &W::Target {
        self.0.__korat_read()
    }

    /// Returns the value that a field pattern is matched against.
    pub fn __korat_cell(&self) -> &W::Target {
        self.__korat_read()
    }
}

impl<W: Deref> Deref for WrappedCell<W> {
    type Target = W::Target;
    fn deref(&self) -> &W::Target {
        self.__korat_read()
    }
}

impl<W: Deref<Target: Sized>> ReadCell for WrappedCell<W> {
    type Out = W::Target;
    fn read_cell(&self) -> &W::Target {
        self.__korat_read()
    }
    fn is_decided(&self) -> bool {
        self.0.is_assigned()
    }
}
