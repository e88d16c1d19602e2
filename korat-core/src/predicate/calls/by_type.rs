//! Packs and unpacks the arguments and results of calls as far as their types allow it. Method lookup on a `&&&Give` or a `&&&Take`
//! finds the first of three traits whose impl applies: for types that can be packed, for references to such, and for all others.
//! In a generic block, rustc does not know of a type that it can be packed; for these, the third looks the type up (`named`).

use std::marker::PhantomData;

use super::named::{named, pack_named, unpack_named};
use super::{Call, Packed, Portable, pack_behind, unpack_behind};

/// An argument or a result.
pub struct Give<'v, T>(pub &'v T);

/// For types that can be packed.
pub trait GivePortable {
    /// Packs the argument of a call.
    fn argument(&self, call: &mut Call);
    /// Packs a result.
    fn result(&self, to: &mut Packed);
    /// Packs a local.
    fn local(&self, to: &mut Packed);
}

impl<T: Portable> GivePortable for &&Give<'_, T> {
    #[inline]
    fn argument(&self, call: &mut Call) {
        self.0.pack(&mut call.arguments);
    }
    #[inline]
    fn result(&self, to: &mut Packed) {
        self.0.pack(to);
    }
    #[inline]
    fn local(&self, to: &mut Packed) {
        self.0.pack(to);
    }
}

/// For references to types that can be packed.
pub trait GiveBehind {
    /// Packs the argument of a call.
    fn argument(&self, call: &mut Call);
    /// Packs a result.
    fn result(&self, to: &mut Packed);
    /// Packs a local.
    fn local(&self, to: &mut Packed);
}

impl<T: Portable> GiveBehind for &Give<'_, &T> {
    fn argument(&self, call: &mut Call) {
        pack_behind(*self.0, &mut call.arguments);
    }
    fn result(&self, to: &mut Packed) {
        pack_behind(*self.0, to);
    }
    fn local(&self, to: &mut Packed) {
        pack_behind(*self.0, to);
    }
}

/// For all other types.
pub trait GiveNamed {
    /// Packs the argument of a call, or notes that the call cannot be answered.
    fn argument(&self, call: &mut Call);
    /// Packs a result. Calls with a result that cannot be packed are not answered.
    fn result(&self, to: &mut Packed);
    /// Packs a local, or notes that it cannot be packed.
    fn local(&self, to: &mut Packed);
}

impl<T> GiveNamed for Give<'_, T> {
    fn argument(&self, call: &mut Call) {
        if !pack_named(self.0, &mut call.arguments) {
            call.opaque.get_or_insert(std::any::type_name::<T>());
        }
    }
    fn result(&self, to: &mut Packed) {
        pack_named(self.0, to);
    }
    fn local(&self, to: &mut Packed) {
        to.is_opaque |= !pack_named(self.0, to);
    }
}

/// Unpacks a value: `(&&&Take::<T>::new()).unpack(..)`.
pub struct Take<T>(PhantomData<fn() -> T>);

impl<T> Take<T> {
    /// Creates the taker.
    #[allow(clippy::new_without_default)]
    pub const fn new() -> Self {
        Take(PhantomData)
    }
}

/// For types that can be packed.
pub trait TakePortable<T> {
    /// Unpacks a value.
    fn unpack(&self, from: &mut Packed) -> T;
    /// Notes that a call may have this result.
    fn expect(&self, _: &mut Call) {}
}

impl<T: Portable> TakePortable<T> for &&Take<T> {
    #[inline]
    fn unpack(&self, from: &mut Packed) -> T {
        T::unpack(from)
    }
}

/// For references to types that can be packed.
pub trait TakeBehind<T> {
    /// Unpacks a value.
    fn unpack(&self, from: &mut Packed) -> T;
    /// Notes that a call may have this result.
    fn expect(&self, _: &mut Call) {}
}

impl<'r, T: Portable> TakeBehind<&'r T> for &Take<&'r T> {
    fn unpack(&self, from: &mut Packed) -> &'r T {
        unpack_behind(from)
    }
}

/// For all other types.
pub trait TakeNamed<T> {
    /// Unpacks a value.
    fn unpack(&self, from: &mut Packed) -> T;
    /// Notes that a call with this result cannot be answered, unless its type is known by name.
    fn expect(&self, call: &mut Call);
}

impl<T> TakeNamed<T> for Take<T> {
    fn unpack(&self, from: &mut Packed) -> T {
        unpack_named(from)
    }
    fn expect(&self, call: &mut Call) {
        if named::<T>().is_none() {
            call.opaque.get_or_insert(std::any::type_name::<T>());
        }
    }
}
