//! The search: runs the predicate on one candidate after the other and stops at each value. Takes a heap and a predicate,
//! whatever the type of their root, so that it is compiled once, with this crate; yields counters and errors, and leaves it to the harness what to do with
//! them.

use std::mem::ManuallyDrop;
use std::ops::{ControlFlow, RangeInclusive};

use super::candidate::{Candidate, NoObserver};
use super::invariance::Invariance;
use super::root_predicate::{BuildFilter, RootPredicate};
use super::sample::Sample;
use super::summarised::Summaries;
use crate::class::cycles::AnyWeak;
use crate::engine::stop::NotResumable;
use crate::heap::bounded::Heap;
use crate::heap::field_use::FieldUses;
use crate::model::error::SearchError;
use crate::model::settings::Settings;
use crate::predicate::machine::Machine;
use crate::predicate::machine::explain::Reentries;
use crate::predicate::machine::profile::Profiler;
use crate::slots::chooser::Chooser;
use crate::slots::slot_handle::SlotHandle;

/// The state of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Phase {
    /// The predicate is to run on the current choices.
    Candidate,
    /// The predicate accepted the first `depth` choices; the later ones are the values of unread fields.
    Accepted { depth: usize },
    /// No candidate is left.
    Done,
}

/// The result of a step of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StepResult {
    /// The search stopped at a value.
    Value,
    /// The search paused after the requested number of candidates; the next call continues it.
    Paused,
    /// No candidate is left.
    Done,
}

/// One search, step by step, without the type of its values: what a [`Searcher`](crate::Searcher) does that builds and takes no value.
pub struct UntypedSearcher {
    /// Retired when the search is dropped; present until then.
    pub(crate) heap: ManuallyDrop<Box<Heap>>,
    pub(super) predicate: Box<dyn RootPredicate>,
    /// Builds accepted values for the filter of their type, if it has one.
    pub(super) filter: Option<BuildFilter>,
    /// Answers first reads of the predicate.
    pub(crate) chooser: Chooser,
    pub(super) settings: Settings,
    pub(super) scope: usize,
    /// The lowered predicate, if it is to be re-entered instead of run from the top.
    pub(super) machine: Option<Machine>,
    /// Why the predicate runs from the top all the same: the statement, and the type of a local that cannot be restored.
    pub(super) not_resumable: Option<(u32, NotResumable)>,
    /// Counts the re-entries of each statement, for explanations.
    pub(super) reentries: Reentries,
    /// Records where candidates are rejected, if the settings ask for it.
    pub(super) profiler: Option<Profiler>,
    /// Records the fields that accepted candidates have read.
    pub(super) uses: FieldUses,
    /// Checks values in other orders, if the structure declares an order meaningless.
    pub(super) invariance: Option<Invariance>,
    /// Whether the machine must start at the top.
    pub(super) fresh: bool,
    pub(super) phase: Phase,
    /// Whether the current choices are used up, so that the search must move on first.
    pub(super) used: bool,
    /// Whether the current choices yielded a value.
    pub(super) given: bool,
    /// Skips values with fewer objects.
    pub(super) least: usize,
    /// The number of candidates between two pauses.
    pub(super) pause: Option<u64>,
    /// The number of explored candidates at which the search pauses next.
    pub(super) pause_at: u64,
    /// Explored candidates that the machine rejected in its own loop, without returning. When they are counted depends
    /// on pauses.
    pub(super) passed: u64,
    /// Whether other threads search the pieces that this search leaves out.
    pub(super) shares_pieces: bool,
    /// Selects the candidates and values to check.
    pub(super) sample: Sample,
    /// The number of values skipped, or only counted, since the last pause.
    pub(super) passed_over: u64,
    /// The number of values up to which the search only counts; 0 if it stops at each value.
    pub(super) counting: u64,
    /// The number of counted values by size.
    pub(super) by_size: Vec<u64>,
    /// The slots of the current value, if it was restored and not searched for; a value may have no slots.
    pub(super) restored: Option<Vec<SlotHandle>>,
    /// For each slot of some value that was kept, its handle.
    pub(super) kept_handles: Vec<Option<SlotHandle>>,
    /// Whether it is the value that summaries built last.
    pub(super) is_built: bool,
    /// What summaries say about the values.
    pub(super) summaries: Summaries,
    /// Objects of values built since cycles were freed last.
    pub(super) watched: Vec<Box<dyn AnyWeak>>,
    /// Objects that were still held at that time.
    pub(super) still_held: Vec<Box<dyn AnyWeak>>,
    /// The length of `still_held` above which it is examined again.
    pub(super) look_again_at: usize,
}

impl UntypedSearcher {
    /// Searches only the candidates whose first choices have these indices, in the order of [`Candidate::choices`]. The
    /// searches at all prefixes of one length together find what the whole search finds. Panics in the middle of a
    /// search.
    pub fn start_at(&mut self, prefix: &[u32]) {
        assert!(self.phase == Phase::Candidate && !self.used, "a search is given its prefix before it begins");
        self.heap.engine.set_prefix(prefix.to_vec());
    }

    /// Yields only values whose [`size`](Self::size) is within the range, and tries no larger candidate. May be
    /// called in the middle of a search.
    pub fn set_sizes(&mut self, sizes: RangeInclusive<usize>) {
        self.least = *sizes.start();
        self.heap.engine.links.set_max_size(*sizes.end());
    }

    /// Returns whether some candidate was not tried because of its size, since the sizes were set.
    pub fn hit_size_bound(&self) -> bool {
        self.heap.engine.links.hit_size_bound()
    }

    /// Returns the number of objects of the current candidate. The root counts if other objects can be of its class; a
    /// mere handle of the structure, such as `struct List { head: Option<Box<Node>> }`, does not.
    pub fn size(&self) -> usize {
        self.heap.engine.links.size()
    }

    /// Returns the largest [`size`](Self::size) that the bounds allow.
    pub fn max_size(&self) -> usize {
        self.heap.engine.links.max_size(&self.heap.engine.layout)
    }

    /// Returns the fraction of the candidates that are done, assuming that every choice splits its share evenly: the
    /// position in the stack of choices, each weighted by those before it.
    pub fn position(&self) -> f64 {
        self.heap.engine.position()
    }

    /// Makes [`step`](Self::step) return after about this many candidates, whether or not it has returned at values
    /// in between.
    pub fn pause_every(&mut self, candidates: u64) {
        self.pause = Some(candidates);
        self.pause_later();
    }

    /// Schedules the next pause, counted from here.
    pub(super) fn pause_later(&mut self) {
        let explored = self.heap.engine.counters.explored;
        self.pause_at = self.pause.map_or(u64::MAX, |pause| explored.saturating_add(pause));
        self.let_machine_run();
        self.passed_over = 0;
    }

    /// Returns whether a pause is due. A value that was skipped or only counted weighs as much as a candidate, since
    /// one candidate may complete to many values.
    pub(super) fn is_pause_due(&self) -> bool {
        let explored = self.heap.engine.counters.explored;
        explored >= self.pause_at || self.pause.is_some_and(|pause| self.passed_over >= pause)
    }

    /// Advances to the next valid value; returns false if there is none.
    pub fn advance(&mut self) -> Result<bool, SearchError> {
        loop {
            match self.step()? {
                StepResult::Value => return Ok(true),
                StepResult::Paused => {}
                StepResult::Done => return Ok(false),
            }
        }
    }

    /// Advances to the next valid value; returns false if there is none. Passes every candidate on the way to
    /// `observe`, accepted or not, after the predicate ran on it; a break ends the search.
    pub fn advance_observed(
        &mut self,
        observe: &mut dyn FnMut(Candidate<'_>) -> ControlFlow<()>,
    ) -> Result<bool, SearchError> {
        loop {
            match self.step_observed(observe)? {
                StepResult::Value => return Ok(true),
                StepResult::Paused => {}
                StepResult::Done => return Ok(false),
            }
        }
    }

    /// Advances to the next valid value, or to a pause between two candidates, see [`pause_every`](Self::pause_every).
    pub fn step(&mut self) -> Result<StepResult, SearchError> {
        if self.profiler.is_some() {
            return self.step_observed(&mut |_| ControlFlow::Continue(()));
        }
        self.step_with(&mut NoObserver)
    }

    /// Counts values without stopping at each. Stops at a value only once there are `limit` values in all.
    pub fn count_on(&mut self, limit: u64) -> Result<StepResult, SearchError> {
        self.counting = limit;
        let step = self.step();
        self.counting = 0;
        step
    }

    /// Returns the number of values of each size that [`count_on`](Self::count_on) has counted.
    pub fn counted_by_size(&self) -> &[u64] {
        &self.by_size
    }
}
