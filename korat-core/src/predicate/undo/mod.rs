//! The memory of a running predicate, released only by backtracking, and the undo log of its changes. The predicate's
//! own containers are handles into this memory, and the locals of its machine lie in it.
//!
//! Every change to either is logged with a function that reverts it, so the search can return to any earlier checkpoint
//! without knowing what happened since. Changes to memory newer than the last choice are not logged: that memory is
//! gone when the search backtracks to the choice. Values are saved and restored bit by bit. Values with drop glue
//! cannot be; such a value pins the checkpoint at which it was created, so backtracking always goes back at least that
//! far, and drops or forgets it then (`late_drop`).
//!
//! # Safety argument
//! - **Ownership.** `Memory` owns the bytes and `log` the entries. Containers, records and locals own nothing: they are
//!   addresses in that memory, copied freely. A value with drop glue is dropped by one entry, or by its container,
//!   which then forgets it.
//! - **Sharing.** All state of the workspace is in cells, and its methods take `&self`: undo functions and methods of
//!   containers reach the workspace through the running search (`context`) while another of its methods is active
//!   further up the stack.
//! - **Logged addresses.** The target of an entry is an address that the memory handed out, or one computed from it by
//!   an offset. It is never taken from a `&mut`: such an address would be valid only until the next use of whatever the
//!   `&mut` was derived from. Where only a reference is known, `Memory::place_at` returns the memory's own address for
//!   the place (`bits::touch`).
//! - **Order of undoing.** Entries are undone newest first, each once, before the memory allocated since is released,
//!   so an undo function finds its target as the change left it. An entry is forgotten only together with all memory.
//! - **References across backtracking.** The target of a reference is released only by backtracking to a point at which
//!   no record held the reference. A restored record holds the same references as before, bit by bit. Stacked and Tree
//!   Borrows have no notion of backtracking: to them, a reference that another one has since replaced has ended for
//!   good. Compiled code is sound because no assumption of the compiler about a reference extends across backtracking.
//!   Such assumptions last as long as a call that has the reference as an argument, or as long as a local that holds
//!   it. Backtracking happens in `Control::finish` and `Control::again`, after which the machine looks up its record
//!   again, and in the search, when no call of the predicate is active.

pub(crate) mod bits;
pub(crate) mod checkpoint_interval;
pub(crate) mod data_handle;
pub(crate) mod late_drop;
pub(crate) mod log;
pub(crate) mod reentry;
pub(crate) mod test_workspace;

use std::alloc::Layout;
use std::cell::{Cell, RefCell};
use std::mem::{MaybeUninit, needs_drop};
use std::ptr;
use std::ptr::NonNull;

use checkpoint_interval::CheckpointIntervals;
use late_drop::may_drop_late;
use log::{Log, LogEntry, Undo, Words};
use reentry::Retry;

use crate::engine::resume_point::{Checkpoint, ResumePoint};
use crate::memory::bump::Memory;
use crate::predicate::context;

/// Keeps a value until the current workspace backtracks past this point, and returns it for as long as the caller can
/// justify. A value that may not be dropped late is never dropped.
pub(crate) fn keep_until_backtrack<'d, T>(value: T) -> &'d T {
    unsafe fn release<T>(target: *mut (), _: Words) {
        // SAFETY: the target is the value, which is dropped once; its memory is released after this.
        unsafe { ptr::drop_in_place(target.cast::<T>()) };
    }
    let work = context::workspace();
    let place: NonNull<T> = work.take(1);
    // SAFETY: the place is large enough, aligned, and used by nothing else; the entry drops the value once.
    unsafe {
        place.write(value);
        if const { needs_drop::<T>() } && may_drop_late::<T>() {
            work.log_drop(release::<T>, place.as_ptr().cast(), [MaybeUninit::uninit(); 2]);
        }
        &*place.as_ptr()
    }
}

/// The memory and the undo log of one search.
pub(crate) struct Workspace {
    pub(crate) memory: Memory,
    log: Log,
    /// Whether changes are logged. Values that must be dropped are logged in any case.
    recording: Cell<bool>,
    /// Whether the log contains a value that must be dropped, or a pin.
    drops: Cell<bool>,
    /// The resume point stays the same while this is not zero: the number of living values that cannot be restored,
    /// plus one within an interval.
    pins: Cell<u32>,
    intervals: CheckpointIntervals,
    /// Increases with every statement that may be re-entered.
    epoch: Cell<u64>,
    /// The record of the running activation.
    pub(crate) frame: Cell<*mut ()>,
    /// The record of the activation that returned last.
    pub(crate) returned: Cell<*mut ()>,
    /// The resume point of a choice made now.
    resume_point: Cell<ResumePoint>,
    /// Whether the machine may move from one candidate to the next by itself: no observer is watching, and nothing has
    /// gone wrong.
    quick: Cell<bool>,
    retry: Retry,
    /// Number of candidates that the machine skipped by itself and that are not counted yet, minus `retry.index`, which
    /// increases with each of them.
    passed: Cell<u64>,
    /// Number of changes undone so far.
    pub(crate) undone: Cell<u64>,
    /// The types that were saved by clone.
    cloned: RefCell<Vec<&'static str>>,
}

impl Default for Workspace {
    fn default() -> Self {
        let memory = Memory::default();
        let resume_point = ResumePoint::at_top(memory.mark());
        Workspace {
            memory,
            log: Log::default(),
            recording: Cell::new(false),
            drops: Cell::new(false),
            pins: Cell::new(0),
            intervals: CheckpointIntervals::default(),
            epoch: Cell::new(1),
            frame: Cell::new(ptr::null_mut()),
            returned: Cell::new(ptr::null_mut()),
            resume_point: Cell::new(resume_point),
            quick: Cell::new(false),
            retry: Retry::none(),
            passed: Cell::new(0),
            undone: Cell::new(0),
            cloned: RefCell::default(),
        }
    }
}

impl Workspace {
    /// Returns whether a changed value is logged again in each statement.
    pub(crate) fn logs_each_statement(&self) -> bool {
        self.recording.get() && self.pins.get() == 0
    }

    /// Forgets everything, so that a run starts from the top. `recording` says whether its changes are logged.
    #[inline]
    pub(crate) fn restart(&self, recording: bool) {
        if self.log.len() > 0 {
            self.forget_entries();
        }
        self.memory.release_all();
        self.recording.set(recording);
        self.begin_anew();
        self.forget_frames();
    }

    /// Forgets a whole search.
    pub(crate) fn reset(&self) {
        self.restart(false);
        self.undone.set(0);
        self.cloned.borrow_mut().clear();
        self.set_quick(false);
        self.note(0);
    }

    /// Forgets the log before all memory is released: changes in that memory need not be reverted.
    #[inline(never)]
    fn forget_entries(&self) {
        if self.drops.get() {
            self.undo_to(0);
        }
        self.log.clear();
        self.drops.set(false);
        self.next_epoch();
    }

    #[inline(always)]
    fn is_recording(&self) -> bool {
        self.recording.get()
    }

    /// Returns whether a change at an address must be logged. It need not be if the memory there is newer than the last
    /// choice; the running statement can then no longer be re-entered at its start, unless it allocated that memory
    /// itself.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn logs(&self, target: *const ()) -> bool {
        if self.recording.get() && self.memory.is_new(target) {
            self.note_unlogged(target);
            return false;
        }
        self.recording.get()
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn epoch(&self) -> u64 {
        self.epoch.get()
    }

    #[inline(always)]
    fn next_epoch(&self) {
        self.epoch.set(self.epoch.get() + 1);
    }

    #[inline(always)]
    fn current_checkpoint(&self) -> Checkpoint {
        Checkpoint { memory: self.memory.mark(), entries: self.log.len() as u32 }
    }

    /// Records that a type is saved by clone.
    pub(crate) fn saved_by_clone(&self, type_name: &'static str) {
        let mut cloned = self.cloned.borrow_mut();
        if !cloned.contains(&type_name) {
            cloned.push(type_name);
        }
    }

    /// Returns the types that were saved by clone.
    pub(crate) fn cloned(&self) -> Vec<&'static str> {
        self.cloned.borrow().clone()
    }

    /// Logs a change.
    ///
    /// # Safety
    /// Until the entry is undone, `undo(target, words)` must be sound to call once, after all later entries were
    /// undone. It must change only this memory, since it is not called if all of the memory is forgotten. The target
    /// must be an address that the memory handed out, see the module header.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) unsafe fn log(&self, undo: Undo, target: *mut (), words: Words) {
        debug_assert!(self.memory.holds(target), "[korat internal bug] a change elsewhere is logged");
        self.note_changed();
        self.log.push(LogEntry { undo, target, words });
    }

    /// Logs a value that must be dropped, both when the search backtracks past it and when everything is forgotten.
    ///
    /// # Safety
    /// Until the entry is undone, `undo(target, words)` must be sound to call once, after all later entries were
    /// undone. The target must be an address that the memory handed out, see the module header.
    pub(crate) unsafe fn log_drop(&self, undo: Undo, target: *mut (), words: Words) {
        self.drops.set(true);
        self.note_changed();
        self.log.push(LogEntry { undo, target, words });
    }

    /// Allocates memory for `count` values.
    #[inline(always)]
    pub(crate) fn take<T>(&self, count: usize) -> NonNull<T> {
        let layout = Layout::array::<T>(count).expect("a container of the predicate's is larger than memory");
        self.note_changed();
        self.memory.take(layout).cast()
    }

    /// Pins the current checkpoint: something was created that can be restored only by creating it again.
    fn pin(&self) {
        unsafe fn nothing(_: *mut (), _: Words) {}
        self.pins.set(self.pins.get() + 1);
        let target = ptr::null_mut();
        // SAFETY: an entry without a target is not called; `undo_to_with_pins` does what it stands for.
        unsafe { self.log_drop(nothing, target, [MaybeUninit::uninit(); 2]) };
    }

    /// Undoes everything since a checkpoint.
    #[inline(always)]
    fn backtrack_to(&self, checkpoint: Checkpoint) {
        if self.log.len() != checkpoint.entries as usize {
            self.undo_to(checkpoint.entries as usize);
        }
        self.memory.release(checkpoint.memory);
    }

    /// Undoes all log entries but the first `left`.
    #[inline(never)]
    fn undo_to(&self, left: usize) {
        self.next_epoch();
        self.undone.set(self.undone.get() + self.log.len().saturating_sub(left) as u64);
        if self.drops.get() {
            return self.undo_to_with_pins(left);
        }
        while self.log.len() > left {
            // SAFETY: there is an entry; it was logged with the promise that it may be undone once, after all later
            // ones.
            unsafe {
                let LogEntry { undo, target, words } = self.log.pop();
                undo(target, words);
            }
        }
    }

    /// Undoes all log entries but the first `left`, where some may be pins, which have no target.
    #[cold]
    #[inline(never)]
    fn undo_to_with_pins(&self, left: usize) {
        while self.log.len() > left {
            // SAFETY: there is an entry.
            let LogEntry { undo, target, words } = unsafe { self.log.pop() };
            if target.is_null() {
                self.pins.set(self.pins.get() - 1);
                continue;
            }
            // SAFETY: the entry was logged with the promise that it may be undone once, after all later ones.
            unsafe { undo(target, words) };
        }
    }
}

impl Drop for Workspace {
    fn drop(&mut self) {
        self.restart(false);
    }
}
