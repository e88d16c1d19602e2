//! Repairs fault by fault: where the predicate rejects, makes the change nearest to the failing read with which it continues. Takes one pass over
//! the value; a change stays unless a later fault reverts it.

use super::choices::state::Interruption;
use super::mended::Mended;
use super::stages::{About, LAST, LIKELY, LOST, MOST_TOGETHER, ONE_MORE, REMEMBERED, Step, steps};
use super::{NotRepaired, Repairer};
use crate::model::ids::SlotId;
use crate::predicate::compared::{Comparison, ComparisonRecorder};
use crate::slots::slot::UNASSIGNED;

/// Number of last reads to repeat, to see whether the rejecting statement has run before: four times what one iteration usually reads.
const LOOKED_BACK: usize = 48;

/// A change that was tried and did not lead far.
#[derive(Clone, Copy)]
pub(super) struct Tried {
    /// Number of choices before it.
    pub(super) depth: usize,
    pub(super) slot: SlotId,
    pub(super) index: u32,
    /// Number of statements that the predicate ran beyond the rejection.
    pub(super) further: u64,
    /// Whether it may be right, with another fault near.
    pub(super) may_be_right: bool,
}

/// The end of the predicate, where something is missing: a right change reaches it again with more choices.
#[derive(Clone, Copy)]
pub(super) struct End {
    pub(super) depth: usize,
    pub(super) label: u32,
    /// The comparison of a count that rejected there; a right change makes it another one.
    pub(super) count: Option<Comparison>,
}

/// Where the predicate rejects: the label of the statement, and the slot read last.
pub(super) type Place = (u32, SlotId);

/// The condition on one change instead of several: the predicate accepts, and no more is lost.
#[derive(Clone, Copy)]
pub(super) struct Ending {
    /// Whether only slots that the several changes concern may change.
    pub(super) is_of_changed: bool,
    /// Where the next fault was after the change that was made, and how many other changes led there.
    pub(super) next: Option<Place>,
    pub(super) led_to_next: usize,
    /// Number of choices with all changes, and of lost objects and elements.
    pub(super) choices: usize,
    pub(super) loss: usize,
}

impl Ending {
    /// Whether the next fault is independent of the changes that led to it.
    pub(super) fn is_followed(&self) -> bool {
        // Four different changes rarely cause the same fault.
        const ENOUGH: usize = 4;
        self.led_to_next >= ENOUGH
    }
}

/// A fault: where the predicate rejected, and what was tried there.
pub(super) struct Fault {
    /// Number of choices, and the label of the rejecting statement.
    pub(super) depth: usize,
    pub(super) label: u32,
    /// The slots of the last choices.
    pub(super) last: Vec<SlotId>,
    pub(super) compared: Vec<Comparison>,
    /// Set if the predicate reached its end, and something is missing.
    pub(super) end: Option<End>,
    /// Set if only changes with which the predicate accepts count.
    pub(super) ending: Option<Ending>,
    /// Slots that the changes made together concern.
    pub(super) together: Vec<SlotId>,
    /// Changes that do not lead far.
    pub(super) tried: Vec<Tried>,
}

/// Maximum number of changes to remember that did not lead far, up to twice as many in between: two dozen are used.
const MOST_TRIED: usize = 64;

impl Fault {
    /// Notes a change that did not lead far.
    pub(super) fn note(&mut self, tried: Tried) {
        let is_same = |other: &Tried| (other.slot, other.index) == (tried.slot, tried.index);
        if !self.tried.iter().any(is_same) {
            self.tried.push(tried);
        }
        if self.tried.len() > 2 * MOST_TRIED {
            self.tried = self.best_first();
            self.tried.truncate(MOST_TRIED);
        }
    }

    /// Returns how many of the noted changes may be right.
    pub(super) fn may_be_right(&self) -> usize {
        self.tried.iter().filter(|tried| tried.may_be_right).count()
    }

    /// Returns the noted changes, best first.
    pub(super) fn best_first(&self) -> Vec<Tried> {
        let mut tried = self.tried.clone();
        tried.sort_by_key(|tried| (!tried.may_be_right, std::cmp::Reverse(tried.further)));
        tried
    }
}

impl Repairer<'_> {
    /// Repairs one fault after the other, after a run that rejected, and returns the changes. `None` if nothing helps against one of them; then
    /// the choices have no meaning.
    pub(super) fn mend_all(&mut self) -> Result<Option<Mended>, NotRepaired> {
        let mut mended = Mended::default();
        loop {
            match self.mend(&mut mended)? {
                None => return Ok(None),
                Some(true) => return Ok(Some(mended)),
                Some(false) => {}
            }
        }
    }

    /// Repairs the fault that the last run found. Returns whether the value is accepted then; `None` if nothing helps.
    pub(super) fn mend(&mut self, mended: &mut Mended) -> Result<Option<bool>, NotRepaired> {
        mended.begin();
        self.state.begin_trial();
        let mut fault = self.fault()?;
        let Some((slot, index)) = self.last_decision().map(|last| (last.slot, last.index)) else {
            return Ok(None);
        };
        // The last read alone may be wrong: a count, at the end.
        let was_compared = self.was_compared(slot, index, &fault.compared);
        if was_compared {
            let found = self.try_stage(&LAST, &mut fault, mended)?;
            if found.is_some() || !self.is_at(&fault)? {
                return Ok(found);
            }
        }
        let about = self.about(slot, index, &fault)?;
        if about == About::End {
            let rejecting = fault.compared.first().copied().filter(|last| last.is_for_equality());
            let count = rejecting.filter(|&rejecting| self.was_compared(slot, index, &[rejecting]));
            fault.end = Some(End { depth: fault.depth, label: fault.label, count });
        }
        let has_derived = self.derived.contains(&true);
        for step in steps(about, has_derived) {
            let found = match step {
                Step::One(stage) => self.try_stage(stage, &mut fault, mended)?,
                Step::Together(more) => self.try_together(*more, false, &fault, mended)?,
                Step::TogetherIfRight => self.try_together(ONE_MORE, true, &fault, mended)?,
                Step::Best => match fault
                    .best_first()
                    .into_iter()
                    .find(|best| best.further > 0 && best.depth + REMEMBERED >= fault.depth)
                {
                    Some(best) => Some(self.take(best, &fault, mended)?),
                    None => None,
                },
                Step::Revise if mended.is_revised => return Ok(None),
                Step::Through if mended.is_revised => None,
                Step::Through => self.try_through(&fault, mended)?,
                Step::Revise => self.revise(&fault, mended)?,
                Step::Grow => self.grow(&fault, mended)?,
            };
            if found.is_some() {
                return Ok(found);
            }
            if !self.is_at(&fault)? {
                return Ok(None);
            }
        }
        Ok(None)
    }

    /// Returns what a fault is about, where a slot was read last.
    fn about(&mut self, slot: SlotId, index: u32, fault: &Fault) -> Result<About, NotRepaired> {
        // A predicate that loops has not reached its end, and has followed a link to an object reached before.
        let loops = self.state.interruption == Some(Interruption::Loop);
        if !loops && self.is_end(fault)? {
            return Ok(About::End);
        }
        let is_shared = (loops || self.choices_mut().is_shared_link(slot)) && !self.choices().is_leader(slot, index);
        Ok(if is_shared && !self.was_compared(slot, index, &fault.compared) { About::Shared } else { About::Other })
    }

    /// Makes a change that does not lead far together with `more` others, each where the one before it leads: faults are so near to each other
    /// that one cannot be repaired without the others.
    fn try_together(
        &mut self,
        more: usize,
        only_right: bool,
        fault: &Fault,
        mended: &mut Mended,
    ) -> Result<Option<bool>, NotRepaired> {
        let firsts = fault.best_first().into_iter().filter(|first| first.may_be_right || !only_right);
        for first in firsts.take(MOST_TOGETHER[more - 1]) {
            let before = self.state.wish(first.slot);
            self.choices_mut().cut(first.depth);
            self.choices_mut().want(first.slot, Some(first.index));
            let mut found = self.run()?.then_some(true);
            if found.is_none() && self.choices().depth() > first.depth {
                let together = fault.together.iter().copied().chain([first.slot]).collect();
                let mut next = Fault { end: fault.end, together, ..self.fault()? };
                for stage in [&LOST, &LIKELY] {
                    found = self.try_stage(stage, &mut next, mended)?;
                    if found.is_some() || !self.is_at(&next)? {
                        break;
                    }
                }
                if found.is_none() && more > ONE_MORE && self.choices().depth() == next.depth {
                    found = self.try_together(more - 1, only_right, &next, mended)?;
                }
            }
            if found.is_some() {
                self.keep(fault, first.slot, first.index, before, mended);
                return Ok(found);
            }
            self.state.forget_trial();
            self.choices_mut().cut(first.depth);
            self.choices_mut().want(first.slot, before);
            if !self.is_at(fault)? {
                return Ok(None);
            }
        }
        Ok(None)
    }

    /// Returns the fault that the last run found.
    pub(super) fn fault(&mut self) -> Result<Fault, NotRepaired> {
        let compared = self.compared()?;
        let depth = self.choices().depth();
        let last = (depth.saturating_sub(REMEMBERED)..depth).map(|at| self.choices().at(at).0).collect();
        let label = self.label();
        let (together, tried) = (Vec::new(), Vec::new());
        Ok(Fault { depth, label, last, compared, end: None, ending: None, together, tried })
    }

    /// Returns where the last run rejected.
    pub(super) fn place(&self) -> Option<Place> {
        Some((self.label(), self.last_decision()?.slot))
    }

    /// Whether the predicate has visited everything that it reached, and something is missing: the rejecting statement has not run for
    /// earlier objects, and no link refers to an object reached before.
    fn is_end(&mut self, fault: &Fault) -> Result<bool, NotRepaired> {
        if fault.last.last().is_some_and(|&last| self.choices_mut().is_shared_link(last)) {
            return Ok(false);
        }
        self.choices_mut().cut((fault.depth.saturating_sub(LOOKED_BACK)).max(1));
        let recorder = ComparisonRecorder::of_statement(fault.label);
        let is_at = self.is_at(fault)?;
        Ok(is_at && recorder.statements() <= 1)
    }

    /// Runs the predicate again. Returns whether it rejects where it did before.
    pub(super) fn is_at(&mut self, fault: &Fault) -> Result<bool, NotRepaired> {
        Ok(!self.run()? && self.choices().depth() == fault.depth)
    }

    /// Makes a change that did not lead far. Returns whether the value is accepted then.
    pub(super) fn take(&mut self, tried: Tried, fault: &Fault, mended: &mut Mended) -> Result<bool, NotRepaired> {
        self.choices_mut().cut(tried.depth);
        let before = self.state.wish(tried.slot);
        self.choices_mut().want(tried.slot, Some(tried.index));
        let accepted = self.run()?;
        self.keep(fault, tried.slot, tried.index, before, mended);
        Ok(accepted)
    }

    /// Keeps a change of a slot for which `before` was wanted. Slots that were read before it, and no longer are, count as unread.
    pub(super) fn keep(&mut self, fault: &Fault, slot: SlotId, index: u32, before: Option<u32>, mended: &mut Mended) {
        mended.note(slot, index, before);
        if self.refers(slot) {
            self.state.note_changed_links();
        }
        let is_far = fault.depth > REMEMBERED && !fault.last.contains(&slot);
        let slots: Vec<SlotId> =
            if is_far { (0..self.layout().slots.len()).map(SlotId::new).collect() } else { fault.last.clone() };
        for slot in slots {
            if self.index(slot) == UNASSIGNED {
                self.state.forget_read(slot);
            }
        }
    }
}
