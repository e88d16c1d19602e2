//! `Cell`: of the predicate's own, where what `set` overwrites through a shared reference is logged; or of the structure, which
//! can be looked into and not changed.
//!
//! # Why it is sound
//! The content of a cell of the predicate's own lies in the workspace's memory (`undo/kept`), and is there as long as handles to it are. The value is in a
//! cell of std's, to which no reference is given but by a handle that is borrowed to be changed; saving and restoring it ends none to the
//! content. With drop glue it is dropped or moved out once, which `gone` says. A field is an element that its heap keeps.

use std::cell::Cell as StdCell;
use std::cmp::Ordering;
use std::fmt;
use std::mem::ManuallyDrop;
use std::ops::Deref;

use super::elem::Elem;
use crate::undo::{Data, Kept};

/// `std::cell::Cell`: a handle, copied where the user's cell is moved.
pub struct Cell<T>(Repr<T>);

enum Repr<T> {
    Own(Kept<Content<T>>),
    /// A field of a heap, which is never freed.
    Field(*const Elem<T>),
}

impl<T> Clone for Repr<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Repr<T> {}

impl<T: Copy> Clone for Cell<T> {
    fn clone(&self) -> Self {
        match self.0 {
            Repr::Own(_) => Cell::new(self.get()),
            // A field cannot be changed, nor its clone.
            Repr::Field(_) => *self,
        }
    }
}

impl<T: Copy> Copy for Cell<T> {}

struct Content<T> {
    value: ManuallyDrop<StdCell<T>>,
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

impl<T> Cell<T> {
    /// A cell with a value.
    #[inline]
    pub fn new(value: T) -> Self {
        Cell(Repr::Own(Kept::new(Content { value: ManuallyDrop::new(StdCell::new(value)), gone: false })))
    }

    /// The content of a cell of the predicate's own.
    #[inline]
    fn own(&self) -> Kept<Content<T>> {
        match self.0 {
            Repr::Own(content) => content,
            Repr::Field(_) => {
                panic!("`rep_ok` changes a `Cell` of the structure, or hands it on; copy its value instead")
            }
        }
    }

    /// The cell, to be changed; saved.
    #[inline]
    fn saved(&self) -> &StdCell<T> {
        let content = self.own();
        if let Some(work) = content.log() {
            // SAFETY: the value is its bits, and lies in the workspace.
            unsafe { work.save(content.value.as_ptr()) };
        }
        // SAFETY: the content lives in the workspace for as long as there are handles to it, as `Kept` says.
        unsafe { &*std::ptr::from_ref::<StdCell<T>>(&content.value) }
    }

    /// The value.
    #[inline]
    pub fn get(&self) -> T
    where
        T: Copy,
    {
        match &self.0 {
            Repr::Own(content) => content.value.get(),
            // SAFETY: `of_field` was given an element that its heap keeps, and heaps are never freed.
            Repr::Field(elem) => *unsafe { &**elem }.get(),
        }
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
        if !self.own().is(other.own()) {
            self.saved().swap(other.saved());
        }
    }

    /// The value, to be changed.
    pub fn get_mut(&mut self) -> &mut T {
        let cell = self.saved().as_ptr();
        // SAFETY: the handle is borrowed to be changed, and is the only one in use.
        unsafe { &mut *cell }
    }

    /// The address of the value.
    pub fn as_ptr(&self) -> *mut T {
        self.saved().as_ptr()
    }

    /// The value, by value.
    pub fn into_inner(self) -> T {
        let mut content = self.own();
        content.gone = Content::<T>::OWNS;
        // SAFETY: the value is there; what must be dropped is not looked at again, and without drop glue it may be had twice.
        unsafe { content.value.as_ptr().read() }
    }
}

impl<T: 'static> Cell<T> {
    /// A cell of the structure.
    pub(crate) fn of_field(elem: &'static Elem<T>) -> Self {
        Cell(Repr::Field(elem))
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
        f.debug_struct("Cell").field("value", &self.get()).finish()
    }
}

// Its own changes are logged.
impl<T: std::panic::RefUnwindSafe> std::panic::RefUnwindSafe for Cell<T> {}
impl<T: std::panic::UnwindSafe> std::panic::UnwindSafe for Cell<T> {}
