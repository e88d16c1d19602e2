//! Skipped fields: what a predicate sees of them, and the user's own values that a repair shows in their place.
//!
//! # Safety argument
//! A cell belongs to a heap and is never freed. The address that it holds is that of a field in a value that a repair
//! has borrowed. The repair writes nothing to that field before the predicate's last run, and holds the `BorrowedFields` that
//! clears the address before the heap is released to other searches.

use std::cell::Cell;
use std::ops::Deref;
use std::panic::RefUnwindSafe;
use std::ptr;

use crate::slots::slot::ReadCell;

/// The cell of a skipped field: shows a generated value, or the user's own during a repair.
pub struct SkippedCell<T> {
    made: T,
    /// Makes such a value anew.
    remake: (fn(usize) -> T, usize),
    /// The address of the field in the user's object while that is repaired.
    own: Own,
}

/// The address of a field of the user's; null if there is none.
type Own = Cell<*const ()>;

/// Skipped fields that show the user's own values until this is dropped.
#[derive(Default)]
pub(crate) struct BorrowedFields(Vec<*const Own>);

impl BorrowedFields {
    /// Shows `field`, which belongs to the user, in place of the generated value.
    ///
    /// # Safety
    /// The cell must belong to a heap. The field must be alive and unmodified as long as a predicate may read the cell,
    /// and this must be dropped before anything else searches that heap.
    pub(crate) unsafe fn borrow_field<T>(&mut self, field: &T, cell: &SkippedCell<T>) {
        cell.own.set(ptr::from_ref(field).cast());
        self.0.push(&raw const cell.own);
    }
}

impl Drop for BorrowedFields {
    fn drop(&mut self) {
        for &own in &self.0 {
            // SAFETY: the caller of `borrow_field` guaranteed that the cell belongs to a heap; heaps with cells are never
            // freed.
            unsafe { &*own }.set(ptr::null());
        }
    }
}

/// The cell shows another value only between two runs of a predicate.
impl<T: RefUnwindSafe> RefUnwindSafe for SkippedCell<T> {}

impl<T> SkippedCell<T> {
    /// Creates a cell that shows a generated value.
    pub(crate) fn new(make: fn(usize) -> T, scope: usize) -> Self {
        SkippedCell { made: make(scope), remake: (make, scope), own: Own::default() }
    }

    /// Returns a value like the generated one, unless the cell shows another.
    pub(crate) fn remade(&self) -> Option<T> {
        let (make, scope) = self.remake;
        self.own.get().is_null().then(|| make(scope))
    }

    /// Returns the value that a predicate sees.
    #[inline(always)]
    pub fn __korat_read(&self) -> &T {
        let own = self.own.get().cast::<T>();
        // SAFETY: the address is null, or that of a field which is alive and unmodified while a predicate reads it, as
        // the caller of `borrow_field` guaranteed.
        unsafe { own.as_ref() }.unwrap_or(&self.made)
    }

    /// Returns the value that a field pattern is matched against.
    #[inline(always)]
    pub fn __korat_cell(&self) -> &T {
        self.__korat_read()
    }
}

impl<T> Deref for SkippedCell<T> {
    type Target = T;
    #[inline(always)]
    fn deref(&self) -> &T {
        self.__korat_read()
    }
}

impl<T> ReadCell for SkippedCell<T> {
    type Out = T;
    #[inline]
    fn read_cell(&self) -> &T {
        self.__korat_read()
    }
    fn is_decided(&self) -> bool {
        true
    }
}
