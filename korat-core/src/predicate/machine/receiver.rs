//! Receivers that a method may take by value. The name of the method does not tell: `count` of an iterator takes it,
//! `count` of a user's type may change it in place.
//!
//! Method lookup on a `&&&&Receiver` asks the type. If std's method of that name is certainly meant, the value is handed
//! over; for any other type the predicate falls back to running from the start. Rust looks for methods that take the
//! receiver by value first, so `count` of an iterator is `Iterator::count`, whatever other methods the type has.

use std::any::type_name;
use std::cell::Cell;

use super::local::moved;
use super::plain::Plain;
use super::{CAPTURED_BEFORE, MAY_BE_CHANGED, not_resumable};
use crate::predicate::undo::bits::touch;
use crate::slots::object_view::ObjectView;

/// A receiver that the called method takes by value.
pub struct Receiver<T>(Cell<Option<T>>);

impl<T> Receiver<T> {
    /// Wraps the value of a local or of a part of one.
    #[inline(always)]
    pub fn new(value: T) -> Self {
        Receiver(Cell::new(Some(value)))
    }

    #[inline(always)]
    fn take(&self) -> T {
        self.0.take().expect("[korat internal bug] a receiver is taken twice")
    }
}

/// Access to the receiver behind a reference to `Receiver`.
pub trait TakeReceiver {
    /// The type of the receiver.
    type Value;
    /// Takes the receiver.
    fn take_receiver(&self) -> Self::Value;
}

impl<T> TakeReceiver for &Receiver<T> {
    type Value = T;
    #[inline(always)]
    fn take_receiver(&self) -> T {
        self.take()
    }
}

impl<T> TakeReceiver for &&Receiver<T> {
    type Value = T;
    #[inline(always)]
    fn take_receiver(&self) -> T {
        self.take()
    }
}

impl<T> TakeReceiver for &&&Receiver<T> {
    type Value = T;
    #[inline(always)]
    fn take_receiver(&self) -> T {
        self.take()
    }
}

/// Declares one level of the lookup: the groups of method names whose meaning is known for a type.
macro_rules! known {
    ($(#[$doc:meta])* $trait:ident: $($group:ident)*) => {
        $(#[$doc])*
        pub trait $trait: TakeReceiver {
            $(
                /// Takes the receiver, for a method of this group.
                #[inline(always)]
                fn $group(&self) -> Self::Value {
                    self.take_receiver()
                }
            )*
        }
    };
}

known! {
    /// A reference to an object or a cell of the structure. It is copied: whatever their names, methods of objects only
    /// look at them, and no trait of the user's is implemented for references to the view of an object.
    ReceiverObject: iterator iterator_or_option iterator_or_ord option ord iterable plain
}
impl<T: ObjectView> ReceiverObject for &&&Receiver<&T> {}

known! {
    /// An iterator: covers all methods of `Iterator` that take it by value.
    ReceiverIterator: iterator iterator_or_option iterator_or_ord
}
impl<T: Iterator> ReceiverIterator for &&Receiver<T> {}

known! {
    /// An `Option` or a `Result`, whose own methods take it by value.
    ReceiverOption: option iterator_or_option
}
impl<T> ReceiverOption for &Receiver<Option<T>> {}
impl<T, E> ReceiverOption for &Receiver<Result<T, E>> {}

known! {
    /// An ordered type: `max`, `min` and `clamp` are those of `Ord`.
    ReceiverOrd: ord iterator_or_ord
}
impl<T: Ord> ReceiverOrd for &Receiver<T> {}

known! {
    /// A type that can be iterated over.
    ReceiverInto: iterable
}
impl<T: IntoIterator> ReceiverInto for &Receiver<T> {}

known! {
    /// A type of std, or a twin: `into_..` takes it by value.
    ReceiverPlain: plain
}
impl<T: Plain> ReceiverPlain for &Receiver<T> {}

/// Any other type: the method may take it, look at it or change it.
pub trait ReceiverAny {
    /// The type of the receiver.
    type Value;
    /// Falls back to running the predicate from the start for every candidate.
    fn iterator(&self) -> Self::Value;
    /// Falls back to running the predicate from the start for every candidate.
    fn iterator_or_option(&self) -> Self::Value;
    /// Falls back to running the predicate from the start for every candidate.
    fn iterator_or_ord(&self) -> Self::Value;
    /// Falls back to running the predicate from the start for every candidate.
    fn option(&self) -> Self::Value;
    /// Falls back to running the predicate from the start for every candidate.
    fn ord(&self) -> Self::Value;
    /// Falls back to running the predicate from the start for every candidate.
    fn iterable(&self) -> Self::Value;
    /// Falls back to running the predicate from the start for every candidate.
    fn plain(&self) -> Self::Value;
}

macro_rules! unknown {
    ($($group:ident)*) => {
        impl<T> ReceiverAny for Receiver<T> {
            type Value = T;
            $(
                #[cold]
                fn $group(&self) -> T {
                    not_resumable(type_name::<T>(), MAY_BE_CHANGED)
                }
            )*
        }
    };
}

unknown!(iterator iterator_or_option iterator_or_ord option ord iterable plain);

/// A local that a closure names by value.
pub struct Captured<'c, T>(pub &'c T);

/// A `Copy` value, copied when the closure is called: it cannot have changed since the closure was created.
pub trait CapturedCopy {
    /// The type of the local.
    type Value;
    /// Returns the value of a local that is declared `mut`.
    fn value(&self) -> Self::Value;
    /// Returns the value of a local that is not declared `mut`.
    fn only_value(&self) -> Self::Value;
}

impl<T: Copy> CapturedCopy for &Captured<'_, T> {
    type Value = T;
    #[inline(always)]
    fn value(&self) -> T {
        *self.0
    }
    #[inline(always)]
    fn only_value(&self) -> T {
        *self.0
    }
}

/// A mutable reference, reborrowed with each call; its target is saved. Found first for a `&&&Captured`.
pub trait CapturedMut {
    /// The type of the local.
    type Value;
    /// Falls back to running the predicate from the start: a local that is declared `mut` may have held another
    /// reference when the closure was created.
    fn value(&self) -> Self::Value;
    /// Returns the reference of a local that is not declared `mut`.
    fn only_value(&self) -> Self::Value;
}

impl<T: ?Sized> CapturedMut for &&Captured<'_, &'static mut T> {
    type Value = &'static mut T;
    #[cold]
    fn value(&self) -> &'static mut T {
        not_resumable(type_name::<&mut T>(), CAPTURED_BEFORE)
    }
    #[inline]
    fn only_value(&self) -> &'static mut T {
        touch(moved(self.0))
    }
}

/// Any other type, which the closure takes over when it is created.
pub trait CapturedAny {
    /// The type of the local.
    type Value;
    /// Falls back to running the predicate from the start: the local may have changed since the closure was created.
    fn value(&self) -> Self::Value;
    /// Returns the value of a local that is never reassigned.
    fn only_value(&self) -> Self::Value;
}

impl<T> CapturedAny for Captured<'_, T> {
    type Value = T;
    #[cold]
    fn value(&self) -> T {
        not_resumable(type_name::<T>(), CAPTURED_BEFORE)
    }
    #[inline(always)]
    fn only_value(&self) -> T {
        moved(self.0)
    }
}
