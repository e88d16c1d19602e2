//! Cells with several slots: the twin that a predicate sees, made with the heap, next to the cells of the parts.

use std::ops::Deref;

use crate::predicate::twin;
use crate::slots::object_view::Located;
use crate::slots::slot::ReadCell;

/// The cell of a field with parts: a vector, an array, a map.
pub struct Compound<L, P> {
    shown: L,
    /// The codec's own data, through which it accesses the parts.
    pub(crate) parts: P,
}

impl<L, P> Compound<L, P> {
    pub(crate) fn new(shown: L, parts: P) -> Self {
        Compound { shown, parts }
    }

    /// Returns the value that a predicate sees.
    #[inline(always)]
    pub fn __korat_read(&self) -> &L {
        &self.shown
    }

    /// Returns the value that a field pattern is matched against.
    #[inline(always)]
    pub fn __korat_cell(&self) -> &L {
        &self.shown
    }
}

impl<L: Copy, P> Compound<L, P> {
    /// Returns a copy of a handle, whose parts are chosen when they are read.
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

impl<L, P> ReadCell for Compound<L, P> {
    type Out = L;
    #[inline]
    fn read_cell(&self) -> &L {
        &self.shown
    }
    fn is_decided(&self) -> bool {
        true
    }
}

impl<L: 'static> Located for twin::Vec<L> {
    type Place = Self;
}

/// Declares other containers of the structure that are their own place, so that pointers can lead to them.
macro_rules! own_places {
    ($([$($generics:tt)*] $twin:ty;)*) => {$(
        impl<$($generics)*> ReadCell for $twin {
            type Out = Self;
            fn read_cell(&self) -> &Self {
                self
            }
            fn is_decided(&self) -> bool {
                true
            }
        }

        impl<$($generics)*> Located for $twin {
            type Place = Self;
        }
    )*};
}

own_places! {
    [L: 'static] twin::Cell<L>;
    [L: 'static] twin::VecDeque<L>;
    [K: 'static, V: 'static] twin::HashMap<K, V>;
    [K: 'static] twin::HashSet<K>;
    [K: 'static, V: 'static] twin::BTreeMap<K, V>;
    [K: 'static] twin::BTreeSet<K>;
}
