//! Fault by fault: where the predicate rejects, the change nearest to the failing read that lets it go on. Makes one pass over the
//! value; what was changed is kept, unless a later fault changes it again.

use super::choices::state::BrokenOff;
use super::mended::Mended;
use super::stages::{About, COMPARED_NEAR, LAST, LIKELY, LOST, MOST_TOGETHER, Step, steps};
use super::{NotRepaired, Repairer};
use crate::class::traits::RepOk;
use crate::model::ids::SlotId;
use crate::predicate::compared::{Comparison, ComparisonRecorder};
use crate::slots::slot::UNASSIGNED;

/// How many of the last reads are remembered by name.
pub(super) const REMEMBERED: usize = 256;
/// How many of them are gone through again, to see whether the statement that rejects has run before.
const LOOKED_BACK: usize = 48;

/// A change that was tried: how many choices there are before it, what it is, how many statements further it led, and whether that may
/// be right, if there is another fault near.
#[derive(Clone, Copy)]
pub(super) struct Tried {
    pub(super) depth: usize,
    pub(super) slot: SlotId,
    pub(super) index: u32,
    pub(super) further: u64,
    pub(super) may_be_right: bool,
}

/// The end of the predicate, where something is missing: it has to come there again, with more choices than these.
#[derive(Clone, Copy)]
pub(super) struct End {
    pub(super) depth: usize,
    pub(super) label: u32,
    /// What a count was compared with there, if that has rejected: it has to be another number then.
    pub(super) count: Option<Comparison>,
}

/// Where the predicate rejects: the statement, and what was read last.
pub(super) type Place = (u32, SlotId);

/// What has to come of a change that stands for several: the predicate accepts.
#[derive(Clone, Copy)]
pub(super) struct Ending {
    /// Whether only what is changed already may be changed.
    pub(super) is_of_changed: bool,
    /// Where the next fault was after the change that was made; how many other changes have led there.
    pub(super) next: Option<Place>,
    pub(super) led_to_next: usize,
    /// Number of choices with all changes, and of lost objects and elements.
    pub(super) choices: usize,
    pub(super) loss: usize,
}

impl Ending {
    /// Whether the next fault is there by itself, and not because of one of the changes that have led to it.
    pub(super) fn is_followed(&self) -> bool {
        const ENOUGH: usize = 4;
        self.led_to_next >= ENOUGH
    }
}

/// A fault: where the predicate has rejected.
pub(super) struct Fault {
    /// How many choices there were, and the statement.
    pub(super) depth: usize,
    pub(super) label: u32,
    /// The last of them.
    pub(super) last: Vec<SlotId>,
    pub(super) compared: Vec<Comparison>,
    /// Where the predicate has come to its end, and something is missing.
    pub(super) end: Option<End>,
    /// If nothing helps but what lets the predicate accept.
    pub(super) ending: Option<Ending>,
    /// What was changed together with it.
    pub(super) together: Vec<SlotId>,
    /// Changes that do not lead far.
    pub(super) tried: Vec<Tried>,
}

/// So many changes that do not lead far are remembered, or twice as many.
const MOST_TRIED: usize = 64;

impl Fault {
    /// Remembers a change that does not lead far.
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

    /// How many of the changes that do not lead far may be right.
    pub(super) fn may_be_right(&self) -> usize {
        self.tried.iter().filter(|tried| tried.may_be_right).count()
    }

    /// The changes that do not lead far, the best one first.
    pub(super) fn best_first(&self) -> Vec<Tried> {
        let mut tried = self.tried.clone();
        tried.sort_by_key(|tried| (!tried.may_be_right, std::cmp::Reverse(tried.further)));
        tried
    }
}

impl<T: RepOk> Repairer<'_, T> {
    /// Repairs one fault after the other, from a run on that has just rejected, and gives what was done. None if there is one for which
    /// nothing helps; then the choices are of no use.
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

    /// Repairs the fault that the last run has found. Says whether the value is accepted then; none if nothing helps.
    pub(super) fn mend(&mut self, mended: &mut Mended) -> Result<Option<bool>, NotRepaired> {
        mended.begin();
        self.state.begin_trial();
        let mut fault = self.fault()?;
        let Some((slot, index)) = self.last_decision().map(|last| (last.slot, last.index)) else {
            return Ok(None);
        };
        // What was read last may be wrong by itself: a count, at the end.
        let was_compared = self.was_compared(slot, index, &fault.compared);
        if was_compared {
            let found = self.try_stage(&LAST, &mut fault, mended)?;
            if found.is_some() || !self.is_at(&fault)? {
                return Ok(found);
            }
        }
        let about = self.about(slot, index, was_compared, &fault)?;
        if about == About::End {
            let rejecting = fault.compared.first().copied().filter(|last| last.is_for_equality());
            let count = rejecting.filter(|&rejecting| self.was_compared(slot, index, &[rejecting]));
            fault.end = Some(End { depth: fault.depth, label: fault.label, count });
        }
        for step in steps(about) {
            let found = match step {
                Step::One(stage) => self.try_stage(stage, &mut fault, mended)?,
                Step::Together(more) => self.try_together(*more, false, &fault, mended)?,
                Step::TogetherIfRight(more) => self.try_together(*more, true, &fault, mended)?,
                Step::Best => match fault
                    .best_first()
                    .into_iter()
                    .find(|best| best.further > 0 && best.depth + REMEMBERED >= fault.depth)
                {
                    Some(best) => Some(self.take(best, &fault, mended)?),
                    None => None,
                },
                // That is not done while it is done.
                Step::Revise if mended.is_revised => return Ok(None),
                Step::Through if mended.is_revised => None,
                Step::Revise => self.revise(&fault, mended)?,
                Step::Through => self.try_through(&fault, mended)?,
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

    /// What a fault is about, where a slot was read last.
    fn about(&mut self, slot: SlotId, index: u32, was_compared: bool, fault: &Fault) -> Result<About, NotRepaired> {
        // One that loops has not come to its end, and has followed a link to what was come to before.
        let loops = self.state.broken_off == Some(BrokenOff::Loop);
        if !loops && self.is_end(fault)? {
            return Ok(About::End);
        }
        if was_compared {
            return Ok(About::Last);
        }
        let is_shared = (loops || self.choices_mut().is_shared_link(slot)) && !self.choices().is_leader(slot, index);
        Ok(if is_shared { About::Shared } else { About::Other })
    }

    /// Makes a change that does not lead far together with so many more, each where the one before it leads: there are several faults
    /// so near to each other that one cannot be repaired without the other.
    fn try_together(
        &mut self,
        more: usize,
        only_right: bool,
        fault: &Fault,
        mended: &mut Mended,
    ) -> Result<Option<bool>, NotRepaired> {
        for first in fault
            .best_first()
            .into_iter()
            .filter(|first| first.may_be_right || !only_right)
            .take(MOST_TOGETHER[more - 1])
        {
            let before = self.state.wish(first.slot);
            self.choices_mut().cut(first.depth);
            self.choices_mut().want(first.slot, Some(first.index));
            let mut found = self.run()?.then_some(true);
            if found.is_none() && self.choices().depth() > first.depth {
                let together = fault.together.iter().copied().chain([first.slot]).collect();
                let mut next = Fault { end: fault.end, together, ..self.fault()? };
                for stage in [&LOST, &LIKELY, &COMPARED_NEAR] {
                    found = self.try_stage(stage, &mut next, mended)?;
                    if found.is_some() || !self.is_at(&next)? {
                        break;
                    }
                }
                if found.is_none() && more > 1 && self.choices().depth() == next.depth {
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

    /// Where the last run has rejected.
    pub(super) fn fault(&mut self) -> Result<Fault, NotRepaired> {
        let compared = self.compared()?;
        let depth = self.choices().depth();
        let last = (depth.saturating_sub(REMEMBERED)..depth).map(|at| self.choices().at(at).0).collect();
        let label = self.label();
        let (together, tried) = (Vec::new(), Vec::new());
        Ok(Fault { depth, label, last, compared, end: None, ending: None, together, tried })
    }

    /// The place where the last run has rejected.
    pub(super) fn place(&self) -> Option<Place> {
        Some((self.label(), self.last_decision()?.slot))
    }

    /// Whether the predicate has come to an end with everything that it has met, and something is missing: the statement that rejects
    /// has not run for what was met before, and no link leads to what was met before.
    fn is_end(&mut self, fault: &Fault) -> Result<bool, NotRepaired> {
        if fault.last.last().is_some_and(|&last| self.choices_mut().is_shared_link(last)) {
            return Ok(false);
        }
        self.choices_mut().cut((fault.depth.saturating_sub(LOOKED_BACK)).max(1));
        let recorder = ComparisonRecorder::of_statement(fault.label);
        let is_at = self.is_at(fault)?;
        Ok(is_at && recorder.statements() <= 1)
    }

    /// Goes back to where the predicate has rejected; says whether it does again.
    pub(super) fn is_at(&mut self, fault: &Fault) -> Result<bool, NotRepaired> {
        Ok(!self.run()? && self.choices().depth() == fault.depth)
    }

    /// Makes a change, though it does not lead far. Says whether the value is accepted then.
    pub(super) fn take(&mut self, tried: Tried, fault: &Fault, mended: &mut Mended) -> Result<bool, NotRepaired> {
        self.choices_mut().cut(tried.depth);
        let before = self.state.wish(tried.slot);
        self.choices_mut().want(tried.slot, Some(tried.index));
        let accepted = self.run()?;
        self.keep(fault, tried.slot, tried.index, before, mended);
        Ok(accepted)
    }

    /// Keeps a change, of a slot that was wished to have something before. What was read before it, and is not read any more, was not
    /// read.
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
