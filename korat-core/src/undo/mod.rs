//! What a predicate made, and how it is unmade: memory that is released only by going back, and a log of what changed since.
//!
//! The predicate's own containers are handles into this memory, and the locals of its machine lie in it. Every change of either
//! is logged with the function that takes it back, so that the search can return to any earlier moment without knowing what
//! was done. What is newer than the last choice is not logged: it is gone when the search goes back to that choice.
//! Values are saved and restored bit by bit. What has drop glue cannot be; it pins the moment at which it was made,
//! so that going back always means going back at least that far, and it is dropped then.

mod bits;
mod kept;
mod memory;
mod resume;
mod stretch;
mod workbench;

use std::alloc::Layout;
use std::mem::{MaybeUninit, needs_drop};
use std::ptr::{self, NonNull};

pub use bits::touch;
pub(crate) use bits::{copied, put_back, put_back_bytes, read_recent};
pub(crate) use kept::{Data, Kept};
pub(crate) use resume::Resume;
pub(crate) use stretch::{STRETCH, Stretch};
pub use workbench::Workbench;

use crate::ambient;
use memory::{Memory, MemoryMark};
use resume::Retry;
use stretch::Stretches;

/// Two words that an entry of the log carries; the bits of a small value need not all have a value.
pub(crate) type Words = [MaybeUninit<u64>; 2];

/// The function that takes one change back, given what was changed.
type Undo = unsafe fn(*mut (), Words);

/// One change.
struct Entry {
    undo: Undo,
    target: *mut (),
    words: Words,
}

/// Keeps a value until the current workspace goes back past this moment. Gives it for as long as the caller can answer for.
pub(crate) fn hold<'d, T>(value: T) -> &'d T {
    unsafe fn let_go<T>(target: *mut (), _: Words) {
        // SAFETY: the target is the value, which is dropped once; its memory is released after this.
        unsafe { ptr::drop_in_place(target.cast::<T>()) };
    }
    let work = ambient::work();
    // SAFETY: the current workspace is used by nobody else while a container's method runs; the place is large enough,
    // aligned, and nobody else's.
    unsafe {
        let place: NonNull<T> = (*work).take(1);
        place.write(value);
        if needs_drop::<T>() {
            (*work).log_drop(let_go::<T>, place.as_ptr().cast(), [MaybeUninit::uninit(); 2]);
        }
        &*place.as_ptr()
    }
}

/// A moment to go back to.
#[derive(Clone, Copy, Debug)]
struct Moment {
    memory: MemoryMark,
    entries: u32,
}

/// The memory and the log of one search.
pub(crate) struct Workspace {
    pub(crate) memory: Memory,
    entries: Vec<Entry>,
    /// Whether changes are logged. What must be dropped is logged in any case.
    recording: bool,
    /// Whether something is logged that must be dropped.
    drops: bool,
    /// While it is not zero, the statement to re-enter stays the same: how many living things cannot be restored, and one more within
    /// a stretch.
    stays: u32,
    stretches: Stretches,
    /// Goes up with every statement that may be re-entered.
    epoch: u64,
    /// The activation that runs.
    pub(crate) frame: *mut (),
    /// The activation that returned last.
    pub(crate) returned: *mut (),
    /// The statement that a choice made now re-enters.
    now: Resume,
    /// Whether the machine may go from one candidate to the next by itself: nobody looks, and nothing has gone wrong.
    quick: bool,
    retry: Retry,
    /// Candidates that the machine has gone over by itself, and that nobody has counted yet; less the index in `retry`, which goes
    /// up with each of them.
    passed: u64,
    /// Changes taken back so far.
    pub(crate) undone: u64,
    /// The types that were saved by clone.
    pub(crate) cloned: Vec<&'static str>,
}

impl Default for Workspace {
    fn default() -> Self {
        let memory = Memory::default();
        let now = Resume::at_top(memory.mark());
        Workspace {
            memory,
            entries: Vec::new(),
            recording: false,
            drops: false,
            stays: 0,
            stretches: Stretches::default(),
            epoch: 1,
            frame: ptr::null_mut(),
            returned: ptr::null_mut(),
            now,
            quick: false,
            retry: Retry::NONE,
            passed: 0,
            undone: 0,
            cloned: Vec::new(),
        }
    }
}

impl Workspace {
    /// Whether what changes is logged again in each statement.
    pub(crate) fn logs_each_statement(&self) -> bool {
        self.recording && self.stays == 0
    }

    /// Forgets everything, so that a run begins at the top; `recording`: its changes are logged.
    #[inline]
    pub(crate) fn restart(&mut self, recording: bool) {
        if !self.entries.is_empty() {
            self.forget_entries();
        }
        self.memory.release_all();
        self.recording = recording;
        self.begin_anew();
        self.forget_frames();
    }

    /// Forgets a whole search.
    pub(crate) fn reset(&mut self) {
        self.restart(false);
        self.undone = 0;
        self.cloned.clear();
        self.set_quick(false);
        self.note(0);
    }

    /// Forgets the log, before all memory is released: what was changed there need not be restored.
    #[inline(never)]
    fn forget_entries(&mut self) {
        if self.drops {
            self.take_back(0);
        }
        self.entries.clear();
        self.drops = false;
        self.epoch += 1;
    }

    #[inline(always)]
    fn is_recording(&self) -> bool {
        self.recording
    }

    /// Whether a change of what lies at an address is to be logged. If it is newer than the last choice it is not, and the
    /// statement that runs, unless it has made it, cannot be re-entered at its beginning any more.
    #[inline(always)]
    pub(crate) fn logs(&mut self, target: *const ()) -> bool {
        if self.recording && self.memory.is_new(target) {
            self.note_unlogged(target);
            return false;
        }
        self.recording
    }

    #[inline(always)]
    pub(crate) fn epoch(&self) -> u64 {
        self.epoch
    }

    #[inline(always)]
    fn now_moment(&self) -> Moment {
        Moment { memory: self.memory.mark(), entries: self.entries.len() as u32 }
    }

    /// Notes that a type is saved by clone.
    pub(crate) fn saved_by_clone(&mut self, type_name: &'static str) {
        if !self.cloned.contains(&type_name) {
            self.cloned.push(type_name);
        }
    }

    /// Logs a change.
    ///
    /// # Safety
    /// Until the entry is undone, `undo(target, words)` must be sound to call once, after all later entries were undone. What it changes
    /// must lie in this memory: if all of that is forgotten, it is not called.
    #[inline(always)]
    pub(crate) unsafe fn log(&mut self, undo: Undo, target: *mut (), words: Words) {
        debug_assert!(self.memory.holds(target), "[korat internal bug] a change elsewhere is logged");
        // SAFETY: as the caller says.
        unsafe { self.log_anywhere(undo, target, words) };
    }

    /// Logs a change of what may lie anywhere.
    ///
    /// # Safety
    /// Until the entry is undone, `undo(target, words)` must be sound to call once, after all later entries were undone.
    #[inline(always)]
    unsafe fn log_anywhere(&mut self, undo: Undo, target: *mut (), words: Words) {
        self.note_changed();
        self.entries.push(Entry { undo, target, words });
    }

    /// Logs something that must be dropped, whether it is gone back to a moment before it or all is forgotten.
    ///
    /// # Safety
    /// As for `log_anywhere`.
    pub(crate) unsafe fn log_drop(&mut self, undo: Undo, target: *mut (), words: Words) {
        self.drops = true;
        // SAFETY: as the caller says.
        unsafe { self.log_anywhere(undo, target, words) };
    }

    /// Room for `count` values.
    #[inline(always)]
    pub(crate) fn take<T>(&mut self, count: usize) -> NonNull<T> {
        let layout = Layout::array::<T>(count).expect("a container of the predicate's is larger than memory");
        self.note_changed();
        self.memory.take(layout).cast()
    }

    /// Notes that something was made that can only be restored by making it again.
    fn pin(&mut self) {
        unsafe fn unpin(target: *mut (), _: Words) {
            // SAFETY: the target is the workspace that undoes the entry, through the same pointer.
            unsafe { (*target.cast::<Workspace>()).stays -= 1 };
        }
        self.stays += 1;
        let target = ptr::from_mut(self).cast();
        // SAFETY: a workspace does not move while a search uses it.
        unsafe { self.log_drop(unpin, target, [MaybeUninit::uninit(); 2]) };
    }

    /// Takes back everything since a moment.
    #[inline(always)]
    fn go_back(&mut self, moment: Moment) {
        if self.entries.len() != moment.entries as usize {
            self.take_back(moment.entries as usize);
        }
        self.memory.release(moment.memory);
    }

    /// Takes back all entries of the log but the first `left`.
    #[inline(never)]
    fn take_back(&mut self, left: usize) {
        self.epoch += 1;
        // Through a raw pointer: undoing an entry may touch the workspace itself.
        let this = ptr::from_mut(self);
        // SAFETY: entries are undone once each, the newest first; those that a destructor of the user's adds meanwhile, too.
        unsafe {
            while (*this).entries.len() > left
                && let Some(entry) = (*this).entries.pop()
            {
                (*this).undone += 1;
                (entry.undo)(entry.target, entry.words);
            }
        }
    }
}

impl Drop for Workspace {
    fn drop(&mut self) {
        self.restart(false);
    }
}
