//! What slice patterns are matched against. A twin shows its elements, which the pattern binds without deciding any; what
//! the user wrote for an element is matched when it is read. Arrays and slices of std stay what they are. Which of the two a
//! call means is settled by method lookup: the twins' own methods come first.

use super::{Elem, Slice};

/// Anything that is not a twin, nor an element of one.
pub trait Matched: Sized {
    /// The elements.
    #[inline(always)]
    fn __korat_elems(self) -> Self {
        self
    }
    /// The value of an element.
    #[inline(always)]
    fn __korat_cell(self) -> Self {
        self
    }
}

impl<T> Matched for T {}

/// The elements of a twin that `rest @ ..` binds.
pub trait TwinRest {
    /// The type of the elements.
    type Item;
    /// The rest as a slice.
    fn __korat_rest(&self) -> &Slice<Self::Item>;
}

impl<T> TwinRest for [Elem<T>] {
    type Item = T;
    #[inline]
    fn __korat_rest(&self) -> &Slice<T> {
        Slice::of(self)
    }
}

/// What else `rest @ ..` may bind.
pub trait PlainRest: Copy {
    /// The rest as it is.
    #[inline(always)]
    fn __korat_rest(&self) -> Self {
        *self
    }
}

impl<T: Copy> PlainRest for T {}
