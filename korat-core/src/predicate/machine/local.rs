//! A local of a machine: a cell in an activation record, whose bits are saved before they change. Generated code names
//! the value of a local `x` as `(*x.get())` to look at it, as `x.value()` to move or copy it, and through one of the
//! other methods where it may change.
//!
//! # Safety argument
//! The cell lies in the workspace's memory, which is released only by backtracking past the call that made the record;
//! `UnsafeCell` allows writes behind `&self`. Generated code keeps the contract of `frame`: it gives a local its value
//! before it looks at it, and its statements are those of the user's own block, in which rustc has checked that nothing
//! changes while it is borrowed. So a reference returned here is used only while no conflicting reference is in use,
//! and only as long as the record exists. A value without drop glue is just its bits, which may be copied any number of
//! times; memory without a value still has bits.

use std::any::type_name;
use std::cell::{Cell, UnsafeCell};
use std::mem::{MaybeUninit, needs_drop};
use std::panic::RefUnwindSafe;

use super::{NOT_RESTORED, not_resumable, saved_by_clone};
use crate::predicate::undo::bits::{copied, leads_inside, touch};
use crate::predicate::{context, twin};

/// A local that lives across blocks of a machine.
pub struct Local<T> {
    value: UnsafeCell<MaybeUninit<T>>,
    /// The epoch in which it was last saved.
    saved: Cell<u64>,
}

impl<T: 'static> Local<T> {
    /// Initializes the local. Called once per activation.
    #[inline(always)]
    pub fn init(&self, value: T) {
        if const { needs_drop::<T>() } {
            return self.put_owned(value);
        }
        self.saved.set(context::workspace().epoch());
        // SAFETY: nothing looks at the cell before it has its value.
        unsafe { (*self.value.get()).write(value) };
    }

    /// Initializes a local that never changes afterwards. Called once per activation.
    #[inline(always)]
    pub fn give(&self, value: T) {
        if const { needs_drop::<T>() } {
            return self.put_owned(value);
        }
        // SAFETY: nothing looks at the cell before it has its value.
        unsafe { (*self.value.get()).write(value) };
    }

    /// Stores a value that `take_over` moves out before anything else happens, so it may have drop glue.
    #[inline(always)]
    pub(super) fn hand_over(&self, value: T) {
        // SAFETY: nothing looks at the cell until the value is moved out of it.
        unsafe { (*self.value.get()).write(value) };
    }

    /// Moves out the value that `hand_over` stored.
    #[inline(always)]
    pub(super) fn take_over(&self) -> T {
        // SAFETY: there is a value, and it is taken once.
        unsafe { (*self.value.get()).assume_init_read() }
    }

    /// Sets the value, for the first time or again.
    #[inline(always)]
    pub fn set(&self, value: T) {
        if const { needs_drop::<T>() } {
            return self.put_owned(value);
        }
        self.log();
        // SAFETY: the overwritten bits are saved, and no reference to them is used later.
        unsafe { (*self.value.get()).write(value) };
    }

    /// Stores a value with drop glue. The undo log drops it when the search backtracks past this point.
    #[cold]
    fn put_owned(&self, value: T) {
        if saved_by_clone::cloner::<T>().is_none() {
            drop(value);
            not_resumable(type_name::<T>(), NOT_RESTORED);
        }
        // SAFETY: the cell is in the workspace. The log entry of the value it holds, if there is one, drops that value.
        unsafe { saved_by_clone::put((*self.value.get()).as_mut_ptr(), value) };
        self.saved.set(context::workspace().epoch());
    }

    /// Declares the local without a value, in a block that may run again in the same activation.
    #[inline]
    pub fn declare_again(&self) {
        if const { !needs_drop::<T>() } {
            self.log();
        }
    }

    /// Declares the local without a value.
    #[inline(always)]
    pub fn declare(&self) {
        self.saved.set(context::workspace().epoch());
    }

    /// Assigns a value to a local that was declared without one. Several blocks may each contain such an assignment.
    #[inline(always)]
    pub fn assign(&self, value: T) {
        if const { needs_drop::<T>() } {
            return self.put_owned(value);
        }
        self.save();
        // SAFETY: the overwritten bits are saved, and no reference to them is used later.
        unsafe { (*self.value.get()).write(value) };
    }

    /// Saves the bits, unless they were saved since the last resume point. The local is declared or
    /// has had a value, so `saved` is initialized.
    #[inline(always)]
    fn save(&self) {
        if self.saved.get() != context::workspace().epoch() {
            self.log();
        }
    }

    /// Saves the bits, whether or not the local has had a value in this activation.
    #[inline(always)]
    fn log(&self) {
        let work = context::workspace();
        self.saved.set(work.epoch());
        // SAFETY: the cell is in the workspace, and its type has no drop glue.
        unsafe { work.save(self.value.get()) };
    }

    /// Replaces the value with a clone, unless that was done since the last resume point.
    #[cold]
    fn save_by_clone(&self) {
        if self.saved.get() == context::workspace().epoch() {
            return;
        }
        let Some(cloner) = saved_by_clone::cloner::<T>() else { not_resumable(type_name::<T>(), NOT_RESTORED) };
        // SAFETY: there is a value, and the cloner is that of its type.
        self.put_owned(unsafe { saved_by_clone::cloned(cloner, (*self.value.get()).as_ptr()) });
    }

    /// Returns the value for reading.
    #[inline(always)]
    pub fn get(&self) -> &'static T {
        // SAFETY: generated code looks at a local after it has given it its value; the module header says for how long.
        unsafe { (*self.value.get()).assume_init_ref() }
    }

    /// Returns the value for changes by code that saves them itself.
    #[inline(always)]
    pub fn place(&self) -> &'static mut T {
        // SAFETY: there is a value, and the user's code uses no other reference to it later.
        unsafe { (*self.value.get()).assume_init_mut() }
    }

    /// Saves the value and returns it for changes.
    #[inline(always)]
    pub fn edit(&self) -> &'static mut T {
        if const { needs_drop::<T>() } {
            self.save_by_clone();
        } else {
            self.save();
        }
        self.place()
    }

    /// Moves or copies the value out.
    #[inline(always)]
    pub fn value(&self) -> T {
        if const { needs_drop::<T>() } {
            return self.value_by_clone();
        }
        // SAFETY: there is a value, and without drop glue it may be copied any number of times.
        unsafe { (*self.value.get()).assume_init_read() }
    }

    /// Returns a clone of a value with drop glue. The local keeps its own, for when the search backtracks.
    #[cold]
    fn value_by_clone(&self) -> T {
        let Some(cloner) = saved_by_clone::cloner::<T>() else { not_resumable(type_name::<T>(), NOT_RESTORED) };
        // SAFETY: there is a value, and the cloner is that of its type.
        unsafe { saved_by_clone::cloned(cloner, (*self.value.get()).as_ptr()) }
    }
}

/// How a local declared `mut` becomes the receiver of a method that may change it.
pub trait Receive {
    /// The type of the local.
    type Value;
    /// Saves the local and returns it.
    fn receiver(&self) -> &'static mut Self::Value;
    /// Saves the local and returns it, even if it is a container: another one may be put in its place.
    fn whole(&self) -> &'static mut Self::Value;
}

impl<T: 'static> Receive for Local<T> {
    type Value = T;
    #[inline(always)]
    fn receiver(&self) -> &'static mut T {
        self.edit()
    }
    #[inline(always)]
    fn whole(&self) -> &'static mut T {
        self.edit()
    }
}

/// How a local that is not `mut` becomes the receiver of a method.
pub trait Look {
    /// The type of the local.
    type Value;
    /// Returns the local for reading.
    fn look(&self) -> &'static Self::Value;
    /// Returns the local, a part of which is the receiver. Saves nothing: the method could change only what a `&mut`
    /// inside the local points to, and a type that contains one is not restorable.
    fn part(&self) -> &'static mut Self::Value;
    /// Returns the local for a change to a part of it, or to something it owns, by code that saves the target if that
    /// lies in the workspace.
    fn reach(&self) -> &'static mut Self::Value;
}

impl<T: 'static> Look for Local<T> {
    type Value = T;
    #[inline(always)]
    fn look(&self) -> &'static T {
        self.get()
    }
    #[inline(always)]
    fn part(&self) -> &'static mut T {
        self.place()
    }
    #[inline(always)]
    fn reach(&self) -> &'static mut T {
        if const { needs_drop::<T>() } {
            // What the value owns lies outside the workspace, so it must be saved here.
            self.save_by_clone();
        }
        self.place()
    }
}

/// How a local is moved or copied to where the target of a reference in it may be changed.
pub trait Lend {
    /// The type of the local.
    type Value;
    /// Returns the local by value.
    fn lent(&self) -> Self::Value;
}

impl<T: 'static> Lend for Local<T> {
    type Value = T;
    #[inline(always)]
    fn lent(&self) -> T {
        self.value()
    }
}

impl<T: ?Sized + 'static> Local<&'static mut T> {
    /// Returns the reference for a method that may change its target, which is saved.
    #[inline]
    pub fn look(&self) -> &'static mut &'static mut T {
        let place = self.place();
        leads_inside(&**place);
        touch(&mut **place);
        place
    }

    /// Returns the reference for a change through it by code that saves its own changes.
    #[inline]
    pub fn reach(&self) -> &'static mut &'static mut T {
        let place = self.place();
        if const { needs_drop::<T>() } {
            touch(&mut **place);
        }
        leads_inside(&**place);
        place
    }

    /// Returns the reference for a method that may change a part of its target, which is saved.
    #[inline]
    pub fn part(&self) -> &'static mut &'static mut T {
        self.look()
    }

    /// Moves or copies the reference out and saves its target, which the new holder may change.
    #[inline]
    pub fn lent(&self) -> &'static mut T {
        let target = self.value();
        leads_inside(&*target);
        touch(target)
    }

    /// Saves both the reference and its target, and returns the reference for a method that may change either.
    #[inline]
    pub fn receiver(&self) -> &'static mut &'static mut T {
        self.save();
        self.look()
    }

    /// Saves both the reference and its target, and returns the reference.
    #[inline]
    pub fn whole(&self) -> &'static mut &'static mut T {
        self.receiver()
    }
}

// It saves its own changes, so `probe` may treat it as restorable.
impl<T: RefUnwindSafe> RefUnwindSafe for Local<T> {}

/// Exempts containers from being saved: they log their own changes.
macro_rules! self_saving {
    ($([$($generics:tt)*] $type:ty;)*) => {$(
        impl<$($generics)*> Local<$type> {
            /// Returns the container, which logs its own changes.
            #[inline(always)]
            pub fn receiver(&self) -> &'static mut $type {
                self.place()
            }
        }
    )*};
}

self_saving! {
    [T: 'static] twin::Vec<T>;
    [K: 'static] twin::HashSet<K>;
    [K: 'static, V: 'static] twin::HashMap<K, V>;
    [T: 'static] twin::VecDeque<T>;
    [K: 'static] twin::BTreeSet<K>;
    [K: 'static, V: 'static] twin::BTreeMap<K, V>;
    [T: 'static] twin::BinaryHeap<T>;
}

/// Returns a value that the user's code moves or copies out of a part of a local.
#[inline(always)]
pub fn moved<T>(value: &T) -> T {
    copied(value).unwrap_or_else(|| not_resumable(type_name::<T>(), NOT_RESTORED))
}
