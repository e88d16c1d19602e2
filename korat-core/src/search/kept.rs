//! Values that a search has found and that are wanted later: the choices that led to them, side by side in one piece of memory.
//! Takes what a search stands at, lets it stand there again when it is over.

use super::{Phase, Searcher};
use crate::class::RepOk;
use crate::ids::{HeapId, SlotId};
use crate::slot::Eraser;

/// Values of one search, as slots: built when they are wanted.
#[derive(Default)]
pub struct Kept {
    /// Whose values these are. Slots are those of a heap; they are alive as long as it is.
    heap: Option<HeapId>,
    /// The slots of one value after the other, by their numbers, and how many objects of each class it has.
    chosen: Vec<(SlotId, u32)>,
    reached: Vec<u32>,
    /// Where each value's slots end.
    ends: Vec<usize>,
    /// Per slot that some value has, its handle.
    handles: Vec<Option<Eraser>>,
}

impl Kept {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// How much memory they take.
    pub fn bytes(&self) -> usize {
        size_of_val(&*self.chosen) + size_of_val(&*self.reached) + size_of_val(&*self.ends)
    }
}

impl<T: RepOk> Searcher<T> {
    /// Keeps the value the search stands at, one that it has found itself.
    pub fn keep(&self, kept: &mut Kept) {
        self.assert_at_value();
        assert!(self.restored.is_none(), "only what was searched for is kept");
        let engine = &self.heap.engine;
        assert!(*kept.heap.get_or_insert(engine.heap()) == engine.heap(), "values of one search are kept together");
        kept.handles.resize(engine.layout.slots.len(), None);
        for (id, handle, index) in engine.chosen() {
            kept.handles[id.index()] = Some(handle);
            kept.chosen.push((id, index));
        }
        kept.reached.extend_from_slice(engine.links.all_reached());
        kept.ends.push(kept.chosen.len());
    }

    /// Stands at a value that was kept, the first of which has number 0. Panics in the middle of a search. One that is over is
    /// begun again by [`restart`](Searcher::restart).
    pub fn stand_at(&mut self, kept: &Kept, number: usize) {
        let engine = &mut self.heap.engine;
        assert!(kept.heap == Some(engine.heap()) && number < kept.len(), "a search stands at its own values");
        let is_over = self.phase == Phase::Done || self.restored.is_some();
        assert!(is_over, "values are kept until the search is over");
        let mut erasers = self.restored.take().unwrap_or_default();
        let first = if number == 0 { 0 } else { kept.ends[number - 1] };
        let chosen = &kept.chosen[first..kept.ends[number]];
        let classes = engine.links.all_reached().len();
        self.heap.unload(&mut erasers);
        let handles = chosen.iter().filter_map(|&(id, index)| Some((kept.handles[id.index()]?, index)));
        erasers.extend(handles.clone().map(|(handle, _)| handle));
        self.heap.engine.load_chosen(handles, &kept.reached[number * classes..][..classes]);
        self.stand_at_restored(erasers);
    }

    /// Appends the choices that led to the value the search stands at, as [`start_at`](Searcher::start_at) takes them. The value is
    /// one that a search has found, kept since or not: one that was restored was not chosen.
    pub fn copy_choices(&self, into: &mut Vec<u32>) {
        self.assert_at_value();
        let engine = &self.heap.engine;
        match &self.restored {
            None => into.extend(engine.chosen().map(|(_, _, index)| index)),
            // They are in the order in which they were chosen.
            Some(slots) => into.extend(slots.iter().map(|slot| slot.index())),
        }
    }
}
