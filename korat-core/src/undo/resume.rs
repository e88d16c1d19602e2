//! The statement that a choice re-enters, and the way back to it.

use std::ptr;

use super::{MemoryMark, Moment, Workspace};
use crate::engine::Choice;
use crate::slot::Eraser;

/// A statement to re-enter: its label, the activation it runs in, and the moment before it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Resume {
    frame: *mut (),
    memory: MemoryMark,
    entries: u32,
    label: u32,
}

impl Resume {
    /// The beginning of a search, whose memory is still empty.
    pub(super) fn at_top(memory: MemoryMark) -> Self {
        Resume { frame: ptr::null_mut(), memory, entries: 0, label: 0 }
    }

    /// Whether both are the same statement at the same moment.
    pub(crate) fn is(&self, other: &Resume) -> bool {
        (self.label, self.frame, self.entries) == (other.label, other.frame, other.entries)
    }

    /// The block that is re-entered.
    pub(crate) fn label(&self) -> u32 {
        self.label
    }

    #[inline(always)]
    fn moment(&self) -> Moment {
        Moment { memory: self.memory, entries: self.entries }
    }
}

/// The label of no statement.
const NOWHERE: u32 = u32::MAX;

/// What it takes to give the last choice its next value and re-enter the statement that made it, which is the one that `now`
/// is.
#[repr(C)]
pub(super) struct Retry {
    /// The label of the statement; `NOWHERE` if it takes more than this.
    label: u32,
    /// Whether the statement that `now` is has made a change that was not logged; beside `label`, with which it is cleared.
    unlogged: u32,
    /// Up to here the next value of the slot is the next in its domain.
    plain_until: u32,
    slot: Eraser,
}

impl Retry {
    /// Nothing can be retried.
    pub(super) const NONE: Self = Retry { label: NOWHERE, unlogged: 0, plain_until: 0, slot: Eraser::NONE };
}

impl Workspace {
    #[inline(always)]
    pub(super) fn note(&mut self, label: u32) {
        let Moment { memory, entries } = self.now_moment();
        self.now = Resume { frame: self.frame, memory, entries, label };
    }

    /// A statement begins: choices made from now on re-enter it.
    #[inline(always)]
    pub(crate) fn at(&mut self, label: u32) {
        if self.pins == 0 {
            self.note(label);
            (self.retry.label, self.retry.unlogged) = (NOWHERE, 0);
            self.epoch += 1;
        }
    }

    /// A change of what lies at an address is not logged.
    #[inline(always)]
    pub(super) fn note_unlogged(&mut self, target: *const ()) {
        if self.now.memory.is_after(target) {
            self.retry.unlogged = 1;
        }
    }

    /// What was changed is gone.
    #[inline(always)]
    pub(super) fn forget_unlogged(&mut self) {
        self.retry.unlogged = 0;
    }

    /// Whether a choice made now cannot re-enter the statement that runs.
    #[inline(always)]
    pub(crate) fn has_unlogged(&self) -> bool {
        self.retry.unlogged != 0
    }

    /// Choices made now re-enter the statement of the last one, or the beginning, where nothing of what was changed is there.
    #[cold]
    #[inline(never)]
    pub(crate) fn reenter_earlier(&mut self, last: Option<&Choice>) {
        self.now = last.map_or(Resume::at_top(self.memory.first_mark()), |last| last.resume);
        self.retry.unlogged = 0;
    }

    /// The label of the statement that runs.
    pub(crate) fn label(&self) -> u32 {
        self.now.label
    }

    /// The statement that a choice made now re-enters.
    #[inline(always)]
    pub(crate) fn now(&self) -> &Resume {
        &self.now
    }

    /// Says whether the machine may go on by itself.
    #[inline]
    pub(crate) fn set_quick(&mut self, quick: bool) {
        self.quick = quick;
        self.retry.label = NOWHERE;
    }

    pub(crate) fn is_quick(&self) -> bool {
        self.quick
    }

    /// The statement that runs has chosen the value of a slot, which goes on plainly up to an index.
    #[inline(always)]
    pub(crate) fn chosen(&mut self, slot: Eraser, plain_until: u32) {
        self.memory.settle();
        self.retry.unlogged = 0;
        if self.quick {
            self.retry = Retry { label: self.now.label, unlogged: 0, plain_until, slot };
        }
    }

    /// Goes back to the statement of the last choice. Gives its label.
    #[inline]
    pub(crate) fn resume(&mut self, last: &Choice) -> u32 {
        self.go_back(last.resume.moment());
        self.frame = last.resume.frame;
        self.now = last.resume;
        self.chosen(last.slot, last.plain_until);
        last.resume.label
    }

    /// Where the last choice re-enters the statement that `now` is, and has a value that plainly follows: moves it on, and goes
    /// back.
    ///
    /// # Safety
    /// The heap of the last choice must be alive.
    #[inline(always)]
    pub(crate) unsafe fn retry(&mut self) -> bool {
        // SAFETY: as the caller says.
        let retried = unsafe { self.retry_in_frame() };
        // Not written if it is so already: the machine is going to read it.
        if retried && self.frame != self.now.frame {
            self.frame = self.now.frame;
        }
        retried
    }

    /// The same where the activation that runs is that of the statement.
    ///
    /// # Safety
    /// As for `retry`.
    #[inline(always)]
    pub(crate) unsafe fn retry_in_frame(&mut self) -> bool {
        // SAFETY: as the caller says.
        let retried = unsafe { self.retry.slot.offer_next(self.retry.plain_until) };
        if retried {
            self.passed += 1;
            self.go_back(self.now.moment());
        }
        retried
    }

    /// The label of the statement that `retry` re-enters, if it may be called.
    #[inline(always)]
    pub(crate) fn retried(&self) -> Option<u32> {
        (self.retry.label != NOWHERE).then_some(self.retry.label)
    }

    /// How many candidates the machine has gone over since this was asked last.
    pub(crate) fn take_passed(&mut self) -> u64 {
        std::mem::take(&mut self.passed)
    }
}
