//! Receivers that a method may take by value. The name alone does not say whether it does: `count` of an iterator does, that of a type
//! of the user's may change it in place. Method lookup on a `&&&&Taken` asks the type: where std's method of that name is certain to be
//! meant, the value is given; of any other type it is not known, and the predicate is run from the top.
//!
//! Rust looks for methods that take the receiver by value first. So `count` of an iterator is `Iterator::count`, whatever else the type has.

use std::any::type_name;
use std::cell::Cell;

use super::plain::Plain;
use super::{CAPTURED_BEFORE, MAY_BE_CHANGED, moved, unfit};
use crate::class::Seen;
use crate::undo::touch;

/// A receiver, taken out by the method that is called.
pub struct Taken<T>(Cell<Option<T>>);

impl<T> Taken<T> {
    /// The value of a local or of a part of one.
    #[inline(always)]
    pub fn new(value: T) -> Self {
        Taken(Cell::new(Some(value)))
    }

    #[inline(always)]
    fn take(&self) -> T {
        self.0.take().expect("[korat internal bug] a receiver is taken twice")
    }
}

/// What a reference to a receiver holds.
pub trait Held {
    /// The type of the receiver.
    type Value;
    /// The receiver.
    fn taken(&self) -> Self::Value;
}

impl<T> Held for &Taken<T> {
    type Value = T;
    #[inline(always)]
    fn taken(&self) -> T {
        self.take()
    }
}

impl<T> Held for &&Taken<T> {
    type Value = T;
    #[inline(always)]
    fn taken(&self) -> T {
        self.take()
    }
}

impl<T> Held for &&&Taken<T> {
    type Value = T;
    #[inline(always)]
    fn taken(&self) -> T {
        self.take()
    }
}

/// Declares one level of the lookup: the groups of names for which a type is known.
macro_rules! known {
    ($(#[$doc:meta])* $trait:ident: $($group:ident)*) => {
        $(#[$doc])*
        pub trait $trait: Held {
            $(
                /// The receiver, for a method of this group.
                #[inline(always)]
                fn $group(&self) -> Self::Value {
                    self.taken()
                }
            )*
        }
    };
}

known! {
    /// A reference to an object or a cell of the structure, which is copied: methods of objects look at them, whatever their names are,
    /// and there is no trait of the user's for references to what stands for an object.
    TakenObject: iterator iterator_or_option iterator_or_ord option ord iterable plain
}
impl<T: Seen> TakenObject for &&&Taken<&T> {}

known! {
    /// An iterator: all methods of `Iterator` that take it by value.
    TakenIterator: iterator iterator_or_option iterator_or_ord
}
impl<T: Iterator> TakenIterator for &&Taken<T> {}

known! {
    /// An `Option` or a `Result`, whose own methods take it by value.
    TakenOption: option iterator_or_option
}
impl<T> TakenOption for &Taken<Option<T>> {}
impl<T, E> TakenOption for &Taken<Result<T, E>> {}

known! {
    /// A type in order: `max`, `min` and `clamp` are those of `Ord`.
    TakenOrd: ord iterator_or_ord
}
impl<T: Ord> TakenOrd for &Taken<T> {}

known! {
    /// What can be iterated over.
    TakenInto: iterable
}
impl<T: IntoIterator> TakenInto for &Taken<T> {}

known! {
    /// A type of std, or a twin: `into_..` takes it by value.
    TakenPlain: plain
}
impl<T: Plain> TakenPlain for &Taken<T> {}

/// Any other type: whether the method takes it, looks at it or changes it is not known.
pub trait TakenAny {
    /// The type of the receiver.
    type Value;
    /// Runs the predicate from the top.
    fn iterator(&self) -> Self::Value;
    /// Runs the predicate from the top.
    fn iterator_or_option(&self) -> Self::Value;
    /// Runs the predicate from the top.
    fn iterator_or_ord(&self) -> Self::Value;
    /// Runs the predicate from the top.
    fn option(&self) -> Self::Value;
    /// Runs the predicate from the top.
    fn ord(&self) -> Self::Value;
    /// Runs the predicate from the top.
    fn iterable(&self) -> Self::Value;
    /// Runs the predicate from the top.
    fn plain(&self) -> Self::Value;
}

macro_rules! unknown {
    ($($group:ident)*) => {
        impl<T> TakenAny for Taken<T> {
            type Value = T;
            $(
                #[cold]
                fn $group(&self) -> T {
                    unfit(type_name::<T>(), MAY_BE_CHANGED)
                }
            )*
        }
    };
}

unknown!(iterator iterator_or_option iterator_or_ord option ord iterable plain);

/// A local that a closure names by value.
pub struct Captured<'c, T>(pub &'c T);

/// A value that is copied when the closure is called: it cannot have changed since the closure was made.
pub trait CapturedCopy {
    /// The type of the local.
    type Value;
    /// The value of a local that is declared `mut`.
    fn value(&self) -> Self::Value;
    /// The value of a local that is not.
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

/// A mutable reference, which is lent again with each call: what it leads to is saved. Found first for a `&&&Captured`.
pub trait CapturedMut {
    /// The type of the local.
    type Value;
    /// The reference of a local that is declared `mut`, which may have been another when the closure was made.
    fn value(&self) -> Self::Value;
    /// The reference of a local that is not.
    fn only_value(&self) -> Self::Value;
}

impl<T: ?Sized> CapturedMut for &&Captured<'_, &'static mut T> {
    type Value = &'static mut T;
    #[cold]
    fn value(&self) -> &'static mut T {
        unfit(type_name::<&mut T>(), CAPTURED_BEFORE)
    }
    #[inline]
    fn only_value(&self) -> &'static mut T {
        touch(moved(self.0))
    }
}

/// Any other type, which the closure takes over when it is made.
pub trait CapturedAny {
    /// The type of the local.
    type Value;
    /// Runs the predicate from the top: the local may have got another value since the closure was made.
    fn value(&self) -> Self::Value;
    /// The value of a local that has only one.
    fn only_value(&self) -> Self::Value;
}

impl<T> CapturedAny for Captured<'_, T> {
    type Value = T;
    #[cold]
    fn value(&self) -> T {
        unfit(type_name::<T>(), CAPTURED_BEFORE)
    }
    #[inline(always)]
    fn only_value(&self) -> T {
        moved(self.0)
    }
}
