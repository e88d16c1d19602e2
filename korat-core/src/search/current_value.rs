//! The current value of a search, built, decomposed or described; and what the search did to get there.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

use super::untyped::{Phase, UntypedSearcher};
use crate::class::cycles;
use crate::class::cycles::AnyWeak;
use crate::engine::stop::Stop;
use crate::heap::bounded::Heap;
use crate::heap::field_use::FieldUse;
use crate::heap::outline;
use crate::heap::slot_vector::{NoSuchValue, SlotVector};
use crate::model::counters::Counters;
use crate::model::error::SearchError;
use crate::model::ids::SlotId;
use crate::model::outline::Outline;
use crate::model::settings::Backtracking;
use crate::predicate::context;
use crate::predicate::machine::explain::{Explanation, slow_parts};
use crate::predicate::machine::profile::Profile;
use crate::slots::slot_handle::SlotHandle;

impl UntypedSearcher {
    /// Returns the scope that the search was planned with.
    pub fn scope(&self) -> usize {
        self.scope
    }

    /// Returns the slots of the current value, as a list that [`restore`](Self::restore) takes.
    pub fn slot_vector(&mut self) -> SlotVector {
        self.assert_at_value();
        self.heap.slot_vector()
    }

    /// Makes the value of a list of slots the current one, valid or not, instead of searching for one. May be called
    /// repeatedly. Panics in the middle of a search.
    pub fn restore(&mut self, vector: &SlotVector) -> Result<(), NoSuchValue> {
        if self.restored.is_some() {
            self.leave_restored();
            (self.phase, self.used) = (Phase::Candidate, false);
        }
        self.assert_idle();
        let restored = self.heap.assign_vector(vector)?;
        self.go_to_restored(restored);
        Ok(())
    }

    /// Returns whether the predicate accepts the current value, which must be a restored one. Ask before building the
    /// value, because an invalid value may do anything when it is dropped. Panics in the middle of a search, where
    /// every value is accepted.
    pub fn accepts(&mut self) -> Result<bool, SearchError> {
        Ok(self.accepts_unfiltered()? && self.passes_filter()?)
    }

    /// Returns whether the predicate accepts the current value, whatever the filter says.
    pub(super) fn accepts_unfiltered(&mut self) -> Result<bool, SearchError> {
        self.unfiltered_verdict().map_err(|interruption| match interruption {
            Interruption::Stopped(stop) => self.stopped(stop),
            Interruption::Panicked(payload) => self.panicked(payload),
        })
    }

    /// Returns what the predicate says about the current value, whatever the filter says, or why it says nothing.
    pub(super) fn unfiltered_verdict(&mut self) -> Result<bool, Interruption> {
        assert!(self.restored.is_some(), "only a restored value is asked for");
        let (chooser, limits, predicate) = (self.chooser, self.settings.limits, &self.predicate);
        let Heap { engine, work, .. } = &mut **self.heap;
        work.restart(false);
        let outcome =
            catch_unwind(AssertUnwindSafe(|| context::run(chooser, engine, work, limits, || predicate.lifted())));
        let stop = self.heap.engine.take_stop();
        match (outcome, stop) {
            (Ok(accepts), None) => Ok(accepts),
            (Ok(_), Some(stop)) => Err(Interruption::Stopped(stop)),
            (Err(payload), _) => match payload.downcast::<Stop>() {
                Ok(stop) if *stop == Stop::Uninitialised => Ok(false),
                Ok(stop) => Err(Interruption::Stopped(*stop)),
                Err(payload) => Err(Interruption::Panicked(payload)),
            },
        }
    }

    pub(super) fn assert_idle(&self) {
        let idle = self.phase == Phase::Candidate && !self.used;
        assert!(idle, "values are built by a searcher that has not begun its search");
    }

    pub(super) fn assert_at_value(&self) {
        assert!(matches!(self.phase, Phase::Accepted { .. }), "there is a value only after `advance` said so");
    }

    /// Frees the `Rc` cycles left behind by values built since the last call. Leaves alone what is still held, and
    /// examines it again when the search is dropped, if not before.
    pub fn free_cycles(&mut self) {
        if !self.watched.is_empty() {
            self.still_held.extend(cycles::collect(std::mem::take(&mut self.watched)));
        }
        // Objects that were held may be free by now. Examining them ever less often keeps the work in proportion.
        if self.still_held.len() > self.look_again_at {
            self.still_held = cycles::collect(std::mem::take(&mut self.still_held));
            self.look_again_at = 2 * self.still_held.len() + 64;
        }
    }

    /// Watches objects for cycles, like those of values that the search has built.
    pub(crate) fn watch(&mut self, watched: Vec<Box<dyn AnyWeak>>) {
        if !watched.is_empty() {
            self.watched.extend(watched);
        }
    }

    /// Returns the counters of the search so far.
    pub fn counters(&self) -> Counters {
        let counters = self.heap.engine.counters;
        match self.settings.backtracking {
            Backtracking::Checkpoint => {
                let field_inits = self.heap.engine.initialised();
                Counters { field_inits, undo_ops: self.heap.work.undone.get(), ..counters }
            }
            Backtracking::Reexecute => counters,
        }
    }

    /// Returns how the predicate ran so far; `None` if it is re-executed.
    pub fn explanation(&self) -> Option<Explanation> {
        self.machine.as_ref().map(|machine| {
            Explanation::new(machine.info, &self.reentries, &self.heap.work.cloned(), self.not_resumable)
        })
    }

    /// Starts or ends counting how often the statements of the predicate are re-entered, which the settings may ask for from the
    /// beginning.
    pub fn count_reentries(&mut self, is_counted: bool) {
        self.settings.explain = is_counted;
    }

    /// Returns which parts of the predicate rerun from further up for most candidates, and why, as far as they were
    /// [counted](Self::count_reentries); nothing if it is re-executed on purpose.
    pub fn slow_parts(&self) -> Vec<String> {
        let machine = self.machine.as_ref();
        machine.map_or_else(Vec::new, |machine| slow_parts(machine.info, &self.reentries, self.not_resumable))
    }

    /// Returns where candidates were rejected so far, if the settings ask for it.
    pub fn profile(&self) -> Option<Profile> {
        let profiler = self.profiler.as_ref()?;
        Some(profiler.profile(&self.heap.engine, self.machine.as_ref().map(|machine| machine.info), self.not_resumable))
    }

    /// Returns which fields the predicate has read so far on accepted candidates.
    pub fn field_use(&self) -> FieldUse {
        self.uses.named(&self.heap.engine)
    }

    /// Describes the current candidate for messages, one line per object.
    pub fn describe(&self) -> String {
        self.heap.engine.describe()
    }

    /// Returns the objects and fields of the current value.
    pub fn outline(&self) -> Outline {
        outline::outline(&self.heap.engine)
    }

    /// Returns the objects and fields of a value given by its slots. Panics in the middle of a search.
    pub fn outline_of(&mut self, slots: &CanonicalValue) -> Outline {
        self.go_to_abstract(slots);
        let outline = self.outline();
        self.leave_abstract();
        outline
    }

    /// Returns numbers that are equal exactly for values that differ only in the numbering of objects, in names, and in the order of elements
    /// that have none. Panics in the middle of a search.
    pub fn canonical_form(&mut self, slots: &CanonicalValue) -> Box<[u32]> {
        self.go_to_abstract(slots);
        let slots: Vec<SlotId> = self.restored.iter().flatten().map(|slot| slot.id()).collect();
        let form = self.heap.engine.canonical_form(&slots);
        self.leave_abstract();
        form
    }

    /// Makes the value of these slots the current one. Panics in the middle of a search.
    pub(super) fn go_to_abstract(&mut self, slots: &CanonicalValue) {
        self.assert_idle();
        let restored = self.heap.load(&slots.0);
        self.go_to_restored(restored);
    }

    /// Makes the searcher idle again.
    pub(super) fn leave_abstract(&mut self) {
        self.leave_restored();
        (self.phase, self.used) = (Phase::Candidate, false);
    }

    /// Makes a value the current one, whose slots were assigned without choices.
    pub(super) fn go_to_restored(&mut self, restored: Vec<SlotHandle>) {
        (self.restored, self.is_built) = (Some(restored), false);
        self.phase = Phase::Accepted { depth: 0 };
        self.used = true;
    }

    /// Removes the restored value, if there is one.
    pub(super) fn leave_restored(&mut self) {
        self.is_built = false;
        if let Some(mut restored) = self.restored.take() {
            self.heap.unload(&mut restored);
        }
    }
}

/// Why a run of the predicate ended without a verdict.
pub(super) enum Interruption {
    Stopped(Stop),
    Panicked(Box<dyn Any + Send>),
}

/// A value as slots. Equal for isomorphic values within the same bounds.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CanonicalValue(pub(super) Vec<u32>);
