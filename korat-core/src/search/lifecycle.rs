//! Starts, restarts and ends a search: obtains its heap, and retires it.

use std::mem::ManuallyDrop;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use super::invariance::Invariance;
use super::sample::Sample;
use super::searcher::{Phase, Searcher};
use crate::class::bounds::Bounds;
use crate::class::traits::RepOk;
use crate::engine::stop::NotResumable;
use crate::heap::bounded::Heap;
use crate::heap::field_use::FieldUses;
use crate::heap::retired;
use crate::model::error::SearchError;
use crate::model::settings::{Backtracking, SelfCheck, Settings};
use crate::predicate::context::choose_in_search;
use crate::predicate::machine::NOT_RESTORED;
use crate::predicate::machine::explain::Reentries;
use crate::predicate::machine::profile::Profiler;

impl<T: RepOk> Drop for Searcher<T> {
    fn drop(&mut self) {
        self.watched.append(&mut self.still_held);
        // A destructor of the user's may panic: the heap must not be freed then.
        let panic = catch_unwind(AssertUnwindSafe(|| self.free_cycles())).err();
        self.heap.work.reset();
        self.heap.engine.forget_given();
        self.leave_restored();
        // SAFETY: the heap is taken out only here, and `drop` runs once.
        retired::retire(unsafe { ManuallyDrop::take(&mut self.heap) });
        // A second panic would abort the process, and the message of the first would be lost.
        if let Some(panic) = panic
            && !std::thread::panicking()
        {
            resume_unwind(panic);
        }
    }
}

impl<T: RepOk> Searcher<T> {
    /// Creates a search within `bounds`, and lays out its heap.
    pub fn new(bounds: &Bounds<T>, settings: Settings) -> Result<Self, SearchError> {
        Searcher::at_scope(bounds, bounds.scope(), settings)
    }

    /// Creates a search at another scope than that of `bounds`; overrides of the call site still apply.
    pub fn at_scope(bounds: &Bounds<T>, scope: usize, settings: Settings) -> Result<Self, SearchError> {
        let heap = Heap::new(bounds, scope, settings.pruning, settings.limits).map_err(SearchError::Bounds)?;
        let is_checked = settings.self_check != SelfCheck::Off;
        let invariance = is_checked.then(|| Invariance::of(&heap, bounds, scope)).flatten();
        let mut searcher = Searcher::on(heap, scope, settings);
        searcher.invariance = invariance;
        Ok(searcher)
    }

    /// Creates a search on the heap made from the last repaired value, if the next value is likely to lead to the same bounds.
    pub(crate) fn on_heap_of_last_value(settings: Settings) -> Option<Self> {
        let heap = Heap::of_last_value(settings.pruning, settings.limits)?;
        let scope = heap.derived_bounds.as_ref().map_or(0, |last| last.bounds_size.scope);
        Some(Searcher::on(heap, scope, settings))
    }

    /// Sets the number of steps that the predicate may take without reading a new field.
    pub(crate) fn allow_steps(&mut self, steps: u64) {
        self.settings.limits.steps = steps;
        self.heap.engine.limits.steps = steps;
    }

    /// Creates a search on a heap.
    pub(super) fn on(heap: Box<Heap<T>>, scope: usize, settings: Settings) -> Self {
        let heap = ManuallyDrop::new(heap);
        let uses = FieldUses::new(&heap.engine);
        let profiler = settings.profile.then(Profiler::default);
        let machine = match settings.backtracking {
            Backtracking::Checkpoint => Some(T::machine(heap.root())),
            Backtracking::Reexecute => None,
        };
        let unrestorable = machine.as_ref().and_then(|machine| machine.unrestorable);
        let not_resumable = unrestorable.map(|type_name| (0, NotResumable { type_name, why: NOT_RESTORED }));
        let mut searcher = Searcher {
            heap,
            chooser: choose_in_search,
            settings,
            scope,
            machine,
            not_resumable,
            reentries: Reentries::default(),
            profiler,
            uses,
            invariance: None,
            fresh: true,
            phase: Phase::Candidate,
            used: false,
            given: false,
            least: 0,
            pause: None,
            pause_at: u64::MAX,
            passed: 0,
            sample: Sample::new(settings.self_check),
            passed_over: 0,
            counting: 0,
            by_size: Vec::new(),
            restored: None,
            watched: Vec::new(),
            still_held: Vec::new(),
            look_again_at: 64,
        };
        // The heap may come from a search that paused.
        searcher.pause_later();
        searcher
    }

    /// Starts again from the first candidate, on the same heap. Resets the counters, the sizes and the prefix.
    pub fn restart(&mut self) {
        self.heap.work.reset();
        self.leave_restored();
        self.heap.engine.forget_given();
        self.heap.engine.reset();
        self.machine = self.machine.take().map(|_| T::machine(self.heap.root()));
        self.reentries = Reentries::default();
        self.profiler = self.profiler.take().map(|_| Profiler::default());
        self.uses = FieldUses::new(&self.heap.engine);
        (self.fresh, self.used, self.given) = (true, false, false);
        (self.least, self.passed) = (0, 0);
        self.sample.restart();
        self.pause_later();
        self.by_size.clear();
        self.phase = Phase::Candidate;
    }
}
