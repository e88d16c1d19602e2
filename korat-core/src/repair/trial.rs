//! The trials of one stage: which slots get which other values, and whether the predicate goes on then.

use super::mended::Mended;
use super::near::{End, Ending, Fault, Tried};
use super::stages::{Stage, Which};
use super::suggest::are_bits;
use super::{BrokenOff, NotRepaired, Repairer};
use crate::class::RepOk;
use crate::compared::{Compared, Noting};
use crate::engine::{Alternatives, LastPick, Target};
use crate::ids::SlotId;

/// So many slots that nothing had read before: the predicate has gone on, and what it rejects then is another fault.
const FAR_ENOUGH: usize = 64;
/// So many statements that begin after the one that had rejected: the predicate has gone on with something else, if it is a link that was
/// changed.
const FURTHER: u64 = 3;
/// The same for anything else.
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
            let (slot, index) = self.searcher.heap.engine.choice_at(depth);
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

    /// The choices that a stage looks at, from the last one on.
    fn depths(&self, stage: &Stage, mended: &Mended) -> Vec<usize> {
        let engine = &self.searcher.heap.engine;
        let end = engine.depth();
        match stage.which {
            Which::Last | Which::Compared | Which::Vacant | Which::Bypassing => {
                (end.saturating_sub(stage.reads)..end).rev().collect()
            }
            Which::VacantBefore => (0..mended.swept.unwrap_or(0).min(end)).rev().collect(),
            Which::ChangedLinks => engine.changed_depths(),
            Which::ComparedAbove => engine.choices_above(stage.reads),
            Which::ComparedInRoot => engine.choices_in_root(),
            Which::FewBeside => engine.choices_beside(stage.reads),
            Which::BitsInRoot => engine.numbers_in_root(stage.reads),
            Which::Changed
            | Which::Lost
            | Which::LostLater
            | Which::LostAnywhere
            | Which::Unreached
            | Which::NullLater
            | Which::Rings
            | Which::Likely
            | Which::Parts
            | Which::Bits
            | Which::AnyBits
            | Which::Local
            | Which::All => engine.choices_near(stage.reads),
        }
    }

    /// Whether a stage tries other values of a slot.
    fn is_tried(&mut self, stage: &Stage, slot: SlotId, index: u32, fault: &Fault) -> bool {
        let engine = &mut self.searcher.heap.engine;
        let refers = engine.refers(slot);
        let is_one = match stage.which {
            Which::Last => !refers && engine.lies_in_root(slot),
            Which::Changed => engine.is_changed(slot),
            Which::Bypassing => refers && engine.is_anything_lost(slot) && engine.is_shared_link(slot),
            Which::ChangedLinks => refers && engine.is_anything_lost(slot),
            Which::Lost => refers && engine.is_doubtful(slot, index),
            Which::LostAnywhere => refers,
            Which::Unreached => refers && (engine.is_shared_link(slot) || engine.is_changed(slot)),
            Which::LostLater | Which::NullLater | Which::Rings => {
                refers
                    && engine.is_doubtful(slot, index)
                    && !engine.is_leader(slot, index)
                    && (stage.which != Which::Rings || engine.may_be_on_ring(slot))
            }
            Which::Likely if refers => {
                engine.is_doubtful(slot, index) || !self.suggested(slot, index, &fault.compared).is_empty()
            }
            // With another variant everything goes that this one holds.
            Which::Likely => !engine.layout.is_variant(slot),
            Which::Local | Which::All => true,
            Which::Vacant | Which::VacantBefore => engine.is_vacant(slot, index),
            Which::Parts => !refers,
            Which::Bits | Which::BitsInRoot | Which::AnyBits => {
                !refers
                    && !engine.layout.is_length(slot)
                    && engine.layout.number(slot, index).is_some()
                    && (stage.which == Which::AnyBits || are_bits(&fault.compared))
            }
            Which::FewBeside => !refers && (2..=stage.values).contains(&engine.layout.indices(slot)),
            Which::Compared | Which::ComparedAbove => !refers && self.was_compared(slot, index, &fault.compared),
            // A count has to be what was counted; of two that have to be in order either may be wrong.
            Which::ComparedInRoot => {
                let rejecting = fault.compared.get(..1).filter(|last| last[0].is_for_equality());
                !refers && rejecting.is_some_and(|rejecting| self.was_compared(slot, index, rejecting))
            }
        };
        let engine = &mut self.searcher.heap.engine;
        let may_be_last = match fault.ending {
            None => true,
            // Hardly anything is wrong with what is short.
            Some(ending) => !engine.layout.is_length(slot) && (!ending.is_of_changed || engine.is_changed(slot)),
        };
        // How many objects lie in a vector is not changed because of one fault.
        is_one && may_be_last && !fault.together.contains(&slot) && !engine.layout.counts_objects(slot)
    }

    /// The values that a stage tries of a slot.
    fn alternatives(&mut self, stage: &Stage, slot: SlotId, index: u32, fault: &Fault) -> Alternatives {
        if stage.which.links_lost() {
            return Alternatives::lost(slot, index, stage.values);
        }
        if stage.which == Which::Unreached {
            return Alternatives::new(slot, Some(index), Vec::new(), vec![Target::Unreached], stage.values);
        }
        if stage.which.is_behind() {
            let numbers = match stage.which {
                Which::Parts => self.other_parts(slot, index, &fault.compared),
                _ => self.other_bits(slot, index, &fault.compared),
            };
            return Alternatives::numbers(slot, index, numbers);
        }
        let is_plain = !self.searcher.heap.engine.refers(slot) && stage.which != Which::All;
        let values = if is_plain { stage.values.min(FEW) } else { stage.values };
        self.admit(slot, index, &fault.compared);
        // Elements go only because of a comparison: anything holds for none.
        if stage.which == Which::Likely && self.searcher.heap.engine.layout.is_length(slot) {
            let lengths = self.other_lengths(slot, index, &fault.compared);
            return Alternatives::new(slot, Some(index), lengths, Vec::new(), 0);
        }
        let mut suggested = self.suggested(slot, index, &fault.compared);
        // Beside what it was compared with it may have to be changed again and again: after the first time as far as it can be, and back.
        if stage.which == Which::ComparedAbove && self.searcher.heap.engine.is_changed(slot) {
            let extremes = self.extremes(slot).into_iter().flat_map(<[i128; 2]>::from);
            let layout = &self.searcher.heap.engine.layout;
            let far = extremes.filter_map(|number| layout.index_of_number(slot, number)).filter(|&far| far != index);
            suggested.splice(0..0, far);
        }
        let engine = &mut self.searcher.heap.engine;
        if engine.refers(slot) && engine.is_doubtful(slot, index) {
            suggested.extend(engine.way_back(slot));
        }
        // A link that is all right by itself is changed only because of a comparison.
        if stage.which == Which::Likely && engine.refers(slot) && !engine.is_doubtful(slot, index) {
            return Alternatives::new(slot, Some(index), suggested, Vec::new(), 0);
        }
        // At first nothing that is in its place.
        let is_one = |kind: &Target| matches!(kind, Target::Lost | Target::Null) || stage.which == Which::All;
        let kinds = self.effort.order.into_iter().filter(is_one).collect();
        Alternatives::new(slot, Some(index), suggested, kinds, values)
    }

    /// Tries other values of the slot of one choice.
    fn try_slot(
        &mut self,
        stage: &Stage,
        depth: usize,
        fault: &mut Fault,
        mended: &mut Mended,
    ) -> Result<Option<bool>, NotRepaired> {
        let engine = &mut self.searcher.heap.engine;
        let (slot, index) = engine.choice_at(depth);
        let is_likely = engine.refers(slot) && (stage.which == Which::Changed || engine.is_doubtful(slot, index));
        let mut tried = self.alternatives(stage, slot, index, fault);
        self.searcher.heap.engine.cut_for_repair(depth + 1);
        // From a place far back it may be far to the rejection; then that counts as going on which comes to it again.
        let far = if stage.which.is_for_missing() { 0 } else { self.run_far()?.1 };
        self.searcher.heap.engine.cut_for_repair(depth + 1);
        while self.searcher.heap.engine.move_on_for_repair(&mut tried) {
            let index = self.searcher.heap.engine.value(slot);
            if mended.is_worn(slot, index) {
                continue;
            }
            // What this value is compared with says more.
            let number = self.searcher.heap.engine.layout.number(slot, index);
            let noting = number.map(Noting::of_number);
            self.searcher.heap.engine.repairing().noted_until = Some(fault.depth + FAR_ENOUGH);
            let ran = self.run_far();
            self.searcher.heap.engine.repairing().noted_until = None;
            let (accepted, now) = ran?;
            let repairing = self.searcher.heap.engine.repairing();
            // It takes long to know that.
            let loops = repairing.broken_off == Some(BrokenOff::Loop) && !repairing.patience.may_loop;
            if loops {
                mended.wear_out(slot, index);
            }
            let others: Vec<Compared> = noting.map(|noting| noting.with_number()).unwrap_or_default();
            // Of something that was missing, how much was looked at.
            let further = if stage.which.is_for_missing() {
                self.searcher.heap.engine.first_reads(0).0 as u64
            } else {
                now.saturating_sub(far)
            };
            let change = Tried { depth, slot, index, further, may_be_right: false };
            let verdict = if loops {
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
                        mended.swept = self.searcher.heap.engine.last_read_first();
                    }
                    let before = self.searcher.heap.engine.repairing().wish(slot);
                    self.searcher.heap.engine.want(slot, Some(index));
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
            let engine = &mut self.searcher.heap.engine;
            engine.repairing().forget_trial();
            engine.cut_for_repair(depth + 1);
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
            && self.searcher.heap.engine.refers(change.slot)
        {
            // What was missing may be somewhere else than where it is counted.
            let is_counted = end.count.is_none() || self.compared()?.first().copied() != end.count;
            return Ok(if is_counted { Verdict::Good } else { Verdict::Weak });
        }
        let heap = &mut self.searcher.heap;
        let (reads, beyond) = heap.engine.first_reads(fault.depth);
        let last = heap.engine.last_pick().map(|last| last.slot);
        // In the same place again, with the same slot read last; if much was read meanwhile, it was come to by another wrong link.
        let is_again = beyond < FAR_ENOUGH && heap.work.label() == fault.label && last == fault.last.last().copied();
        if stage.which.is_for_missing() {
            // What was linked may have a fault of its own: a link to something that was reached before, or something missing.
            let may_be_right = reads > 0 && last.is_some_and(|last| heap.engine.shares_the_way(last, change.slot));
            return Ok(match reads {
                _ if may_be_right || heap.engine.was_bypassed(change.slot) => Verdict::Weak,
                0..=2 => Verdict::Bad,
                _ => Verdict::Poor,
            });
        }
        if is_again && heap.engine.refers(change.slot) || reads == 0 && !is_again {
            return Ok(Verdict::Bad);
        }
        if !is_again && let Some(verdict) = self.verdict_by_itself(change, fault)? {
            return Ok(verdict);
        }
        if is_again {
            // What was compared with it may be wrong, too.
            return Ok(Verdict::Poor);
        }
        let heap = &mut self.searcher.heap;
        // Another fault, by itself: something that was not looked at before leads to what was reached before.
        let is_another = is_likely
            && fault.together.is_empty()
            && beyond > 0
            && change.further > FURTHER
            && last.is_some_and(|last| {
                heap.engine.is_read_first(last)
                    && heap.engine.is_shared_link(last)
                    && !heap.engine.are_together(last, change.slot)
            });
        if beyond >= FAR_ENOUGH || is_another {
            return Ok(Verdict::Good);
        }
        let is_weak = if is_likely {
            change.further > FURTHER && self.is_elsewhere(change.slot)?
        } else {
            change.further >= MUCH_FURTHER && !self.searcher.heap.engine.refers(change.slot)
        };
        Ok(if is_weak { Verdict::Weak } else { Verdict::Poor })
    }

    /// Whether hardly anything is left out that the predicate has accepted with several changes.
    fn keeps_all(&mut self, ending: Ending) -> bool {
        self.searcher.heap.engine.depth() + LEFT_OUT >= ending.choices && self.dropped() <= ending.dropped
    }

    /// Whether the predicate has gone on to something else.
    fn leads_on(&self, fault: &Fault) -> bool {
        let engine = &self.searcher.heap.engine;
        engine.first_reads(fault.depth).1 > 0 && engine.last_pick().map(|last| last.slot) != fault.last.last().copied()
    }

    /// The verdict on a plain value, if something was rejected then that the predicate had not come to before, without a look at the
    /// value: that has to be within the same range, or it has to be something else by itself. If it is another range, or differs by as
    /// much as the value did, it may depend on the value.
    fn verdict_by_itself(&mut self, change: &Tried, fault: &Fault) -> Result<Option<Verdict>, NotRepaired> {
        let engine = &self.searcher.heap.engine;
        let (Some(last), Some(&was_rejecting)) = (engine.last_pick(), fault.compared.first()) else { return Ok(None) };
        let was_met = !engine.is_read_first(last.slot) || engine.depth() <= fault.depth;
        if was_met || engine.refers(last.slot) || engine.refers(change.slot) {
            return Ok(None);
        }
        let is_same = self.searcher.heap.work.label() == fault.label;
        let had = engine.original(change.slot);
        let limits = had.map(|had| self.compared_with(change.slot, had, &[was_rejecting])).unwrap_or_default();
        let Some(&rejecting) = self.compared()?.first() else { return Ok(None) };
        let limits_now = self.compared_with(last.slot, last.index, &[rejecting]);
        if limits.is_empty() || limits_now.is_empty() || self.was_compared(change.slot, change.index, &[rejecting]) {
            return Ok(None);
        }
        let engine = &self.searcher.heap.engine;
        if was_rejecting.is_for_equality() {
            let is_limit = engine.layout.number(change.slot, change.index).is_some_and(|now| limits.contains(&now));
            let is_another = self.is_hasty && is_limit && rejecting.difference() != was_rejecting.difference();
            return Ok(is_another.then_some(Verdict::Good));
        }
        Ok(match is_same {
            // Of a tree, the limit may be wrong.
            true if limits == limits_now && engine.layout.are_elements(change.slot, last.slot) => Some(Verdict::Good),
            false if engine.is_alone_in_root(last.slot) => Some(Verdict::Weak),
            _ => None,
        })
    }

    /// Whether the predicate has come to its end again, with more choices.
    fn is_further_at(&self, end: &End) -> bool {
        let heap = &self.searcher.heap;
        heap.work.label() == end.label && heap.engine.depth() > end.depth
    }

    /// Whether the predicate has rejected for another reason than the object that a reference was just changed to: not in the
    /// statement that has read a field of it, nor by comparing it.
    fn is_elsewhere(&mut self, slot: SlotId) -> Result<bool, NotRepaired> {
        let engine = &self.searcher.heap.engine;
        let Some(LastPick { slot: read, index, label }) = engine.last_pick() else { return Ok(false) };
        let object = engine.layout.slots[read.index()].object;
        if Some(object) != engine.led_to(slot, engine.value(slot)) {
            return Ok(true);
        }
        // What it leads to may have a fault of its own: a link to something that was reached before.
        if self.searcher.heap.engine.shares_the_way(read, slot) {
            return Ok(true);
        }
        if label == self.searcher.heap.work.label() {
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
        let reads = || self.searcher.heap.engine.first_reads(0).0 as u64;
        Ok((accepted, if self.searcher.is_reexecuted() { reads() } else { statements }))
    }
}
