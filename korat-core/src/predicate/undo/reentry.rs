//! Resume points: the statement that a choice re-enters, and how to backtrack to it.

use std::cell::Cell;

use super::Workspace;
use crate::engine::choice::Choice;
use crate::engine::resume_point::ResumePoint;
use crate::slots::slot_handle::SlotHandle;

/// Where a choice made now resumes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reentry {
    /// At the running statement, which is `resume_point`.
    Here,
    /// At an earlier statement, which is `resume_point`.
    Earlier,
    /// At the resume point of the last choice, because the statement `resume_point` made a change that was not logged.
    BeforeLast,
}

/// State for giving the last choice its next value and re-entering the statement that made it, which is `resume_point`.
#[repr(C)]
pub(super) struct Retry {
    /// The last index that the slot reaches by stepping through its domain; zero if advancing takes more than that.
    plain_until: Cell<u32>,
    reentry: Cell<Reentry>,
    /// Whether anything was logged or allocated since `resume_point`. The fields up to this one are adjacent and cleared
    /// together.
    changed: Cell<bool>,
    /// The current index of the slot.
    index: Cell<u32>,
    slot: Cell<Option<SlotHandle>>,
}

impl Retry {
    /// Creates a state in which nothing can be retried.
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
        self.resume_point.set(ResumePoint::new(self.frame.get(), self.current_checkpoint(), label));
    }

    /// Begins a statement. Choices made from now on resume at it.
    #[inline(always)]
    pub(crate) fn at(&self, label: u32) {
        if self.pins.get() > 0 {
            self.intervals.count_statement();
            return self.leave_statement();
        }
        self.note(label);
        self.retry.plain_until.set(0);
        self.retry.reentry.set(Reentry::Here);
        self.retry.changed.set(false);
        self.next_epoch();
    }

    /// Records that the running code is no longer the statement `resume_point`, and cannot be re-entered.
    #[inline]
    fn leave_statement(&self) {
        self.retry.plain_until.set(0);
        if self.retry.reentry.get() == Reentry::Here {
            self.retry.reentry.set(Reentry::Earlier);
        }
    }

    /// Records a change at an address that is not logged.
    #[inline(always)]
    pub(super) fn note_unlogged(&self, target: *const ()) {
        if self.resume_point.get().memory.is_after(target) {
            self.retry.reentry.set(Reentry::BeforeLast);
        }
    }

    /// Records that something was logged or allocated.
    #[inline(always)]
    pub(super) fn note_changed(&self) {
        self.retry.changed.set(true);
    }

    /// Begins a run from the top.
    #[inline(always)]
    pub(super) fn begin_anew(&self) {
        self.retry.reentry.set(Reentry::Here);
    }

    /// Returns whether a choice made now resumes at the running statement.
    #[inline(always)]
    pub(crate) fn reenters_here(&self) -> bool {
        self.retry.reentry.get() == Reentry::Here
    }

    /// Returns whether an unlogged change prevents a choice made now from resuming at `resume_point`.
    #[inline(always)]
    pub(super) fn is_beyond_resume_point(&self) -> bool {
        self.retry.reentry.get() == Reentry::BeforeLast
    }

    /// Prepares for a choice. If it cannot resume at `resume_point`, it resumes where the last choice does, or at the top if
    /// there is none; nothing that was changed exists there yet.
    pub(crate) fn begin_earlier(&self, last: Option<&ResumePoint>) {
        if self.is_beyond_resume_point() {
            self.resume_point.set(last.copied().unwrap_or(ResumePoint::at_top(self.memory.first_mark())));
        }
        self.retry.reentry.set(Reentry::Here);
    }

    /// Ends a choice that `begin_earlier` prepared. Further choices of the same statement share its resume point
    /// instead of the running block.
    pub(crate) fn end_earlier(&self) {
        self.leave_statement();
    }

    /// Returns the label of the running statement.
    #[inline(always)]
    pub(crate) fn label(&self) -> u32 {
        self.resume_point.get().label()
    }

    /// Returns the resume point of a choice made now.
    ///
    /// # Safety
    /// No statement may begin, and the search must not backtrack, while the reference is in use.
    #[inline(always)]
    pub(crate) unsafe fn resume_point(&self) -> &ResumePoint {
        // SAFETY: the cell holds a resume point, and the caller promises that it is not written meanwhile.
        unsafe { &*self.resume_point.as_ptr() }
    }

    /// Sets whether the machine may move on to the next candidate by itself.
    #[inline]
    pub(crate) fn set_quick(&self, quick: bool) {
        self.quick.set(quick);
        self.retry.plain_until.set(0);
    }

    pub(crate) fn is_quick(&self) -> bool {
        self.quick.get()
    }

    /// Records that the running statement chose `index` for `slot`. The choice can advance through the domain one by
    /// one up to `plain_until`.
    #[inline(always)]
    pub(crate) fn chosen(&self, slot: SlotHandle, index: u32, plain_until: u32) {
        self.memory.mark_old();
        if self.quick.get() {
            let passed = self.passed.get().wrapping_add(self.retry.index.get().into());
            self.passed.set(passed.wrapping_sub(index.into()));
            self.retry.plain_until.set(plain_until);
            self.retry.index.set(index);
            self.retry.slot.set(Some(slot));
        }
    }

    /// Backtracks to the statement of the last choice. Returns its label.
    #[inline]
    pub(crate) fn resume(&self, last: &Choice) -> u32 {
        let label = self.resume_at(&last.resume);
        self.chosen(last.slot, last.index(), last.plain_until);
        label
    }

    /// Returns how many changes backtracking to a statement undoes.
    pub(crate) fn entries_since(&self, resume: &ResumePoint) -> u64 {
        self.log.len().saturating_sub(resume.checkpoint().entries as usize) as u64
    }

    /// Backtracks to a statement one of whose choices is already made. Returns its label.
    pub(crate) fn resume_decided(&self, resume: &ResumePoint) -> u32 {
        let label = self.resume_at(resume);
        self.memory.mark_old();
        label
    }

    /// Backtracks to a statement. Returns its label.
    #[inline(always)]
    pub(super) fn resume_at(&self, resume: &ResumePoint) -> u32 {
        self.backtrack_to(resume.checkpoint());
        self.frame.set(resume.frame);
        self.resume_point.set(*resume);
        self.retry.reentry.set(Reentry::Here);
        self.retry.changed.set(false);
        resume.label()
    }

    /// Advances the last choice and backtracks to the start of the running statement. Returns false, and does nothing,
    /// if another statement made the choice or its next value is not simply the next of its domain.
    #[inline(always)]
    pub(crate) fn retry(&self) -> bool {
        let retried = self.retry_in_frame();
        // Written only if it differs, because the machine reads it next.
        let frame = self.resume_point.get().frame;
        if retried && self.frame.get() != frame {
            self.frame.set(frame);
        }
        retried
    }

    /// Advances the last choice like `retry`, when the running activation is that of the statement and need not be
    /// restored.
    #[inline(always)]
    pub(crate) fn retry_in_frame(&self) -> bool {
        let index = self.retry.index.get();
        // SAFETY: `plain_until` exceeds zero only if there is a slot, and is an index of its domain.
        let offer = || unsafe { self.retry.slot.get().unwrap_unchecked().offer_after(index) };
        let retried = index < self.retry.plain_until.get() && offer();
        if retried {
            self.retry.index.set(index + 1);
            if self.retry.changed.get() {
                self.backtrack_to(self.resume_point.get().checkpoint());
                self.retry.changed.set(false);
            }
        }
        retried
    }

    /// Returns the number of candidates that the machine skipped and that are not counted yet.
    pub(crate) fn passed(&self) -> u64 {
        self.passed.get().wrapping_add(self.retry.index.get().into())
    }

    /// Returns the number of candidates that the machine skipped since the last call.
    pub(crate) fn take_passed(&self) -> u64 {
        let index = u64::from(self.retry.index.get());
        self.passed.replace(index.wrapping_neg()).wrapping_add(index)
    }
}
