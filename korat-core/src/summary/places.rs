//! Where the objects of a heap lie, and their slots.

use std::ops::Range;

use rustc_hash::FxHashMap;

use super::call_list::Seen;
use super::shape::Shape;
use crate::model::ids::{ObjectId, SlotId};
use crate::predicate::calls::packed::PackedObject;
use crate::slots::slot::AnySlot;
use crate::slots::slot_handle::SlotHandle;

/// The places of the objects of one class.
struct Row {
    first: *const (),
    stride: usize,
    count: usize,
    /// The first object.
    object: u32,
}

/// Where objects and slots lie.
pub(super) struct Places {
    rows: Vec<Row>,
    /// The alternatives of enums, by address.
    alternatives: FxHashMap<usize, (ObjectId, u32)>,
    /// For each object, the first alternative, the size of one, and their number.
    first_alternative: Vec<(*const (), usize, usize)>,
    /// The handles of the slots that were seen.
    handles: Vec<Option<SlotHandle>>,
    /// The slots that are assigned while the next value is built, because the last one still stands in the heap; none if nothing does.
    pub(super) standing: Vec<SlotHandle>,
    /// From the first to the last address of an object, or of a slot that was seen.
    span: Range<usize>,
}

impl Places {
    pub(super) fn of(shape: &Shape) -> Self {
        let mut places = Places {
            rows: Vec::new(),
            alternatives: FxHashMap::default(),
            first_alternative: Vec::new(),
            handles: vec![None; shape.slots.len()],
            standing: Vec::new(),
            span: 0..0,
        };
        for class in &shape.classes {
            let (first, stride) = class.table.places();
            places.extend_span(first.addr()..first.addr() + stride * class.count as usize);
            places.rows.push(Row { first, stride, count: class.count as usize, object: class.first_object });
            for ordinal in 0..class.count {
                let object = ObjectId(class.first_object + ordinal);
                let (first, size, len) = class.table.alternatives(ordinal as usize);
                for number in 0..len {
                    places.alternatives.insert(first.addr() + number * size, (object, number as u32));
                }
                places.extend_span(first.addr()..first.addr() + size * len);
                places.first_alternative.push((first, size, len));
            }
        }
        places
    }

    /// Returns the object at an address, and what is seen of it there.
    pub(super) fn object(&self, packed: PackedObject) -> Option<(ObjectId, Seen)> {
        let address = packed.address.addr();
        if !packed.is_place {
            let &(object, number) = self.alternatives.get(&address)?;
            return Some((object, Seen::Alternative(number)));
        }
        let offset_in = |row: &Row| address.checked_sub(row.first.addr()).filter(|&at| at < row.stride * row.count);
        let (row, offset) = self.rows.iter().find_map(|row| Some((row, offset_in(row)?)))?;
        let is_place = offset.is_multiple_of(row.stride);
        is_place.then(|| (ObjectId::new(row.object as usize + offset / row.stride), Seen::Place))
    }

    /// Returns the address at which an object is seen.
    pub(super) fn address(&self, object: ObjectId, seen: Seen) -> PackedObject {
        match seen {
            Seen::Place => {
                let row = self.rows.iter().rev().find(|row| row.object <= object.0);
                let &Row { first, stride, object: first_object, .. } =
                    row.expect("[korat internal bug] no such object");
                let address = first.wrapping_byte_add((object.0 - first_object) as usize * stride);
                PackedObject { address, is_place: true }
            }
            Seen::Alternative(number) => {
                let (first, size, _) = self.first_alternative[object.index()];
                PackedObject { address: first.wrapping_byte_add(number as usize * size), is_place: false }
            }
        }
    }

    /// Returns the number of alternatives that may be seen of an object.
    pub(super) fn alternatives(&self, object: ObjectId) -> u32 {
        self.first_alternative[object.index()].2 as u32
    }

    /// Returns whether an address lies in a slot of an object that was seen.
    pub(super) fn is_in(&self, address: *const (), mut slots: impl Iterator<Item = SlotId>) -> bool {
        slots.any(|slot| self.handles[slot.index()].is_some_and(|handle| handle.holds(address.addr())))
    }

    /// Notes the handle of a slot.
    pub(super) fn note(&mut self, slot: SlotHandle) {
        if self.handles[slot.id().index()].replace(slot).is_none() {
            self.extend_span(slot.addresses());
        }
    }

    /// Makes the slots of the last value unassigned.
    pub(super) fn erase_standing(&mut self) {
        self.standing.drain(..).for_each(SlotHandle::erase);
    }

    fn extend_span(&mut self, addresses: Range<usize>) {
        self.span = match (self.span.is_empty(), addresses.is_empty()) {
            (_, true) => return,
            (true, false) => addresses,
            (false, false) => self.span.start.min(addresses.start)..self.span.end.max(addresses.end),
        };
    }

    /// Returns whether one of these words may be an address of an object or a slot. Where a part lies differs from one place to
    /// another, and a number does not tell which part it belongs to.
    pub(super) fn may_have_address(&self, words: &[u64]) -> bool {
        words.iter().any(|word| usize::try_from(*word).is_ok_and(|word| self.span.contains(&word)))
    }

    /// Returns the handle of a slot that exists under the current assignment.
    #[inline]
    pub(super) fn handle(&mut self, shape: &Shape, slot: SlotId) -> SlotHandle {
        match self.handles[slot.index()] {
            Some(handle) => handle,
            None => self.find_handle(shape, slot),
        }
    }

    #[cold]
    #[inline(never)]
    fn find_handle(&mut self, shape: &Shape, slot: SlotId) -> SlotHandle {
        let object = shape.slots[slot.index()].object;
        let class = &shape.classes[shape.objects[object.index()].class.index()];
        let visit = &mut |slot: &dyn AnySlot| self.note(slot.slot_handle());
        class.table.visit((object.0 - class.first_object) as usize, visit);
        self.handles[slot.index()].expect("[korat internal bug] a slot that does not exist is decided")
    }
}
