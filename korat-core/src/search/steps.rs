//! The loop of a search: runs the predicate, counts the candidate, moves on to the next one.

use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};

use super::candidate::{AnyObserver, Candidate, Observer};
use super::untyped::{Phase, StepResult, UntypedSearcher};
use crate::engine::stop::Stop;
use crate::engine::type_violation::TypeViolation;
use crate::heap::bounded::Heap;
use crate::model::error::SearchError;
use crate::model::settings::{Pruning, Unread};
use crate::predicate::context;

impl UntypedSearcher {
    /// Runs one step; records candidates in the profile, if there is one, before `observe` sees them.
    pub(super) fn step_observed(
        &mut self,
        observe: &mut dyn FnMut(Candidate<'_>) -> ControlFlow<()>,
    ) -> Result<StepResult, SearchError> {
        let Some(mut profiler) = self.profiler.take() else { return self.step_with(&mut AnyObserver(observe)) };
        let step = self.step_with(&mut AnyObserver(&mut |candidate| {
            profiler.note(candidate.engine, candidate.work.label(), candidate.accepted);
            observe(candidate)
        }));
        self.profiler = Some(profiler);
        step
    }
    /// Runs one step: until a value, a pause, or the end.
    pub(super) fn step_with(&mut self, observe: &mut impl Observer) -> Result<StepResult, SearchError> {
        assert!(self.restored.is_none(), "a searcher that stands at a restored value does not search");
        // A caller that goes from value to value is paused between two of them.
        if self.phase != Phase::Done && self.is_pause_due() {
            self.pause_later();
            return Ok(StepResult::Paused);
        }
        self.let_machine_run();
        loop {
            if self.phase != Phase::Done && self.used && !self.move_on() {
                self.phase = Phase::Done;
            }
            if self.phase == Phase::Done {
                return Ok(StepResult::Done);
            }
            (self.used, self.given) = (true, false);
            let outcome = catch_unwind(AssertUnwindSafe(|| self.run_until_value(observe)));
            self.heap.engine.record_last_choice();
            let passed = self.heap.work.take_passed();
            self.heap.engine.counters.explored += passed;
            self.passed += passed;
            match outcome {
                Ok(Ok(step)) => {
                    match step {
                        StepResult::Value => self.given = true,
                        StepResult::Paused => {
                            self.used = false;
                            self.pause_later();
                        }
                        StepResult::Done => self.phase = Phase::Done,
                    }
                    return Ok(step);
                }
                Ok(Err(error)) => return Err(self.ended(error)),
                Err(payload) => match payload.downcast_ref::<Stop>() {
                    // A reference that cannot be null finds no object: no value here.
                    Some(Stop::DeadEnd) => {
                        let is_candidate = self.phase == Phase::Candidate && self.heap.engine.is_of_part();
                        // Profiles recognise a dead end by the stop.
                        let is_over = is_candidate && self.count_candidate(false, observe).is_break();
                        self.heap.engine.take_stop();
                        if is_candidate {
                            self.check_dead_end().map_err(|error| self.ended(error))?;
                        }
                        if is_over {
                            self.phase = Phase::Done;
                        }
                    }
                    // What follows belongs to other parts of the search.
                    Some(Stop::Elsewhere) => {
                        self.heap.engine.take_stop();
                        self.passed_over += 1;
                        if self.is_pause_due() {
                            self.pause_later();
                            return Ok(StepResult::Paused);
                        }
                    }
                    // A rejection like any other.
                    Some(Stop::Uninitialised) => {
                        self.heap.engine.take_stop();
                        if !self.heap.engine.is_of_part() {
                            continue;
                        }
                        self.check_rejected().map_err(|error| self.ended(error))?;
                        if self.count_candidate(false, observe).is_break() {
                            self.phase = Phase::Done;
                        }
                    }
                    // Runs the same candidate again, from the top, like all others from now on.
                    Some(&Stop::NotResumable(not_resumable)) => {
                        self.heap.engine.take_stop();
                        self.note_not_resumable(not_resumable);
                        self.used = false;
                    }
                    _ => return Err(self.unwound(payload)),
                },
            }
        }
    }

    /// Runs candidates until one completes to a value. Unwinds with `Stop` if a run is ended from inside.
    #[inline]
    fn run_until_value<O: Observer>(&mut self, observe: &mut O) -> Result<StepResult, SearchError> {
        loop {
            if self.phase == Phase::Candidate {
                // The hot loop: nothing here but the predicate and the engine.
                while !self.run_predicate::<O>() {
                    if self.heap.engine.exhausted {
                        return Ok(StepResult::Done);
                    }
                    self.check_replay()?;
                    self.count_passed_in_pieces();
                    let is_of_part = self.heap.engine.is_of_part();
                    if is_of_part {
                        self.check_rejected()?;
                        if self.count_candidate(false, observe).is_break() {
                            return Ok(StepResult::Done);
                        }
                    } else {
                        self.passed_over += 1;
                    }
                    if !self.heap.engine.advance() {
                        return Ok(StepResult::Done);
                    }
                    if self.heap.engine.counters.explored >= self.pause_at || (!is_of_part && self.is_pause_due()) {
                        return Ok(StepResult::Paused);
                    }
                }
                self.check_replay()?;
                self.count_passed_in_pieces();
                if self.heap.engine.is_of_part() {
                    self.check_accepted()?;
                    if self.count_candidate(true, observe).is_break() {
                        return Ok(StepResult::Done);
                    }
                }
                self.check_shape()?;
                self.phase = Phase::Accepted { depth: self.heap.engine.depth() };
                // With `Unread::First`, the one completion of the unread fields is the same whatever sizes are wanted.
                self.heap.engine.links.suspend_size_bound(self.settings.unread == Unread::First);
                self.uses.accepted(&self.heap.engine);
            }
            if !self.heap.engine.reads_everything() {
                self.complete();
            }
            if self.heap.engine.type_violation(true).is_none() {
                let is_wanted = self.has_size() && self.heap.engine.is_of_part() && self.is_new()?;
                let passes = !is_wanted || self.passes_filter()?;
                if is_wanted && passes {
                    self.heap.engine.counters.valid += 1;
                    if let Some(invariance) = &mut self.invariance {
                        invariance.check(&self.heap, &self.settings, true)?;
                    }
                    if self.counting > 0 {
                        self.check_value()?;
                    }
                    if !self.only_counts() {
                        return Ok(StepResult::Value);
                    }
                }
                // With `Unread::First`, the one completion of the unread fields is done: yielded now, yielded before in
                // another order, or due among the values of another size.
                self.given = true;
            }
            // Not a value, because only weak references lead to some object; or a value of another size; or one that
            // was yielded before, in another order.
            let is_over = !self.move_on();
            self.given = false;
            if is_over {
                return Ok(StepResult::Done);
            }
            self.passed_over += 1;
            if self.is_pause_due() {
                return Ok(StepResult::Paused);
            }
        }
    }

    /// Fails if the predicate accepted a shape that no value has. Called before unread fields are decided: only what the predicate itself
    /// has decided is reported.
    pub(super) fn check_shape(&self) -> Result<(), SearchError> {
        if self.settings.pruning != Pruning::Classic {
            return Ok(());
        }
        match self.heap.engine.type_violation(false) {
            Some(type_violation @ (TypeViolation::OwnedTwice { .. } | TypeViolation::Cycle { .. })) => {
                Err(self.type_violation(type_violation))
            }
            Some(TypeViolation::NotHeld { .. }) | None => Ok(()),
        }
    }

    /// Decides the fields that the predicate has not read.
    fn complete(&mut self) {
        self.heap.engine.set_completing(true);
        self.read_unread();
        if let Phase::Accepted { depth } = self.phase {
            self.uses.completed(&self.heap.engine, depth);
        }
    }

    /// Reads every slot of the value that was not read.
    pub(crate) fn read_unread(&mut self) {
        let (chooser, limits) = (self.chooser, self.settings.limits);
        self.heap.walk_in(&mut |engine, work, slot| {
            if !slot.is_assigned() {
                context::run(chooser, engine, work, limits, || slot.read());
            }
        });
    }

    /// Counts a value, if values are only counted. Returns whether the search continues by itself.
    #[inline]
    fn only_counts(&mut self) -> bool {
        if self.counting == 0 {
            return false;
        }
        let size = self.heap.engine.links.size();
        if self.by_size.len() <= size {
            self.by_size.resize(size + 1, 0);
        }
        self.by_size[size] += 1;
        self.heap.engine.counters.valid < self.counting
    }

    /// Returns whether the current value has a wanted size. It can be too large only if it is a root alone, to which no
    /// object was added, or, with `Unread::First`, the one completion of the unread fields.
    pub(super) fn has_size(&self) -> bool {
        self.size() >= self.least && self.heap.engine.links.is_within()
    }

    /// Returns whether the current value was not yielded before, up to the order of elements that have none. Fails if there is no memory left to remember it.
    fn is_new(&mut self) -> Result<bool, SearchError> {
        if !self.heap.engine.has_duplicates() {
            return Ok(true);
        }
        let mut slots = Vec::new();
        self.heap.walk(|_, slot| slots.push(slot.id()));
        let bytes = self.settings.form_bytes;
        self.heap.engine.is_new(&slots, bytes).ok_or(SearchError::TooManyForms { bytes })
    }

    /// Runs the predicate on the current choices.
    #[inline(always)]
    pub(super) fn run_predicate<O: Observer>(&mut self) -> bool {
        let Heap { engine, work, .. } = &mut **self.heap;
        let Some(machine) = self.machine.as_mut().filter(|_| self.not_resumable.is_none()) else {
            work.restart(false);
            return context::run(self.chooser, engine, work, self.settings.limits, || self.predicate.lifted());
        };
        // The machine returns at every candidate if the next one is to be checked.
        work.set_quick(O::IDLE && !self.settings.explain && self.sample.rejected_at > 0);
        let resumed = if self.fresh { None } else { engine.last().map(|choice| work.resume(choice)) };
        let label = match resumed {
            Some(label) => {
                if self.settings.explain {
                    self.reentries.note(label, engine.last_replays());
                }
                label
            }
            None => {
                work.restart(true);
                0
            }
        };
        self.fresh = false;
        machine.run(self.chooser, engine, work, label, self.settings.limits)
    }

    /// Moves on to the next choices; returns false if there are none.
    fn move_on(&mut self) -> bool {
        if let Phase::Accepted { depth } = self.phase {
            if self.settings.unread == Unread::First && self.given {
                self.heap.engine.truncate_choices(depth);
            }
            // Choices for unread fields obey the rules of ownership until the last of them is gone.
            if self.heap.engine.depth() > depth && self.heap.engine.advance_above(depth) {
                self.heap.engine.record_last_choice();
                return true;
            }
            self.heap.engine.set_completing(false);
            self.heap.engine.links.suspend_size_bound(false);
            self.phase = Phase::Candidate;
        }
        self.heap.engine.advance()
    }

    #[inline]
    fn count_candidate(&mut self, accepted: bool, observe: &mut impl Observer) -> ControlFlow<()> {
        let engine = &mut self.heap.engine;
        engine.counters.explored += 1;
        engine.counters.field_inits += engine.depth() as u64;
        observe.observe(Candidate { engine: &self.heap.engine, work: &self.heap.work, accepted })
    }
}
