//! The trials of one stage: which slots get which other values, and whether the predicate goes on then.

use super::choices::decisions::LastDecision;
use super::choices::state::BrokenOff;
use super::mended::Mended;
use super::near::{End, Ending, Fault, Tried};
use super::stages::{Stage, Which};
use super::{NotRepaired, Repairer};
use crate::class::traits::RepOk;
use crate::model::ids::SlotId;
use crate::predicate::compared::{ComparisonRecorder, Operand};

/// So many slots that nothing had read before: the predicate has gone on, and what it rejects then is another fault.
const FAR_ENOUGH: usize = 64;
/// So many statements that begin after the one that had rejected: the predicate has gone on with something else, if it is a link that was
/// changed.
const FURTHER: u64 = 3;
/// Number of statements after the rejecting one from which on a changed plain value has led to another fault.
const MUCH_FURTHER: u64 = 8;
/// How many plain values are tried where nothing is suggested, unless all are.
pub(super) const FEW: u32 = 4;
/// How many values are suggested for one slot.
const MOST_SUGGESTED: usize = 40;

/// So many links that may be right: what is missing has a fault of its own, and leads no further anywhere else.
const ENOUGH: usize = 8;

/// So many slots may be left out: fields of something that is not used.
const LEFT_OUT: usize = 4;

/// What came of a trial.
enum Verdict {
    /// The predicate goes on.
    Good,
    /// It goes on for a while.
    Weak,
    /// It hardly goes on.
    Poor,
    Bad,
}

impl<T: RepOk> Repairer<'_, T> {
    /// Tries the changes of a stage, nearest first; takes the first that leads far enough. None if there is none: then the
    /// choices are no longer those of the fault.
    pub(super) fn try_stage(
        &mut self,
        stage: &Stage,
        fault: &mut Fault,
        mended: &mut Mended,
    ) -> Result<Option<bool>, NotRepaired> {
        let mut left = stage.most;
        for depth in self.depths(stage, mended) {
            let (slot, index) = self.choices().at(depth);
            if stage.which.is_for_missing() && fault.may_be_right() >= ENOUGH {
                break;
            }
            if fault.ending.is_some_and(|ending| ending.is_followed()) {
                break;
            }
            if !self.is_tried(stage, slot, index, fault) {
                continue;
            }
            left = match left.checked_sub(1) {
                Some(left) => left,
                None => break,
            };
            if let Some(accepted) = self.try_slot(stage, depth, fault, mended)? {
                return Ok(Some(accepted));
            }
        }
        Ok(None)
    }

    /// Tries other values of the slot of one choice.
    fn try_slot(
        &mut self,
        stage: &Stage,
        depth: usize,
        fault: &mut Fault,
        mended: &mut Mended,
    ) -> Result<Option<bool>, NotRepaired> {
        let (slot, index) = self.choices().at(depth);
        let is_likely =
            self.refers(slot) && (stage.which == Which::Changed || self.choices_mut().is_suspect(slot, index));
        let mut tried = self.alternatives(stage, slot, index, fault);
        self.choices_mut().cut(depth + 1);
        // From a place far back it may be far to the rejection; then that counts as going on which comes to it again.
        let far = if stage.which.is_for_missing() { 0 } else { self.run_far()?.1 };
        self.choices_mut().cut(depth + 1);
        while self.choices_mut().move_on(&mut tried) {
            let index = self.index(slot);
            if mended.is_worn(slot, index) {
                continue;
            }
            // What this value is compared with says more.
            let number = self.layout().number(slot, index);
            let recorder = number.map(ComparisonRecorder::of_number);
            self.state.noted_until = Some(fault.depth + FAR_ENOUGH);
            let ran = self.run_far();
            self.state.noted_until = None;
            let (accepted, now) = ran?;
            // It takes long to know that.
            let loops = self.state.broken_off == Some(BrokenOff::Loop) && !self.state.budget.may_loop;
            if loops {
                mended.wear_out(slot, index);
            }
            let others: Vec<Operand> = recorder.map(|recorder| recorder.with_number()).unwrap_or_default();
            // Of something that was missing, how much was looked at.
            let further = if stage.which.is_for_missing() {
                self.choices().first_reads(0).0 as u64
            } else {
                now.saturating_sub(far)
            };
            let change = Tried { depth, slot, index, further, may_be_right: false };
            let verdict = if loops || self.loses_too_much {
                Verdict::Bad
            } else if let Some(ending) = &mut fault.ending {
                ending.led_to_next += usize::from(ending.next.is_some() && self.place() == ending.next);
                if accepted && self.keeps_all(*ending) { Verdict::Good } else { Verdict::Bad }
            } else if accepted || stage.which.is_for_bits() && self.leads_on(fault) {
                // The right bit is right here, whatever is wrong with others.
                Verdict::Good
            } else if stage.which == Which::ComparedInRoot {
                let is_right = now >= far && self.is_right_count(&change, fault)?;
                if is_right { Verdict::Good } else { Verdict::Bad }
            } else {
                self.verdict(stage, &change, is_likely, fault)?
            };
            match verdict {
                Verdict::Good => {
                    if stage.which.is_vacant() {
                        mended.swept = self.choices().last_read_first();
                    }
                    let before = self.state.wish(slot);
                    self.choices_mut().want(slot, Some(index));
                    self.keep(fault, slot, index, before, mended);
                    return Ok(Some(accepted));
                }
                // Its number will not be there any more.
                _ if stage.which.is_behind() => {}
                Verdict::Weak => fault.note(Tried { may_be_right: true, ..change }),
                Verdict::Poor => fault.note(change),
                Verdict::Bad => {}
            }
            if !stage.which.is_behind() && fault.ending.is_none() {
                tried.suggest(self.suggested_by(slot, &others), MOST_SUGGESTED);
            }
            self.state.forget_trial();
            self.choices_mut().cut(depth + 1);
        }
        Ok(None)
    }

    /// Whether a count is all right with what it was compared with, and something else is not: another comparison rejects, without it.
    fn is_right_count(&mut self, change: &Tried, fault: &Fault) -> Result<bool, NotRepaired> {
        let compared = self.compared()?;
        let rejecting = compared.get(..1).filter(|_| compared.first() != fault.compared.first());
        Ok(rejecting.is_some_and(|rejecting| !self.was_compared(change.slot, change.index, rejecting)))
    }

    /// What came of a change, after which the predicate has rejected again.
    fn verdict(
        &mut self,
        stage: &Stage,
        change: &Tried,
        is_likely: bool,
        fault: &Fault,
    ) -> Result<Verdict, NotRepaired> {
        if stage.which == Which::Last {
            return Ok(Verdict::Bad);
        }
        if let Some(end) = &fault.end
            && self.is_further_at(end)
            && self.refers(change.slot)
        {
            // What was missing may be somewhere else than where it is counted.
            let is_counted = end.count.is_none() || self.compared()?.first().copied() != end.count;
            return Ok(if is_counted { Verdict::Good } else { Verdict::Weak });
        }
        let (reads, beyond) = self.choices().first_reads(fault.depth);
        let last = self.last_decision().map(|last| last.slot);
        // In the same place again, with the same slot read last; if much was read meanwhile, it was come to by another wrong link.
        let is_again = beyond < FAR_ENOUGH && self.label() == fault.label && last == fault.last.last().copied();
        if stage.which.is_for_missing() {
            // What was linked may have a fault of its own: a link to something that was reached before, or something missing.
            let may_be_right =
                reads > 0 && last.is_some_and(|last| self.choices_mut().shares_the_way(last, change.slot));
            return Ok(match reads {
                _ if may_be_right || self.choices().was_bypassed(change.slot) => Verdict::Weak,
                0..=2 => Verdict::Bad,
                _ => Verdict::Poor,
            });
        }
        if is_again && self.refers(change.slot) || reads == 0 && !is_again {
            return Ok(Verdict::Bad);
        }
        if !is_again && let Some(verdict) = self.verdict_by_itself(change, fault)? {
            return Ok(verdict);
        }
        if is_again {
            // What was compared with it may be wrong, too.
            return Ok(Verdict::Poor);
        }
        // Another fault, by itself: something that was not looked at before leads to what was reached before.
        let is_another = is_likely
            && fault.together.is_empty()
            && beyond > 0
            && change.further > FURTHER
            && last.is_some_and(|last| {
                self.choices().is_read_first(last)
                    && self.choices_mut().is_shared_link(last)
                    && !self.choices().are_together(last, change.slot)
            });
        if beyond >= FAR_ENOUGH || is_another {
            return Ok(Verdict::Good);
        }
        let is_weak = if is_likely {
            change.further > FURTHER && self.is_elsewhere(change.slot)?
        } else {
            change.further >= MUCH_FURTHER && !self.refers(change.slot)
        };
        Ok(if is_weak { Verdict::Weak } else { Verdict::Poor })
    }

    /// Whether hardly anything is left out that the predicate has accepted with several changes.
    fn keeps_all(&mut self, ending: Ending) -> bool {
        self.choices().depth() + LEFT_OUT >= ending.choices && self.loss() <= ending.loss
    }

    /// Whether the predicate has gone on to something else.
    fn leads_on(&self, fault: &Fault) -> bool {
        self.choices().first_reads(fault.depth).1 > 0
            && self.last_decision().map(|last| last.slot) != fault.last.last().copied()
    }

    /// The verdict on a plain value, if something was rejected then that the predicate had not come to before, without a look at the
    /// value: that has to be within the same range, or it has to be something else by itself. If it is another range, or differs by as
    /// much as the value did, it may depend on the value.
    fn verdict_by_itself(&mut self, change: &Tried, fault: &Fault) -> Result<Option<Verdict>, NotRepaired> {
        let (Some(last), Some(&was_rejecting)) = (self.last_decision(), fault.compared.first()) else {
            return Ok(None);
        };
        let was_met = !self.choices().is_read_first(last.slot) || self.choices().depth() <= fault.depth;
        if was_met || self.refers(last.slot) || self.refers(change.slot) {
            return Ok(None);
        }
        let is_same = self.label() == fault.label;
        let had = self.choices().original(change.slot);
        let limits = had.map(|had| self.compared_with(change.slot, had, &[was_rejecting])).unwrap_or_default();
        let Some(&rejecting) = self.compared()?.first() else { return Ok(None) };
        let limits_now = self.compared_with(last.slot, last.index, &[rejecting]);
        if limits.is_empty() || limits_now.is_empty() || self.was_compared(change.slot, change.index, &[rejecting]) {
            return Ok(None);
        }
        if was_rejecting.is_for_equality() {
            let is_limit = self.layout().number(change.slot, change.index).is_some_and(|now| limits.contains(&now));
            let is_another = self.is_hasty && is_limit && rejecting.difference() != was_rejecting.difference();
            return Ok(is_another.then_some(Verdict::Good));
        }
        Ok(match is_same {
            // Of a tree, the limit may be wrong.
            true if limits == limits_now && self.layout().are_elements(change.slot, last.slot) => Some(Verdict::Good),
            false if self.choices().is_alone_in_root(last.slot) => Some(Verdict::Weak),
            _ => None,
        })
    }

    /// Whether the predicate has come to its end again, with more choices.
    fn is_further_at(&self, end: &End) -> bool {
        self.label() == end.label && self.choices().depth() > end.depth
    }

    /// Whether the predicate has rejected for another reason than the object that a reference was just changed to: not in the
    /// statement that has read a field of it, nor by comparing it.
    fn is_elsewhere(&mut self, slot: SlotId) -> Result<bool, NotRepaired> {
        let Some(LastDecision { slot: read, index, label }) = self.last_decision() else { return Ok(false) };
        let object = self.layout().slots[read.index()].object;
        if Some(object) != self.choices().led_to(slot, self.index(slot)) {
            return Ok(true);
        }
        // What it leads to may have a fault of its own: a link to something that was reached before.
        if self.choices_mut().shares_the_way(read, slot) {
            return Ok(true);
        }
        if label == self.label() {
            return Ok(false);
        }
        let compared = self.compared()?;
        Ok(!self.was_compared(read, index, &compared))
    }

    /// Runs the predicate, and gives how many statements have begun: if it is run from the top each time, how many slots were read
    /// for the first time.
    fn run_far(&mut self) -> Result<(bool, u64), NotRepaired> {
        let before = self.searcher.heap.work.statements();
        let accepted = self.run()?;
        let statements = self.searcher.heap.work.statements() - before;
        let reads = || self.choices().first_reads(0).0 as u64;
        Ok((accepted, if self.searcher.is_reexecuted() { reads() } else { statements }))
    }
}
