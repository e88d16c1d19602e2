//! Fault by fault: where the predicate rejects, the change nearest to the failing read that lets it go on. Makes one pass over the
//! value; what was changed is kept, unless a later fault changes it again.

use std::collections::BTreeMap;

use super::describe::led_to;
use super::{NotRepaired, Repairer};
use crate::class::RepOk;
use crate::compared::Comparison;
use crate::engine::{Alternatives, UNASSIGNED};
use crate::ids::SlotId;

/// So many slots that nothing had read before: the predicate has gone on, and what it rejects then is another fault.
const FAR_ENOUGH: usize = 64;
/// So many statements that begin after the one that had rejected: the predicate has gone on with something else.
const FURTHER: u64 = 3;
/// The same for a change that is taken because there is none better.
const MUCH_FURTHER: u64 = 8;
/// How many values are suggested for one slot.
const MOST_SUGGESTED: usize = 40;
/// How many of the last reads are remembered by name.
const REMEMBERED: usize = 256;

/// Which changes are tried for a fault, one stage after the other.
struct Stage {
    /// Among how many of the last reads, and what belongs to them.
    reads: usize,
    /// How many values of each kind.
    values: u32,
    /// Of which slots.
    which: Which,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Which {
    /// References, and only what nothing leads to any more: it is most likely what they led to.
    Lost,
    /// All.
    All,
    /// Plain values that were compared last, wherever they were read, and only what they were compared with.
    Compared,
    /// References that lead nowhere, and only what nothing leads to any more: the predicate has come to its end without it.
    Vacant,
}

const STAGES: [Stage; 6] = [
    Stage { reads: 12, values: 256, which: Which::Lost },
    Stage { reads: 12, values: 4, which: Which::All },
    Stage { reads: usize::MAX, values: 32, which: Which::Vacant },
    Stage { reads: usize::MAX, values: 0, which: Which::Compared },
    Stage { reads: 12, values: u32::MAX, which: Which::All },
    Stage { reads: REMEMBERED, values: 4, which: Which::All },
];

/// A change that was tried: how many choices there are before it, what it is, and how many statements further it led.
#[derive(Clone, Copy)]
struct Tried {
    depth: usize,
    slot: SlotId,
    index: u32,
    further: u64,
}

/// Changes that were made, and how often: one that was given up is made again once, so that there is an end.
type Made = BTreeMap<(SlotId, u32), u32>;
const MOST_TIMES: u32 = 2;

/// A fault: where the predicate has rejected.
struct Fault {
    /// How many choices there were, and the statement.
    depth: usize,
    label: u32,
    /// The last of them.
    last: Vec<SlotId>,
    compared: Vec<Comparison>,
    /// The best change so far.
    best: Option<Tried>,
}

impl<T: RepOk> Repairer<'_, T> {
    /// Repairs one fault after the other, from a run on that has just rejected. False if there is one for which nothing helps;
    /// then the choices are of no use.
    pub(super) fn mend_all(&mut self) -> Result<bool, NotRepaired> {
        let mut made = Made::new();
        loop {
            match self.mend(&mut made)? {
                None => return Ok(false),
                Some(true) => {
                    return Ok(self.searcher.heap.engine.repairing().changed().len() <= self.effort.changes);
                }
                Some(false) => {}
            }
        }
    }

    /// Repairs the fault that the last run has found. Says whether the value is accepted then; none if nothing helps.
    fn mend(&mut self, made: &mut Made) -> Result<Option<bool>, NotRepaired> {
        let compared = self.compared()?;
        let engine = &mut self.searcher.heap.engine;
        engine.repairing().begin_trial();
        let depth = engine.depth();
        let last = (depth.saturating_sub(REMEMBERED)..depth).map(|at| engine.choice_at(at).0).collect();
        let label = self.searcher.heap.work.label();
        let mut fault = Fault { depth, label, last, compared, best: None };
        for stage in &STAGES {
            if let Some(accepted) = self.try_stage(stage, &mut fault, made)? {
                return Ok(Some(accepted));
            }
            if fault.best.is_some_and(|best| best.further >= MUCH_FURTHER) {
                break;
            }
            // Back to where it was rejected.
            if self.run()? || self.searcher.heap.engine.depth() != depth {
                return Ok(None);
            }
        }
        let Some(best) = fault.best else { return Ok(None) };
        let engine = &mut self.searcher.heap.engine;
        engine.cut_for_repair(best.depth);
        engine.repairing().want(best.slot, best.index);
        let accepted = self.run()?;
        self.keep(&fault, best.slot, best.index, made);
        Ok(Some(accepted))
    }

    /// Tries the changes of a stage, nearest first; takes the first that leads far enough. None if there is none: then the
    /// choices are no longer those of the fault.
    fn try_stage(&mut self, stage: &Stage, fault: &mut Fault, made: &mut Made) -> Result<Option<bool>, NotRepaired> {
        let engine = &self.searcher.heap.engine;
        let end = engine.depth();
        let depths: Vec<usize> = match stage.which {
            Which::Compared | Which::Vacant => (end.saturating_sub(stage.reads)..end).rev().collect(),
            Which::Lost | Which::All => engine.choices_near(stage.reads),
        };
        for depth in depths {
            let engine = &mut self.searcher.heap.engine;
            let (slot, index) = engine.choice_at(depth);
            let is_one = match stage.which {
                Which::Lost => engine.refers(slot),
                Which::All => true,
                Which::Compared => !engine.refers(slot) && self.was_compared(slot, index, &fault.compared),
                Which::Vacant => engine.is_vacant(slot, index),
            };
            // How many objects lie in a vector is not changed because of one fault.
            if !is_one || self.searcher.heap.engine.layout.counts_objects(slot) {
                continue;
            }
            let mut tried = if matches!(stage.which, Which::Lost | Which::Vacant) {
                Alternatives::lost(slot, index, stage.values)
            } else {
                let suggested = self.suggested(slot, index, &fault.compared);
                Alternatives::new(slot, Some(index), suggested, self.effort.order, stage.values)
            };
            self.searcher.heap.engine.cut_for_repair(depth + 1);
            // From a place far back it may be far to the rejection; then that counts as going on which comes to it again.
            let far = if stage.which == Which::Vacant { 0 } else { self.run_far()?.1 };
            self.searcher.heap.engine.cut_for_repair(depth + 1);
            while self.searcher.heap.engine.move_on_for_repair(&mut tried) {
                let index = self.searcher.heap.engine.value(slot);
                if made.get(&(slot, index)).is_some_and(|&times| times >= MOST_TIMES) {
                    continue;
                }
                let (accepted, now) = self.run_far()?;
                let further = now.saturating_sub(far);
                let reads = self.searcher.heap.engine.repairing().read_first();
                let refers = self.searcher.heap.engine.refers(slot);
                let goes_on = if stage.which == Which::Vacant {
                    let heap = &self.searcher.heap;
                    heap.engine.depth() > fault.depth && heap.work.label() == fault.label
                } else {
                    reads >= FAR_ENOUGH || (reads > 0 && refers && further > FURTHER && self.is_elsewhere(slot)?)
                };
                if accepted || goes_on {
                    self.searcher.heap.engine.repairing().want(slot, index);
                    self.keep(fault, slot, index, made);
                    return Ok(Some(accepted));
                }
                if !refers {
                    // What this value was compared with says more.
                    let compared = self.compared()?;
                    tried.suggest(self.suggested_for(slot, index, &compared), MOST_SUGGESTED);
                }
                let is_better = reads > 0 && further > fault.best.map_or(0, |best| best.further);
                if is_better && stage.which != Which::Vacant {
                    fault.best = Some(Tried { depth, slot, index, further });
                }
                let engine = &mut self.searcher.heap.engine;
                engine.repairing().forget_trial();
                engine.cut_for_repair(depth + 1);
            }
        }
        Ok(None)
    }

    /// Whether the predicate has rejected for another reason than the object that a reference was just changed to: not in the
    /// statement that has read a field of it, nor by comparing it.
    fn is_elsewhere(&mut self, slot: SlotId) -> Result<bool, NotRepaired> {
        let engine = &self.searcher.heap.engine;
        let Some(last) = engine.last() else { return Ok(false) };
        let (read, index, label) = (last.slot_id(), last.index(), last.resume.label());
        let object = engine.layout.slots[read.index()].object;
        if Some(object) != led_to(engine, slot, engine.value(slot)) {
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
        let before = self.searcher.heap.work.epoch();
        let accepted = self.run()?;
        let statements = self.searcher.heap.work.epoch() - before;
        let reads = self.searcher.heap.engine.repairing().read_first() as u64;
        Ok((accepted, if self.searcher.is_reexecuted() { reads } else { statements }))
    }

    /// Keeps a change. What was read before it, and is not read any more, was not read.
    fn keep(&mut self, fault: &Fault, slot: SlotId, index: u32, made: &mut Made) {
        *made.entry((slot, index)).or_default() += 1;
        let engine = &mut self.searcher.heap.engine;
        let is_far = fault.depth > REMEMBERED && !fault.last.contains(&slot);
        let slots: Vec<SlotId> = if is_far { engine.all_slots().collect() } else { fault.last.clone() };
        for slot in slots {
            if engine.value(slot) == UNASSIGNED {
                engine.repairing().forget_read(slot);
            }
        }
    }
}
