//! `RefCell` owned by the predicate, around anything but a part of the structure; borrowing it mutably saves its value.
//! Guards count borrows as std's do, and have drop glue, so that no checkpoint lies within the life of a guard.
//!
//! # Safety argument
//! The content lies in the workspace's memory (`undo/data_handle`), and exists as long as handles to the cell do. The value
//! and the borrow count are in cells, so saving and restoring them invalidates no reference to the content. A reference
//! to the value comes only from a guard, which the count keeps apart from others as std's does, from a mutably borrowed
//! handle, or from the consumption of the cell, which moves the value out once.

use std::cell::{BorrowError, BorrowMutError, Cell, UnsafeCell};
use std::cmp::Ordering;
use std::fmt;
use std::marker::PhantomData;
use std::mem::ManuallyDrop;
use std::ops::{Deref, DerefMut};
use std::ptr::NonNull;

use crate::predicate::undo::data_handle::{ContainerData, DataHandle};

/// The twin of `std::cell::RefCell`: a handle, copied where the user's code moves the cell.
pub struct OwnRefCell<T>(DataHandle<RefCellContent<T>>);

impl<T: Clone> Clone for OwnRefCell<T> {
    #[track_caller]
    fn clone(&self) -> Self {
        OwnRefCell::new(self.borrow().clone())
    }
}

impl<T: Clone> Copy for OwnRefCell<T> {}

struct RefCellContent<T> {
    value: ManuallyDrop<UnsafeCell<T>>,
    /// Number of shared borrows; -1 during a mutable borrow.
    borrows: Cell<isize>,
    /// Whether the value was moved out; kept only for types that must be dropped.
    gone: bool,
}

impl<T> ContainerData for RefCellContent<T> {
    type Held = T;

    fn drop_all(&mut self) {
        if !std::mem::replace(&mut self.gone, true) {
            // SAFETY: the value is there, and is not used again.
            unsafe { ManuallyDrop::drop(&mut self.value) };
        }
    }
}

/// One borrow, which ends on drop.
struct BorrowGuard<'b>(&'b Cell<isize>);

impl Drop for BorrowGuard<'_> {
    fn drop(&mut self) {
        self.0.set(self.0.get() - self.0.get().signum());
    }
}

impl<T> OwnRefCell<T> {
    /// Creates a cell that contains `value`.
    #[inline]
    pub fn new(value: T) -> Self {
        let value = ManuallyDrop::new(UnsafeCell::new(value));
        OwnRefCell(DataHandle::new(RefCellContent { value, borrows: Cell::new(0), gone: false }))
    }

    fn value(&self) -> NonNull<T> {
        NonNull::new(self.0.value.get()).expect("[korat internal bug] a value has an address")
    }

    /// Begins a borrow, after which the borrow count is `borrows`.
    fn begin_borrow(&self, borrows: isize) -> BorrowGuard<'_> {
        if let Some(work) = self.0.log() {
            // SAFETY: the content lies in the workspace; a number is its bits.
            unsafe { work.save(self.0.borrows.as_ptr()) };
        }
        self.0.borrows.set(borrows);
        BorrowGuard(&self.0.borrows)
    }

    /// Borrows the value.
    #[inline]
    #[track_caller]
    pub fn borrow(&self) -> OwnRef<'_, T> {
        self.try_borrow().expect("RefCell already mutably borrowed")
    }

    /// Borrows the value, unless it is mutably borrowed.
    #[inline]
    pub fn try_borrow(&self) -> Result<OwnRef<'_, T>, BorrowError> {
        match self.0.borrows.get() {
            borrows @ 0.. => Ok(OwnRef { value: self.value(), guard: self.begin_borrow(borrows + 1) }),
            _ => {
                let busy = std::cell::RefCell::new(());
                let _change = busy.borrow_mut();
                busy.try_borrow().map(|_| unreachable!("[korat internal bug] the cell is borrowed"))
            }
        }
    }

    /// Saves the value and borrows it mutably.
    #[inline]
    #[track_caller]
    pub fn borrow_mut(&self) -> RefMut<'_, T> {
        self.try_borrow_mut().expect("RefCell already borrowed")
    }

    /// Saves the value and borrows it mutably, unless it is borrowed.
    #[inline]
    pub fn try_borrow_mut(&self) -> Result<RefMut<'_, T>, BorrowMutError> {
        if self.0.borrows.get() != 0 {
            let busy = std::cell::RefCell::new(());
            let _look = busy.borrow();
            return busy.try_borrow_mut().map(|_| unreachable!("[korat internal bug] the cell is borrowed"));
        }
        if let Some(work) = self.0.log() {
            // SAFETY: the value is its bits, and lies in the workspace.
            unsafe { work.save(self.0.value.get()) };
        }
        Ok(RefMut { value: self.value(), guard: self.begin_borrow(-1), _invariant: PhantomData })
    }

    /// Sets the value. Returns the previous one.
    #[track_caller]
    pub fn replace(&self, value: T) -> T {
        std::mem::replace(&mut *self.borrow_mut(), value)
    }

    /// Sets the value to the result of `replace`. Returns the previous value.
    #[track_caller]
    pub fn replace_with(&self, replace: impl FnOnce(&mut T) -> T) -> T {
        let mut value = self.borrow_mut();
        let new = replace(&mut value);
        std::mem::replace(&mut *value, new)
    }

    /// Takes the value and leaves the default in its place.
    #[track_caller]
    pub fn take(&self) -> T
    where
        T: Default,
    {
        self.replace(T::default())
    }

    /// Swaps the values of two cells.
    #[track_caller]
    pub fn swap(&self, other: &OwnRefCell<T>) {
        std::mem::swap(&mut *self.borrow_mut(), &mut *other.borrow_mut());
    }

    /// Saves the value and returns it for changes.
    pub fn get_mut(&mut self) -> &mut T {
        drop(self.borrow_mut());
        self.0.value.get_mut()
    }

    /// Returns the address of the value.
    pub fn as_ptr(&self) -> *mut T {
        self.0.value.get()
    }

    /// Returns the value, consuming the cell.
    pub fn into_inner(mut self) -> T {
        self.0.gone = RefCellContent::<T>::OWNS;
        // SAFETY: the value is there. If it must be dropped it is not used again, and without drop glue it may be
        // duplicated.
        unsafe { self.0.value.get().read() }
    }
}

/// The twin of `std::cell::Ref`, for a cell owned by the predicate.
pub struct OwnRef<'b, T: ?Sized> {
    /// Not a reference: a function that has the guard as an argument may drop it, after which the value may change.
    value: NonNull<T>,
    guard: BorrowGuard<'b>,
}

impl<'b, T: ?Sized> OwnRef<'b, T> {
    /// Duplicates the borrow.
    #[allow(clippy::should_implement_trait)]
    pub fn clone(orig: &OwnRef<'b, T>) -> OwnRef<'b, T> {
        let borrows = orig.guard.0;
        borrows.set(borrows.get() + 1);
        OwnRef { value: orig.value, guard: BorrowGuard(borrows) }
    }

    /// Narrows the borrow to a part.
    pub fn map<U: ?Sized>(orig: OwnRef<'b, T>, part: impl FnOnce(&T) -> &U) -> OwnRef<'b, U> {
        OwnRef { value: NonNull::from(part(&orig)), guard: orig.guard }
    }
}

impl<T: ?Sized> Deref for OwnRef<'_, T> {
    type Target = T;
    #[inline]
    fn deref(&self) -> &T {
        // SAFETY: the value cannot change during the borrow.
        unsafe { self.value.as_ref() }
    }
}

/// The twin of `std::cell::RefMut`, for a cell owned by the predicate.
pub struct RefMut<'b, T: ?Sized> {
    /// Not a reference, for the same reason as in `OwnRef`.
    value: NonNull<T>,
    guard: BorrowGuard<'b>,
    _invariant: PhantomData<&'b mut T>,
}

impl<'b, T: ?Sized> RefMut<'b, T> {
    /// Narrows the borrow to a part.
    pub fn map<U: ?Sized>(mut orig: RefMut<'b, T>, part: impl FnOnce(&mut T) -> &mut U) -> RefMut<'b, U> {
        RefMut { value: NonNull::from(part(&mut orig)), guard: orig.guard, _invariant: PhantomData }
    }
}

impl<T: ?Sized> Deref for RefMut<'_, T> {
    type Target = T;
    #[inline]
    fn deref(&self) -> &T {
        // SAFETY: nothing else accesses the value during the mutable borrow.
        unsafe { self.value.as_ref() }
    }
}

impl<T: ?Sized> DerefMut for RefMut<'_, T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut T {
        // SAFETY: nothing else accesses the value during the mutable borrow, and the guard is borrowed mutably.
        unsafe { self.value.as_mut() }
    }
}

impl<T: Default> Default for OwnRefCell<T> {
    fn default() -> Self {
        OwnRefCell::new(T::default())
    }
}

impl<T> From<T> for OwnRefCell<T> {
    fn from(value: T) -> Self {
        OwnRefCell::new(value)
    }
}

impl<T: PartialEq> PartialEq for OwnRefCell<T> {
    fn eq(&self, other: &Self) -> bool {
        *self.borrow() == *other.borrow()
    }
}

impl<T: Eq> Eq for OwnRefCell<T> {}

impl<T: PartialOrd> PartialOrd for OwnRefCell<T> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        self.borrow().partial_cmp(&*other.borrow())
    }
}

impl<T: Ord> Ord for OwnRefCell<T> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.borrow().cmp(&*other.borrow())
    }
}

impl<T: fmt::Debug> fmt::Debug for OwnRefCell<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.try_borrow() {
            Ok(value) => f.debug_struct("RefCell").field("value", &value).finish(),
            Err(_) => f.debug_struct("RefCell").field("value", &format_args!("<borrowed>")).finish(),
        }
    }
}

impl<T: ?Sized + fmt::Debug> fmt::Debug for OwnRef<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

impl<T: ?Sized + fmt::Display> fmt::Display for OwnRef<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

impl<T: ?Sized + fmt::Debug> fmt::Debug for RefMut<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

impl<T: ?Sized + fmt::Display> fmt::Display for RefMut<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

// It logs its own changes, so `machine::probe` may treat it as restorable.
impl<T: std::panic::RefUnwindSafe> std::panic::RefUnwindSafe for OwnRefCell<T> {}
impl<T: std::panic::UnwindSafe> std::panic::UnwindSafe for OwnRefCell<T> {}
