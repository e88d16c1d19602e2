//! Values that a search has found and that are wanted later: the choices that led to them, packed. Once the search is over, it can
//! return to each of them.

use smallvec::SmallVec;

use super::current_value::CanonicalValue;
use super::untyped::{Phase, UntypedSearcher};
use crate::model::ids::{HeapId, SlotId};
use crate::slots::slot::UNASSIGNED;

/// Values of one search, stored as slots and built on demand. Threads that share a search can build each other's values.
#[derive(Default)]
pub struct KeptValues {
    /// The heap on which they were found.
    heap: Option<HeapId>,
    /// One value after the other: how many objects it has of each class, and its slots, as distances from one to the next, each with
    /// its index. Nearly all of these numbers take a byte.
    packed: Vec<u8>,
    /// For each value, its end in `packed`.
    ends: Vec<usize>,
}

/// Appends a number, in groups of seven bits, the lowest first; the highest bit of a byte says that another follows.
fn pack(mut number: u32, into: &mut Vec<u8>) {
    while number >= 1 << 7 {
        into.push(number as u8 | 1 << 7);
        number >>= 7;
    }
    into.push(number as u8);
}

/// The numbers that were packed, in their order.
#[derive(Clone)]
struct Packed<'b>(std::slice::Iter<'b, u8>);

impl Iterator for Packed<'_> {
    type Item = u32;

    #[inline]
    fn next(&mut self) -> Option<u32> {
        let (mut number, mut shift) = (0, 0);
        loop {
            let byte = u32::from(*self.0.next()?);
            number |= (byte & 0x7f) << shift;
            if byte < 1 << 7 {
                return Some(number);
            }
            shift += 7;
        }
    }
}

/// Returns the distance between two slots: twice as much forwards, and one less than that backwards, so that short ones are small
/// numbers.
fn distance(from: SlotId, to: SlotId) -> u32 {
    let distance = to.0.wrapping_sub(from.0) as i32;
    (distance << 1 ^ distance >> 31) as u32
}

/// Returns the slot at a distance from another.
fn slot_at(distance: u32, from: SlotId) -> SlotId {
    SlotId(from.0.wrapping_add(distance >> 1 ^ (distance & 1).wrapping_neg()))
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
        self.packed.len() + size_of_val(&*self.ends)
    }

    /// Returns how many objects a value has of each of so many classes, and its slots with their indices.
    fn unpacked(
        &self,
        number: usize,
        classes: usize,
    ) -> (SmallVec<[u32; 4]>, impl Iterator<Item = (SlotId, u32)> + Clone) {
        let first = if number == 0 { 0 } else { self.ends[number - 1] };
        let mut packed = Packed(self.packed[first..self.ends[number]].iter());
        let reached = packed.by_ref().take(classes).collect();
        let mut last = SlotId(0);
        let slots = std::iter::from_fn(move || {
            last = slot_at(packed.next()?, last);
            Some((last, packed.next()?))
        });
        (reached, slots)
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
        engine.links.all_reached().iter().for_each(|&objects| pack(objects, &mut kept.packed));
        let mut last = SlotId(0);
        for (id, handle, index) in engine.chosen() {
            self.kept_handles[id.index()] = Some(handle);
            pack(distance(last, id), &mut kept.packed);
            pack(index, &mut kept.packed);
            last = id;
        }
        kept.ends.push(kept.packed.len());
    }

    /// Makes a kept value the current one; the first has number 0. It may have been found by another searcher of the same bounds. Panics in the middle of a
    /// search. Afterwards, [`restart`](UntypedSearcher::restart) starts the search again.
    pub fn go_to(&mut self, kept: &KeptValues, number: usize) {
        assert!(number < kept.len(), "there is no such value");
        let is_over = self.phase == Phase::Done || self.restored.is_some();
        assert!(is_over, "values are kept until the search is over");
        let mut handles = self.restored.take().unwrap_or_default();
        self.heap.unload(&mut handles);
        let (reached, chosen) = kept.unpacked(number, self.heap.engine.links.all_reached().len());
        if kept.heap != Some(self.heap.engine.heap()) {
            self.find_handles(chosen.clone());
        }
        let chosen_handles = chosen.filter_map(|(id, index)| Some((self.kept_handles[id.index()]?, index)));
        let chosen_handles = chosen_handles.inspect(|(handle, _)| handles.push(*handle));
        self.heap.engine.load_chosen(chosen_handles, &reached);
        self.go_to_restored(handles);
    }

    /// Finds the slots of a value that was found on another heap of the same layout, whose slots have the same numbers, unless they are known.
    fn find_handles(&mut self, chosen: impl Iterator<Item = (SlotId, u32)> + Clone) {
        let slots = self.heap.engine.layout.slots.len();
        self.kept_handles.resize(slots, None);
        if chosen.clone().any(|(id, _)| self.kept_handles[id.index()].is_none()) {
            let mut values = vec![UNASSIGNED; slots];
            chosen.for_each(|(slot, index)| values[slot.index()] = index);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_distances_are_packed_and_unpacked() {
        let numbers = [0, 1, 127, 128, 16_383, 16_384, u32::MAX - 1, u32::MAX];
        let mut bytes = Vec::new();
        numbers.iter().for_each(|&number| pack(number, &mut bytes));
        assert!(Packed(bytes.iter()).eq(numbers));
        assert_eq!(bytes.len(), 1 + 1 + 1 + 2 + 2 + 3 + 5 + 5);
        assert_eq!(
            [(7, 7), (7, 8), (8, 7), (0, 63)].map(|(from, to)| distance(SlotId(from), SlotId(to))),
            [0, 2, 1, 126]
        );
        for from in numbers {
            for to in numbers {
                assert_eq!(slot_at(distance(SlotId(from), SlotId(to)), SlotId(from)), SlotId(to));
            }
        }
    }
}
