//! What was changed for one fault may not be needed any more when another one is repaired: then it is taken back. Takes a value that was
//! found, gives one with no more changes.

use super::{NotRepaired, Repairer};
use crate::class::traits::RepOk;
use crate::model::ids::SlotId;

/// That is looked at if there are no more changes than this, in values of at most so many slots: each takes a run, or two.
const FEW: usize = 8;
const SLOTS: usize = 100_000;

impl<T: RepOk> Repairer<'_, T> {
    /// Takes back changes, one after the other, without which the predicate accepts as well.
    pub(super) fn undo_needless(&mut self) -> Result<(), NotRepaired> {
        let Some(changed) = self.may_be_fewer() else { return Ok(()) };
        for &(slot, index) in &changed {
            self.choices_mut().want(slot, Some(index));
        }
        for (slot, _) in changed {
            if self.tries() >= self.effort.tries || self.is_time_over() {
                break;
            }
            self.undo_if_needless(slot)?;
        }
        Ok(())
    }

    /// The changed slots and their indices, if it is looked at whether there may be fewer.
    pub(super) fn may_be_fewer(&mut self) -> Option<Vec<(SlotId, u32)>> {
        let is_large = self.layout().slots.len() > SLOTS;
        let changed = self.state.changed().to_vec();
        // What there is with objects or elements that the value did not have depends on these changes.
        if is_large || self.choices().has_more() || !(2..=FEW).contains(&changed.len()) {
            return None;
        }
        Some(changed.into_iter().map(|slot| (slot, self.index(slot))).collect())
    }

    fn undo_if_needless(&mut self, slot: SlotId) -> Result<(), NotRepaired> {
        let (changes, index) = (self.state.changed().len(), self.index(slot));
        let Some(depth) = self.choices().depth_of(slot).filter(|_| self.choices().is_changed(slot)) else {
            return Ok(());
        };
        self.choices_mut().cut(depth);
        self.choices_mut().want(slot, None);
        let accepts = match self.accepts() {
            // Something was found.
            Err(NotRepaired::TimeOver) => false,
            accepts => accepts?,
        };
        if accepts && self.state.changed().len() < changes {
            return Ok(());
        }
        self.choices_mut().cut(depth);
        self.choices_mut().want(slot, Some(index));
        self.accept_again()
    }

    /// Runs the predicate, which has accepted before what is to be chosen now, however long it takes.
    pub(super) fn accept_again(&mut self) -> Result<(), NotRepaired> {
        self.renew_budget(None);
        let accepts = self.accepts();
        self.renew_budget(self.effort.deadline);
        if accepts? { Ok(()) } else { Err(NotRepaired::NoValue) }
    }

    /// Runs the predicate, whatever the limits are.
    fn accepts(&mut self) -> Result<bool, NotRepaired> {
        Ok(self.run_freely()? && self.is_value()?)
    }
}
