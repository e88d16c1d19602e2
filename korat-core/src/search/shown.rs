//! Runs the unmodified predicate on values: on accepted ones, and on those that rejected candidates complete to. Leaves
//! the state of the search unchanged, and returns an error if the verdicts differ.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use super::check::RUNS;
use super::searcher::Searcher;
use crate::class::traits::RepOk;
use crate::model::error::{Disagreement, SearchError};
use crate::model::settings::Pruning;
use crate::search::check::{End, holds};
use crate::slots::layout::Layout;

impl<T: RepOk> Searcher<T> {
    /// Returns the current value. Runs the unmodified predicate on it first, if the value belongs to the sample.
    pub fn checked_value(&mut self) -> Result<T, SearchError> {
        let value = self.value();
        if self.takes_value(true) {
            self.show_value(&value)?;
        }
        Ok(value)
    }

    /// Builds the current value and runs the unmodified predicate on it, if the value belongs to the sample. For
    /// callers that build no values.
    pub fn check_value(&mut self) -> Result<(), SearchError> {
        if !self.takes_value(false) {
            return Ok(());
        }
        self.heap.engine.tell_top();
        let value = self.value();
        let shown = self.show_value(&value);
        drop(value);
        self.free_cycles();
        shown
    }

    fn show_value(&mut self, value: &T) -> Result<(), SearchError> {
        self.sample.checked.shown += 1;
        self.show_to_plain(value, &End::Accepts)
    }

    fn takes_value(&mut self, built: bool) -> bool {
        let (valid, slots) = (self.heap.engine.counters.valid, self.heap.engine.links.reached_slots());
        let work = self.work();
        self.sample.takes_value(valid, slots, built, work)
    }

    /// Completes the rejected candidate to a value, if it belongs to the sample. The unmodified predicate must reject
    /// the value, and the lifted predicate must reject it in another order, too.
    pub(crate) fn show_completed(&mut self, seen: u64, work: u64) -> Result<(), SearchError> {
        let slots = self.heap.engine.links.reached_slots();
        if !self.sample.takes_completed(seen, slots, !self.is_reexecuted(), work) {
            return Ok(());
        }
        // In a classic search, a candidate may be a shape that no value has.
        if self.settings.pruning == Pruning::Classic && self.heap.engine.misfit(false).is_some() {
            return Ok(());
        }
        let depth = self.heap.engine.depth();
        self.heap.engine.set_completing(true);
        self.heap.engine.links.lift_bound(true);
        let outcome = catch_unwind(AssertUnwindSafe(|| self.read_unread()));
        self.heap.engine.tell_top();
        let stop = self.heap.engine.take_stop();
        let mut shown = Ok(());
        match outcome {
            Ok(()) if self.heap.engine.misfit(true).is_none() => {
                shown = self.show_rejected();
                if let (Ok(()), Some(invariance)) = (&shown, &mut self.invariance) {
                    shown = invariance.check(&self.heap, &self.settings, false);
                }
            }
            // No value has these choices.
            Ok(()) => {}
            Err(_) if stop.is_some() => {}
            Err(payload) => resume_unwind(payload),
        }
        self.heap.engine.cut(depth);
        self.heap.engine.set_completing(false);
        self.heap.engine.links.lift_bound(false);
        shown
    }

    /// Runs the unmodified predicate on the value that a rejected candidate was completed to. Does not build the value
    /// if its type has a destructor of the user's, a lock, or raw pointers: an invalid value may do anything when it is
    /// dropped.
    fn show_rejected(&mut self) -> Result<(), SearchError> {
        let Layout { has_raw, acts_unseen, .. } = self.heap.engine.layout;
        if has_raw || acts_unseen {
            return Ok(());
        }
        let (value, watched) = self.heap.materialise();
        self.watch(watched);
        self.sample.checked.completed += 1;
        let verdict = self.show_to_plain(&value, &End::Rejects);
        drop(value);
        self.free_cycles();
        verdict
    }

    /// Runs the unmodified predicate on the value of the current choices. Its verdict must agree with that of the search.
    fn show_to_plain(&mut self, value: &T, search: &End) -> Result<(), SearchError> {
        let plain = holds(value);
        if (plain == End::Accepts) == (*search == End::Accepts) {
            return Ok(());
        }
        let (from_top, _) = self.run_from_top(true);
        for _ in 1..RUNS {
            let (another, _) = self.run_from_top(true);
            for (before, now) in [(&from_top, another), (&plain, holds(value))] {
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
