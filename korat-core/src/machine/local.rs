//! A local of a machine: a cell in an activation record, whose bits are saved before they change.
//!
//! Generated code names the value of a local `x` as `(*x.get())` where it is looked at, as `x.value()` where it is moved or copied,
//! and through one of the others where it may change.
//!
//! # Why it is sound
//! The cell lies in the workspace's memory, which is released only by going back past the call that made the record; `UnsafeCell` lets it
//! be written behind `&self`. Generated code keeps the contract of `frame`: it gives a local its value before it looks at it, and its
//! statements are those of the user's own block, in which rustc has checked that nothing is changed while it is borrowed. So a reference
//! given here is used only while nobody else uses another one that conflicts with it, and only as long as the record is there.
//! A value without drop glue is its bits, of which there may be any number of copies; memory without a value has bits all the same.

use std::any::type_name;
use std::cell::{Cell, UnsafeCell};
use std::mem::{MaybeUninit, needs_drop};
use std::panic::RefUnwindSafe;

use super::{NOT_RESTORED, owned, unfit};
use crate::ambient;
use crate::twin;
use crate::undo::{copied, leads_inside, touch};

/// A local that lives from one block of a machine to the next.
pub struct Local<T> {
    value: UnsafeCell<MaybeUninit<T>>,
    /// The statement at which it was saved last.
    saved: Cell<u64>,
}

impl<T: 'static> Local<T> {
    /// Gives it its value, the only one of its activation.
    #[inline(always)]
    pub fn init(&self, value: T) {
        if needs_drop::<T>() {
            return self.put_owned(value);
        }
        self.saved.set(ambient::workspace().epoch());
        // SAFETY: nothing looks at the cell before it has its value.
        unsafe { (*self.value.get()).write(value) };
    }

    /// Gives it its value, the only one of its activation, which is never changed.
    #[inline(always)]
    pub fn give(&self, value: T) {
        if needs_drop::<T>() {
            return self.put_owned(value);
        }
        // SAFETY: nothing looks at the cell before it has its value.
        unsafe { (*self.value.get()).write(value) };
    }

    /// Gives it a value that is taken out again before anything else happens, so that it may have drop glue.
    #[inline(always)]
    pub(super) fn hand_over(&self, value: T) {
        // SAFETY: nothing looks at the cell until the value is taken out of it.
        unsafe { (*self.value.get()).write(value) };
    }

    /// The value that was handed over.
    #[inline(always)]
    pub(super) fn take_over(&self) -> T {
        // SAFETY: there is one, and it is taken once.
        unsafe { (*self.value.get()).assume_init_read() }
    }

    /// Gives it a value, perhaps again.
    #[inline(always)]
    pub fn set(&self, value: T) {
        if needs_drop::<T>() {
            return self.put_owned(value);
        }
        self.save();
        // SAFETY: the bits that are overwritten are saved, and nobody has a reference to them that is used later.
        unsafe { (*self.value.get()).write(value) };
    }

    /// A value that must be dropped: it is, when the search goes back past this moment.
    #[cold]
    fn put_owned(&self, value: T) {
        if owned::cloner::<T>().is_none() {
            drop(value);
            unfit(type_name::<T>(), NOT_RESTORED);
        }
        // SAFETY: the cell is in the workspace; what it holds, if anything, is dropped by the entry that was logged for it.
        unsafe { owned::put((*self.value.get()).as_mut_ptr(), value) };
        self.saved.set(ambient::workspace().epoch());
    }

    /// Says that it has no value yet, in a block that may run again in the same activation.
    #[inline]
    pub fn declare_again(&self) {
        if !needs_drop::<T>() {
            self.save();
        }
    }

    /// Says that it has no value yet.
    #[inline(always)]
    pub fn declare(&self) {
        self.saved.set(ambient::workspace().epoch());
    }

    /// The only value of a local that was declared without one, or one of several that different blocks give.
    #[inline(always)]
    pub fn assign(&self, value: T) {
        if needs_drop::<T>() {
            return self.put_owned(value);
        }
        *self.edit() = value;
    }

    /// Saves its bits, unless they were since the last statement that may be re-entered.
    #[inline(always)]
    fn save(&self) {
        let work = ambient::workspace();
        if self.saved.get() != work.epoch() {
            self.saved.set(work.epoch());
            // SAFETY: the cell is in the workspace, and its type has no drop glue.
            unsafe { work.save(self.value.get()) };
        }
    }

    /// Puts a clone in its place, unless that was done since the last statement that may be re-entered.
    #[cold]
    fn save_by_clone(&self) {
        if self.saved.get() == ambient::workspace().epoch() {
            return;
        }
        let Some(cloner) = owned::cloner::<T>() else { unfit(type_name::<T>(), NOT_RESTORED) };
        // SAFETY: there is a value, and the cloner is that of its type.
        self.put_owned(unsafe { owned::cloned(cloner, (*self.value.get()).as_ptr()) });
    }

    /// The value, to be looked at.
    #[inline(always)]
    pub fn get(&self) -> &'static T {
        // SAFETY: generated code looks at a local after it has given it its value, and the header says for how long.
        unsafe { (*self.value.get()).assume_init_ref() }
    }

    /// The value, to be changed by what saves its own changes.
    #[inline(always)]
    pub fn place(&self) -> &'static mut T {
        // SAFETY: there is a value, and the user's code has no other reference to it that it uses later.
        unsafe { (*self.value.get()).assume_init_mut() }
    }

    /// The value, to be changed.
    #[inline(always)]
    pub fn edit(&self) -> &'static mut T {
        if needs_drop::<T>() {
            self.save_by_clone();
        } else {
            self.save();
        }
        self.place()
    }

    /// The value, moved or copied.
    #[inline(always)]
    pub fn value(&self) -> T {
        if needs_drop::<T>() {
            return self.value_by_clone();
        }
        // SAFETY: there is a value, and one without drop glue may have any number of copies.
        unsafe { (*self.value.get()).assume_init_read() }
    }

    /// A local that owns memory keeps it, to be there when the search comes back.
    #[cold]
    fn value_by_clone(&self) -> T {
        let Some(cloner) = owned::cloner::<T>() else { unfit(type_name::<T>(), NOT_RESTORED) };
        // SAFETY: there is a value, and the cloner is that of its type.
        unsafe { owned::cloned(cloner, (*self.value.get()).as_ptr()) }
    }
}

/// The receiver of a method, if the local is `mut`: it may be changed.
pub trait Receive {
    /// The type of the local.
    type Value;
    /// The local, saved.
    fn receiver(&self) -> &'static mut Self::Value;
    /// The local, saved even if it is a container: another one may be put in its place.
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

/// The receiver of a method, if the local is not `mut`.
pub trait Look {
    /// The type of the local.
    type Value;
    /// The local.
    fn look(&self) -> &'static Self::Value;
    /// The local, of which a part is the receiver: only what a `&mut` in it leads to could be changed, and such a local is not restorable.
    fn part(&self) -> &'static mut Self::Value;
    /// The local, of which a part, or something that it owns, is changed by what saves it if it lies in the workspace.
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
        if needs_drop::<T>() {
            // What it owns lies elsewhere.
            self.save_by_clone();
        }
        self.place()
    }
}

/// A local that is moved or copied to where what it leads to may be changed.
pub trait Lend {
    /// The type of the local.
    type Value;
    /// The local, by value.
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
    /// What the reference leads to may be changed by the method.
    #[inline]
    pub fn look(&self) -> &'static mut &'static mut T {
        let place = self.place();
        leads_inside(&**place);
        touch(&mut **place);
        place
    }

    /// The reference, through which something is changed by what saves it.
    #[inline]
    pub fn reach(&self) -> &'static mut &'static mut T {
        let place = self.place();
        if needs_drop::<T>() {
            touch(&mut **place);
        }
        leads_inside(&**place);
        place
    }

    /// What the reference leads to may be changed in part by the method.
    #[inline]
    pub fn part(&self) -> &'static mut &'static mut T {
        self.look()
    }

    /// The reference, moved or copied: whoever gets it may change what it leads to, which is saved.
    #[inline]
    pub fn lent(&self) -> &'static mut T {
        let target = self.value();
        leads_inside(&*target);
        touch(target)
    }

    /// The reference and what it leads to may be changed by the method.
    #[inline]
    pub fn receiver(&self) -> &'static mut &'static mut T {
        self.save();
        self.look()
    }

    /// The reference and what it leads to, both saved.
    #[inline]
    pub fn whole(&self) -> &'static mut &'static mut T {
        self.receiver()
    }
}

// Its changes are saved.
impl<T: RefUnwindSafe> RefUnwindSafe for Local<T> {}

/// Containers save their own changes.
macro_rules! self_saving {
    ($([$($generics:tt)*] $type:ty;)*) => {$(
        impl<$($generics)*> Local<$type> {
            /// The container, which saves its own changes.
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

/// A value that the user's code moves or copies out of a part of a local.
#[inline(always)]
pub fn moved<T>(value: &T) -> T {
    copied(value).unwrap_or_else(|| unfit(type_name::<T>(), NOT_RESTORED))
}
