//! `Cell` in a lifted predicate: either a cell owned by the predicate, which logs the values that `set` overwrites
//! through a shared reference, or a cell of the structure, which is read-only.
//!
//! # Safety argument
//! The content of a cell owned by the predicate lies in the workspace's memory (`undo/data_handle`), and exists as long as
//! handles to it do. The value is in a cell of std, and only a mutably borrowed handle gives a reference to the value;
//! saving and restoring the value invalidates no reference to the content. A value with drop glue is dropped or moved
//! out once, which `gone` records. A field is an element that its heap keeps.

use std::cell::Cell as StdCell;
use std::cmp::Ordering;
use std::fmt;
use std::mem::ManuallyDrop;
use std::ops::Deref;

use super::elem::Elem;
use crate::predicate::undo::data_handle::{ContainerData, DataHandle};

/// The twin of `std::cell::Cell`: a handle, copied where the user's code moves the cell.
pub struct Cell<T>(CellRepr<T>);

enum CellRepr<T> {
    Own(DataHandle<CellContent<T>>),
    /// A field of a heap, which is never freed.
    Field(*const Elem<T>),
}

impl<T> Clone for CellRepr<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for CellRepr<T> {}

impl<T: Copy> Clone for Cell<T> {
    fn clone(&self) -> Self {
        match self.0 {
            CellRepr::Own(_) => Cell::new(self.get()),
            // A field is read-only, and so is its clone.
            CellRepr::Field(_) => *self,
        }
    }
}

impl<T: Copy> Copy for Cell<T> {}

struct CellContent<T> {
    value: ManuallyDrop<StdCell<T>>,
    /// Whether the value was moved out; kept only for types that must be dropped.
    gone: bool,
}

impl<T> ContainerData for CellContent<T> {
    type Held = T;

    fn drop_all(&mut self) {
        if !std::mem::replace(&mut self.gone, true) {
            // SAFETY: the value is there, and is not used again.
            unsafe { ManuallyDrop::drop(&mut self.value) };
        }
    }
}

impl<T> Cell<T> {
    /// Creates a cell that contains `value`.
    #[inline]
    pub fn new(value: T) -> Self {
        Cell(CellRepr::Own(DataHandle::new(CellContent { value: ManuallyDrop::new(StdCell::new(value)), gone: false })))
    }

    /// Returns the content of a cell owned by the predicate.
    #[inline]
    fn own(&self) -> DataHandle<CellContent<T>> {
        match self.0 {
            CellRepr::Own(content) => content,
            CellRepr::Field(_) => {
                panic!("[korat] `rep_ok` changes a `Cell` of the structure, or hands it on; copy its value instead")
            }
        }
    }

    /// Saves the value and returns the cell for changes.
    #[inline]
    fn saved(&self) -> &StdCell<T> {
        let content = self.own();
        if let Some(work) = content.log() {
            // SAFETY: the value is its bits, and lies in the workspace.
            unsafe { work.save(content.value.as_ptr()) };
        }
        // SAFETY: the content lives in the workspace as long as there are handles to it, see `DataHandle`.
        unsafe { &*std::ptr::from_ref::<StdCell<T>>(&content.value) }
    }

    /// Returns the value.
    #[inline]
    pub fn get(&self) -> T
    where
        T: Copy,
    {
        match &self.0 {
            CellRepr::Own(content) => content.value.get(),
            // SAFETY: `of_field` was given an element that its heap keeps, and heaps are never freed.
            CellRepr::Field(elem) => *unsafe { &**elem }.get(),
        }
    }

    /// Sets the value.
    #[inline]
    pub fn set(&self, value: T) {
        self.saved().set(value);
    }

    /// Sets the value. Returns the previous one.
    #[inline]
    pub fn replace(&self, value: T) -> T {
        self.saved().replace(value)
    }

    /// Takes the value and leaves the default in its place.
    #[inline]
    pub fn take(&self) -> T
    where
        T: Default,
    {
        self.replace(T::default())
    }

    /// Sets the value to the result of `update`.
    #[inline]
    pub fn update(&self, update: impl FnOnce(T) -> T)
    where
        T: Copy,
    {
        self.set(update(self.get()));
    }

    /// Swaps the values of two cells.
    pub fn swap(&self, other: &Cell<T>) {
        if !self.own().is(other.own()) {
            self.saved().swap(other.saved());
        }
    }

    /// Returns a mutable reference to the value.
    pub fn get_mut(&mut self) -> &mut T {
        let cell = self.saved().as_ptr();
        // SAFETY: the handle is borrowed mutably, and is the only one in use.
        unsafe { &mut *cell }
    }

    /// Returns the address of the value.
    pub fn as_ptr(&self) -> *mut T {
        self.saved().as_ptr()
    }

    /// Returns the value, consuming the cell.
    pub fn into_inner(self) -> T {
        let mut content = self.own();
        content.gone = CellContent::<T>::OWNS;
        // SAFETY: the value is there. If it must be dropped it is not used again, and without drop glue it may be
        // duplicated.
        unsafe { content.value.as_ptr().read() }
    }
}

impl<T: 'static> Cell<T> {
    /// Returns a cell of the structure.
    pub(crate) fn of_field(elem: &'static Elem<T>) -> Self {
        Cell(CellRepr::Field(elem))
    }
}

/// Dereferences to the std cell inside, for functions that are not lifted.
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

// It logs its own changes, so `machine::probe` may treat it as restorable.
impl<T: std::panic::RefUnwindSafe> std::panic::RefUnwindSafe for Cell<T> {}
impl<T: std::panic::UnwindSafe> std::panic::UnwindSafe for Cell<T> {}
