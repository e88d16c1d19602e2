//! Lifted counterparts of the types in a predicate's signatures. `#[rep_ok]` replaces std types by their twins itself;
//! these impls cover the types that it cannot see through: aliases such as `type Link = Option<Box<Node>>`, and plain
//! types. A type without a counterpart is not part of any structure and stays as it is.

use std::cell::{Cell, OnceCell, RefCell};
use std::collections::{BTreeMap, BTreeSet, BinaryHeap, HashMap, HashSet, VecDeque};
use std::marker::PhantomData;
use std::mem::MaybeUninit;
use std::num::{NonZero, Saturating, Wrapping};
use std::ptr::NonNull;
use std::rc::Rc;
use std::sync::{Arc, Mutex, OnceLock, RwLock};
use std::{rc, sync};

use super::traits::{Class, Lift, View};
use crate::predicate::twin;

macro_rules! plain {
    ($($type:ty)*) => {$(
        impl Lift for $type {
            type Lifted = $type;
        }
    )*};
}

plain! {
    u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize f32 f64 bool char str String
    std::cmp::Ordering std::time::Duration std::fmt::Error Box<str> Rc<str> Arc<str>
    NonZero<u8> NonZero<u16> NonZero<u32> NonZero<u64> NonZero<u128> NonZero<usize>
    NonZero<i8> NonZero<i16> NonZero<i32> NonZero<i64> NonZero<i128> NonZero<isize>
}

impl Lift for () {
    type Lifted = ();
}

macro_rules! lifted {
    ($([$($generics:tt)*] $type:ty => $lifted:ty;)*) => {$(
        impl<$($generics)*> Lift for $type {
            type Lifted = $lifted;
        }
    )*};
}

lifted! {
    [T: Lift<Lifted: Sized>] Option<T> => Option<T::Lifted>;
    [T: Lift<Lifted: Sized>, E: Lift<Lifted: Sized>] Result<T, E> => Result<T::Lifted, E::Lifted>;
    [T: Lift<Lifted: Sized>] Box<T> => twin::Box<T::Lifted>;
    [T: Lift<Lifted: Sized>] Rc<T> => twin::Rc<T::Lifted>;
    [T: Lift<Lifted: Sized>] Arc<T> => twin::Rc<T::Lifted>;
    [T: Lift<Lifted: Sized>] rc::Weak<T> => twin::Weak<T::Lifted>;
    [T: Lift<Lifted: Sized>] sync::Weak<T> => twin::Weak<T::Lifted>;
    [T: Lift<Lifted: Sized>] Cell<T> => twin::Cell<T::Lifted>;
    [C: Class] RefCell<C> => twin::RefCell<View<C>>;
    [C: Class] Mutex<C> => twin::Locked<View<C>>;
    [C: Class] RwLock<C> => twin::Locked<View<C>>;
    [T: Lift<Lifted: Sized>] OnceCell<T> => twin::Once<T::Lifted>;
    [T: Lift<Lifted: Sized>] OnceLock<T> => twin::Once<T::Lifted>;
    [T: Lift<Lifted: Sized>] MaybeUninit<T> => twin::MaybeUninit<T::Lifted>;
    [T: Lift<Lifted: Sized>] Vec<T> => twin::Vec<T::Lifted>;
    [T: Lift<Lifted: Sized>, const N: usize] [T; N] => twin::Array<T::Lifted, N>;
    [T: Lift<Lifted: Sized>] [T] => twin::Slice<T::Lifted>;
    [T: Lift<Lifted: Sized>, S] HashSet<T, S> => twin::HashSet<T::Lifted>;
    [K: Lift<Lifted: Sized>, V: Lift<Lifted: Sized>, S] HashMap<K, V, S> => twin::HashMap<K::Lifted, V::Lifted>;
    [T: Lift<Lifted: Sized>] VecDeque<T> => twin::VecDeque<T::Lifted>;
    [T: Lift<Lifted: Sized>] BTreeSet<T> => twin::BTreeSet<T::Lifted>;
    [T: Lift<Lifted: Sized>] BinaryHeap<T> => twin::BinaryHeap<T::Lifted>;
    [K: Lift<Lifted: Sized>, V: Lift<Lifted: Sized>] BTreeMap<K, V> => twin::BTreeMap<K::Lifted, V::Lifted>;
    [T: Lift + ?Sized] *const T => *const T::Lifted;
    [T: Lift + ?Sized] *mut T => *mut T::Lifted;
    [T: Lift + ?Sized] NonNull<T> => NonNull<T::Lifted>;
    [T: ?Sized] PhantomData<T> => PhantomData<T>;
    [T: Lift<Lifted: Sized>] Wrapping<T> => Wrapping<T::Lifted>;
    [T: Lift<Lifted: Sized>] Saturating<T> => Saturating<T::Lifted>;
    [A: Lift<Lifted: Sized>, B: Lift<Lifted: Sized>] (A, B) => (A::Lifted, B::Lifted);
    [A: Lift<Lifted: Sized>, B: Lift<Lifted: Sized>, C: Lift<Lifted: Sized>] (A, B, C) => (A::Lifted, B::Lifted, C::Lifted);
    [A: Lift<Lifted: Sized>, B: Lift<Lifted: Sized>, C: Lift<Lifted: Sized>, D: Lift<Lifted: Sized>]
        (A, B, C, D) => (A::Lifted, B::Lifted, C::Lifted, D::Lifted);
    [A: Lift<Lifted: Sized>, B: Lift<Lifted: Sized>, C: Lift<Lifted: Sized>, D: Lift<Lifted: Sized>, E: Lift<Lifted: Sized>]
        (A, B, C, D, E) => (A::Lifted, B::Lifted, C::Lifted, D::Lifted, E::Lifted);
    [T: Lift<Lifted: Sized>] std::cmp::Reverse<T> => std::cmp::Reverse<T::Lifted>;
    [T: Lift<Lifted: Sized>] std::ops::Range<T> => std::ops::Range<T::Lifted>;
    [T: Lift<Lifted: Sized>] std::ops::RangeInclusive<T> => std::ops::RangeInclusive<T::Lifted>;
    [T: Lift<Lifted: Sized>] std::collections::LinkedList<T> => twin::LinkedList<T::Lifted>;
}

impl<'a, T: Lift<Lifted: 'a> + ?Sized> Lift for &'a T {
    type Lifted = &'a T::Lifted;
}

impl<'a, T: Lift<Lifted: 'a> + ?Sized> Lift for &'a mut T {
    type Lifted = &'a mut T::Lifted;
}

/// Tells whether a type has a lifted counterpart: `HasLift::<T>::IS` resolves to the inherent constant if it does, and to
/// [`NoLift::IS`] otherwise.
pub struct HasLift<T: ?Sized>(PhantomData<T>);

impl<T: Lift + ?Sized> HasLift<T> {
    /// `true`: the type is a class, or std's.
    pub const IS: bool = true;
}

/// Provides `HasLift::<T>::IS` for types without a lifted counterpart.
pub trait NoLift {
    /// `false`: the type is not part of any structure.
    const IS: bool = false;
}

impl<T: ?Sized> NoLift for HasLift<T> {}

/// Chooses a type by what [`HasLift`] says.
pub struct Lifting<const IS: bool>;

/// The lifted counterpart of `T` if it has one, else `Other`.
pub trait LiftOr<T: ?Sized, Other: ?Sized> {
    /// One of the two.
    type Lifted: ?Sized;
}

impl<T: Lift + ?Sized, Other: ?Sized> LiftOr<T, Other> for Lifting<true> {
    type Lifted = T::Lifted;
}

impl<T: ?Sized, Other: ?Sized> LiftOr<T, Other> for Lifting<false> {
    type Lifted = Other;
}

/// `Twin` around a type with a lifted counterpart, else `Other`.
pub trait TwinOr<Twin: ?Sized, Other: ?Sized> {
    /// One of the two.
    type Chosen: ?Sized;
}

impl<Twin: ?Sized, Other: ?Sized> TwinOr<Twin, Other> for Lifting<true> {
    type Chosen = Twin;
}

impl<Twin: ?Sized, Other: ?Sized> TwinOr<Twin, Other> for Lifting<false> {
    type Chosen = Other;
}
