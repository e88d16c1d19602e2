//! `RefCell` of the predicate's own, around anything but a part of the structure: what is inside is saved when it is borrowed
//! to be changed. Guards count as std's do; they have drop glue, so that no moment to go back to lies within the life of one.
//!
//! # Why it is sound
//! The content lies in the workspace's memory (`undo/kept`), and is there as long as handles to the cell are. Value and count are in cells, so that
//! saving and restoring them ends no reference to the content. References to the value come from guards only, which the count keeps apart as
//! std's does, from a handle that is borrowed to be changed, or from the end of the cell, which moves the value out once.

use std::cell::{BorrowError, BorrowMutError, Cell, UnsafeCell};
use std::cmp::Ordering;
use std::fmt;
use std::marker::PhantomData;
use std::mem::ManuallyDrop;
use std::ops::{Deref, DerefMut};
use std::ptr::NonNull;

use crate::undo::{Data, Kept};

/// `std::cell::RefCell`: a handle, copied where the user's cell is moved.
pub struct OwnRefCell<T>(Kept<Content<T>>);

impl<T: Clone> Clone for OwnRefCell<T> {
    #[track_caller]
    fn clone(&self) -> Self {
        OwnRefCell::new(self.borrow().clone())
    }
}

impl<T: Clone> Copy for OwnRefCell<T> {}

struct Content<T> {
    value: ManuallyDrop<UnsafeCell<T>>,
    /// How many look inside; -1 while somebody may change it.
    looks: Cell<isize>,
    /// Whether the value was moved out; only told of what must be dropped.
    gone: bool,
}

impl<T> Data for Content<T> {
    type Held = T;

    fn drop_all(&mut self) {
        if !std::mem::replace(&mut self.gone, true) {
            // SAFETY: the value is there, and is not looked at again.
            unsafe { ManuallyDrop::drop(&mut self.value) };
        }
    }
}

/// One look, which ends when it is dropped.
struct Look<'b>(&'b Cell<isize>);

impl Drop for Look<'_> {
    fn drop(&mut self) {
        self.0.set(self.0.get() - self.0.get().signum());
    }
}

impl<T> OwnRefCell<T> {
    /// A cell with a value.
    #[inline]
    pub fn new(value: T) -> Self {
        let value = ManuallyDrop::new(UnsafeCell::new(value));
        OwnRefCell(Kept::new(Content { value, looks: Cell::new(0), gone: false }))
    }

    fn value(&self) -> NonNull<T> {
        NonNull::new(self.0.value.get()).expect("[korat internal bug] a value has an address")
    }

    /// Begins a look that brings the number of looks to `looks`.
    fn look(&self, looks: isize) -> Look<'_> {
        if let Some(work) = self.0.log() {
            // SAFETY: the content lies in the workspace; a number is its bits.
            unsafe { work.save(self.0.looks.as_ptr()) };
        }
        self.0.looks.set(looks);
        Look(&self.0.looks)
    }

    /// Looks inside.
    #[inline]
    #[track_caller]
    pub fn borrow(&self) -> OwnRef<'_, T> {
        self.try_borrow().expect("RefCell already mutably borrowed")
    }

    /// Looks inside, unless somebody may change it.
    #[inline]
    pub fn try_borrow(&self) -> Result<OwnRef<'_, T>, BorrowError> {
        match self.0.looks.get() {
            looks @ 0.. => Ok(OwnRef { value: self.value(), look: self.look(looks + 1) }),
            _ => {
                let busy = std::cell::RefCell::new(());
                let _change = busy.borrow_mut();
                busy.try_borrow().map(|_| unreachable!("[korat internal bug] the cell is borrowed"))
            }
        }
    }

    /// Looks inside to change it; saved.
    #[inline]
    #[track_caller]
    pub fn borrow_mut(&self) -> RefMut<'_, T> {
        self.try_borrow_mut().expect("RefCell already borrowed")
    }

    /// Looks inside to change it, unless somebody else looks.
    #[inline]
    pub fn try_borrow_mut(&self) -> Result<RefMut<'_, T>, BorrowMutError> {
        if self.0.looks.get() != 0 {
            let busy = std::cell::RefCell::new(());
            let _look = busy.borrow();
            return busy.try_borrow_mut().map(|_| unreachable!("[korat internal bug] the cell is borrowed"));
        }
        if let Some(work) = self.0.log() {
            // SAFETY: the value is its bits, and lies in the workspace.
            unsafe { work.save(self.0.value.get()) };
        }
        Ok(RefMut { value: self.value(), look: self.look(-1), _invariant: PhantomData })
    }

    /// Sets the value; gives the one before.
    #[track_caller]
    pub fn replace(&self, value: T) -> T {
        std::mem::replace(&mut *self.borrow_mut(), value)
    }

    /// Sets the value to what `replace` makes of it; gives the one before.
    #[track_caller]
    pub fn replace_with(&self, replace: impl FnOnce(&mut T) -> T) -> T {
        let mut value = self.borrow_mut();
        let new = replace(&mut value);
        std::mem::replace(&mut *value, new)
    }

    /// Takes the value, and leaves the default one.
    #[track_caller]
    pub fn take(&self) -> T
    where
        T: Default,
    {
        self.replace(T::default())
    }

    /// Swaps two values.
    #[track_caller]
    pub fn swap(&self, other: &OwnRefCell<T>) {
        std::mem::swap(&mut *self.borrow_mut(), &mut *other.borrow_mut());
    }

    /// The value, to be changed.
    pub fn get_mut(&mut self) -> &mut T {
        drop(self.borrow_mut());
        self.0.value.get_mut()
    }

    /// The address of the value.
    pub fn as_ptr(&self) -> *mut T {
        self.0.value.get()
    }

    /// The value, by value.
    pub fn into_inner(mut self) -> T {
        self.0.gone = Content::<T>::OWNS;
        // SAFETY: the value is there; what must be dropped is not looked at again, and without drop glue it may be had twice.
        unsafe { self.0.value.get().read() }
    }
}

/// `std::cell::Ref` into a cell of the predicate's own.
pub struct OwnRef<'b, T: ?Sized> {
    /// No reference: the guard may be dropped, and the value be changed, while a function has it as an argument.
    value: NonNull<T>,
    look: Look<'b>,
}

impl<'b, T: ?Sized> OwnRef<'b, T> {
    /// The same look again.
    #[allow(clippy::should_implement_trait)]
    pub fn clone(orig: &OwnRef<'b, T>) -> OwnRef<'b, T> {
        let looks = orig.look.0;
        looks.set(looks.get() + 1);
        OwnRef { value: orig.value, look: Look(looks) }
    }

    /// A look at a part.
    pub fn map<U: ?Sized>(orig: OwnRef<'b, T>, part: impl FnOnce(&T) -> &U) -> OwnRef<'b, U> {
        OwnRef { value: NonNull::from(part(&orig)), look: orig.look }
    }
}

impl<T: ?Sized> Deref for OwnRef<'_, T> {
    type Target = T;
    #[inline]
    fn deref(&self) -> &T {
        // SAFETY: nobody may change the value while the look lasts.
        unsafe { self.value.as_ref() }
    }
}

/// `std::cell::RefMut` into a cell of the predicate's own.
pub struct RefMut<'b, T: ?Sized> {
    /// As in `OwnRef`.
    value: NonNull<T>,
    look: Look<'b>,
    _invariant: PhantomData<&'b mut T>,
}

impl<'b, T: ?Sized> RefMut<'b, T> {
    /// A look at a part.
    pub fn map<U: ?Sized>(mut orig: RefMut<'b, T>, part: impl FnOnce(&mut T) -> &mut U) -> RefMut<'b, U> {
        RefMut { value: NonNull::from(part(&mut orig)), look: orig.look, _invariant: PhantomData }
    }
}

impl<T: ?Sized> Deref for RefMut<'_, T> {
    type Target = T;
    #[inline]
    fn deref(&self) -> &T {
        // SAFETY: nobody else looks at the value while the look lasts.
        unsafe { self.value.as_ref() }
    }
}

impl<T: ?Sized> DerefMut for RefMut<'_, T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut T {
        // SAFETY: nobody else looks at the value while the look lasts, and the guard is borrowed to be changed.
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

// Its own changes are logged.
impl<T: std::panic::RefUnwindSafe> std::panic::RefUnwindSafe for OwnRefCell<T> {}
impl<T: std::panic::UnwindSafe> std::panic::UnwindSafe for OwnRefCell<T> {}
