//! Which sizes the next pass covers.

use korat_core::SearchError;

use super::Values;
use crate::config::Order;

/// Targeted ratio between the work of a pass and that of the previous pass. It is large because a waiting value is
/// cheap, while exploring a candidate again costs as much as the first time.
const GROWTH: f64 = 12.0;

/// After this many candidates of small sizes without a value, the sizes are assumed to be fixed by the structure, and
/// the remaining values come in the order of the search.
const FRUITLESS: u64 = 100_000;

impl Values {
    pub(super) fn next_pass(&mut self) -> Result<(), SearchError> {
        let explored = self.pass_explored;
        let sizes = self.pass.end() - self.pass.start() + 1;
        let times = if self.last_pass == 0 { GROWTH } else { explored as f64 / self.last_pass as f64 };
        let growth = times.powf(1.0 / sizes as f64);
        let sizes = sizes_to_take(growth, self.growth.unwrap_or(growth));
        self.growth = Some(growth);
        self.last_pass = explored;
        let first = self.pass.end() + 1;
        self.pass = first..=(first + sizes - 1).min(*self.sizes.end());
        if self.is_fruitless(explored) {
            return self.take_as_found(first);
        }
        if !self.try_summaries(Some(self.counters().explored), false, first)? {
            self.searcher.restart();
            self.begin_pass();
        }
        Ok(())
    }

    /// Returns whether this many candidates of one pass without a value are enough to give up small sizes.
    pub(super) fn is_fruitless(&self, explored: u64) -> bool {
        let has_none = self.given == 0 && self.waiting.is_empty();
        self.order == Order::SmallestFirst && has_none && explored >= FRUITLESS
    }

    /// Restarts at the size `first`, and yields the remaining values in the order of the search.
    pub(super) fn take_as_found(&mut self, first: usize) -> Result<(), SearchError> {
        self.pass = first..=*self.sizes.end();
        if !self.try_summaries(Some(self.counters().explored), false, first)? {
            self.order = Order::AsFound;
            self.searcher.restart();
            self.begin_pass();
        }
        Ok(())
    }
}

/// Returns how many sizes a pass needs to be `GROWTH` times the work of the last one. Each size multiplied the work by
/// `growth`, and by `before` in the pass before that; if the growth has slowed down, it is assumed to slow down again.
pub(super) fn sizes_to_take(growth: f64, before: f64) -> usize {
    let next = growth * (growth / before).powf(0.75).min(1.0);
    (GROWTH.ln() / next.max(1.01).ln()).ceil().clamp(1.0, 64.0) as usize
}
