//! What slice patterns are matched against: a twin shows its elements, which the pattern binds without reading any, and
//! the user's pattern for an element is matched when the element is read. Arrays and slices of std stay as they are;
//! method lookup tells the two apart, since it finds the twins' own methods first.

use super::{Elem, Slice};

/// Anything that is neither a twin nor an element of one.
pub trait Matched: Sized {
    /// Returns the elements.
    #[inline(always)]
    fn __korat_elems(self) -> Self {
        self
    }
    /// Returns the value of an element.
    #[inline(always)]
    fn __korat_cell(self) -> Self {
        self
    }
    /// Returns what a pattern of a class is matched against.
    #[inline(always)]
    fn __korat_object(self) -> Self {
        self
    }
}

impl<T> Matched for T {}

/// The elements of a twin that `rest @ ..` binds.
pub trait TwinRest {
    /// The type of the elements.
    type Item;
    /// Returns the rest as a slice.
    fn __korat_rest(&self) -> &Slice<Self::Item>;
}

impl<T> TwinRest for [Elem<T>] {
    type Item = T;
    #[inline]
    fn __korat_rest(&self) -> &Slice<T> {
        Slice::of(self)
    }
}

/// Anything else that `rest @ ..` may bind.
pub trait PlainRest: Copy {
    /// Returns the rest unchanged.
    #[inline(always)]
    fn __korat_rest(&self) -> Self {
        *self
    }
}

impl<T: Copy> PlainRest for T {}
