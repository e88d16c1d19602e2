//! What a search stands at: the value, built, taken apart, or shown; and what was done to get there.

use std::panic::{AssertUnwindSafe, catch_unwind};

use super::{Phase, Searcher};
use crate::abstraction::OutOfBounds;
use crate::ambient::{self, Stop};
use crate::class::RepOk;
use crate::cycles::{self, AnyWeak};
use crate::engine::Counters;
use crate::error::SearchError;
use crate::field_use::FieldUse;
use crate::heap::Heap;
use crate::machine::{Explanation, Profile};
use crate::outline::{self, Outline};
use crate::settings::Backtracking;
use crate::slot::Eraser;
use crate::slot_vector::{NoSuchValue, SlotVector};

impl<T: RepOk> Searcher<T> {
    /// The scope that it was planned with.
    pub fn scope(&self) -> usize {
        self.scope
    }

    /// The slots of the value the search stands at, as a list that [`restore`](Searcher::restore) takes.
    pub fn slot_vector(&mut self) -> SlotVector {
        self.assert_at_value();
        self.heap.slot_vector()
    }

    /// Stands at the value of a list of slots, valid or not, in place of searching for one; again and again if need be. Panics
    /// in the middle of a search.
    pub fn restore(&mut self, vector: &SlotVector) -> Result<(), NoSuchValue> {
        if self.restored.is_some() {
            self.leave_restored();
            (self.phase, self.used) = (Phase::Candidate, false);
        }
        self.assert_idle();
        let restored = self.heap.assign_vector(vector)?;
        self.stand_at_restored(restored);
        Ok(())
    }

    /// Whether the predicate accepts the restored value that the search stands at: asked before it is built, because an invalid
    /// value may do anything when it is dropped. Panics in the middle of a search, where every value is accepted.
    pub fn accepts(&mut self) -> Result<bool, SearchError> {
        assert!(self.restored.is_some(), "only a restored value is asked for");
        let (limits, view) = (self.settings.limits, self.heap.root());
        let Heap { engine, work, .. } = &mut **self.heap;
        work.restart(false);
        let outcome = catch_unwind(AssertUnwindSafe(|| ambient::run(engine, work, limits, || T::lifted(view))));
        match outcome {
            Ok(accepts) => match self.heap.engine.take_stop() {
                None => Ok(accepts),
                Some(stop) => Err(self.stopped(stop)),
            },
            Err(payload) => match payload.downcast::<Stop>() {
                Ok(stop) => Err(self.stopped(*stop)),
                Err(payload) => Err(self.panicked(payload)),
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

    /// The value the search stands at.
    pub fn value(&mut self) -> T {
        self.assert_at_value();
        let (value, watched) = self.heap.materialise();
        self.watched.extend(watched);
        value
    }

    /// Frees the cycles of `Rc` that values built since the last call have left behind. What somebody still holds is left
    /// alone, and looked at once more when the search is dropped.
    pub fn free_cycles(&mut self) {
        if !self.watched.is_empty() {
            self.still_held.extend(cycles::collect(std::mem::take(&mut self.watched)));
        }
        // What was held then may be free now; to look at it ever more seldom keeps the work in proportion.
        if self.still_held.len() > self.look_again_at {
            self.still_held = cycles::collect(std::mem::take(&mut self.still_held));
            self.look_again_at = 2 * self.still_held.len() + 64;
        }
    }

    /// Looks after objects of values as after those of values that it has built.
    pub(crate) fn watch(&mut self, watched: Vec<Box<dyn AnyWeak>>) {
        self.watched.extend(watched);
    }

    /// What was done so far.
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

    /// How the predicate was run so far; none if it is re-executed.
    pub fn explanation(&self) -> Option<Explanation> {
        self.machine
            .as_ref()
            .map(|machine| Explanation::new(machine.info, &self.reentries, &self.heap.work.cloned(), self.unfit))
    }

    /// Where candidates were rejected so far, if the settings ask for it.
    pub fn profile(&self) -> Option<Profile> {
        let profiler = self.profiler.as_ref()?;
        Some(profiler.profile(&self.heap.engine, self.machine.as_ref().map(|machine| machine.info), self.unfit))
    }

    /// Which fields the predicate has read so far on what it accepted.
    pub fn field_use(&self) -> FieldUse {
        self.uses.named(&self.heap.engine)
    }

    /// The candidate the search stands at, for messages: one line per object.
    pub fn describe(&self) -> String {
        self.heap.engine.describe()
    }

    /// The objects and fields of the value the search stands at.
    pub fn outline(&self) -> Outline {
        outline::outline(&self.heap.engine)
    }

    /// The slots of a value, its objects numbered canonically: two values are isomorphic exactly when their slots are equal. The
    /// elements of arenas and sets, and names, stay as they are in the value.
    pub fn abstract_value(&self, value: &T) -> Result<Abstract, OutOfBounds> {
        self.heap.abstract_value(value).map(Abstract)
    }

    /// The objects and fields of a value given by its slots; panics in the middle of a search.
    pub fn outline_of(&mut self, slots: &Abstract) -> Outline {
        self.at_abstract(slots, |searcher| searcher.outline())
    }

    /// Builds a value from its slots; panics in the middle of a search.
    pub fn build(&mut self, slots: &Abstract) -> T {
        self.at_abstract(slots, Searcher::value)
    }

    fn at_abstract<R>(&mut self, slots: &Abstract, look: impl FnOnce(&mut Self) -> R) -> R {
        self.assert_idle();
        let restored = self.heap.load(&slots.0);
        self.stand_at_restored(restored);
        let result = look(self);
        self.leave_restored();
        (self.phase, self.used) = (Phase::Candidate, false);
        result
    }

    /// Stands at a value whose slots were assigned without choices.
    pub(super) fn stand_at_restored(&mut self, restored: Vec<Eraser>) {
        self.restored = Some(restored);
        self.phase = Phase::Accepted { depth: 0 };
        self.used = true;
    }

    /// Leaves the value that was restored, if there is one.
    pub(super) fn leave_restored(&mut self) {
        if let Some(mut restored) = self.restored.take() {
            self.heap.unload(&mut restored);
        }
    }
}

/// A value as slots. Equal for isomorphic values of the same bounds.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Abstract(pub(super) Vec<u32>);
