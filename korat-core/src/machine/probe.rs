//! What is asked of the types of locals, once all of them are inferred: whether their bits are all that going back has to restore, and
//! whether they can be saved by clone. Method lookup on a `&&Probe` answers: what holds of the type is found before what holds of any.
//!
//! Auto traits show what no name can. A type is `UnwindSafe` only if there is no `&mut` in it, and `RefUnwindSafe` only if
//! nothing in it changes behind a shared reference; std's atomics and locks claim the second all the same, and are told by not being `Clone`.
//! What a closure captures is not known in the function that makes it, so auto traits are asked in another one, which gets the type as
//! `Probe<impl AnyType>`.

use std::any::{TypeId, type_name};
use std::marker::PhantomData;
use std::mem::needs_drop;
use std::panic::{RefUnwindSafe, UnwindSafe};

use super::plain::Plain;
use super::{CAPTURED_BEFORE, DROPPED_EARLY, Frames, Local, owned, unfit};
use crate::twin;

/// Says which type a local has.
pub struct Probe<T: ?Sized>(PhantomData<fn() -> *const T>);

/// Any type.
pub trait AnyType {}
impl<T: ?Sized> AnyType for T {}

impl<T> Probe<T> {
    /// The type of the local that `of` picks.
    pub fn of<L, R>(_: Frames<L, R>, _of: fn(&L) -> &Local<T>) -> Self {
        Probe(PhantomData)
    }

    /// The type of a method's result.
    pub fn of_result<L>(_: Frames<L, T>) -> Self {
        Probe(PhantomData)
    }
}

/// A type that can be cloned, and nobody notices. Found before `NotClonable` for a `&&Probe`.
pub trait Clonable {
    /// Notes how.
    fn note_cloner(&self);
}

impl<T: Plain + Clone + 'static> Clonable for &Probe<T> {
    fn note_cloner(&self) {
        if needs_drop::<T>() {
            owned::note_cloner::<T>();
        }
    }
}

/// Any other type.
pub trait NotClonable {
    /// Notes nothing.
    fn note_cloner(&self) {}
}

impl<T> NotClonable for Probe<T> {}

/// A mutable reference: generated code saves what it leads to wherever it names the reference. Found before `Itself` for a `&&Probe`.
pub trait Target {
    /// What it leads to.
    type Type: ?Sized;
    /// The type whose bits are saved.
    fn saved(&self) -> Probe<Self::Type> {
        Probe(PhantomData)
    }
}

impl<T: ?Sized> Target for &Probe<&'static mut T> {
    type Type = T;
}

/// Any other type.
pub trait Itself {
    /// The type.
    type Type;
    /// The type whose bits are saved.
    fn saved(&self) -> Probe<Self::Type> {
        Probe(PhantomData)
    }
}

impl<T> Itself for Probe<T> {
    type Type = T;
}

/// A type that is no atomic or lock, nor holds one. Found before `Locked` for a `&&Probe`.
pub trait Unlocked {
    /// Nothing to say.
    fn lock(&self) -> Option<&'static str> {
        None
    }
}

impl<T: Clone> Unlocked for &Probe<T> {}
impl<T: Clone> Unlocked for &Probe<[T]> {}
impl Unlocked for &Probe<str> {}
impl<T: Clone> Unlocked for &Probe<twin::Slice<T>> {}
// Guards of the structure's own cells, which only look; std's are no `Clone` either.
impl<T: ?Sized> Unlocked for &Probe<twin::Ref<'static, T>> {}

/// Any other type.
pub trait Locked {
    /// The name of the type.
    fn lock(&self) -> Option<&'static str>;
}

impl<T: ?Sized> Locked for Probe<T> {
    fn lock(&self) -> Option<&'static str> {
        Some(type_name::<T>())
    }
}

/// A type of which nothing changes but its own bits, and only where somebody says `mut`. Found before `NotRestorable` for a `&&Probe`.
pub trait Restorable {
    /// Nothing to say.
    fn unrestorable(&self) -> Option<&'static str> {
        None
    }
}

impl<T: UnwindSafe + RefUnwindSafe + ?Sized> Restorable for &Probe<T> {}

/// Any other type: it may hold a `&mut` that generated code does not see, or change behind a shared reference.
pub trait NotRestorable {
    /// The name of the type.
    fn unrestorable(&self) -> Option<&'static str>;
}

impl<T: ?Sized> NotRestorable for Probe<T> {
    fn unrestorable(&self) -> Option<&'static str> {
        Some(type_name::<T>())
    }
}

/// A type in which nothing can be captured but the whole: while a closure has it, nobody else changes it. Found before `Translucent` for
/// a `&&Local`.
pub trait Opaque {
    /// Nothing to do.
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

/// Any other type: of a reference, a closure may capture what it leads to, and see that when the reference leads elsewhere.
pub trait Translucent {
    /// Runs the predicate from the top.
    fn outlives_capture(&self);
}

impl<T> Translucent for Local<T> {
    #[cold]
    fn outlives_capture(&self) {
        unfit(type_name::<T>(), CAPTURED_BEFORE);
    }
}

/// Whether nobody can notice when a value of the type is dropped. Types that are missing here cost time, never a result.
pub(crate) fn drops_unnoticed<T>() -> bool {
    if !needs_drop::<T>() {
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

/// A local that is dropped at the end of its block, not of its scope: nobody must be able to notice.
#[inline(always)]
pub fn ends_early<T>(_: &T) {
    if !drops_unnoticed::<T>() {
        unfit(type_name::<T>(), DROPPED_EARLY);
    }
}

/// A temporary that is dropped before the branch that it decides, not after it: nobody must be able to notice.
#[inline(always)]
pub fn passing<T>(value: T) -> T {
    ends_early(&value);
    value
}
