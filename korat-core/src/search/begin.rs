//! How a search begins, again as well, and how it ends: on which heap, and what it leaves behind.

use std::mem::ManuallyDrop;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use super::invariance::Invariance;
use super::{Phase, Sample, Searcher};
use crate::ambient::Unfit;
use crate::bounds::Bounds;
use crate::class::RepOk;
use crate::error::SearchError;
use crate::field_use::FieldUses;
use crate::heap::Heap;
use crate::machine::NOT_RESTORED;
use crate::machine::{Profiler, Reentries};
use crate::retired;
use crate::settings::{Backtracking, SelfCheck, Settings};

impl<T: RepOk> Drop for Searcher<T> {
    fn drop(&mut self) {
        self.watched.append(&mut self.still_held);
        // Destructors of the user's may panic: the heap must not be freed then.
        let panic = catch_unwind(AssertUnwindSafe(|| self.free_cycles())).err();
        self.heap.work.reset();
        self.heap.engine.forget_given();
        self.leave_restored();
        // SAFETY: the heap is taken out once, here.
        retired::leave(unsafe { ManuallyDrop::take(&mut self.heap) });
        // A second panic would end the process, and the message of the first be lost.
        if let Some(panic) = panic
            && !std::thread::panicking()
        {
            resume_unwind(panic);
        }
    }
}

impl<T: RepOk> Searcher<T> {
    /// Lays out the heap.
    pub fn new(bounds: &Bounds<T>, settings: Settings) -> Result<Self, SearchError> {
        Searcher::at_scope(bounds, bounds.scope(), settings)
    }

    /// The same with another scope; what the call site overrides stays.
    pub fn at_scope(bounds: &Bounds<T>, scope: usize, settings: Settings) -> Result<Self, SearchError> {
        let heap = Heap::new(bounds, scope, settings.pruning, settings.limits).map_err(SearchError::Bounds)?;
        let is_checked = settings.self_check != SelfCheck::Off;
        let invariance = is_checked.then(|| Invariance::of(&heap, bounds, scope)).flatten();
        let mut searcher = Searcher::on(heap, scope, settings);
        searcher.invariance = invariance;
        Ok(searcher)
    }

    /// On the heap that was made of the last value to be repaired, if the next one is likely to make the same.
    pub(crate) fn on_heap_of_last_value(settings: Settings) -> Option<Self> {
        let heap = Heap::of_last_value(settings.pruning, settings.limits)?;
        let scope = heap.of_value.as_ref().map_or(0, |last| last.extent.scope);
        Some(Searcher::on(heap, scope, settings))
    }

    /// Allows the predicate so many steps without reading a new field.
    pub(crate) fn allow_steps(&mut self, steps: u64) {
        self.settings.limits.steps = steps;
        self.heap.engine.limits.steps = steps;
    }

    pub(super) fn on(heap: Box<Heap<T>>, scope: usize, settings: Settings) -> Self {
        let heap = ManuallyDrop::new(heap);
        let uses = FieldUses::new(&heap.engine);
        let profiler = settings.profile.then(Profiler::default);
        let machine = match settings.backtracking {
            Backtracking::Checkpoint => Some(T::machine(heap.root())),
            Backtracking::Reexecute => None,
        };
        let unrestorable = machine.as_ref().and_then(|machine| machine.unrestorable);
        let unfit = unrestorable.map(|type_name| (0, Unfit { type_name, why: NOT_RESTORED }));
        let mut searcher = Searcher {
            heap,
            settings,
            scope,
            machine,
            unfit,
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
        // The heap may be that of a search that paused.
        searcher.pause_later();
        searcher
    }

    /// Begins again from the first candidate, on the same heap. Counters are at zero, and no size or prefix is set.
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
