//! Reverts unnecessary changes: one made for a fault may not be needed after the next is repaired. Takes a valid value, gives one with no more
//! changes.

use super::{NotRepaired, Repairer};
use crate::model::ids::SlotId;

/// Maximum number of changes, and of slots of the value, for which this is tried: each change takes up to two runs.
const FEW: usize = 8;
const SLOTS: usize = 100_000;

impl Repairer<'_> {
    /// Reverts each change without which the predicate still accepts.
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

    /// Returns the changed slots and their indices, if fewer changes are worth a search.
    pub(super) fn may_be_fewer(&mut self) -> Option<Vec<(SlotId, u32)>> {
        let is_large = self.layout().slots.len() > SLOTS;
        let changed = self.state.changed().to_vec();
        // New objects and elements depend on these changes.
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
            // A valid value is known.
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

    /// Runs the predicate on choices that it has accepted before, without a time limit.
    pub(super) fn accept_again(&mut self) -> Result<(), NotRepaired> {
        self.renew_budget(None);
        let accepts = self.accepts();
        self.renew_budget(self.effort.deadline);
        if accepts? { Ok(()) } else { Err(NotRepaired::NoValue) }
    }
}
