//! Which sizes the next pass covers.

use std::ops::RangeInclusive;

use korat_core::SearchError;

use super::Values;
use crate::config::Order;

/// Targeted ratio between the work of a pass and that of the previous pass. It is large because a waiting value is
/// cheap, while exploring a candidate again costs as much as the first time.
const GROWTH: f64 = 12.0;

/// After this many candidates of small sizes without a value, the sizes are assumed to be fixed by the structure, and
/// the remaining values come in the order of the search.
pub(super) const FRUITLESS: u64 = 100_000;

/// What a pass is to be.
pub(super) struct Plan {
    pub(super) pass: RangeInclusive<usize>,
    /// The smallest size with which it was planned.
    pub(super) planned: usize,
    /// The growth and the candidates that the pass after it goes by.
    pub(super) growth: Option<f64>,
    pub(super) last_pass: u64,
}

impl Values {
    pub(super) fn next_pass(&mut self) -> Result<(), SearchError> {
        let Plan { pass, planned, growth, last_pass } = self.plan();
        (self.growth, self.last_pass) = (growth, last_pass);
        let (first, explored) = (*pass.start(), self.pass_explored);
        (self.planned, self.pass) = (planned..=*pass.end(), pass);
        if planned < first {
            self.searcher.restart();
            self.begin_pass();
            return Ok(());
        }
        if self.is_fruitless(explored) {
            return self.take_as_found(first, explored);
        }
        if !self.try_summaries(Some(explored), false, first)? {
            self.searcher.restart();
            self.begin_pass();
        }
        Ok(())
    }

    /// Returns what the next pass is to be. A run that goes on plans the same passes as one that was never interrupted.
    pub(super) fn plan(&self) -> Plan {
        let first = self.pass.end() + 1;
        let Values { growth, last_pass, pass_explored: explored, .. } = *self;
        if first <= *self.planned.end() {
            let planned = &self.planned;
            return Plan { pass: first..=*planned.end(), planned: *planned.start(), growth, last_pass };
        }
        let left = self.searcher.max_size().min(*self.sizes.end()) + 1 - first;
        let new =
            |sizes, growth, last_pass| Plan { pass: first..=first + sizes - 1, planned: first, growth, last_pass };
        if self.ran_out {
            // What the last whole pass has shown still holds.
            let of_before = growth.unwrap_or(GROWTH);
            return new(sizes_to_take(of_before, of_before, left), growth, last_pass);
        }
        let sizes = self.planned.end() - self.planned.start() + 1;
        let times = if last_pass == 0 { GROWTH } else { explored as f64 / last_pass as f64 };
        let now = times.powf(1.0 / sizes as f64);
        new(sizes_to_take(now, growth.unwrap_or(now), left), Some(now), explored)
    }

    /// Returns whether this many candidates of one pass without a value are enough to give up small sizes.
    pub(super) fn is_fruitless(&self, explored: u64) -> bool {
        let has_none = self.given == 0 && !self.has_met;
        self.order == Order::SmallestFirst && has_none && explored >= FRUITLESS
    }

    /// Notes that the search has met its first value. Returns whether it began anew: because it came late, whenever the search has paused before; or because
    /// threads divide the pass from now on.
    pub(super) fn meet_first(&mut self) -> Result<bool, SearchError> {
        if self.is_fruitless(self.searcher.counters().explored) {
            self.take_as_found(*self.pass.start(), FRUITLESS)?;
            return Ok(true);
        }
        self.has_met = true;
        // Where the pass is divided already, others may not meet a value in it.
        let divides = self.divides_passes() && !self.is_divided();
        if divides {
            self.searcher.restart();
            self.begin_pass();
        }
        Ok(divides)
    }

    /// Restarts at the size `first`, after so many candidates, and yields the remaining values in the order of the search.
    pub(super) fn take_as_found(&mut self, first: usize, explored: u64) -> Result<(), SearchError> {
        (self.pass, self.planned) = (first..=*self.sizes.end(), first..=*self.sizes.end());
        if !self.try_summaries(Some(explored), false, first)? {
            self.order = Order::AsFound;
            self.searcher.restart();
            self.begin_pass();
        }
        Ok(())
    }
}

/// Returns how many sizes a pass needs to be `GROWTH` times the work of the last one. Each size multiplied the work by
/// `growth`, and by `before` in the pass before that; if the growth has slowed down, it is assumed to slow down again. The sizes
/// that are left are split evenly: the last pass explores all candidates again, whichever sizes it has of its own.
pub(super) fn sizes_to_take(growth: f64, before: f64, left: usize) -> usize {
    let next = growth * (growth / before).powf(0.75).min(1.0);
    let sizes = (GROWTH.ln() / next.max(1.01).ln()).ceil().clamp(1.0, 64.0) as usize;
    left.div_ceil(left.div_ceil(sizes))
}
