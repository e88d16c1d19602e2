//! The choices of a candidate, answered once more to a run from the top. Takes first reads, gives each slot the index that it
//! has; notes where the reads leave the order of the stack, and makes no choice of its own.

use super::choice::{Engine, Refusal};
use crate::ambient::{self, Stop};
use crate::ids::SlotId;
use crate::slot::{Eraser, OFFERED};

/// A run from the top on the choices that a candidate has.
#[derive(Default)]
pub(super) struct Rerun {
    /// Whether one is under way.
    pub(super) is_on: bool,
    /// The indices of the choices, which are not in their slots meanwhile.
    indices: Vec<u32>,
    /// How many choices the run has read, in their order.
    read: usize,
    /// The slot that it has read where the stack has another, or none.
    other: Option<SlotId>,
    /// Steps that it has taken up to its last first read.
    steps: u64,
    /// How many it may take without reading another slot when it is over, see `begin_rerun`.
    step_limit: u64,
}

/// What a run from the top has read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Reads {
    /// So many choices, in the order of the stack.
    pub(crate) read: usize,
    /// The slot that it has read after them, where the stack has another, or none.
    pub(crate) other: Option<SlotId>,
    /// Loop rounds and calls.
    pub(crate) steps: u64,
}

impl Engine {
    /// Makes the slots of all choices unassigned, for a run from the top that reads them in the same order. With `decided`,
    /// they stay as they are, and the run must read no other slot. It may take twice the steps: a machine counts those of some calls
    /// in another way, and what ends must not seem to be endless.
    pub(crate) fn begin_rerun(&mut self, decided: bool) {
        assert!(
            self.repairing.is_none() && !self.rerun.is_on,
            "[korat internal bug] a candidate is run from the top twice"
        );
        let mut indices = std::mem::take(&mut self.rerun.indices);
        indices.clear();
        if !decided {
            for choice in self.choices() {
                indices.push(choice.index());
                choice.slot.erase();
            }
        }
        let read = if decided { self.choices().len() } else { 0 };
        self.rerun = Rerun { is_on: true, indices, read, other: None, steps: 0, step_limit: self.limits.steps };
        self.limits.steps = self.limits.steps.saturating_mul(2);
        self.slowly = true;
    }

    /// Gives all choices the indices that they have, and goes on as before.
    pub(crate) fn end_rerun(&mut self) -> Reads {
        for (choice, &index) in self.choices().iter().zip(&self.rerun.indices) {
            if choice.slot.index() >= OFFERED {
                choice.slot.assign(index);
            }
        }
        self.rerun.is_on = false;
        self.limits.steps = self.rerun.step_limit;
        self.look_at_prefix();
        Reads { read: self.rerun.read, other: self.rerun.other, steps: self.rerun.steps }
    }

    /// Answers the first read of a slot as the candidate has it.
    #[inline(never)]
    pub(super) fn choose_again(&mut self, slot: Eraser) -> Result<(u32, u32), Refusal> {
        let id = slot.id();
        if let Some(first) = self.first_to_decide(id) {
            return Err(Refusal::NotYet { first });
        }
        self.rerun.steps += self.limits.steps.saturating_sub(ambient::steps_left());
        match self.choices().get(self.rerun.read) {
            Some(choice) if choice.slot.is(slot) => {
                let index = self.rerun.indices[self.rerun.read];
                slot.assign(index);
                self.rerun.read += 1;
                Ok((index, 0))
            }
            _ => {
                self.rerun.other = Some(id);
                Err(Refusal::Stop(Stop::ReadOther))
            }
        }
    }
}
