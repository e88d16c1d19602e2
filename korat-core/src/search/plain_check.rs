//! Runs the unmodified predicate on values: on accepted ones, and on those that rejected candidates complete to. Leaves
//! the state of the search unchanged, and returns an error if the verdicts differ.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use super::check::RUNS;
use super::root_predicate::PlainPredicate;
use super::untyped::UntypedSearcher;
use crate::model::error::{Disagreement, SearchError, panic_message};
use crate::model::settings::Pruning;
use crate::search::check::{RunOutcome, holds};
use crate::slots::layout::Layout;

impl UntypedSearcher {
    /// Runs the unmodified predicate on the current value, which was built, if the value belongs to the sample.
    pub(super) fn check_built_value(&mut self, plain: &dyn Fn() -> bool) -> Result<(), SearchError> {
        if self.takes_value(true) { self.compare_value(plain) } else { Ok(()) }
    }

    /// Builds the current value and runs the unmodified predicate on it, if the value belongs to the sample. For
    /// callers that build no values.
    pub fn check_value(&mut self) -> Result<(), SearchError> {
        if !self.takes_value(false) {
            return Ok(());
        }
        self.heap.engine.record_last_choice();
        let plain = self.build_plain();
        let result = self.compare_value(&plain);
        // A destructor may panic.
        let dropped = catch_unwind(AssertUnwindSafe(|| drop(plain)));
        self.free_cycles();
        dropped.map_err(|payload| {
            let message = format!("in a destructor, on a value that it accepts: {}", panic_message(&*payload));
            self.panicked(Box::new(message))
        })?;
        result
    }

    /// Returns whether accepted values are built and shown to a filter.
    pub fn has_filter(&self) -> bool {
        self.filter.is_some()
    }

    /// Builds the current value and runs the filter on it, if the type has one.
    pub(super) fn passes_filter(&mut self) -> Result<bool, SearchError> {
        let Some(build) = self.filter else { return Ok(true) };
        self.heap.engine.record_last_choice();
        let (filter, watched) = build(&self.heap);
        self.watch(watched);
        // The value is dropped inside, because its destructor may panic.
        let verdict = catch_unwind(AssertUnwindSafe(filter));
        self.free_cycles();
        let passes = verdict.map_err(|payload| {
            let message = format!("in the filter: {}", panic_message(&*payload));
            self.panicked(Box::new(message))
        })?;
        if let (false, Some(invariance)) = (passes, &mut self.invariance) {
            invariance.check(&self.heap, &self.settings, false)?;
        }
        Ok(passes)
    }

    /// Builds the current value, and returns the unmodified predicate on it.
    pub(super) fn build_plain(&mut self) -> PlainPredicate {
        let (plain, watched) = self.predicate.build(&self.heap);
        self.watch(watched);
        plain
    }

    fn compare_value(&mut self, plain: &dyn Fn() -> bool) -> Result<(), SearchError> {
        self.sample.checked.shown += 1;
        self.compare_with_plain(plain, &RunOutcome::Accepts)
    }

    fn takes_value(&mut self, built: bool) -> bool {
        let (valid, slots) = (self.heap.engine.counters.valid, self.heap.engine.links.reached_slots());
        let work = self.work();
        self.sample.takes_value(valid, slots, built, work)
    }

    /// Completes the rejected candidate to a value, if it belongs to the sample. The unmodified predicate must reject
    /// the value, and the lifted predicate must reject it in another order, too.
    pub(crate) fn check_completed(&mut self, seen: u64, work: u64) -> Result<(), SearchError> {
        let slots = self.heap.engine.links.reached_slots();
        if !self.sample.takes_completed(seen, slots, !self.is_reexecuted(), work) {
            return Ok(());
        }
        // In a classic search, a candidate may be a shape that no value has.
        if self.settings.pruning == Pruning::Classic && self.heap.engine.type_violation(false).is_some() {
            return Ok(());
        }
        let depth = self.heap.engine.depth();
        let is_suspended = self.heap.engine.suspend_part();
        self.heap.engine.set_completing(true);
        self.heap.engine.links.suspend_size_bound(true);
        let outcome = catch_unwind(AssertUnwindSafe(|| self.read_unread()));
        self.heap.engine.record_last_choice();
        let stop = self.heap.engine.take_stop();
        let mut result = Ok(());
        match outcome {
            Ok(()) if self.heap.engine.type_violation(true).is_none() => {
                result = self.compare_rejected();
                if let (Ok(()), Some(invariance)) = (&result, &mut self.invariance) {
                    result = invariance.check(&self.heap, &self.settings, false);
                }
            }
            // No value has these choices.
            Ok(()) => {}
            Err(_) if stop.is_some() => {}
            Err(payload) => resume_unwind(payload),
        }
        self.heap.engine.truncate_choices(depth);
        self.heap.engine.resume_part(is_suspended);
        self.heap.engine.set_completing(false);
        self.heap.engine.links.suspend_size_bound(false);
        result
    }

    /// Runs the unmodified predicate on the value that a rejected candidate was completed to. Does not build the value
    /// if its type has a destructor of the user's, a lock, or raw pointers: an invalid value may do anything when it is
    /// dropped.
    fn compare_rejected(&mut self) -> Result<(), SearchError> {
        let Layout { has_raw, has_side_effects, .. } = self.heap.engine.layout;
        if has_raw || has_side_effects {
            return Ok(());
        }
        let plain = self.build_plain();
        self.sample.checked.completed += 1;
        let verdict = self.compare_with_plain(&plain, &RunOutcome::Rejects);
        drop(plain);
        self.free_cycles();
        verdict
    }

    /// Runs the unmodified predicate on the value of the current choices. Its verdict must agree with that of the search.
    fn compare_with_plain(&mut self, on_value: &dyn Fn() -> bool, search: &RunOutcome) -> Result<(), SearchError> {
        let plain = holds(on_value);
        if (plain == RunOutcome::Accepts) == (*search == RunOutcome::Accepts) {
            return Ok(());
        }
        let (from_top, _) = self.run_from_top(true);
        for _ in 1..RUNS {
            let (another, _) = self.run_from_top(true);
            for (before, now) in [(&from_top, another), (&plain, holds(on_value))] {
                if *before != now {
                    return Err(self.verdicts_differ(before, &now));
                }
            }
        }
        Err(SearchError::Disagreement(Box::new(Disagreement {
            candidate: self.describe(),
            place: String::new(),
            machine: (!self.is_reexecuted() && self.restored.is_none()).then(|| search.to_string()),
            from_top: from_top.to_string(),
            plain: Some(plain.to_string()),
            is_repeated: false,
        })))
    }
}
