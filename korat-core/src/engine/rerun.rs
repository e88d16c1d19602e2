//! The choices of a candidate, read once more by a run from the top. Takes first reads, gives each slot the index that it has;
//! notes where the reads leave the order of the stack, and makes no choice of its own.

use super::choice::{Engine, Refusal};
use crate::ambient::Stop;
use crate::ids::SlotId;
use crate::slot::Eraser;

/// A run from the top on the choices that a candidate has.
#[derive(Default)]
pub(super) struct Rerun {
    /// Whether one is under way.
    pub(super) is_on: bool,
    /// How far it has come.
    reads: Reads,
    /// How many steps a run of the search may take.
    step_limit: u64,
}

/// What a run from the top has read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Reads {
    /// So many choices, in the order of the stack.
    pub(crate) read: usize,
    /// The slot that it has read after them, where the stack has another, or none.
    pub(crate) other: Option<SlotId>,
    /// Loop rounds and calls up to the last of them.
    pub(crate) steps: u64,
}

impl Engine {
    /// Makes the slots of all choices unassigned, for a run from the top that reads them in the same order. With `decided`,
    /// they stay as they are, and the run must read no other slot. It may take twice the steps: a machine counts those of some
    /// calls in another way, and what ends must not seem to be endless.
    pub(crate) fn begin_rerun(&mut self, decided: bool) {
        assert!(
            self.repairing.is_none() && !self.rerun.is_on,
            "[korat internal bug] a run from the top within another"
        );
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
        self.slowly = true;
    }

    /// Gives all choices the indices that they have, and goes on as before.
    pub(crate) fn end_rerun(&mut self) -> Reads {
        for choice in &self.choices()[self.rerun.reads.read..] {
            // SAFETY: the index is the one that the choice has, which `begin_rerun` has left in the slot.
            unsafe { choice.slot.take_prepared(choice.slot.prepared()) };
        }
        self.rerun.is_on = false;
        self.limits.steps = self.rerun.step_limit;
        self.look_at_prefix();
        self.rerun.reads
    }

    /// Whether a choice takes more than the next index of its slot.
    #[inline(always)]
    pub(crate) fn is_slow(&self) -> bool {
        self.slowly
    }

    /// Answers the first read of a slot, if a run from the top reads it where the candidate did. `steps_left`: of those that it may take.
    #[inline(always)]
    pub(crate) fn read_again(&mut self, slot: Eraser, steps_left: u64) -> bool {
        if !self.rerun.is_on {
            return false;
        }
        let is_next = self.choices().get(self.rerun.reads.read).is_some_and(|choice| choice.slot.is(slot));
        if is_next {
            // SAFETY: the slot is that of a choice, whose index `begin_rerun` has left in it.
            unsafe { slot.take_prepared(slot.prepared()) };
            self.rerun.reads.read += 1;
            self.rerun.reads.steps += self.limits.steps.saturating_sub(steps_left);
        }
        is_next
    }

    /// Why the first read of a slot is not answered: another one has to be decided first, or the candidate read another one here.
    #[cold]
    #[inline(never)]
    pub(super) fn refuse_other(&mut self, slot: Eraser) -> Refusal {
        let id = slot.id();
        if let Some(first) = self.first_to_decide(id) {
            return Refusal::NotYet { first };
        }
        self.rerun.reads.other = Some(id);
        Refusal::Stop(Stop::ReadOther)
    }
}
