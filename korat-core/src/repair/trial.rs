//! The trials of one stage: changes slots one by one, runs the predicate, and judges by how far it gets. Keeps the first change that leads on.

use super::choices::decisions::LastDecision;
use super::choices::state::Interruption;
use super::mended::Mended;
use super::near::{End, Ending, Fault, Tried};
use super::stages::{Kind, Place, Stage};
use super::{NotRepaired, Repairer};
use crate::model::ids::SlotId;
use crate::predicate::compared::{ComparisonRecorder, Operand};

/// Number of first reads after which a rejection is another fault: five times `NEAR`, so that the two do not overlap.
const FAR_ENOUGH: usize = 64;
/// Number of statements after the rejecting one from which on a changed link has led to another fault: a loop head, a read and a check.
const FURTHER: u64 = 3;
/// Number of statements from which on a changed plain value has: two iterations of a usual loop, since it is often checked in both.
const MUCH_FURTHER: u64 = 8;
/// Maximum number of suggested values per slot: those of `LAST` comparisons in `suggest`, five for each side.
const MOST_SUGGESTED: usize = 40;

/// Number of links that may be right after which no more are tried: the missing object has a fault of its own, and leads no further anywhere.
const ENOUGH: usize = 8;

/// Number of slots that the predicate may read less with one change instead of several: the fields of one unused entry.
const LEFT_OUT: usize = 4;

/// The result of a trial.
enum Verdict {
    /// The predicate continues far enough.
    Good,
    /// It continues for a while; the change may be right.
    Weak,
    /// It hardly continues.
    Poor,
    Bad,
}

impl Repairer<'_> {
    /// Tries the changes of a stage, nearest first, and keeps the first that leads far enough. Returns whether the value is accepted then;
    /// `None` if there is none, and the choices are no longer those of the fault.
    pub(super) fn try_stage(
        &mut self,
        stage: &Stage,
        fault: &mut Fault,
        mended: &mut Mended,
    ) -> Result<Option<bool>, NotRepaired> {
        let mut left = stage.most;
        for depth in self.depths(stage.place) {
            let (slot, index) = self.choices().at(depth);
            if matches!(stage.kind, Kind::Missing(_)) && fault.may_be_right() >= ENOUGH {
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
            self.refers(slot) && (stage.kind == Kind::Changed || self.choices_mut().is_suspect(slot, index));
        let mut tried = self.alternatives(stage, slot, index, fault);
        self.choices_mut().cut(depth + 1);
        // From a place far back, the way to the rejection does not count.
        let far = if matches!(stage.kind, Kind::Missing(_)) { 0 } else { self.run_far()?.1 };
        self.choices_mut().cut(depth + 1);
        while self.choices_mut().move_on(&mut tried) {
            let index = self.index(slot);
            if mended.is_worn(slot, index) {
                continue;
            }
            // The comparisons of this value suggest more.
            let number = self.layout().number(slot, index);
            let recorder = number.map(ComparisonRecorder::of_number);
            self.state.noted_until = Some(fault.depth + FAR_ENOUGH);
            let ran = self.run_far();
            self.state.noted_until = None;
            let (accepted, now) = ran?;
            // Finding that out takes long; once is enough.
            let loops = self.state.interruption == Some(Interruption::Loop) && !self.state.budget.may_loop;
            if loops {
                mended.wear_out(slot, index);
            }
            let others: Vec<Operand> = recorder.map(|recorder| recorder.with_number()).unwrap_or_default();
            // A missing object counts by how much of it was read.
            let further = if matches!(stage.kind, Kind::Missing(_)) {
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
            } else if accepted
                || (stage.place == Place::RootNumbers || stage.kind == Kind::Derived) && self.leads_on(fault)
            {
                // The right bit, or a derived field that agrees with the others, is right here, whatever is wrong with others.
                Verdict::Good
            } else if stage.kind == Kind::Count {
                let is_right = stage.place != Place::Last && now >= far && self.is_right_count(&change, fault)?;
                if is_right { Verdict::Good } else { Verdict::Bad }
            } else {
                self.verdict(stage, &change, is_likely, fault)?
            };
            match verdict {
                Verdict::Good => {
                    let before = self.state.wish(slot);
                    self.choices_mut().want(slot, Some(index));
                    self.keep(fault, slot, index, before, mended);
                    return Ok(Some(accepted));
                }
                // Its number is removed from the domain after the trial.
                _ if stage.kind == Kind::Behind => {}
                Verdict::Weak => fault.note(Tried { may_be_right: true, ..change }),
                Verdict::Poor => fault.note(change),
                Verdict::Bad => {}
            }
            if stage.kind != Kind::Behind && fault.ending.is_none() {
                tried.suggest(self.suggested_by(slot, &others), MOST_SUGGESTED);
            }
            self.state.forget_trial();
            self.choices_mut().cut(depth + 1);
        }
        Ok(None)
    }

    /// Whether a count is right, and something else is wrong: another comparison rejects, not of the count.
    fn is_right_count(&mut self, change: &Tried, fault: &Fault) -> Result<bool, NotRepaired> {
        let compared = self.compared()?;
        let rejecting = compared.get(..1).filter(|_| compared.first() != fault.compared.first());
        Ok(rejecting.is_some_and(|rejecting| !self.was_compared(change.slot, change.index, rejecting)))
    }

    /// Judges a change after which the predicate rejected again.
    fn verdict(
        &mut self,
        stage: &Stage,
        change: &Tried,
        is_likely: bool,
        fault: &Fault,
    ) -> Result<Verdict, NotRepaired> {
        if let Some(end) = &fault.end
            && self.is_further_at(end)
            && self.refers(change.slot)
        {
            // The missing object may be in another place than where it is counted.
            let is_counted = end.count.is_none() || self.compared()?.first().copied() != end.count;
            return Ok(if is_counted { Verdict::Good } else { Verdict::Weak });
        }
        let (reads, beyond) = self.choices().first_reads(fault.depth);
        let last = self.last_decision().map(|last| last.slot);
        // The same rejection again; if much was read in between, another wrong link led there.
        let is_again = beyond < FAR_ENOUGH && self.label() == fault.label && last == fault.last.last().copied();
        if matches!(stage.kind, Kind::Missing(_)) {
            // The linked object may have a fault of its own: a link to an object reached before, or something missing.
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
            // The other side of the comparison may be wrong, too.
            return Ok(Verdict::Poor);
        }
        // An independent fault: an object not read before refers to one that was reached before.
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

    /// Whether the accepted value has about all that the value with several changes has.
    fn keeps_all(&mut self, ending: Ending) -> bool {
        self.choices().depth() + LEFT_OUT >= ending.choices && self.loss() <= ending.loss
    }

    /// Whether the predicate has continued to something else.
    fn leads_on(&self, fault: &Fault) -> bool {
        self.choices().first_reads(fault.depth).1 > 0
            && self.last_decision().map(|last| last.slot) != fault.last.last().copied()
    }

    /// Judges a plain value if the predicate then rejects a slot that it had not read before, independently of the value: one that has to be in the
    /// same range, or something else. Another range, or a difference as large as before, may depend on the value.
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

    /// Whether the predicate has reached its end again, with more choices.
    fn is_further_at(&self, end: &End) -> bool {
        self.label() == end.label && self.choices().depth() > end.depth
    }

    /// Whether the predicate has rejected for another reason than the new target of a reference: neither in the statement that read a field of it,
    /// nor by comparing it.
    fn is_elsewhere(&mut self, slot: SlotId) -> Result<bool, NotRepaired> {
        let Some(LastDecision { slot: read, index, label }) = self.last_decision() else { return Ok(false) };
        let object = self.layout().slots[read.index()].object;
        if Some(object) != self.choices().led_to(slot, self.index(slot)) {
            return Ok(true);
        }
        // The target may have a fault of its own: a link to an object reached before.
        if self.choices_mut().shares_the_way(read, slot) {
            return Ok(true);
        }
        if label == self.label() {
            return Ok(false);
        }
        let compared = self.compared()?;
        Ok(!self.was_compared(read, index, &compared))
    }

    /// Runs the predicate. Returns whether it accepts, and the number of statements that ran; if it runs from the top each time, the number of
    /// slots read for the first time.
    fn run_far(&mut self) -> Result<(bool, u64), NotRepaired> {
        let before = self.searcher.heap.work.statements();
        let accepted = self.run()?;
        let statements = self.searcher.heap.work.statements() - before;
        let reads = || self.choices().first_reads(0).0 as u64;
        Ok((accepted, if self.searcher.is_reexecuted() { reads() } else { statements }))
    }
}
