//! Cells that are not one slot: what a predicate sees, made when the heap is, beside the cells of the parts.

use std::ops::Deref;

use crate::slot::Shown;

/// A field with parts: a vector, an array, a map.
pub struct Compound<L, P> {
    shown: L,
    /// What the codec needs to go through the parts.
    pub(crate) parts: P,
}

impl<L, P> Compound<L, P> {
    pub(crate) fn new(shown: L, parts: P) -> Self {
        Compound { shown, parts }
    }

    /// What a predicate sees.
    #[inline(always)]
    pub fn __korat_read(&self) -> &L {
        &self.shown
    }

    /// What the pattern of a field is matched against.
    #[inline(always)]
    pub fn __korat_cell(&self) -> &L {
        &self.shown
    }
}

impl<L: Copy, P> Compound<L, P> {
    /// A copy of a handle, whose parts are decided when they are looked at.
    pub(super) fn copied(&self) -> L {
        self.shown
    }
}

impl<L, P> Deref for Compound<L, P> {
    type Target = L;
    #[inline(always)]
    fn deref(&self) -> &L {
        &self.shown
    }
}

impl<L, P> Shown for Compound<L, P> {
    type Out = L;
    #[inline]
    fn shown(&self) -> &L {
        &self.shown
    }
}
