//! Determines which values may be dropped later than the user's code would drop them: those whose destructors access
//! only what they own.
//!
//! Values that a predicate leaves in its containers are dropped when the search backtracks past the container's
//! creation or starts over, because handles to containers have no drop glue. By then everything that the values borrow
//! may be gone, for example a local on the stack. A user's destructor could access it; std's destructors never access
//! the target of a reference.
//!
//! # Safety argument
//! `LateDrop` is implemented for types without drop glue, and for types of std whose drop glue only frees memory and
//! drops what they own, provided that what they own is `LateDrop` too. It is implemented for no user type. Values of
//! types without it are never dropped late, but forgotten. `may_drop_late` queries the trait for a bare type parameter
//! through a specialization in std: `fuse` polls an iterator again after its end only if it is a `FusedIterator`, and
//! the iterator made for this query is one if the type is `LateDrop`. If std ever drops that specialization, the answer
//! is no. No implementation depends on a lifetime, which this way of asking could not see.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet, BinaryHeap, HashMap, HashSet, LinkedList, VecDeque};
use std::ffi::{CString, OsString};
use std::hash::{BuildHasherDefault, RandomState};
use std::iter::FusedIterator;
use std::marker::PhantomData;
use std::mem::needs_drop;
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use crate::predicate::twin;

/// A type whose values may be dropped after everything that they borrow is gone.
///
/// # Safety
/// Dropping a value must not access anything it borrows, must not panic, and must not use a container of a predicate.
/// Whether the type implements the trait must not depend on a lifetime.
pub unsafe trait LateDrop {}

/// Returns whether values of a type may be dropped after everything that they borrow is gone.
pub(crate) fn may_drop_late<T>() -> bool {
    !needs_drop::<T>() || is_late_drop::<T>()
}

/// Returns whether a type is `LateDrop`.
fn is_late_drop<T>() -> bool {
    /// An exhausted iterator that counts how often it is polled.
    struct Asked<'c, T> {
        count: &'c Cell<u32>,
        _type: PhantomData<fn() -> T>,
    }
    impl<T> Iterator for Asked<'_, T> {
        type Item = ();
        fn next(&mut self) -> Option<()> {
            self.count.set(self.count.get() + 1);
            None
        }
    }
    impl<T: LateDrop> FusedIterator for Asked<'_, T> {}
    let count = Cell::new(0);
    let mut asked = Asked::<T> { count: &count, _type: PhantomData }.fuse();
    _ = (asked.next(), asked.next());
    count.get() == 2
}

macro_rules! late_drop {
    ($reason:literal: $([$($generics:tt)*] $type:ty;)*) => {$(
        // SAFETY: the reason given at the start of the list.
        unsafe impl<$($generics)*> LateDrop for $type {}
    )*};
}

late_drop! { "no drop glue":
    [] (); [] bool; [] char; [] str; [] f32; [] f64; [] Duration; [] RandomState;
    [] u8; [] u16; [] u32; [] u64; [] u128; [] usize;
    [] i8; [] i16; [] i32; [] i64; [] i128; [] isize;
    [T: ?Sized] &T; [T: ?Sized] &mut T; [T: ?Sized] *const T; [T: ?Sized] *mut T; [T: ?Sized] PhantomData<T>;
    [H] BuildHasherDefault<H>;
    [T] twin::Vec<T>; [T] twin::VecDeque<T>; [T] twin::HashSet<T>; [K, V] twin::HashMap<K, V>;
    [T] twin::BTreeSet<T>; [K, V] twin::BTreeMap<K, V>; [T] twin::BinaryHeap<T>;
    [T] twin::Cell<T>; [T] twin::OwnRefCell<T>; [T] twin::Box<T>; [T] twin::Rc<T>; [T] twin::Weak<T>;
}

late_drop! { "frees memory, after it has dropped what it owns, which is such a type, and looks at nothing else":
    [] String; [] OsString; [] PathBuf; [] CString;
    [T: LateDrop + ?Sized] Box<T>; [T: LateDrop + ?Sized] Rc<T>; [T: LateDrop + ?Sized] Arc<T>;
    [T: LateDrop] [T]; [T: LateDrop, const N: usize] [T; N]; [T: LateDrop] Vec<T>; [T: LateDrop] VecDeque<T>;
    [T: LateDrop] LinkedList<T>; [T: LateDrop] BinaryHeap<T>; [T: LateDrop] BTreeSet<T>; [K: LateDrop, V: LateDrop] BTreeMap<K, V>;
    [T: LateDrop, S: LateDrop] HashSet<T, S>; [K: LateDrop, V: LateDrop, S: LateDrop] HashMap<K, V, S>;
    [T: LateDrop] Option<T>; [T: LateDrop, E: LateDrop] Result<T, E>; [T: LateDrop] Cell<T>; [T: LateDrop] RefCell<T>;
    [A: LateDrop] (A,); [A: LateDrop, B: LateDrop] (A, B); [A: LateDrop, B: LateDrop, C: LateDrop] (A, B, C);
    [A: LateDrop, B: LateDrop, C: LateDrop, D: LateDrop] (A, B, C, D);
    [A: LateDrop, B: LateDrop, C: LateDrop, D: LateDrop, E: LateDrop] (A, B, C, D, E);
    [A: LateDrop, B: LateDrop, C: LateDrop, D: LateDrop, E: LateDrop, F: LateDrop] (A, B, C, D, E, F);
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Plain;
    struct Own(#[allow(dead_code)] String);
    struct Guard<'a>(&'a String);
    impl Drop for Guard<'_> {
        fn drop(&mut self) {
            assert!(self.0.is_empty());
        }
    }

    #[test]
    fn std_may_be_dropped_late() {
        fn all<'a>(_: &'a u8) {
            assert!(may_drop_late::<Plain>() && may_drop_late::<&'a Guard<'a>>(), "no drop glue");
            assert!(may_drop_late::<String>() && may_drop_late::<Vec<(u8, Box<[String]>)>>());
            assert!(may_drop_late::<Option<(&'a String, String)>>(), "a borrow is not looked at");
            assert!(may_drop_late::<HashMap<String, Rc<RefCell<Vec<String>>>>>());
            assert!(may_drop_late::<(String, twin::Vec<Own>, twin::Box<Own>, &'a mut Own)>());
        }
        all(&0);
    }

    #[test]
    fn what_may_have_a_destructor_of_its_own_may_not() {
        fn none<'a>(_: &'a u8) {
            assert!(!may_drop_late::<Guard<'a>>() && !may_drop_late::<Vec<Guard<'static>>>());
            assert!(!may_drop_late::<(String, Guard<'a>)>() && !may_drop_late::<Rc<Guard<'a>>>());
            assert!(!may_drop_late::<Own>(), "of a type of the user's nothing is known");
            assert!(!may_drop_late::<Box<dyn Fn() -> u8>>() && !may_drop_late::<Box<dyn std::any::Any>>());
        }
        none(&0);
    }
}
