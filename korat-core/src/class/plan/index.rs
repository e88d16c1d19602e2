//! Indices: plain values that refer to elements of an arena.

use std::num::NonZero;

use crate::class::bounds::into_values;

/// A plain value that can be a position: an integer, a `NonZero` for positions from 1 on, or a newtype around one with
/// `#[finitize(id)]`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an index into an arena",
    label = "not an integer",
    note = "an `id` is a struct around one integer: `struct Id(u32);`"
)]
pub trait Position: Clone + 'static {
    /// Returns the index for a position.
    fn at(position: usize) -> Self;
    /// Returns the values at a scope, for a field that is not an index.
    fn all(scope: usize) -> Result<Vec<Self>, String>;
}

macro_rules! positions {
    ($($type:ty)*) => {$(
        impl Position for $type {
            fn at(position: usize) -> Self {
                Self::try_from(position).expect("an arena has no more elements than its index can name")
            }
            #[inline]
            fn all(scope: usize) -> Result<Vec<Self>, String> {
                into_values(0..=scope)
            }
        }
    )*};
}

positions! { u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize }

macro_rules! nonzero_positions {
    ($($type:ty)*) => {$(
        impl Position for NonZero<$type> {
            fn at(position: usize) -> Self {
                let number = <$type>::try_from(position).ok().and_then(|position| position.checked_add(1));
                let number = number.and_then(NonZero::new);
                number.expect("an arena has no more elements than its index can name")
            }
            #[inline]
            fn all(scope: usize) -> Result<Vec<Self>, String> {
                into_values(1..=scope)
            }
        }
    )*};
}

nonzero_positions! { u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize }

/// An index field's type: a position, or an option of one.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an index into an arena",
    label = "neither an integer nor an id, nor an option of one",
    note = "`index_of` is for integers, for newtypes around one with `#[derive(Finitize)] #[finitize(id)]`, and for options of these"
)]
pub trait Indexing: Clone + 'static {
    /// Returns the values that refer to no element, then those for an arena of `capacity` elements.
    fn values(none: Option<Self>, capacity: usize) -> Vec<Self>;
}

#[diagnostic::do_not_recommend]
impl<P: Position> Indexing for P {
    fn values(none: Option<P>, capacity: usize) -> Vec<P> {
        none.into_iter().chain((0..capacity).map(P::at)).collect()
    }
}

#[diagnostic::do_not_recommend]
impl<P: Position> Indexing for Option<P> {
    fn values(none: Option<Self>, capacity: usize) -> Vec<Self> {
        let none = none.filter(Option::is_some);
        std::iter::once(None).chain(none).chain((0..capacity).map(P::at).map(Some)).collect()
    }
}
