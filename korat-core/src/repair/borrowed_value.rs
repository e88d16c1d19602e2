//! The value to be repaired, without its type: a pointer to it, with what a repair does to the root.
//!
//! # Safety argument
//! A pointer and not a reference: moving a reference would assert that nothing else points into the value, and what the repair knows of the
//! value's objects does. The callers promise that the value is alive and used by nobody else.

use crate::class::abstraction::OutOfBounds;
use crate::class::bounds_size::FreshObjects;
use crate::class::census::PlainValues;
use crate::class::rewrite::Rewrite;
use crate::class::traits::Class;
use crate::heap::bounded::Heap;

/// A pointer to the value to be repaired.
pub(super) trait BorrowedValue {
    /// Returns the assignment of the value.
    ///
    /// # Safety
    /// The value must be alive, and nobody may write to it meanwhile.
    unsafe fn assignment(&self, heap: &Heap) -> Result<Vec<u32>, OutOfBounds>;
    /// Returns the plain values in the value.
    ///
    /// # Safety
    /// The value must be alive, and nobody may write to it meanwhile.
    unsafe fn plain_values(&self, heap: &Heap) -> Result<PlainValues, OutOfBounds>;
    /// Writes changed slots back into the root.
    ///
    /// # Safety
    /// The value must be alive, borrowed mutably, and be used by nobody else meanwhile.
    unsafe fn rewrite(&self, heap: &Heap, to: &mut Rewrite<'_>);
}

impl<T: Class> BorrowedValue for *mut T {
    unsafe fn assignment(&self, heap: &Heap) -> Result<Vec<u32>, OutOfBounds> {
        // SAFETY: the caller promises that the value is alive, and that nobody writes to it.
        heap.abstract_value(unsafe { &**self })
    }

    unsafe fn plain_values(&self, heap: &Heap) -> Result<PlainValues, OutOfBounds> {
        // SAFETY: the caller promises that the value is alive, and that nobody writes to it.
        Ok(heap.census(unsafe { &**self }, FreshObjects { usual: 0, most: 0 })?.plain_values)
    }

    unsafe fn rewrite(&self, heap: &Heap, to: &mut Rewrite<'_>) {
        // SAFETY: the caller promises that the value is alive, borrowed mutably and used by nobody else.
        heap.rewrite_root(unsafe { &mut **self }, to);
    }
}
