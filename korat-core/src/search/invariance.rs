//! Checks the symmetries by which a search prunes: runs the predicate again with elements and names in another order,
//! on a sample of the accepted values and of the values that rejected candidates complete to. Reports the field on
//! whose order the predicate depends.
//!
//! The values are loaded into a heap of their own, since the predicate of the search may still hold references into its
//! heap. The lifted predicate runs before the value is built: its runs are limited, and a value that it rejects is
//! never built, because an invalid value may do anything when it is dropped.

use std::panic::resume_unwind;

use super::bookmark::Numbers;
use super::check::{RunOutcome, holds};
use super::root_predicate::MakeHeap;
use super::untyped::{Phase, UntypedSearcher};
use crate::class::bounds::Overrides;
use crate::engine::reordering::{Permutation, Reorderable};
use crate::heap::bounded::Heap;
use crate::model::counters::Counters;
use crate::model::error::SearchError;
use crate::model::ids::{SlotId, to_u32};
use crate::model::settings::{Backtracking, Settings};
use crate::predicate::caught_panics::caught;

/// Selects the values to check, and the number of orders for each: the first values, which are small and show nearly
/// everything, and then as many as take a fixed share of the time. It depends on counts only, so that every run of a
/// search is the same.
#[derive(Default)]
struct Schedule {
    /// The number of values checked.
    values: usize,
    /// The number of orders in which they were checked.
    checks: u64,
}

/// The number of free checks: together they take about a tenth of a millisecond.
const AT_FIRST: u64 = 64;

/// Candidates per check after that. A check takes as long as about 20 candidates of the arenas among the examples (in
/// instructions, by callgrind), so the checks of accepted values and those of rejected ones take half a per cent of the
/// time each.
const PER_CHECK: u64 = 4096;

/// The most orders in which to check one value: two orders, and others for the next value, show more than all orders of
/// fewer values.
const ORDERS: u64 = 2;

impl Schedule {
    /// Returns the number of orders in which to check a value.
    fn due(&self, counters: &Counters) -> u64 {
        (AT_FIRST + counters.explored / PER_CHECK).saturating_sub(self.checks).min(ORDERS)
    }
}

/// The verdict of a predicate on a value in another order.
enum OrderVerdict {
    Accepts,
    /// A verb phrase: `rejects`.
    Not(String),
}

/// The state of a search that checks its values in other orders.
pub(super) struct Invariance {
    accepted: Schedule,
    rejected: Schedule,
    /// Makes a heap like that of the search.
    make_heap: MakeHeap,
    overrides: Overrides,
    scope: usize,
    /// A searcher for the reordered values; created for the first of them.
    other: Option<Box<UntypedSearcher>>,
}

impl Invariance {
    /// Creates the check for a search over a heap; `None` if the search prunes no values because of their order.
    pub(super) fn of(heap: &Heap, make_heap: MakeHeap, overrides: &Overrides, scope: usize) -> Option<Self> {
        // Bounds made from a value serve its repair, which does not use symmetry.
        if !heap.engine.layout.has_reorderables() || overrides.census.is_some() {
            return None;
        }
        let (accepted, rejected) = (Schedule::default(), Schedule::default());
        Some(Invariance { accepted, rejected, make_heap, overrides: overrides.clone(), scope, other: None })
    }

    /// Writes what was checked as numbers.
    pub(super) fn save(&self, to: &mut Vec<u64>) {
        for Schedule { values, checks } in [&self.accepted, &self.rejected] {
            to.extend([*values as u64, *checks]);
        }
    }

    /// Reads what `save` has written.
    pub(super) fn load(&mut self, from: &mut Numbers<'_>) -> Option<()> {
        for schedule in [&mut self.accepted, &mut self.rejected] {
            *schedule = Schedule { values: usize::try_from(from.next()?).ok()?, checks: from.next()? };
        }
        Some(())
    }

    /// Checks the current value of the search, if one is due; `accepts` is the verdict of the predicate on it. Reorders
    /// one thing at a time: two things that move alike, such as two vectors that belong together without being declared
    /// so, would show nothing.
    pub(super) fn check(&mut self, heap: &Heap, settings: &Settings, accepts: bool) -> Result<(), SearchError> {
        let (engine, layout) = (&heap.engine, &heap.engine.layout);
        let schedule = if accepts { &mut self.accepted } else { &mut self.rejected };
        let (due, number) = (schedule.due(&engine.counters), schedule.values);
        if due == 0 {
            return Ok(());
        }
        let values: Vec<u32> = (0..layout.slots.len()).map(|slot| engine.value(SlotId::new(slot))).collect();
        let moves: Vec<((Reorderable, u32), Permutation)> = (layout.reorderables(&values))
            .flat_map(|reorderable| {
                Permutation::some(reorderable.1, to_u32(number)).into_iter().map(move |order| (reorderable, order))
            })
            .collect();
        let checks = moves.len().min(due as usize);
        schedule.values += 1;
        // Finding that nothing can be reordered takes time, too.
        schedule.checks += checks.max(1) as u64;
        for at in 0..checks {
            // Takes other orders for each value, if not all are checked.
            let (reorderable, order) = moves[(number * checks + at) % moves.len()];
            let mut reordered = values.clone();
            layout.reorder(&mut reordered, reorderable, order);
            if reordered == values {
                continue;
            }
            let other = self.other(settings)?;
            let (accepted, rejected) = if accepts { (&values, &reordered) } else { (&reordered, &values) };
            // A predicate with another verdict on the value itself is not deterministic, which other checks find.
            if matches!(other.show(&reordered), OrderVerdict::Accepts) != accepts
                && let OrderVerdict::Accepts = other.show(accepted)
                && let OrderVerdict::Not(verdict) = other.show(rejected)
            {
                let (field, declared) = layout.reorderable_name(reorderable.0);
                let (candidate, reordered) = (other.text(accepted), other.text(rejected));
                return Err(SearchError::NotSymmetric { field, declared, candidate, verdict, reordered });
            }
        }
        Ok(())
    }

    /// Returns the searcher for reordered values.
    fn other(&mut self, settings: &Settings) -> Result<&mut UntypedSearcher, SearchError> {
        let other = match self.other.take() {
            Some(other) => other,
            None => {
                let heap = (self.make_heap)(&self.overrides, self.scope, settings)?;
                let settings = Settings { backtracking: Backtracking::Reexecute, ..*settings };
                Box::new(UntypedSearcher::on(heap, self.scope, settings))
            }
        };
        Ok(self.other.insert(other))
    }
}

impl UntypedSearcher {
    /// Runs the predicate on an assignment: the lifted one and, if that accepts, the unmodified one.
    fn show(&mut self, values: &[u32]) -> OrderVerdict {
        self.at(values, |searcher| match caught(|| searcher.accepts()).unwrap_or_else(|panic| resume_unwind(panic)) {
            Ok(true) => searcher.plain_verdict(),
            Ok(false) => OrderVerdict::Not("rejects".to_string()),
            Err(SearchError::Panicked { message, .. }) => OrderVerdict::Not(format!("panics ({message}) on")),
            Err(_) => OrderVerdict::Not("does not end on".to_string()),
        })
    }

    /// Describes an assignment.
    fn text(&mut self, values: &[u32]) -> String {
        self.at(values, |searcher| searcher.describe())
    }

    /// Calls `look` with an assignment as the current value.
    fn at<R>(&mut self, values: &[u32], look: impl FnOnce(&mut Self) -> R) -> R {
        let loaded = self.heap.load(values);
        self.go_to_restored(loaded);
        let seen = look(self);
        // Clears the stop of a run that was ended from inside.
        self.heap.engine.take_stop();
        self.leave_restored();
        (self.phase, self.used) = (Phase::Candidate, false);
        seen
    }

    /// Runs the unmodified predicate on the current value.
    fn plain_verdict(&mut self) -> OrderVerdict {
        let plain = self.build_plain();
        let verdict = match holds(&plain) {
            RunOutcome::Accepts => {
                drop(plain);
                OrderVerdict::Accepts
            }
            // An invalid value is leaked, not dropped.
            RunOutcome::Panics(message) => {
                std::mem::forget(plain);
                OrderVerdict::Not(format!("panics ({message}) on"))
            }
            _ => {
                std::mem::forget(plain);
                OrderVerdict::Not("rejects".to_string())
            }
        };
        self.free_cycles();
        verdict
    }
}
