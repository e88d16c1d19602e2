//! `Cell` of the predicate's own: what `set` overwrites through a shared reference is logged.

use std::cell::Cell as StdCell;
use std::cmp::Ordering;
use std::fmt;
use std::mem::{ManuallyDrop, needs_drop};
use std::ops::Deref;

use crate::undo::{Data, Kept};

/// `std::cell::Cell`: a handle, copied where the user's cell is moved.
pub struct Cell<T>(Kept<Content<T>>);

impl<T: Copy> Clone for Cell<T> {
    fn clone(&self) -> Self {
        Cell::new(self.get())
    }
}

impl<T: Copy> Copy for Cell<T> {}

struct Content<T> {
    value: ManuallyDrop<StdCell<T>>,
    /// Whether the value was moved out; only told of what must be dropped.
    gone: bool,
}

impl<T> Data for Content<T> {
    const OWNS: bool = needs_drop::<T>();

    fn drop_all(&mut self) {
        if !std::mem::replace(&mut self.gone, true) {
            // SAFETY: the value is there, and is not looked at again.
            unsafe { ManuallyDrop::drop(&mut self.value) };
        }
    }
}

impl<T> Cell<T> {
    /// A cell with a value.
    #[inline]
    pub fn new(value: T) -> Self {
        Cell(Kept::new(Content { value: ManuallyDrop::new(StdCell::new(value)), gone: false }))
    }

    /// The cell, to be changed; saved.
    #[inline]
    fn saved(&self) -> &StdCell<T> {
        if let Some(work) = self.0.log() {
            // SAFETY: the value is its bits, and lies in the workspace.
            unsafe { work.save(self.0.value.as_ptr()) };
        }
        &self.0.value
    }

    /// The value.
    #[inline]
    pub fn get(&self) -> T
    where
        T: Copy,
    {
        self.0.value.get()
    }

    /// Sets the value.
    #[inline]
    pub fn set(&self, value: T) {
        self.saved().set(value);
    }

    /// Sets the value; gives the one before.
    #[inline]
    pub fn replace(&self, value: T) -> T {
        self.saved().replace(value)
    }

    /// Takes the value, and leaves the default one.
    #[inline]
    pub fn take(&self) -> T
    where
        T: Default,
    {
        self.replace(T::default())
    }

    /// Sets the value to what `update` makes of it.
    #[inline]
    pub fn update(&self, update: impl FnOnce(T) -> T)
    where
        T: Copy,
    {
        self.set(update(self.get()));
    }

    /// Swaps two values.
    pub fn swap(&self, other: &Cell<T>) {
        if !self.0.is(other.0) {
            self.saved().swap(other.saved());
        }
    }

    /// The value, to be changed.
    pub fn get_mut(&mut self) -> &mut T {
        self.saved();
        self.0.value.get_mut()
    }

    /// The address of the value.
    pub fn as_ptr(&self) -> *mut T {
        self.saved().as_ptr()
    }

    /// The value, by value.
    pub fn into_inner(mut self) -> T {
        self.0.gone = Content::<T>::OWNS;
        // SAFETY: the value is there; what must be dropped is not looked at again, and without drop glue it may be had twice.
        unsafe { self.0.value.as_ptr().read() }
    }
}

/// The cell of std inside, for a function that is not lifted.
impl<T> Deref for Cell<T> {
    type Target = StdCell<T>;
    #[cold]
    fn deref(&self) -> &StdCell<T> {
        self.saved()
    }
}

impl<T: Default> Default for Cell<T> {
    fn default() -> Self {
        Cell::new(T::default())
    }
}

impl<T> From<T> for Cell<T> {
    fn from(value: T) -> Self {
        Cell::new(value)
    }
}

impl<T: PartialEq + Copy> PartialEq for Cell<T> {
    fn eq(&self, other: &Self) -> bool {
        self.get() == other.get()
    }
}

impl<T: Eq + Copy> Eq for Cell<T> {}

impl<T: PartialOrd + Copy> PartialOrd for Cell<T> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        self.get().partial_cmp(&other.get())
    }
}

impl<T: Ord + Copy> Ord for Cell<T> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.get().cmp(&other.get())
    }
}

impl<T: fmt::Debug + Copy> fmt::Debug for Cell<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.value.fmt(f)
    }
}

// Its own changes are logged.
impl<T: std::panic::RefUnwindSafe> std::panic::RefUnwindSafe for Cell<T> {}
