//! Checks the symmetries by which a search leaves values out: a sample of the accepted values, and of the values that rejected
//! candidates are completed to, is shown to the predicate again with elements and names in another order. Takes values, gives the field
//! on whose order the predicate depends.
//!
//! The values are loaded into a heap of their own, since the predicate of the search may still hold references into its heap.
//! The lifted predicate is asked before the value is built: it ends within limits, and a value that it rejects is never built,
//! for it may do anything when it is dropped.

use std::panic::resume_unwind;

use super::check::{End, holds, run_to_check};
use super::{Phase, Searcher};
use crate::bounds::Bounds;
use crate::class::RepOk;
use crate::engine::{Counters, Movable, Order};
use crate::error::SearchError;
use crate::heap::Heap;
use crate::ids::{SlotId, small};
use crate::settings::{Backtracking, Settings};

/// Which values are looked at, and in how many orders: the first ones, which are small and show nearly everything, and
/// then as many as take a fixed part of the time. It depends on counts only, so that a search is the same one each time.
#[derive(Default)]
struct Schedule {
    /// Values that were looked at.
    values: usize,
    /// Orders in which they were.
    looks: u64,
}

/// So many looks are free: together they take about a tenth of a millisecond.
const AT_FIRST: u64 = 64;

/// Candidates per look after that. A look takes as long as about 20 candidates of the arenas among the examples (in instructions,
/// by callgrind), so that looks at accepted values and at rejected ones are half a per cent of the time each.
const PER_LOOK: u64 = 4096;

/// The most orders in which one value is looked at: two, and other ones of the next value, show more than all of fewer values.
const ORDERS: u64 = 2;

impl Schedule {
    /// In how many orders an accepted value is to be looked at.
    fn due(&self, counters: &Counters) -> u64 {
        (AT_FIRST + counters.explored / PER_LOOK).saturating_sub(self.looks).min(ORDERS)
    }
}

/// What a predicate says of a value in another order.
enum Verdict {
    Accepts,
    /// In words: `rejects`.
    Not(String),
}

/// What a search needs to look at its values in other orders.
pub(super) struct Invariance<T: RepOk> {
    bounds: Bounds<T>,
    accepted: Schedule,
    rejected: Schedule,
    /// Stands at the reordered values; made for the first of them.
    other: Option<Box<Searcher<T>>>,
}

impl<T: RepOk> Invariance<T> {
    /// What a search over a heap needs; nothing if it leaves no values out for their order.
    pub(super) fn of(heap: &Heap<T>, bounds: &Bounds<T>, scope: usize) -> Option<Self> {
        // Bounds that are made of a value are for its repair, which has no use for symmetry.
        if !heap.engine.layout.has_movables() || bounds.overrides().census.is_some() {
            return None;
        }
        let mut bounds = bounds.copied();
        bounds.set_scope(scope);
        Some(Invariance { bounds, accepted: Schedule::default(), rejected: Schedule::default(), other: None })
    }

    /// Looks at the value that the search stands at, if it is one of those to look at: one that the predicate accepts or rejects, as is said.
    /// One thing is moved at a time: two that move alike, as two vectors that belong together and do not say so, would show nothing.
    pub(super) fn check(&mut self, heap: &Heap<T>, settings: &Settings, accepts: bool) -> Result<(), SearchError> {
        let (engine, layout) = (&heap.engine, &heap.engine.layout);
        let schedule = if accepts { &mut self.accepted } else { &mut self.rejected };
        let (due, number) = (schedule.due(&engine.counters), schedule.values);
        if due == 0 {
            return Ok(());
        }
        let values: Vec<u32> = (0..layout.slots.len()).map(|slot| engine.value(SlotId::new(slot))).collect();
        let moves: Vec<((Movable, u32), Order)> = (layout.movables(&values))
            .flat_map(|movable| Order::some(movable.1, small(number)).into_iter().map(move |order| (movable, order)))
            .collect();
        let looks = moves.len().min(due as usize);
        schedule.values += 1;
        // To find that nothing moves takes time, too.
        schedule.looks += looks.max(1) as u64;
        for at in 0..looks {
            // Another one each time, where not all are looked at.
            let (movable, order) = moves[(number * looks + at) % moves.len()];
            let mut reordered = values.clone();
            layout.reorder(&mut reordered, movable, order);
            if reordered == values {
                continue;
            }
            let other = self.other(settings)?;
            let (accepted, rejected) = if accepts { (&values, &reordered) } else { (&reordered, &values) };
            // A predicate that says something else of the value itself is not deterministic, which is found elsewhere.
            if matches!(other.show(&reordered), Verdict::Accepts) != accepts
                && let Verdict::Accepts = other.show(accepted)
                && let Verdict::Not(verdict) = other.show(rejected)
            {
                let (field, declared) = layout.movable_name(movable.0);
                let (candidate, reordered) = (other.text(accepted), other.text(rejected));
                return Err(SearchError::NotSymmetric { field, declared, candidate, verdict, reordered });
            }
        }
        Ok(())
    }

    /// The searcher that stands at reordered values.
    fn other(&mut self, settings: &Settings) -> Result<&mut Searcher<T>, SearchError> {
        let other = match self.other.take() {
            Some(other) => other,
            None => {
                let scope = self.bounds.scope();
                let heap = Heap::new(&self.bounds, scope, settings.pruning, settings.limits);
                let settings = Settings { backtracking: Backtracking::Reexecute, ..*settings };
                Box::new(Searcher::on(heap.map_err(SearchError::Bounds)?, scope, settings))
            }
        };
        Ok(self.other.insert(other))
    }
}

impl<T: RepOk> Searcher<T> {
    /// What the predicate says of an assignment, lifted and, if that accepts, as it stands.
    fn show(&mut self, values: &[u32]) -> Verdict {
        self.at(values, |searcher| {
            match run_to_check(|| searcher.accepts()).unwrap_or_else(|panic| resume_unwind(panic)) {
                Ok(true) => searcher.plain_verdict(),
                Ok(false) => Verdict::Not("rejects".to_string()),
                Err(SearchError::Panicked { message, .. }) => Verdict::Not(format!("panics ({message}) on")),
                Err(_) => Verdict::Not("does not end on".to_string()),
            }
        })
    }

    /// An assignment as text.
    fn text(&mut self, values: &[u32]) -> String {
        self.at(values, |searcher| searcher.describe())
    }

    /// Stands at an assignment meanwhile.
    fn at<R>(&mut self, values: &[u32], look: impl FnOnce(&mut Self) -> R) -> R {
        let loaded = self.heap.load(values);
        self.stand_at_restored(loaded);
        let seen = look(self);
        // A run that was ended from inside is over.
        self.heap.engine.take_stop();
        self.leave_restored();
        (self.phase, self.used) = (Phase::Candidate, false);
        seen
    }

    /// What the untouched predicate says of the value the search stands at.
    fn plain_verdict(&mut self) -> Verdict {
        let value = self.value();
        let verdict = match holds(&value) {
            End::Accepts => {
                drop(value);
                Verdict::Accepts
            }
            // What is not valid is not dropped.
            End::Panics(message) => {
                std::mem::forget(value);
                Verdict::Not(format!("panics ({message}) on"))
            }
            _ => {
                std::mem::forget(value);
                Verdict::Not("rejects".to_string())
            }
        };
        self.free_cycles();
        verdict
    }
}
