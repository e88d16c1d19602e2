//! Types whose values can be cloned and dropped without observable effects: std's own containers of plain values, and their iterators. User
//! types are excluded, since one may count its clones, as `Rc` does; a missing type costs time, never a result.

use std::borrow::Cow;
use std::cmp::{Ordering, Reverse};
use std::collections::{BTreeMap, BTreeSet, BinaryHeap, HashMap, HashSet, LinkedList, VecDeque};
use std::iter::{Chain, Copied, Enumerate, Flatten, Peekable, Rev, Skip, StepBy, Take, Zip};
use std::marker::PhantomData;
use std::num::{NonZero, Saturating, Wrapping};
use std::ops::{Bound, ControlFlow, Range, RangeFrom, RangeInclusive, RangeTo, RangeToInclusive};
use std::time::Duration;
use std::{array, option, slice, vec};

use crate::predicate::twin;

/// A type whose clones and drops have no observable effects.
pub trait Plain {}

macro_rules! plain {
    ($([$($generics:tt)*] $type:ty;)*) => {$(
        impl<$($generics)*> Plain for $type {}
    )*};
}

plain! {
    [] bool; [] char; [] f32; [] f64; [] str; [] String; [] Ordering; [] Duration; [] ();
    [] u8; [] u16; [] u32; [] u64; [] u128; [] usize; [] i8; [] i16; [] i32; [] i64; [] i128; [] isize;
    [] NonZero<u8>; [] NonZero<u16>; [] NonZero<u32>; [] NonZero<u64>; [] NonZero<u128>; [] NonZero<usize>;
    [] NonZero<i8>; [] NonZero<i16>; [] NonZero<i32>; [] NonZero<i64>; [] NonZero<i128>; [] NonZero<isize>;
    [T: ?Sized] &T; [T: ?Sized] *const T; [T: ?Sized] *mut T; [T: ?Sized] PhantomData<T>;
    [T: Plain] [T]; [T: Plain, const N: usize] [T; N];
    [T: Plain] Option<T>; [T: Plain, E: Plain] Result<T, E>; [B: Plain, C: Plain] ControlFlow<B, C>;
    [T: Plain + ?Sized] Box<T>; [T: Plain] Vec<T>; [T: Plain] VecDeque<T>; [T: Plain] LinkedList<T>;
    [T: Plain] BinaryHeap<T>; [T: Plain] BTreeSet<T>; [K: Plain, V: Plain] BTreeMap<K, V>;
    [T: Plain] HashSet<T>; [K: Plain, V: Plain] HashMap<K, V>;
    [T: Plain + ToOwned<Owned: Plain> + ?Sized] Cow<'_, T>;
    [T: Plain] Reverse<T>; [T: Plain] Wrapping<T>; [T: Plain] Saturating<T>; [T: Plain] Bound<T>;
    [T: Plain] Range<T>; [T: Plain] RangeFrom<T>; [T: Plain] RangeInclusive<T>; [T: Plain] RangeTo<T>;
    [T: Plain] RangeToInclusive<T>;
    [A: Plain] (A,); [A: Plain, B: Plain] (A, B); [A: Plain, B: Plain, C: Plain] (A, B, C);
    [A: Plain, B: Plain, C: Plain, D: Plain] (A, B, C, D);
    [T: Plain, const N: usize] array::IntoIter<T, N>; [T: Plain] vec::IntoIter<T>; [T: Plain] option::IntoIter<T>;
    [T] option::Iter<'_, T>; [T] slice::Iter<'_, T>;
    [I: Plain] Enumerate<I>; [I: Plain] Rev<I>; [I: Plain] Skip<I>; [I: Plain] Take<I>; [I: Plain] StepBy<I>;
    [I: Plain] Copied<I>; [A: Plain, B: Plain] Chain<A, B>; [A: Plain, B: Plain] Zip<A, B>;
    [I: Plain + Iterator<Item: Plain>] Peekable<I>;
    [I: Plain + Iterator<Item: IntoIterator<IntoIter: Plain>>] Flatten<I>;
    [T: Plain] twin::Vec<T>; [T: Plain] twin::VecDeque<T>; [T: Plain] twin::BinaryHeap<T>;
    [K: Plain] twin::HashSet<K>; [K: Plain] twin::BTreeSet<K>;
    [K: Plain, V: Plain] twin::HashMap<K, V>; [K: Plain, V: Plain] twin::BTreeMap<K, V>;
}
