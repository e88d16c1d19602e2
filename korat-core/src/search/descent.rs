//! Descents: ways to one value, at random or near another value, without going through all values before it. Takes what is preferred at
//! each choice; the rules of the search decide what is possible, so that a descent reaches values of the search only.

use std::ops::RangeInclusive;
use std::panic::{AssertUnwindSafe, catch_unwind};

use super::untyped::{Phase, UntypedSearcher};
use crate::engine::descent::{Descent, Guide, Preference};
use crate::engine::stop::Stop;
use crate::heap::bounded::Heap;
use crate::heap::slot_vector::{NoSuchValue, SlotVector};
use crate::model::error::SearchError;
use crate::model::ids::{ObjectId, SlotId};
use crate::model::settings::Unread;
use crate::predicate::context;
use crate::slots::kinds::{Reference, SlotKind};
use crate::slots::slot::UNASSIGNED;

/// Changes of a value that lead to simpler ones: see [`UntypedSearcher::simpler`].
#[derive(Clone, Debug)]
pub struct Simpler {
    /// Per slot, the index that the value has.
    values: Vec<u32>,
    /// The size of the value.
    size: usize,
    /// Each change gives one slot another index. Those that remove objects come first, from the root downwards.
    changes: Vec<(SlotId, u32)>,
    /// The number of changes that remove objects.
    removals: usize,
}

impl Simpler {
    /// Returns the number of changes.
    pub fn len(&self) -> usize {
        self.changes.len()
    }

    /// Returns whether there are no changes.
    pub fn is_empty(&self) -> bool {
        self.changes.is_empty()
    }
}

/// How a descent ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Descended {
    /// The searcher stands at a value.
    Value,
    /// There is no value: every candidate was tried.
    Nowhere,
    /// The candidates that were allowed led to no value.
    GaveUp,
}

impl UntypedSearcher {
    /// Makes a value of one of these sizes the current one: each choice tries its indices in a random order, and a rejected candidate is
    /// followed by one that differs in its last choice. Gives up after this many candidates. `entropy` returns random words. Values are *not*
    /// equally likely. Panics in the middle of a search.
    pub fn descend_at_random(
        &mut self,
        sizes: RangeInclusive<usize>,
        candidates: u64,
        entropy: impl FnMut() -> u64 + 'static,
    ) -> Result<Descended, SearchError> {
        self.make_idle();
        self.descend(Preference::Random(Box::new(entropy)), sizes, candidates)
    }

    /// Lists changes of a value that lead to simpler ones: a reference becomes null or leads to what its object leads to, a length or another
    /// plain value gets an earlier place in its domain. Panics in the middle of a search.
    pub fn simpler(&mut self, value: &SlotVector) -> Result<Simpler, NoSuchValue> {
        self.make_idle();
        self.restore(value)?;
        let mut slots = Vec::new();
        self.heap.walk(|_, slot| slots.push(slot.id()));
        let (mut removals, mut others) = (Vec::new(), Vec::new());
        for slot in slots {
            match self.heap.engine.layout.kind(slot) {
                SlotKind::Reference(reference) => self.shorter_links(slot, reference, &mut removals),
                SlotKind::Value { .. } | SlotKind::Index(_) | SlotKind::Name(_) => {
                    let field = self.heap.engine.layout.slots[slot.index()].field;
                    let is_length = self.heap.engine.layout.object_counts.iter().any(|count| count.len_field == field);
                    let changes = if is_length { &mut removals } else { &mut others };
                    let index = self.heap.engine.value(slot);
                    let mut earlier = vec![0, index / 2, index.saturating_sub(1)];
                    earlier.dedup();
                    changes
                        .extend(earlier.into_iter().filter(|earlier| *earlier < index).map(|earlier| (slot, earlier)));
                }
            }
        }
        let (values, size) = (self.heap.engine.values.clone(), self.size());
        self.make_idle();
        let number = removals.len();
        removals.append(&mut others);
        Ok(Simpler { values, size, changes: removals, removals: number })
    }

    /// Lists the indices of a reference that lead to no object, or past the one that it leads to now.
    fn shorter_links(&self, slot: SlotId, reference: Reference, changes: &mut Vec<(SlotId, u32)>) {
        let engine = &self.heap.engine;
        let Some(ordinal) = reference.object(engine.value(slot)) else { return };
        changes.extend((0..reference.nulls).map(|null| (slot, null)));
        let target = engine.layout.object_of(reference, ordinal);
        let object_in = |slot: SlotId| -> Option<(ObjectId, u32)> {
            let SlotKind::Reference(next) = engine.layout.kind(slot) else { return None };
            let index = Some(engine.value(slot)).filter(|index| *index != UNASSIGNED)?;
            let ordinal = next.object(index).filter(|_| next.target == reference.target && next.edge.owns())?;
            Some((engine.layout.object_of(next, ordinal), ordinal))
        };
        let beyond = engine.layout.slots_of(target).filter_map(object_in).filter(|(object, _)| *object != target);
        changes.extend(beyond.map(|(_, ordinal)| (slot, reference.nulls + ordinal)));
    }

    /// Makes a value the current one that has a change, and is otherwise as near to the value of `simpler` as a few candidates lead. A change
    /// that removes objects leads to a smaller value, any other one to a value that is no larger. Gives up after this many candidates. Panics
    /// in the middle of a search.
    pub fn descend_to_simpler(
        &mut self,
        simpler: &Simpler,
        change: usize,
        candidates: u64,
    ) -> Result<Descended, SearchError> {
        self.make_idle();
        let (slot, index) = simpler.changes[change];
        let mut values = simpler.values.clone();
        values[slot.index()] = index;
        let most = if change < simpler.removals {
            let Some(most) = simpler.size.checked_sub(1) else { return Ok(Descended::Nowhere) };
            most
        } else {
            simpler.size
        };
        let engine = &self.heap.engine;
        let guide = Guide::new(values, &engine.layout, engine.links.root());
        self.descend(Preference::Near(guide), 0..=most, candidates)
    }

    fn descend(
        &mut self,
        preference: Preference,
        sizes: RangeInclusive<usize>,
        candidates: u64,
    ) -> Result<Descended, SearchError> {
        self.set_sizes(sizes);
        let first_unread = self.settings.unread == Unread::First;
        self.heap.engine.begin_descent(Descent::new(preference, first_unread));
        for _ in 0..candidates {
            self.phase = Phase::Candidate;
            self.heap.engine.begin_descending_run();
            let outcome = catch_unwind(AssertUnwindSafe(|| self.descending_run()));
            self.heap.engine.record_last_choice();
            self.heap.engine.counters.explored += 1;
            let is_value = match outcome {
                Ok(verdict) => verdict?,
                Err(payload) => match payload.downcast::<Stop>() {
                    Ok(stop) if matches!(*stop, Stop::DeadEnd | Stop::Uninitialised) => {
                        self.heap.engine.take_stop();
                        false
                    }
                    Ok(stop) => return Err(self.stopped(*stop)),
                    Err(payload) => return Err(self.panicked(payload)),
                },
            };
            if is_value {
                self.heap.engine.counters.valid += 1;
                self.used = true;
                return Ok(Descended::Value);
            }
            if !self.heap.engine.descend_on() {
                self.leave_descent();
                return Ok(Descended::Nowhere);
            }
        }
        self.leave_descent();
        Ok(Descended::GaveUp)
    }

    /// Runs the predicate from the top and, if it accepts, decides the other fields. Returns whether there is a value.
    fn descending_run(&mut self) -> Result<bool, SearchError> {
        let (chooser, limits, predicate) = (self.chooser, self.settings.limits, &self.predicate);
        let Heap { engine, work, .. } = &mut **self.heap;
        work.restart(false);
        let accepts = context::run(chooser, engine, work, limits, || predicate.lifted());
        self.heap.engine.record_last_choice();
        if let Some(stop) = self.heap.engine.take_stop() {
            return Err(self.stopped(stop));
        }
        if !accepts {
            return Ok(false);
        }
        self.check_shape()?;
        self.phase = Phase::Accepted { depth: self.heap.engine.depth() };
        self.heap.engine.links.suspend_size_bound(self.settings.unread == Unread::First);
        self.heap.engine.set_completing(true);
        self.read_unread();
        self.heap.engine.record_last_choice();
        if self.heap.engine.type_violation(true).is_some() || !self.has_size() || !self.passes_filter()? {
            return Ok(false);
        }
        if let Some(invariance) = &mut self.invariance {
            invariance.check(&self.heap, &self.settings, true)?;
        }
        Ok(true)
    }

    /// Leaves the value of a descent, if the searcher stands at one.
    pub(super) fn leave_descent(&mut self) {
        if !self.heap.engine.is_descending() {
            return;
        }
        self.heap.work.restart(false);
        self.heap.engine.end_descent();
        (self.phase, self.used, self.fresh) = (Phase::Candidate, false, true);
        self.set_sizes(0..=usize::MAX);
    }
}
