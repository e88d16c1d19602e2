//! The log of what changed: functions that take changes back, the newest last.
//!
//! # Why it is sound
//! The entries lie in a vector behind an `UnsafeCell`, so that undo functions and whatever they call may add entries while others are
//! being undone. No reference to the vector or to an entry leaves this file or lives while anything else runs: each method borrows
//! the vector for one operation of its own, which calls nobody, and the log belongs to one thread, since cells are not `Sync`.

use std::cell::UnsafeCell;
use std::mem::MaybeUninit;

/// Two words that an entry of the log carries; the bits of a small value need not all have a value.
pub(crate) type Words = [MaybeUninit<u64>; 2];

/// The function that takes one change back, given what was changed.
pub(crate) type Undo = unsafe fn(*mut (), Words);

/// One change.
pub(super) struct Entry {
    pub(super) undo: Undo,
    /// What was changed; null for an entry that notes what the workspace itself has to undo.
    pub(super) target: *mut (),
    pub(super) words: Words,
}

/// All of them.
#[derive(Default)]
pub(super) struct Log(UnsafeCell<Vec<Entry>>);

impl Log {
    #[inline(always)]
    pub(super) fn len(&self) -> usize {
        // SAFETY: nothing else borrows the vector, as the header says.
        unsafe { (&*self.0.get()).len() }
    }

    #[inline(always)]
    pub(super) fn push(&self, entry: Entry) {
        // SAFETY: nothing else borrows the vector, as the header says; moving an entry in calls nobody.
        unsafe { (&mut *self.0.get()).push(entry) };
    }

    /// Takes the newest entry.
    ///
    /// # Safety
    /// There must be one.
    #[inline(always)]
    pub(super) unsafe fn pop(&self) -> Entry {
        // SAFETY: nothing else borrows the vector, as the header says; the caller promises an entry, which is moved out before
        // anybody calls it.
        unsafe { (&mut *self.0.get()).pop().unwrap_unchecked() }
    }

    pub(super) fn clear(&self) {
        // SAFETY: nothing else borrows the vector, as the header says; entries have no drop glue.
        unsafe { (&mut *self.0.get()).clear() };
    }
}
