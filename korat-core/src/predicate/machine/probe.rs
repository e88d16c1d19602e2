//! Questions about the inferred types of locals: whether restoring their bits is enough when backtracking, and whether
//! they can be saved by clone. Method lookup on a `&&Probe` answers them, because it finds a trait implemented for
//! `&Probe` of certain types before one implemented for `Probe` of all types.
//!
//! Auto traits reveal what no type name can. A type is `UnwindSafe` only if it contains no `&mut`, and `RefUnwindSafe`
//! only if nothing in it changes behind a shared reference. std's atomics and locks claim the second all the same; they
//! are recognized by not being `Clone`. The captures of a closure are not known in the function that creates it, so
//! auto traits are queried in another function, which gets the type as `Probe<impl AnyType>`.

use std::any::{TypeId, type_name};
use std::marker::PhantomData;
use std::mem::needs_drop;
use std::panic::{RefUnwindSafe, UnwindSafe};

use super::frame::Frames;
use super::local::Local;
use super::plain::Plain;
use super::{CAPTURED_BEFORE, DROPPED_EARLY, not_resumable, saved_by_clone};
use crate::predicate::twin;

/// Carries the type of a local.
pub struct Probe<T: ?Sized>(PhantomData<fn() -> *const T>);

/// Any type.
pub trait AnyType {}
impl<T: ?Sized> AnyType for T {}

impl<T> Probe<T> {
    /// Probes the type of the local that `of` selects.
    pub fn of<L, R>(_: Frames<L, R>, _of: fn(&L) -> &Local<T>) -> Self {
        Probe(PhantomData)
    }

    /// Probes the type of a method's result.
    pub fn of_result<L>(_: Frames<L, T>) -> Self {
        Probe(PhantomData)
    }
}

/// A type that can be cloned without observable effects. Found before `NotClonable` for a `&&Probe`.
pub trait Clonable {
    /// Registers how the type is cloned, if it has drop glue.
    fn note_cloner(&self);
}

impl<T: Plain + Clone + 'static> Clonable for &Probe<T> {
    fn note_cloner(&self) {
        if const { needs_drop::<T>() } {
            saved_by_clone::note_cloner::<T>();
        }
    }
}

/// Any other type, for which no cloner is registered.
pub trait NotClonable {
    /// Registers nothing.
    fn note_cloner(&self) {}
}

impl<T> NotClonable for Probe<T> {}

/// A mutable reference. Generated code saves its target wherever it names the reference. Found before `NotMutReference` for a
/// `&&Probe`.
pub trait MutReference {
    /// The type of the target.
    type Type: ?Sized;
    /// Probes the type whose bits are saved.
    fn saved(&self) -> Probe<Self::Type> {
        Probe(PhantomData)
    }
}

impl<T: ?Sized> MutReference for &Probe<&'static mut T> {
    type Type = T;
}

/// Any other type, whose own bits are saved.
pub trait NotMutReference {
    /// The type itself.
    type Type;
    /// Probes the type whose bits are saved.
    fn saved(&self) -> Probe<Self::Type> {
        Probe(PhantomData)
    }
}

impl<T> NotMutReference for Probe<T> {
    type Type = T;
}

/// A type that neither is nor contains an atomic or a lock. Found before `MaybeLocked` for a `&&Probe`.
pub trait LockFree {
    /// Returns `None`.
    fn lock(&self) -> Option<&'static str> {
        None
    }
}

impl<T: Clone> LockFree for &Probe<T> {}
impl<T: Clone> LockFree for &Probe<[T]> {}
impl LockFree for &Probe<str> {}
impl<T: Clone> LockFree for &Probe<twin::Slice<T>> {}
// Guards of the structure's own cells give read access only. Like std's guards, they are not `Clone`.
impl<T: ?Sized> LockFree for &Probe<twin::Ref<'static, T>> {}

/// Any other type, which may be or contain an atomic or a lock.
pub trait MaybeLocked {
    /// Returns the name of the type.
    fn lock(&self) -> Option<&'static str>;
}

impl<T: ?Sized> MaybeLocked for Probe<T> {
    fn lock(&self) -> Option<&'static str> {
        Some(type_name::<T>())
    }
}

/// A type in which only its own bits change, and only through a `mut` place. Found before `NotRestorable` for a
/// `&&Probe`.
pub trait Restorable {
    /// Returns `None`.
    fn unrestorable(&self) -> Option<&'static str> {
        None
    }
}

impl<T: UnwindSafe + RefUnwindSafe + ?Sized> Restorable for &Probe<T> {}

/// Any other type: it may contain a `&mut` that generated code does not see, or change behind a shared reference.
pub trait NotRestorable {
    /// Returns the name of the type.
    fn unrestorable(&self) -> Option<&'static str>;
}

impl<T: ?Sized> NotRestorable for Probe<T> {
    fn unrestorable(&self) -> Option<&'static str> {
        Some(type_name::<T>())
    }
}

/// A type of which a closure can capture only the whole: while a closure holds it, nothing else changes it. Found
/// before `Translucent` for a `&&Local`.
pub trait Opaque {
    /// Does nothing.
    fn outlives_capture(&self) {}
}

macro_rules! opaque {
    ($([$($generics:tt)*] $type:ty;)*) => {$(
        impl<$($generics)*> Opaque for &Local<$type> {}
    )*};
}

opaque! {
    [] bool; [] char; [] u8; [] u16; [] u32; [] u64; [] u128; [] usize;
    [] i8; [] i16; [] i32; [] i64; [] i128; [] isize; [] String;
    [T] twin::Vec<T>; [T] twin::VecDeque<T>; [T] twin::BinaryHeap<T>; [K] twin::HashSet<K>; [K] twin::BTreeSet<K>;
    [K, V] twin::HashMap<K, V>; [K, V] twin::BTreeMap<K, V>; [T] twin::Cell<T>;
}

/// Any other type. A closure may capture the target of a reference, and keeps that target when the reference is set to
/// another one.
pub trait Translucent {
    /// Falls back to running the predicate from the start for every candidate.
    fn outlives_capture(&self);
}

impl<T> Translucent for Local<T> {
    #[cold]
    fn outlives_capture(&self) {
        not_resumable(type_name::<T>(), CAPTURED_BEFORE);
    }
}

/// Returns whether dropping a value of the type has no observable effect. A missing type costs time, never a result.
pub(crate) fn drops_unobservably<T>() -> bool {
    if const { !needs_drop::<T>() } {
        return true;
    }
    let id = typeid::of::<T>();
    [
        TypeId::of::<String>(),
        TypeId::of::<Option<String>>(),
        TypeId::of::<Box<str>>(),
        TypeId::of::<Vec<String>>(),
        TypeId::of::<Vec<char>>(),
        TypeId::of::<Vec<u8>>(),
        TypeId::of::<Vec<usize>>(),
    ]
    .contains(&id)
}

/// Checks a local that is dropped at the end of its block instead of its scope: the drop must have no observable
/// effect.
#[inline(always)]
pub fn check_early_drop<T>(_: &T) {
    if !drops_unobservably::<T>() {
        not_resumable(type_name::<T>(), DROPPED_EARLY);
    }
}

/// Checks a temporary that is dropped before the branch that it decides instead of after it: the drop must have no
/// observable effect.
#[inline(always)]
pub fn check_temporary_drop<T>(value: T) -> T {
    check_early_drop(&value);
    value
}
