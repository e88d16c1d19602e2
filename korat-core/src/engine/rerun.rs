//! Repeats the first reads of a candidate in a run from the top. Gives each slot the index that its choice has, records
//! where the reads leave the order of the stack, and makes no choice of its own.

use super::choice_stack::{Engine, Refusal};
use crate::engine::stop::Stop;
use crate::model::ids::SlotId;
use crate::slots::slot_handle::SlotHandle;

/// A run from the top on the choices of a candidate.
#[derive(Default)]
pub(super) struct Rerun {
    /// Whether a rerun is in progress.
    pub(super) is_on: bool,
    /// The reads so far.
    reads: Reads,
    /// The step limit of the search, restored afterwards.
    step_limit: u64,
}

/// What a run from the top has read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Reads {
    /// The number of choices that it has read in the order of the stack.
    pub(crate) read: usize,
    /// The slot that it has read after them, if the stack has another one there, or none.
    pub(crate) other: Option<SlotId>,
    /// Loop iterations and calls up to the last of these reads.
    pub(crate) steps: u64,
}

impl Engine {
    /// Makes the slots of all choices unassigned, for a run from the top that reads them in the same order. With
    /// `decided`, they keep their values, and the run must read no other slot. Doubles the step limit: a machine counts
    /// the steps of some calls differently, and a run that ends must not appear endless.
    pub(crate) fn begin_rerun(&mut self, decided: bool) {
        assert!(!self.rerun.is_on, "[korat internal bug] a run from the top within another");
        let mut reads = Reads::default();
        if decided {
            reads.read = self.choices().len();
        } else {
            for choice in self.choices() {
                choice.slot.give_back();
            }
        }
        self.rerun = Rerun { is_on: true, reads, step_limit: self.limits.steps };
        self.limits.steps = self.limits.steps.saturating_mul(2);
    }

    /// Restores the index of every choice, and the step limit. Returns what the run has read.
    pub(crate) fn end_rerun(&mut self) -> Reads {
        for choice in &self.choices()[self.rerun.reads.read..] {
            // SAFETY: the slot is prepared for the index of its choice, since `begin_rerun` has left it there.
            unsafe { choice.slot.take_prepared(choice.slot.prepared()) };
        }
        self.rerun.is_on = false;
        self.limits.steps = self.rerun.step_limit;
        self.rerun.reads
    }

    /// Answers the first read of a slot, if the candidate read the same slot at this point. `steps_left` is the unused
    /// part of the step limit.
    #[inline(always)]
    pub(crate) fn read_again(&mut self, slot: SlotHandle, steps_left: u64) -> Result<(), Refusal> {
        if !self.choices().get(self.rerun.reads.read).is_some_and(|choice| choice.slot.is(slot)) {
            return Err(self.refuse_other(slot));
        }
        // SAFETY: the slot belongs to a choice, whose index `begin_rerun` has left in it.
        unsafe { slot.take_prepared(slot.prepared()) };
        self.rerun.reads.read += 1;
        self.rerun.reads.steps += self.limits.steps.saturating_sub(steps_left);
        Ok(())
    }

    /// Returns why a first read is refused: another slot must be decided first, or the candidate read another slot at
    /// this point.
    #[cold]
    #[inline(never)]
    pub(super) fn refuse_other(&mut self, slot: SlotHandle) -> Refusal {
        let id = slot.id();
        if let Some(first) = self.first_to_decide(id) {
            return Refusal::NotYet { first };
        }
        self.rerun.reads.other = Some(id);
        Refusal::Stop(Stop::ReadOther)
    }
}
