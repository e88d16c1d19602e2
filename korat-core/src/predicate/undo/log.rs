//! The undo log: functions that revert changes, the newest last.
//!
//! # Safety argument
//! The entries lie in a vector behind an `UnsafeCell`, so undo functions and the code they call may add entries while
//! others are being undone. No reference to the vector or to an entry leaves this file or lives while other code runs:
//! each method borrows the vector for one operation, which calls no other code, and the log belongs to one thread,
//! since cells are not `Sync`.

use std::cell::UnsafeCell;
use std::mem::MaybeUninit;

/// Payload of a log entry; the bits of a small value may be partly uninitialized.
pub(crate) type Words = [MaybeUninit<u64>; 2];

/// Reverts one change, given its target and the payload of its entry.
pub(crate) type Undo = unsafe fn(*mut (), Words);

/// One logged change.
pub(super) struct LogEntry {
    pub(super) undo: Undo,
    /// The changed place; null for an entry that stands for something the workspace itself must undo.
    pub(super) target: *mut (),
    pub(super) words: Words,
}

/// All logged changes.
#[derive(Default)]
pub(super) struct Log(UnsafeCell<Vec<LogEntry>>);

impl Log {
    #[inline(always)]
    pub(super) fn len(&self) -> usize {
        // SAFETY: nothing else borrows the vector, see the module header.
        unsafe { (&*self.0.get()).len() }
    }

    #[inline(always)]
    pub(super) fn push(&self, entry: LogEntry) {
        // SAFETY: nothing else borrows the vector, see the module header; moving an entry in calls no other code.
        unsafe { (&mut *self.0.get()).push(entry) };
    }

    /// Removes and returns the newest entry.
    ///
    /// # Safety
    /// The log must not be empty.
    #[inline(always)]
    pub(super) unsafe fn pop(&self) -> LogEntry {
        // SAFETY: nothing else borrows the vector, see the module header. The caller promises an entry, which is moved
        // out before it is called.
        unsafe { (&mut *self.0.get()).pop().unwrap_unchecked() }
    }

    pub(super) fn clear(&self) {
        // SAFETY: nothing else borrows the vector, see the module header; entries have no drop glue.
        unsafe { (&mut *self.0.get()).clear() };
    }
}
