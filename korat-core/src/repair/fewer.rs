//! One change instead of several: a wrong bit of a mask looks like a wrong entry, which then makes a count wrong. Takes a valid value and its
//! changes, gives one with fewer changes if there is one near.

use super::mended::Mended;
use super::near::{Ending, Fault};
use super::stages::INSTEAD;
use super::{NotRepaired, Repairer};
use crate::model::ids::SlotId;

/// Tries times slots, which bounds the reads: each try may read the whole value.
const FOR_ALL_SLOTS: u64 = 20_000_000;
/// Maximum number of tries: half a percent of the default.
const MOST: u64 = 5_000;

impl Repairer<'_> {
    /// Visits the faults again, and searches at each for one change after which there is no other fault. Otherwise leaves the value unchanged.
    pub(super) fn do_with_fewer(&mut self, mended: &Mended) -> Result<(), NotRepaired> {
        let Some(changed) = self.may_be_fewer() else { return Ok(()) };
        let slots = self.layout().slots.len() as u64;
        let found = self.within(MOST.min(FOR_ALL_SLOTS / slots), |repairer| repairer.find_fewer(&changed, mended));
        match found {
            Ok(Some(true)) => Ok(()),
            // The budget is used up; the value with several changes stays.
            Ok(_) | Err(NotRepaired::TooManyTries | NotRepaired::TimeOver | NotRepaired::Endless { .. }) => {
                self.make_only(&changed);
                self.accept_again()
            }
            Err(error) => Err(error),
        }
    }

    fn find_fewer(&mut self, changed: &[(SlotId, u32)], mended: &Mended) -> Result<bool, NotRepaired> {
        let (choices, loss) = (self.choices().depth(), self.loss());
        let in_order = mended.slots().filter_map(|slot| changed.iter().find(|change| change.0 == slot));
        // The changes for the faults so far, each once.
        let mut made: Vec<(SlotId, u32)> = Vec::new();
        let mut tried = Mended::default();
        for &change in in_order {
            if made.contains(&change) {
                continue;
            }
            let before = made.len();
            made.push(change);
            let is_of_changed = made.len() == changed.len();
            self.make_only(&made);
            let next = if is_of_changed || self.run()? { None } else { self.place() };
            self.make_only(&made[..before]);
            if self.run()? {
                return Ok(true);
            }
            self.state.begin_trial();
            let ending = Some(Ending { is_of_changed, next, led_to_next: 0, choices, loss });
            let mut fault = Fault { ending, ..self.fault()? };
            for stage in INSTEAD {
                if self.try_stage(stage, &mut fault, &mut tried)?.is_some() {
                    return Ok(true);
                }
                if !self.is_at(&fault)? {
                    return Ok(false);
                }
            }
        }
        Ok(false)
    }
}
