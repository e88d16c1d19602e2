//! Values that a search has found and that are wanted later: the choices that led to them, stored contiguously. Once
//! the search is over, it can return to each of them.

use super::current_value::CanonicalValue;
use super::untyped::{Phase, UntypedSearcher};
use crate::model::ids::{HeapId, SlotId};
use crate::slots::slot::UNASSIGNED;

/// Values of one search, stored as slots and built on demand. Threads that share a search can build each other's values.
#[derive(Default)]
pub struct KeptValues {
    /// The heap on which they were found.
    heap: Option<HeapId>,
    /// The slots and indices of one value after the other, and the number of objects that each value has of each class.
    chosen: Vec<(SlotId, u32)>,
    reached: Vec<u32>,
    /// For each value, the end of its slots in `chosen`.
    ends: Vec<usize>,
}

impl KeptValues {
    /// Returns the number of values.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Returns whether there are no values.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Returns the number of bytes that the values occupy.
    pub fn bytes(&self) -> usize {
        size_of_val(&*self.chosen) + size_of_val(&*self.reached) + size_of_val(&*self.ends)
    }
}

impl UntypedSearcher {
    /// Keeps the current value, which the search must have found itself.
    pub fn keep(&mut self, kept: &mut KeptValues) {
        self.assert_at_value();
        assert!(self.restored.is_none(), "only what was searched for is kept");
        let engine = &self.heap.engine;
        assert!(*kept.heap.get_or_insert(engine.heap()) == engine.heap(), "values of one search are kept together");
        self.kept_handles.resize(engine.layout.slots.len(), None);
        for (id, handle, index) in engine.chosen() {
            self.kept_handles[id.index()] = Some(handle);
            kept.chosen.push((id, index));
        }
        kept.reached.extend_from_slice(engine.links.all_reached());
        kept.ends.push(kept.chosen.len());
    }

    /// Makes a kept value the current one; the first has number 0. It may have been found by another searcher of the same bounds. Panics in the middle of a
    /// search. Afterwards, [`restart`](UntypedSearcher::restart) starts the search again.
    pub fn go_to(&mut self, kept: &KeptValues, number: usize) {
        assert!(number < kept.len(), "there is no such value");
        let is_over = self.phase == Phase::Done || self.restored.is_some();
        assert!(is_over, "values are kept until the search is over");
        let mut handles = self.restored.take().unwrap_or_default();
        let first = if number == 0 { 0 } else { kept.ends[number - 1] };
        let chosen = &kept.chosen[first..kept.ends[number]];
        self.heap.unload(&mut handles);
        if kept.heap != Some(self.heap.engine.heap()) {
            self.find_handles(chosen);
        }
        let engine = &mut self.heap.engine;
        let classes = engine.links.all_reached().len();
        let chosen_handles = chosen.iter().filter_map(|&(id, index)| Some((self.kept_handles[id.index()]?, index)));
        handles.extend(chosen_handles.clone().map(|(handle, _)| handle));
        engine.load_chosen(chosen_handles, &kept.reached[number * classes..][..classes]);
        self.go_to_restored(handles);
    }

    /// Finds the slots of a value that was found on another heap of the same layout, whose slots have the same numbers, unless they are known.
    fn find_handles(&mut self, chosen: &[(SlotId, u32)]) {
        let slots = self.heap.engine.layout.slots.len();
        self.kept_handles.resize(slots, None);
        if chosen.iter().any(|(id, _)| self.kept_handles[id.index()].is_none()) {
            let mut values = vec![UNASSIGNED; slots];
            chosen.iter().for_each(|&(slot, index)| values[slot.index()] = index);
            let mut handles = self.heap.load(&values);
            handles.iter().for_each(|handle| self.kept_handles[handle.id().index()] = Some(*handle));
            self.heap.unload(&mut handles);
        }
    }

    /// Appends the choices that led to the current value, in the format of [`start_at`](UntypedSearcher::start_at). A search
    /// must have found the value, whether it was kept since or not: a restored value has no choices.
    pub fn copy_choices(&self, into: &mut Vec<u32>) {
        self.assert_at_value();
        let engine = &self.heap.engine;
        match &self.restored {
            None => into.extend(engine.chosen().map(|(_, _, index)| index)),
            // The slots are in the order of their choices.
            Some(slots) => into.extend(slots.iter().map(|slot| slot.index())),
        }
    }

    /// Appends the slots of the current value, each with its index, in the format of [`go_to_assignment`](UntypedSearcher::go_to_assignment): for a value
    /// that no choices led to, because it comes from summaries.
    pub fn copy_assignment(&self, into: &mut Vec<u32>) {
        self.assert_at_value();
        match &self.restored {
            None => into.extend(self.heap.engine.chosen().flat_map(|(id, _, index)| [id.0, index])),
            Some(slots) => into.extend(slots.iter().flat_map(|slot| [slot.id().0, slot.index()])),
        }
    }

    /// Makes the value of an assignment the current one; returns false if it is none within the bounds. Panics in the middle of a search.
    pub fn go_to_assignment(&mut self, assignment: &[u32]) -> bool {
        self.make_idle();
        let mut values = vec![UNASSIGNED; self.heap.engine.layout.slots.len()];
        for pair in assignment.chunks(2) {
            let &[slot, index] = pair else { return false };
            let Some(value) = values.get_mut(slot as usize) else { return false };
            if index >= self.heap.engine.layout.indices(SlotId(slot)) {
                return false;
            }
            *value = index;
        }
        let Some(value) = self.heap.value_in(&values) else { return false };
        self.go_to_abstract(&CanonicalValue(value));
        true
    }
}
