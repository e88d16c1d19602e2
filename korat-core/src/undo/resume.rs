//! The statement that a choice re-enters, and the way back to it.

use std::cell::Cell;
use std::ptr;

use super::bits::read_recent;
use super::{MemoryMark, Moment, Workspace};
use crate::engine::Choice;
use crate::slot::Eraser;

/// A statement to re-enter: its label, the activation it runs in, and the moment before it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Resume {
    frame: *mut (),
    memory: MemoryMark,
    /// The label, and how many entries the log has. One word, since it is written and read as one.
    label_and_entries: u64,
}

impl Resume {
    #[inline(always)]
    fn new(frame: *mut (), moment: Moment, label: u32) -> Self {
        let label_and_entries = u64::from(label) << 32 | u64::from(moment.entries);
        Resume { frame, memory: moment.memory, label_and_entries }
    }

    /// The beginning of a search, whose memory is still empty.
    pub(super) fn at_top(memory: MemoryMark) -> Self {
        Resume { frame: ptr::null_mut(), memory, label_and_entries: 0 }
    }

    /// A copy, soon after the statement has begun.
    #[inline(always)]
    pub(crate) fn copied(&self) -> Self {
        // SAFETY: there is a statement behind the reference, and there may be any number of copies of it.
        unsafe { read_recent(self) }
    }

    /// Whether both are the same statement at the same moment.
    #[inline]
    pub(crate) fn is(&self, other: &Resume) -> bool {
        (self.label_and_entries, self.frame, self.memory) == (other.label_and_entries, other.frame, other.memory)
    }

    /// The block that is re-entered.
    pub(crate) fn label(&self) -> u32 {
        (self.label_and_entries >> 32) as u32
    }

    #[inline(always)]
    fn moment(&self) -> Moment {
        Moment { memory: self.memory, entries: self.label_and_entries as u32 }
    }
}

/// What a choice made now re-enters.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reentry {
    /// The statement that runs, which `now` is.
    Here,
    /// An earlier statement, which `now` is.
    Earlier,
    /// Not the statement that `now` is, because it has made a change that was not logged, but the one of the last choice.
    BeforeLast,
}

/// What it takes to give the last choice its next value and re-enter the statement that made it, which is the one that `now`
/// is.
#[repr(C)]
pub(super) struct Retry {
    /// Up to here the next value of the slot is the next in its domain; zero if it takes more than this.
    plain_until: Cell<u32>,
    reentry: Cell<Reentry>,
    /// Whether anything was logged or taken since `now`. These three are cleared at once.
    changed: Cell<bool>,
    /// The index that the slot has.
    index: Cell<u32>,
    slot: Cell<Option<Eraser>>,
}

impl Retry {
    /// Nothing can be retried.
    pub(super) const fn none() -> Self {
        Retry {
            plain_until: Cell::new(0),
            reentry: Cell::new(Reentry::Here),
            changed: Cell::new(true),
            index: Cell::new(0),
            slot: Cell::new(None),
        }
    }
}

impl Workspace {
    #[inline(always)]
    pub(super) fn note(&self, label: u32) {
        self.now.set(Resume::new(self.frame.get(), self.now_moment(), label));
    }

    /// A statement begins: choices made from now on re-enter it.
    #[inline(always)]
    pub(crate) fn at(&self, label: u32) {
        if self.stays.get() > 0 {
            self.stretches.count_statement();
            return self.leave_statement();
        }
        self.note(label);
        self.retry.plain_until.set(0);
        self.retry.reentry.set(Reentry::Here);
        self.retry.changed.set(false);
        self.next_epoch();
    }

    /// What runs is no longer the statement that `now` is, and cannot be re-entered.
    #[inline]
    fn leave_statement(&self) {
        self.retry.plain_until.set(0);
        if self.retry.reentry.get() == Reentry::Here {
            self.retry.reentry.set(Reentry::Earlier);
        }
    }

    /// A change of what lies at an address is not logged.
    #[inline(always)]
    pub(super) fn note_unlogged(&self, target: *const ()) {
        if self.now.get().memory.is_after(target) {
            self.retry.reentry.set(Reentry::BeforeLast);
        }
    }

    /// Something is logged or taken.
    #[inline(always)]
    pub(super) fn note_changed(&self) {
        self.retry.changed.set(true);
    }

    /// A run begins at the top.
    #[inline(always)]
    pub(super) fn begin_anew(&self) {
        self.retry.reentry.set(Reentry::Here);
    }

    /// Whether a choice made now re-enters the statement that runs.
    #[inline(always)]
    pub(crate) fn reenters_here(&self) -> bool {
        self.retry.reentry.get() == Reentry::Here
    }

    /// Whether something has changed that was not logged, so that a choice made now cannot re-enter the statement that `now` is.
    #[inline(always)]
    pub(super) fn is_beyond_now(&self) -> bool {
        self.retry.reentry.get() == Reentry::BeforeLast
    }

    /// A choice is going to be made: if it cannot re-enter the statement that `now` is, it re-enters that of the last one, or
    /// the beginning, where nothing of what was changed is there.
    pub(crate) fn begin_earlier(&self, last: Option<&Resume>) {
        if self.is_beyond_now() {
            self.now.set(last.copied().unwrap_or(Resume::at_top(self.memory.first_mark())));
        }
        self.retry.reentry.set(Reentry::Here);
    }

    /// The choice was made. Further ones of the same statement re-enter the same, and not the block that runs.
    pub(crate) fn end_earlier(&self) {
        self.leave_statement();
    }

    /// The label of the statement that runs.
    #[inline(always)]
    pub(crate) fn label(&self) -> u32 {
        self.now.get().label()
    }

    /// The statement that a choice made now re-enters.
    ///
    /// # Safety
    /// No statement may begin, and none be gone back to, while the reference is in use.
    #[inline(always)]
    pub(crate) unsafe fn now(&self) -> &Resume {
        // SAFETY: there is a statement in the cell, which is not written to meanwhile, as the caller promises.
        unsafe { &*self.now.as_ptr() }
    }

    /// Says whether the machine may go on by itself.
    #[inline]
    pub(crate) fn set_quick(&self, quick: bool) {
        self.quick.set(quick);
        self.retry.plain_until.set(0);
    }

    pub(crate) fn is_quick(&self) -> bool {
        self.quick.get()
    }

    /// The statement that runs has chosen the value of a slot, which has this index and goes on plainly up to another.
    #[inline(always)]
    pub(crate) fn chosen(&self, slot: Eraser, index: u32, plain_until: u32) {
        self.memory.settle();
        if self.quick.get() {
            let passed = self.passed.get().wrapping_add(self.retry.index.get().into());
            self.passed.set(passed.wrapping_sub(index.into()));
            self.retry.plain_until.set(plain_until);
            self.retry.index.set(index);
            self.retry.slot.set(Some(slot));
        }
    }

    /// Goes back to the statement of the last choice. Gives its label.
    #[inline]
    pub(crate) fn resume(&self, last: &Choice) -> u32 {
        let label = self.resume_at(&last.resume);
        self.chosen(last.slot, last.index(), last.plain_until);
        label
    }

    /// Goes back to a statement, with a choice that it has made. Gives its label.
    pub(crate) fn resume_settled(&self, resume: &Resume) -> u32 {
        let label = self.resume_at(resume);
        self.memory.settle();
        label
    }

    /// Goes back to a statement. Gives its label.
    #[inline(always)]
    pub(super) fn resume_at(&self, resume: &Resume) -> u32 {
        self.go_back(resume.moment());
        self.frame.set(resume.frame);
        self.now.set(*resume);
        self.retry.reentry.set(Reentry::Here);
        self.retry.changed.set(false);
        resume.label()
    }

    /// Where the last choice was made by the statement that runs, and has a value that plainly follows: moves it on, and goes
    /// back to the beginning of the statement.
    #[inline(always)]
    pub(crate) fn retry(&self) -> bool {
        let retried = self.retry_in_frame();
        // Not written if it is so already: the machine is going to read it.
        let frame = self.now.get().frame;
        if retried && self.frame.get() != frame {
            self.frame.set(frame);
        }
        retried
    }

    /// The same where the activation that runs is that of the statement.
    #[inline(always)]
    pub(crate) fn retry_in_frame(&self) -> bool {
        let index = self.retry.index.get();
        // SAFETY: `plain_until` is more than zero only with a slot, of whose domain it is an index.
        let offer = || unsafe { self.retry.slot.get().unwrap_unchecked().offer_after(index) };
        let retried = index < self.retry.plain_until.get() && offer();
        if retried {
            self.retry.index.set(index + 1);
            if self.retry.changed.get() {
                self.go_back(self.now.get().moment());
                self.retry.changed.set(false);
            }
        }
        retried
    }

    /// How many candidates the machine has gone over that nobody has counted yet.
    pub(crate) fn passed(&self) -> u64 {
        self.passed.get().wrapping_add(self.retry.index.get().into())
    }

    /// How many candidates the machine has gone over since this was asked last.
    pub(crate) fn take_passed(&self) -> u64 {
        let index = u64::from(self.retry.index.get());
        self.passed.replace(index.wrapping_neg()).wrapping_add(index)
    }
}
