//! What a predicate made, and how it is unmade: memory that is released only by going back, and a log of what changed since.
//!
//! The predicate's own containers are handles into this memory, and the locals of its machine lie in it. Every change of either
//! is logged with the function that takes it back, so that the search can return to any earlier moment without knowing what
//! was done. What is newer than the last choice is not logged: it is gone when the search goes back to that choice.
//! Values are saved and restored bit by bit. What has drop glue cannot be; it pins the moment at which it was made,
//! so that going back always means going back at least that far, and it is dropped then, or forgotten (`late_drop`).
//!
//! # Why it is sound
//! - **Who owns what.** `memory` owns the bytes and `log` the entries; containers, records and locals own nothing: they are addresses in
//!   that memory, copied freely. What has drop glue is dropped by one entry, or by its container, which then forgets it.
//! - **The workspace is shared.** All its state is in cells and its methods take `&self`: undo functions and methods of containers reach
//!   the workspace through the running search (`ambient`) while another of its methods is at work further up the stack.
//! - **Logged addresses.** The target of an entry is an address that the memory gave, or one made from such an address by adding an
//!   offset, and never one that was taken from a `&mut`: that would be good only until the next use of whatever the `&mut` was made
//!   from. Where all that is known is a reference, `Memory::place_at` gives the address in its place (`bits::touch`).
//! - **When it is undone.** Entries are undone the newest first, each once, before the memory taken since is released, so that an undo
//!   function finds its target as the change had left it. An entry that is forgotten is forgotten together with all memory.
//! - **References across a step back.** What a reference leads to is released only by going back to a moment at which no record held
//!   the reference. A record that comes back holds the references that it held, bit by bit. Stacked and Tree Borrows have no notion
//!   of going back: a reference that another one has replaced since counts as ended there for good. What makes it sound for the
//!   compiler is that nothing which the compiler assumes about a reference reaches across a step back: such assumptions last as long as a
//!   call that has the reference as an argument, or as long as a local that holds it; a step back happens in `Control::finish` and
//!   `Control::again`, after which the machine asks for its record anew, and in the search, when no call of the predicate is under way.

mod bits;
mod kept;
mod late_drop;
mod log;
mod memory;
mod resume;
mod stretch;
mod workbench;

use std::alloc::Layout;
use std::cell::{Cell, RefCell};
use std::mem::{MaybeUninit, needs_drop};
use std::ptr::{self, NonNull};

pub use bits::touch;
pub(crate) use bits::{copied, leads_inside, put_back, put_back_bytes, read_recent};
pub(crate) use kept::{Data, Kept};
pub use late_drop::LateDrop;
pub(crate) use late_drop::may_drop_late;
pub(crate) use log::{Undo, Words};
pub(crate) use resume::Resume;
pub(crate) use stretch::{STRETCH, Stretch};
pub use workbench::Workbench;

use crate::ambient;
use log::{Entry, Log};
use memory::{Memory, MemoryMark};
use resume::Retry;
use stretch::Stretches;

/// Keeps a value until the current workspace goes back past this moment. Gives it for as long as the caller can answer for. What may not
/// be dropped late is not dropped at all.
pub(crate) fn hold<'d, T>(value: T) -> &'d T {
    unsafe fn let_go<T>(target: *mut (), _: Words) {
        // SAFETY: the target is the value, which is dropped once; its memory is released after this.
        unsafe { ptr::drop_in_place(target.cast::<T>()) };
    }
    let work = ambient::workspace();
    let place: NonNull<T> = work.take(1);
    // SAFETY: the place is large enough, aligned, and nobody else's; the entry drops what is written there once.
    unsafe {
        place.write(value);
        if needs_drop::<T>() && may_drop_late::<T>() {
            work.log_drop(let_go::<T>, place.as_ptr().cast(), [MaybeUninit::uninit(); 2]);
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
    log: Log,
    /// Whether changes are logged. What must be dropped is logged in any case.
    recording: Cell<bool>,
    /// Whether something is logged that must be dropped.
    drops: Cell<bool>,
    /// While it is not zero, the statement to re-enter stays the same: how many living things cannot be restored, and one more within
    /// a stretch.
    stays: Cell<u32>,
    stretches: Stretches,
    /// Goes up with every statement that may be re-entered.
    epoch: Cell<u64>,
    /// The activation that runs.
    pub(crate) frame: Cell<*mut ()>,
    /// The activation that returned last.
    pub(crate) returned: Cell<*mut ()>,
    /// The statement that a choice made now re-enters.
    now: Cell<Resume>,
    /// Whether the machine may go from one candidate to the next by itself: nobody looks, and nothing has gone wrong.
    quick: Cell<bool>,
    retry: Retry,
    /// Candidates that the machine has gone over by itself, and that nobody has counted yet; less the index in `retry`, which goes
    /// up with each of them.
    passed: Cell<u64>,
    /// Changes taken back so far.
    pub(crate) undone: Cell<u64>,
    /// The types that were saved by clone.
    cloned: RefCell<Vec<&'static str>>,
}

impl Default for Workspace {
    fn default() -> Self {
        let memory = Memory::default();
        let now = Resume::at_top(memory.mark());
        Workspace {
            memory,
            log: Log::default(),
            recording: Cell::new(false),
            drops: Cell::new(false),
            stays: Cell::new(0),
            stretches: Stretches::default(),
            epoch: Cell::new(1),
            frame: Cell::new(ptr::null_mut()),
            returned: Cell::new(ptr::null_mut()),
            now: Cell::new(now),
            quick: Cell::new(false),
            retry: Retry::none(),
            passed: Cell::new(0),
            undone: Cell::new(0),
            cloned: RefCell::default(),
        }
    }
}

impl Workspace {
    /// Whether what changes is logged again in each statement.
    pub(crate) fn logs_each_statement(&self) -> bool {
        self.recording.get() && self.stays.get() == 0
    }

    /// Forgets everything, so that a run begins at the top; `recording`: its changes are logged.
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

    /// Forgets the log, before all memory is released: what was changed there need not be restored.
    #[inline(never)]
    fn forget_entries(&self) {
        if self.drops.get() {
            self.take_back(0);
        }
        self.log.clear();
        self.drops.set(false);
        self.next_epoch();
    }

    #[inline(always)]
    fn is_recording(&self) -> bool {
        self.recording.get()
    }

    /// Whether a change of what lies at an address is to be logged. If it is newer than the last choice it is not, and the
    /// statement that runs, unless it has made it, cannot be re-entered at its beginning any more.
    #[inline(always)]
    pub(crate) fn logs(&self, target: *const ()) -> bool {
        if self.recording.get() && self.memory.is_new(target) {
            self.note_unlogged(target);
            return false;
        }
        self.recording.get()
    }

    #[inline(always)]
    pub(crate) fn epoch(&self) -> u64 {
        self.epoch.get()
    }

    #[inline(always)]
    fn next_epoch(&self) {
        self.epoch.set(self.epoch.get() + 1);
    }

    #[inline(always)]
    fn now_moment(&self) -> Moment {
        Moment { memory: self.memory.mark(), entries: self.log.len() as u32 }
    }

    /// Notes that a type is saved by clone.
    pub(crate) fn saved_by_clone(&self, type_name: &'static str) {
        let mut cloned = self.cloned.borrow_mut();
        if !cloned.contains(&type_name) {
            cloned.push(type_name);
        }
    }

    /// The types that were saved by clone.
    pub(crate) fn cloned(&self) -> Vec<&'static str> {
        self.cloned.borrow().clone()
    }

    /// Logs a change.
    ///
    /// # Safety
    /// Until the entry is undone, `undo(target, words)` must be sound to call once, after all later entries were undone. What it changes
    /// must lie in this memory: if all of that is forgotten, it is not called. The target must be an address that the memory gave, as the
    /// header says.
    #[inline(always)]
    pub(crate) unsafe fn log(&self, undo: Undo, target: *mut (), words: Words) {
        debug_assert!(self.memory.holds(target), "[korat internal bug] a change elsewhere is logged");
        self.note_changed();
        self.log.push(Entry { undo, target, words });
    }

    /// Logs something that must be dropped, whether it is gone back to a moment before it or all is forgotten.
    ///
    /// # Safety
    /// Until the entry is undone, `undo(target, words)` must be sound to call once, after all later entries were undone. The target must be
    /// an address that the memory gave, as the header says.
    pub(crate) unsafe fn log_drop(&self, undo: Undo, target: *mut (), words: Words) {
        self.drops.set(true);
        self.note_changed();
        self.log.push(Entry { undo, target, words });
    }

    /// Room for `count` values.
    #[inline(always)]
    pub(crate) fn take<T>(&self, count: usize) -> NonNull<T> {
        let layout = Layout::array::<T>(count).expect("a container of the predicate's is larger than memory");
        self.note_changed();
        self.memory.take(layout).cast()
    }

    /// Notes that something was made that can only be restored by making it again.
    fn pin(&self) {
        unsafe fn nothing(_: *mut (), _: Words) {}
        self.stays.set(self.stays.get() + 1);
        let target = ptr::null_mut();
        // SAFETY: an entry without a target is not called; `take_back_with_pins` does what it stands for.
        unsafe { self.log_drop(nothing, target, [MaybeUninit::uninit(); 2]) };
    }

    /// Takes back everything since a moment.
    #[inline(always)]
    fn go_back(&self, moment: Moment) {
        if self.log.len() != moment.entries as usize {
            self.take_back(moment.entries as usize);
        }
        self.memory.release(moment.memory);
    }

    /// Takes back all entries of the log but the first `left`.
    #[inline(never)]
    fn take_back(&self, left: usize) {
        self.next_epoch();
        self.undone.set(self.undone.get() + self.log.len().saturating_sub(left) as u64);
        if self.drops.get() {
            return self.take_back_with_pins(left);
        }
        while self.log.len() > left {
            // SAFETY: there is an entry; it was logged with the promise that it may be undone once, after all later ones.
            unsafe {
                let Entry { undo, target, words } = self.log.pop();
                undo(target, words);
            }
        }
    }

    /// The same where entries may be pins, which have no target.
    #[cold]
    #[inline(never)]
    fn take_back_with_pins(&self, left: usize) {
        while self.log.len() > left {
            // SAFETY: there is an entry.
            let Entry { undo, target, words } = unsafe { self.log.pop() };
            if target.is_null() {
                self.stays.set(self.stays.get() - 1);
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
