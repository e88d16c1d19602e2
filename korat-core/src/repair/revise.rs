//! Earlier changes that were wrong: where nothing helps against a fault, one of the last mends is taken back, and something else is
//! done there. Takes a fault, gives whether the predicate goes on beyond it then.

use std::collections::BTreeSet;

use super::mended::{Made, Mended};
use super::near::{Fault, REMEMBERED};
use super::{NotRepaired, Repairer};
use crate::class::traits::RepOk;
use crate::model::ids::SlotId;

/// So many of the last mends are taken back, one after the other, with all that were made after it.
const MOST_BACK: usize = 4;
/// For each, so many others are looked for.
const MOST_OTHERS: usize = 100;
/// With so many tries in all.
const MOST_TRIES: u64 = 30_000;
/// So many faults are mended up to the one for which nothing has helped.
const MOST_MENDS: usize = 8;
/// So many changes are made that lead to other faults.
const MOST_THROUGH: usize = 8;
/// So many choices more: the predicate has gone on beyond the fault.
const BEYOND: usize = 64;

/// The changes of the first of mends.
fn changes_of_first(made: &[Made]) -> Vec<(SlotId, u32)> {
    let is_of_first = |change: &&Made| change.mend == made[0].mend;
    made.iter().take_while(is_of_first).map(|change| (change.slot, change.index)).collect()
}

impl<T: RepOk> Repairer<'_, T> {
    /// Takes the last mends back, one after the other, and looks for others. Says whether the value is accepted then; none if that does
    /// not help: then everything is as it was.
    pub(super) fn revise(&mut self, fault: &Fault, mended: &mut Mended) -> Result<Option<bool>, NotRepaired> {
        let near: BTreeSet<SlotId> =
            self.choices().decisions_near(REMEMBERED).into_iter().map(|depth| self.choices().at(depth).0).collect();
        let is_near = |change: &Made| near.contains(&change.slot);
        for first in mended.beginnings(is_near).into_iter().take(MOST_BACK) {
            let end = self.tries() + MOST_TRIES;
            let swept = mended.swept;
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
            mended.swept = swept;
            self.make_again(&taken_back, mended);
            if !self.is_at(fault)? {
                return Ok(None);
            }
            self.state.begin_trial();
        }
        Ok(None)
    }

    /// Makes a change that does not lead far, and mends the faults that it leads to, each by itself. Says whether the value is accepted
    /// then; none if that does not lead beyond the fault: then everything is as it was.
    pub(super) fn try_through(&mut self, fault: &Fault, mended: &mut Mended) -> Result<Option<bool>, NotRepaired> {
        for tried in fault.best_first().into_iter().filter(|tried| tried.further > 0).take(MOST_THROUGH) {
            let (first, swept) = (mended.len(), mended.swept);
            if self.take(tried, fault, mended)? {
                return Ok(Some(true));
            }
            let end = self.tries() + MOST_TRIES / MOST_THROUGH as u64;
            let found = self.go_beyond(fault, end, mended)?;
            if found.is_some() {
                return Ok(found);
            }
            self.take_back(first, mended);
            mended.swept = swept;
            if !self.is_at(fault)? {
                return Ok(None);
            }
            self.state.begin_trial();
        }
        Ok(None)
    }

    /// Mends faults until the predicate has gone on beyond one; says whether the value is accepted. None if there is a fault before for
    /// which nothing helps, or if there are as many tries as `end` says.
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

    /// Takes changes back, from one on, the last one first. What is chosen after them is no longer.
    fn take_back(&mut self, first: usize, mended: &mut Mended) -> Vec<Made> {
        let made = mended.forget_since(first);
        self.cut_before(&made);
        for change in made.iter().rev() {
            self.choices_mut().want(change.slot, change.before);
        }
        made
    }

    /// Makes changes again that were taken back.
    fn make_again(&mut self, made: &[Made], mended: &mut Mended) {
        self.cut_before(made);
        for change in made {
            self.choices_mut().want(change.slot, Some(change.index));
        }
        mended.remember(made);
    }

    /// Drops the choices from the first of changed slots on: these slots were not read.
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
