//! Backtracking over faults: where nothing helps against a fault, an earlier change may be wrong. Reverts the changes from one of the last
//! faults on, and looks for other changes there.

use std::collections::BTreeSet;

use super::mended::{Made, Mended};
use super::near::Fault;
use super::stages::REMEMBERED;
use super::{NotRepaired, Repairer};
use crate::model::ids::SlotId;

/// Maximum number of faults to go back, one after the other. A wrong change shows at one of the next faults.
const MOST_BACK: usize = 4;
/// Maximum number of other changes for each of them: as many as a stage tries near a rejection.
const MOST_OTHERS: usize = 100;
/// Maximum number of tries for each of them: 3 % of the default for the whole repair.
const MOST_TRIES: u64 = 30_000;
/// Maximum number of faults between the one reverted and the one for which nothing helped.
const MOST_MENDS: usize = 8;
/// Maximum number of changes to go through, which share `MOST_TRIES`: the few best of those that did not lead far.
const MOST_THROUGH: usize = 8;
/// Number of choices after a fault from which on the predicate has passed it; see `FAR_ENOUGH` in `trial`.
const BEYOND: usize = 64;

/// Returns the changes made for the first of several faults.
fn changes_of_first(made: &[Made]) -> Vec<(SlotId, u32)> {
    let is_of_first = |change: &&Made| change.mend == made[0].mend;
    made.iter().take_while(is_of_first).map(|change| (change.slot, change.index)).collect()
}

impl Repairer<'_> {
    /// Reverts the changes for the last faults, one after the other, and looks for others. Returns whether the value is accepted then, or
    /// `None` if nothing helps; then everything is as it was.
    pub(super) fn revise(&mut self, fault: &Fault, mended: &mut Mended) -> Result<Option<bool>, NotRepaired> {
        let near: BTreeSet<SlotId> =
            self.choices().decisions_near(REMEMBERED).into_iter().map(|depth| self.choices().at(depth).0).collect();
        let is_near = |change: &Made| near.contains(&change.slot);
        for first in mended.beginnings(is_near).into_iter().take(MOST_BACK) {
            let end = self.tries() + MOST_TRIES;
            let taken_back = self.take_back(first, mended);
            let barred = mended.barred.len();
            mended.barred.extend(changes_of_first(&taken_back));
            for _ in 0..MOST_OTHERS {
                let found = self.go_beyond(fault, u64::MAX, mended)?;
                if found.is_some() {
                    mended.barred.truncate(barred);
                    mended.count(changes_of_first(&taken_back));
                    return Ok(found);
                }
                let others = self.take_back(first, mended);
                if others.is_empty() {
                    break;
                }
                mended.barred.extend(changes_of_first(&others));
                if self.tries() >= end {
                    break;
                }
            }
            self.take_back(first, mended);
            mended.barred.truncate(barred);
            self.make_again(&taken_back, mended);
            if !self.is_at(fault)? {
                return Ok(None);
            }
            self.state.begin_trial();
        }
        Ok(None)
    }

    /// Makes a change that did not lead far, and mends the faults that it leads to. Returns whether the value is accepted then, or `None` if
    /// that does not pass the fault; then everything is as it was.
    pub(super) fn try_through(&mut self, fault: &Fault, mended: &mut Mended) -> Result<Option<bool>, NotRepaired> {
        for tried in fault.best_first().into_iter().filter(|tried| tried.further > 0).take(MOST_THROUGH) {
            let first = mended.len();
            if self.take(tried, fault, mended)? {
                return Ok(Some(true));
            }
            let end = self.tries() + MOST_TRIES / MOST_THROUGH as u64;
            let found = self.go_beyond(fault, end, mended)?;
            if found.is_some() {
                return Ok(found);
            }
            self.take_back(first, mended);
            if !self.is_at(fault)? {
                return Ok(None);
            }
            self.state.begin_trial();
        }
        Ok(None)
    }

    /// Mends faults until the predicate has passed one. Returns whether the value is accepted, or `None` if nothing helps against a fault
    /// before it, or `end` tries were made.
    fn go_beyond(&mut self, fault: &Fault, end: u64, mended: &mut Mended) -> Result<Option<bool>, NotRepaired> {
        if self.run()? {
            return Ok(Some(true));
        }
        mended.is_revised = true;
        let more = if fault.end.is_some() { 1 } else { BEYOND };
        let mut found = None;
        for _ in 0..MOST_MENDS {
            if self.tries() >= end {
                break;
            }
            let accepted = self.mend(mended)?;
            let is_beyond = self.choices().depth() >= fault.depth + more;
            if accepted == Some(true) || is_beyond {
                found = accepted;
            }
            if accepted != Some(false) || is_beyond {
                break;
            }
        }
        mended.is_revised = false;
        Ok(found)
    }

    /// Reverts changes, from the one at `first` on, and drops the choices after them.
    fn take_back(&mut self, first: usize, mended: &mut Mended) -> Vec<Made> {
        let made = mended.forget_since(first);
        self.cut_before(&made);
        for change in made.iter().rev() {
            self.choices_mut().want(change.slot, change.before);
        }
        made
    }

    /// Makes reverted changes again.
    fn make_again(&mut self, made: &[Made], mended: &mut Mended) {
        self.cut_before(made);
        for change in made {
            self.choices_mut().want(change.slot, Some(change.index));
        }
        mended.remember(made);
    }

    /// Drops the choices from the first changed slot on; these slots count as unread.
    fn cut_before(&mut self, made: &[Made]) {
        if let Some(first) = made.iter().filter_map(|change| self.choices().depth_of(change.slot)).min() {
            for depth in first..self.choices().depth() {
                let (slot, _) = self.choices().at(depth);
                self.state.forget_read(slot);
            }
            self.choices_mut().cut(first);
        }
    }
}
