//! What slice patterns are matched against: a twin shows its elements, which the pattern binds without reading any, and
//! the user's pattern for an element is matched when the element is read. Arrays and slices of std stay as they are;
//! method lookup tells the two apart, since it finds inherent methods before those of traits. It also tells how parts are
//! bound, which in `*x` depends on the type of `x`.

use std::ops::Deref;

use super::{Array, Elem, Slice, Vec};

/// What a pattern of a class or a sequence is matched against. Its type says whether the pattern binds parts by value, as
/// that of `*x` does for a `&T`, or by reference, as it does for a `&&T`.
pub struct Whole<T>(T);

impl<T: ?Sized> Whole<&&T> {
    /// Returns what is dereferenced to the reference to a part.
    #[inline(always)]
    pub fn __korat_part<P: ?Sized>(self, part: &P) -> Referenced<'_, P> {
        Referenced(part)
    }
}

/// The part of a value that is matched by reference.
pub struct Referenced<'p, P: ?Sized>(&'p P);

impl<P: ?Sized> Clone for Referenced<'_, P> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<P: ?Sized> Copy for Referenced<'_, P> {}

impl<'p, P: ?Sized> Deref for Referenced<'p, P> {
    type Target = &'p P;
    #[inline(always)]
    fn deref(&self) -> &&'p P {
        &self.0
    }
}

impl<'a, T, const N: usize> Whole<&'a Array<T, N>> {
    /// Returns the elements.
    #[inline(always)]
    pub fn __korat_elems(self) -> &'a [Elem<T>; N] {
        self.0.elems()
    }
}

impl<'a, 'b, T, const N: usize> Whole<&'a &'b Array<T, N>> {
    /// Returns the elements.
    #[inline(always)]
    pub fn __korat_elems(self) -> &'a &'b [Elem<T>; N] {
        Array::referenced_elems(self.0)
    }
}

impl<'a, T> Whole<&'a Slice<T>> {
    /// Returns the elements.
    #[inline(always)]
    pub fn __korat_elems(self) -> &'a [Elem<T>] {
        self.0.elems()
    }
}

impl<'a, 'b, T> Whole<&'a &'b Slice<T>> {
    /// Returns the elements.
    #[inline(always)]
    pub fn __korat_elems(self) -> &'a &'b [Elem<T>] {
        Slice::referenced_elems(self.0)
    }
}

impl<'a, T> Whole<&'a Vec<T>> {
    /// Returns the elements.
    #[inline(always)]
    pub fn __korat_elems(self) -> &'a [Elem<T>] {
        self.0.elems()
    }
}

/// Anything else that is matched.
pub trait AnyWhole {
    /// The type of what is matched.
    type Matched;
    /// Returns the elements: arrays and slices of std stay as they are.
    fn __korat_elems(self) -> Self::Matched;
    /// Returns the place of a part.
    #[inline(always)]
    fn __korat_part<P: ?Sized>(self, part: &P) -> &P
    where
        Self: Sized,
    {
        part
    }
}

impl<T> AnyWhole for Whole<T> {
    type Matched = T;
    #[inline(always)]
    fn __korat_elems(self) -> T {
        self.0
    }
}

/// Anything that is neither a twin nor an element of one.
pub trait Matched: Sized {
    /// Returns what a pattern of a class or a sequence is matched against.
    #[inline(always)]
    fn __korat_whole(self) -> Whole<Self> {
        Whole(self)
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
