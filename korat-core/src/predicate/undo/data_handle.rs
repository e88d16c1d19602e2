//! Handles to the data of containers in the workspace's memory. A handle is copied bit by bit like a pointer, and its
//! holder never drops the data.
//!
//! # Safety argument
//! A handle is an address that the memory handed out. The data lies there until the workspace backtracks past its
//! creation. By then all handles to it are gone: they lie in records and containers that the same backtracking step
//! forgets, or on the stack of a run that has ended. A handle is copied only where the user's code moves its container,
//! and rustc has checked that the container has one owner there. So only one of the copies is in use, and references to
//! the data last for one method of the container, or as long as that method borrows the container. Only the address
//! itself is logged, or one computed from it by an offset (`data`), never one taken from a reference to the data.
//! Handles to data of a heap (`at`) are only read.

use std::mem::{MaybeUninit, needs_drop};
use std::ops::{Deref, DerefMut};
use std::ptr;
use std::ptr::NonNull;

use super::Workspace;
use super::late_drop::may_drop_late;
use super::log::{Undo, Words};
use crate::predicate::context;

/// A handle to a `D` in the memory of the workspace that was current when it was created.
pub(crate) struct DataHandle<D>(NonNull<D>);

/// The data of a container.
pub(crate) trait ContainerData {
    /// The type of the values that it holds.
    type Held;
    /// Whether it holds values that must be dropped, and so cannot be restored.
    const OWNS: bool = needs_drop::<Self::Held>();
    /// Drops all values that it holds.
    fn drop_all(&mut self);
}

impl<D: ContainerData> DataHandle<D> {
    /// Puts `data` into the current workspace. Values in it that must be dropped are dropped when the workspace
    /// backtracks past this point, or forgotten.
    #[inline(always)]
    pub(crate) fn new(data: D) -> Self {
        let work = context::workspace();
        let place: NonNull<D> = work.take(1);
        // SAFETY: the place is large enough, aligned, and used by nothing else.
        unsafe { place.write(data) };
        if D::OWNS {
            clean_up_later(work, place);
        }
        DataHandle(place)
    }

    /// Returns the workspace if changes to the data, and to the memory that belongs to it, must be logged.
    #[inline(always)]
    pub(crate) fn log(&self) -> Option<&'static Workspace> {
        let work = context::workspace();
        (!D::OWNS && work.logs(self.0.as_ptr().cast())).then_some(work)
    }

    /// Saves the whole data before a change, if changes must be logged. Returns the workspace if so.
    #[inline(always)]
    pub(crate) fn save(&self) -> Option<&'static Workspace> {
        let work = self.log()?;
        // SAFETY: the data lies in the workspace, at an address that its memory handed out, and data that owns nothing
        // has no drop glue.
        unsafe { work.save(self.0.as_ptr()) };
        Some(work)
    }

    /// Returns whether `epoch`, in which something was last logged, is the current one. If so, no resume point lies
    /// between that entry and now: undoing a change made now also undoes the entry.
    #[inline(always)]
    pub(crate) fn is_current_epoch(&self, epoch: u64) -> bool {
        context::workspace().epoch() == epoch
    }

    /// Logs a change to the data, if changes must be logged.
    ///
    /// # Safety
    /// `undo` must revert the change, given the address of the data.
    #[inline(always)]
    pub(crate) unsafe fn note(&self, undo: Undo, word: u64) {
        if let Some(work) = self.log() {
            // SAFETY: the caller promises that `undo` reverts the change; the data lies in the workspace.
            unsafe { work.log(undo, self.0.as_ptr().cast(), [MaybeUninit::new(word), MaybeUninit::uninit()]) };
        }
    }

    /// Logs the first of several similar changes, if changes must be logged. Undoing it reverts all of them up to the
    /// next resume point. `logged` is the epoch in which one was last logged. Returns the epoch of the new entry, or
    /// `None` if nothing was logged.
    ///
    /// # Safety
    /// `undo` must revert all these changes, given the address of the data.
    #[inline(always)]
    pub(crate) unsafe fn note_first(&self, logged: u64, undo: Undo, words: Words) -> Option<u64> {
        if self.is_current_epoch(logged) {
            return None;
        }
        let work = self.log()?;
        // SAFETY: the caller promises that `undo` reverts the changes; the data lies in the workspace.
        unsafe { work.log(undo, self.0.as_ptr().cast(), words) };
        Some(work.epoch())
    }

    /// Logs that a value was taken out of the data, if changes must be logged; `undo` restores its bits with
    /// `put_back`.
    ///
    /// # Safety
    /// `value` must be valid and without drop glue, and `undo` must revert the change, given the address of the data.
    #[inline(always)]
    pub(crate) unsafe fn note_taken<T>(&self, undo: Undo, value: *const T) {
        // SAFETY: a value has as many bytes as its type; the caller promises the rest.
        unsafe { self.note_taken_bytes(undo, value, size_of::<T>()) };
    }

    /// Logs that the first `count` bytes of a value were taken out of the data, if changes must be logged; `undo`
    /// restores them with `put_back_bytes`.
    ///
    /// # Safety
    /// `value` must have that many bytes and no drop glue, and `undo` must revert the change, given the address of the
    /// data.
    #[inline(always)]
    pub(crate) unsafe fn note_taken_bytes<T>(&self, undo: Undo, value: *const T, count: usize) {
        if let Some(work) = self.log() {
            // SAFETY: the caller promises the bytes, and that `undo` reverts the change; the data lies in the
            // workspace.
            unsafe {
                let words = work.bytes_of(value, count);
                work.log(undo, self.0.as_ptr().cast(), words);
            }
        }
    }

    /// Allocates memory for `count` values.
    #[inline(always)]
    pub(crate) fn take<T>(count: usize) -> NonNull<T> {
        context::workspace().take(count)
    }

    /// Returns the address of the data, for logging an address inside it.
    #[inline(always)]
    pub(crate) fn data(&self) -> *mut D {
        self.0.as_ptr()
    }
}

/// Pins the current checkpoint, and arranges for the data to be dropped when the workspace backtracks past it, or to be
/// forgotten if it may not be dropped that late.
#[cold]
fn clean_up_later<D: ContainerData>(work: &Workspace, place: NonNull<D>) {
    unsafe fn drop_all<D: ContainerData>(target: *mut (), _: Words) {
        // SAFETY: `DataHandle::new` wrote the data; its memory is released after this.
        unsafe { (*target.cast::<D>()).drop_all() };
    }
    work.pin();
    if !may_drop_late::<D::Held>() {
        return;
    }
    // SAFETY: the data exists until the entry is undone, which drops the values it holds at that time.
    unsafe { work.log_drop(drop_all::<D>, place.as_ptr().cast(), [MaybeUninit::uninit(); 2]) };
}

impl<D> DataHandle<D> {
    /// Returns a handle to data that lies in a heap, not in a workspace.
    pub(crate) fn at(data: &'static D) -> Self {
        DataHandle(NonNull::from(data))
    }

    /// Returns whether both handles refer to the same data.
    pub(crate) fn is(self, other: Self) -> bool {
        ptr::eq(self.0.as_ptr(), other.0.as_ptr())
    }
}

impl<D> Clone for DataHandle<D> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<D> Copy for DataHandle<D> {}

impl<D> Deref for DataHandle<D> {
    type Target = D;
    #[inline(always)]
    fn deref(&self) -> &D {
        // SAFETY: the data lives until the workspace backtracks past its creation; the predicate's handles are gone by
        // then.
        unsafe { self.0.as_ref() }
    }
}

impl<D> DerefMut for DataHandle<D> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut D {
        // SAFETY: the data lives until the workspace backtracks past its creation. Handles are copied only where the
        // user's code moves them, so only this one is in use, and it is borrowed mutably. Data of a heap is never
        // changed.
        unsafe { self.0.as_mut() }
    }
}
