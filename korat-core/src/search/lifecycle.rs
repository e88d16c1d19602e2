//! Starts, restarts and ends a search: obtains its heap, and retires it.

use std::mem::ManuallyDrop;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use super::invariance::Invariance;
use super::root_predicate::{HeapAndPredicate, MakeHeap};
use super::sample::Sample;
use super::summarised::Summaries;
use super::untyped::{Phase, UntypedSearcher};
use crate::class::bounds::Overrides;
use crate::engine::stop::NotResumable;
use crate::heap::field_use::FieldUses;
use crate::heap::retired;
use crate::model::error::SearchError;
use crate::model::settings::{Backtracking, SelfCheck, Settings, Unread};
use crate::predicate::context::choose_in_search;
use crate::predicate::machine::NOT_RESTORED;
use crate::predicate::machine::explain::Reentries;
use crate::predicate::machine::profile::Profiler;

impl Drop for UntypedSearcher {
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

impl UntypedSearcher {
    /// Sets the number of steps that the predicate may take without reading a new field.
    pub(crate) fn allow_steps(&mut self, steps: u64) {
        self.settings.limits.steps = steps;
        self.heap.engine.limits.steps = steps;
    }

    /// Creates a search, and lays out its heap.
    pub(super) fn new(
        make_heap: MakeHeap,
        overrides: &Overrides,
        scope: usize,
        settings: Settings,
    ) -> Result<Self, SearchError> {
        let (heap, predicate) = make_heap(overrides, scope, &settings)?;
        let is_checked = settings.self_check != SelfCheck::Off;
        let invariance = if is_checked { Invariance::of(&heap, make_heap, overrides, scope) } else { None };
        let mut searcher = UntypedSearcher::on((heap, predicate), scope, settings);
        searcher.invariance = invariance;
        Ok(searcher)
    }

    /// Creates a search on a heap.
    pub(super) fn on((heap, predicate): HeapAndPredicate, scope: usize, mut settings: Settings) -> Self {
        let filter = predicate.filter();
        if filter.is_some() {
            // The filter reads what the predicate does not.
            settings.unread = Unread::All;
        }
        let heap = ManuallyDrop::new(heap);
        let uses = FieldUses::new(&heap.engine);
        let profiler = settings.profile.then(Profiler::default);
        let machine = match settings.backtracking {
            Backtracking::Checkpoint => Some(predicate.machine()),
            Backtracking::Reexecute => None,
        };
        let unrestorable = machine.as_ref().and_then(|machine| machine.unrestorable);
        let not_resumable = unrestorable.map(|type_name| (0, NotResumable { type_name, why: NOT_RESTORED }));
        let mut searcher = UntypedSearcher {
            heap,
            filter,
            predicate,
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
            shares_pieces: false,
            sample: Sample::new(settings.self_check),
            passed_over: 0,
            counting: 0,
            by_size: Vec::new(),
            restored: None,
            kept_handles: Vec::new(),
            is_built: false,
            summaries: Summaries::default(),
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
        self.machine = self.machine.take().map(|_| self.predicate.machine());
        self.reentries = Reentries::default();
        self.profiler = self.profiler.take().map(|_| Profiler::default());
        self.uses = FieldUses::new(&self.heap.engine);
        (self.fresh, self.used, self.given) = (true, false, false);
        (self.least, self.passed, self.shares_pieces) = (0, 0, false);
        self.sample.restart();
        self.pause_later();
        self.by_size.clear();
        self.phase = Phase::Candidate;
    }
}
