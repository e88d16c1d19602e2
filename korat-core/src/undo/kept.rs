//! A handle to the data of a container in the workspace's memory: copied bit by bit like a pointer, never dropped by its holder.
//!
//! # Why it is sound
//! The handle is an address that the memory gave. The data lies there until the workspace goes back past its making, and all handles to it
//! are gone by then: they lie in records and containers that are forgotten by the same step back, or on the stack of a run that has
//! ended. A handle is copied only where the user's code moves its container, and a container has one owner in the user's code,
//! which rustc has checked: so one of the copies is in use, and references to the data last for one method of the container, or as
//! long as that borrows its container. What is logged is the address itself, or one made from it by an offset (`data`), never
//! one taken from a reference to the data. Handles to data of a heap (`at`) are only read.

use std::mem::{MaybeUninit, needs_drop};
use std::ops::{Deref, DerefMut};
use std::ptr::{self, NonNull};

use super::{Undo, Words, Workspace, may_drop_late};
use crate::ambient;

/// A `D` in the memory of the workspace that was current when it was made.
pub(crate) struct Kept<D>(NonNull<D>);

/// Data of a container.
pub(crate) trait Data {
    /// What it holds values of.
    type Held;
    /// Whether it holds something that must be dropped, and so cannot be restored.
    const OWNS: bool = needs_drop::<Self::Held>();
    /// Drops what it holds.
    fn drop_all(&mut self);
}

impl<D: Data> Kept<D> {
    /// Puts `data`, which holds nothing yet, into the current workspace.
    #[inline(always)]
    pub(crate) fn new(data: D) -> Self {
        let work = ambient::workspace();
        let place: NonNull<D> = work.take(1);
        // SAFETY: the place is large enough, aligned, and nobody else's.
        unsafe { place.write(data) };
        if D::OWNS {
            clean_up_later(work, place);
        }
        Kept(place)
    }

    /// The workspace, if changes of the data, and of the memory that belongs to it, are to be logged.
    #[inline(always)]
    pub(crate) fn log(&self) -> Option<&'static Workspace> {
        let work = ambient::workspace();
        (!D::OWNS && work.logs(self.0.as_ptr().cast())).then_some(work)
    }

    /// Saves the whole data before a change. Gives the workspace if it was.
    #[inline(always)]
    pub(crate) fn save(&self) -> Option<&'static Workspace> {
        let work = self.log()?;
        // SAFETY: the data lies in the workspace, at an address that its memory gave, and what owns nothing has no drop glue.
        unsafe { work.save(self.0.as_ptr()) };
        Some(work)
    }

    /// Whether something was logged since the statement to re-enter has begun, given when it was logged last: if it was, and the data goes
    /// back, then to before that.
    #[inline(always)]
    pub(crate) fn is_of_now(&self, epoch: u64) -> bool {
        ambient::workspace().epoch() == epoch
    }

    /// Logs a change of the data, if changes are logged.
    ///
    /// # Safety
    /// `undo` must take the change back, given the address of the data.
    #[inline(always)]
    pub(crate) unsafe fn note(&self, undo: Undo, word: u64) {
        if let Some(work) = self.log() {
            // SAFETY: the caller promises that `undo` takes the change back; the data lies in the workspace.
            unsafe { work.log(undo, self.0.as_ptr().cast(), [MaybeUninit::new(word), MaybeUninit::uninit()]) };
        }
    }

    /// The same for a change with which all like it are taken back that come before the next statement to re-enter: `logged` is when one was
    /// logged last. Gives the time if this one is.
    ///
    /// # Safety
    /// `undo` must take all these changes back, given the address of the data.
    #[inline(always)]
    pub(crate) unsafe fn note_first(&self, logged: u64, undo: Undo, words: Words) -> Option<u64> {
        if self.is_of_now(logged) {
            return None;
        }
        let work = self.log()?;
        // SAFETY: the caller promises that `undo` takes the changes back; the data lies in the workspace.
        unsafe { work.log(undo, self.0.as_ptr().cast(), words) };
        Some(work.epoch())
    }

    /// Logs that a value was taken out of the data, if changes are logged; `undo` gets its bits back with `put_back`.
    ///
    /// # Safety
    /// `value` must be valid, without drop glue, and `undo` must take the change back, given the address of the data.
    #[inline(always)]
    pub(crate) unsafe fn note_taken<T>(&self, undo: Undo, value: *const T) {
        // SAFETY: a value has as many bytes as its type; the rest is what the caller promises.
        unsafe { self.note_taken_bytes(undo, value, size_of::<T>()) };
    }

    /// The same with so many of its bytes, and `put_back_bytes`.
    ///
    /// # Safety
    /// `value` must have as many bytes, and be without drop glue; `undo` must take the change back, given the address of the data.
    #[inline(always)]
    pub(crate) unsafe fn note_taken_bytes<T>(&self, undo: Undo, value: *const T, count: usize) {
        if let Some(work) = self.log() {
            // SAFETY: the caller promises the bytes, and that `undo` takes the change back; the data lies in the workspace.
            unsafe {
                let words = work.bytes_of(value, count);
                work.log(undo, self.0.as_ptr().cast(), words);
            }
        }
    }

    /// Memory for `count` values.
    #[inline(always)]
    pub(crate) fn take<T>(count: usize) -> NonNull<T> {
        ambient::workspace().take(count)
    }

    /// Where the data lies, to log an address in it.
    #[inline(always)]
    pub(crate) fn data(&self) -> *mut D {
        self.0.as_ptr()
    }
}

/// Pins the moment, and drops the data when the workspace goes back past it, or forgets it if that may not be dropped so late.
#[cold]
fn clean_up_later<D: Data>(work: &Workspace, place: NonNull<D>) {
    unsafe fn drop_all<D: Data>(target: *mut (), _: Words) {
        // SAFETY: the data was written by `Kept::new`; its memory is released after this.
        unsafe { (*target.cast::<D>()).drop_all() };
    }
    work.pin();
    if !may_drop_late::<D::Held>() {
        return;
    }
    // SAFETY: the data is there until the entry is undone, which drops what it holds by then.
    unsafe { work.log_drop(drop_all::<D>, place.as_ptr().cast(), [MaybeUninit::uninit(); 2]) };
}

impl<D> Kept<D> {
    /// Data that lies in a heap, not in a workspace.
    pub(crate) fn at(data: &'static D) -> Self {
        Kept(NonNull::from(data))
    }

    /// Whether both are the same data.
    pub(crate) fn is(self, other: Self) -> bool {
        ptr::eq(self.0.as_ptr(), other.0.as_ptr())
    }
}

impl<D> Clone for Kept<D> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<D> Copy for Kept<D> {}

impl<D> Deref for Kept<D> {
    type Target = D;
    #[inline(always)]
    fn deref(&self) -> &D {
        // SAFETY: the data lives until the workspace goes back past its making; the handles of a predicate are gone by then.
        unsafe { self.0.as_ref() }
    }
}

impl<D> DerefMut for Kept<D> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut D {
        // SAFETY: the data lives until the workspace goes back past its making. Handles are copied only where the user's code moves
        // them, so that one of them is in use, and it is borrowed to be changed; one of a heap's data is not changed.
        unsafe { self.0.as_mut() }
    }
}
