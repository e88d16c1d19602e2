//! Numbers the slots of a planned heap while its objects are made.

use std::fmt::Debug;
use std::ops::Range;

use super::meaning::Vector;
use crate::memory::arena::Arena;
use crate::memory::pages;
use crate::memory::prefetch::PrefetchRow;
use crate::model::deadline;
use crate::model::ids::{ClassId, FieldId, HeapId, ObjectId, SlotId, to_u32};
use crate::slots::domain::List;
use crate::slots::kinds::{Edge, Reference, SlotKind};
use crate::slots::layout::{DependentSlots, ElementSlots, Layout, ObjectInfo, SlotInfo};
use crate::slots::shared::SharedSlotData;
use crate::slots::slot::{AnySlot, Slot};
use crate::slots::unordered::{ObjectCount, Role, UnorderedVector};

/// Numbers the slots while views are made.
pub struct SlotMaker<'h> {
    pub(super) heap: HeapId,
    pub(super) layout: &'h mut Layout,
    pub(super) arena: &'h mut Arena,
    pub(super) vectors: &'h [Vector],
    /// Per field, the data that its last slot shares with others.
    pub(super) shared: Vec<Option<&'static SharedSlotData>>,
    /// Per field, the length slot made last, for parallel vectors.
    pub(super) lengths: Vec<Option<&'static Slot<usize>>>,
}

/// An unordered vector whose elements are being made.
#[derive(Clone, Copy)]
pub(crate) struct Unordered {
    /// The index in `Layout::unordered_vectors`.
    sequence: usize,
    /// The index among the sequence's parallel vectors, if it is one of them.
    parallel: Option<usize>,
}

impl SlotMaker<'_> {
    /// Returns the first object of a class and the number of its objects.
    pub(crate) fn objects_of(&self, class: ClassId) -> (ObjectId, usize) {
        let class = &self.layout.classes[class.index()];
        (class.first_object, class.count as usize)
    }

    pub(crate) fn begin_object(&mut self, class: ClassId) {
        let first_slot = SlotId::new(self.layout.slots.len());
        self.layout.objects.push(ObjectInfo { class, first_slot, slots: 0 });
    }

    /// Returns the number of bytes allocated for objects so far.
    pub(crate) fn bytes_kept(&self) -> usize {
        self.arena.plain_bytes()
    }

    /// Reserves room for `objects` more objects like the last one, each with `bytes` bytes in the arena. Returns the
    /// row of these bytes.
    pub(crate) fn expect_like_the_last(&mut self, objects: usize, bytes: usize) -> PrefetchRow {
        let slots = self.layout.objects.last().map_or(0, |last| last.slots as usize);
        pages::reserve(&mut self.layout.objects, objects);
        pages::reserve(&mut self.layout.slots, objects.saturating_mul(slots));
        if bytes == 0 {
            PrefetchRow::NONE
        } else {
            PrefetchRow::new(self.arena.reserve_contiguous(objects.saturating_mul(bytes)), bytes)
        }
    }

    /// Moves a value into the arena and returns a reference to it.
    pub(crate) fn keep<T: 'static>(&mut self, kept: T) -> &'static T {
        // SAFETY: the arena belongs to a heap, and a heap with objects is never freed.
        unsafe { self.arena.keep(kept) }
    }

    pub(crate) fn slot<T: 'static>(&mut self, field: FieldId, values: &'static [T]) -> Slot<T> {
        let reserved = self.reserve(field);
        self.reserved(reserved, field, values)
    }

    /// Makes a slot over a list whose values may be replaced when the heap is reused.
    pub(crate) fn listed<T: Clone + Debug + PartialEq>(&mut self, field: FieldId, list: List<T>) -> Slot<T> {
        let reserved = self.reserve(field);
        let shared = self.shared(field, list.places());
        // SAFETY: `shared` describes values of this type, which live in the heap as long as the slot.
        unsafe { Slot::new(reserved, shared) }
    }

    /// Makes the length slot of a vector. A parallel vector gets the length slot of its partner, which was made just
    /// before.
    pub(crate) fn length(
        &mut self,
        field: FieldId,
        values: &'static [usize],
        is_parallel: bool,
    ) -> &'static Slot<usize> {
        if is_parallel {
            let known = self.lengths.get(field.index()).copied().flatten();
            return known.expect("[korat internal bug] a vector is made before those beside it");
        }
        let len = self.slot(field, values);
        let len = self.keep(len);
        if self.lengths.len() <= field.index() {
            self.lengths.resize(field.index() + 1, None);
        }
        self.lengths[field.index()] = Some(len);
        len
    }

    /// Begins a vector. Returns `None` if the order of its elements matters.
    pub(crate) fn begin_vector(
        &mut self,
        len_field: FieldId,
        len: &Slot<usize>,
        is_parallel: bool,
    ) -> Option<Unordered> {
        let vector = self.vectors.iter().find(|vector| vector.len_field == len_field)?;
        if vector.role == Role::default() {
            return None;
        }
        let unordered_vectors = &mut self.layout.unordered_vectors;
        if is_parallel {
            // Length slots are numbered in the order in which vectors begin.
            let known = unordered_vectors.binary_search_by_key(&len.id(), |sequence| sequence.len_slot);
            let sequence = known.expect("[korat internal bug] a vector is made before those beside it");
            unordered_vectors[sequence].parallel.push(Vec::new());
            return Some(Unordered { sequence, parallel: Some(unordered_vectors[sequence].parallel.len() - 1) });
        }
        unordered_vectors.push(UnorderedVector {
            len_field,
            object: ObjectId::new(self.layout.objects.len() - 1),
            len_slot: len.id(),
            len: len.slot_handle(),
            lens: vector.lens.clone(),
            elements: Vec::new(),
            parallel: Vec::new(),
            row: PrefetchRow::NONE,
            role: vector.role,
        });
        Some(Unordered { sequence: unordered_vectors.len() - 1, parallel: None })
    }

    /// Makes one element of a vector.
    pub(crate) fn element<R>(&mut self, vector: Option<Unordered>, make: impl FnOnce(&mut Self) -> R) -> R {
        let first = to_u32(self.layout.slots.len());
        let made = make(self);
        if let Some(Unordered { sequence, parallel }) = vector {
            let end = to_u32(self.layout.slots.len());
            let UnorderedVector { elements, parallel: others, .. } = &mut self.layout.unordered_vectors[sequence];
            parallel.map_or(elements, |at| &mut others[at]).push(first..end);
        }
        made
    }

    /// Records the row of a vector's elements, for prefetching.
    pub(crate) fn note_row(&mut self, vector: Option<Unordered>, row: PrefetchRow) {
        if let Some(Unordered { sequence, parallel: None }) = vector {
            self.layout.unordered_vectors[sequence].row = row;
        }
    }

    /// Ends a vector whose elements have the slots from `first` on. Records its length if each element owns objects.
    pub(crate) fn end_vector(&mut self, len_slot: SlotId, lens: &'static [usize], first: usize, elements: usize) {
        let Layout { slots, fields, object_counts: counts, .. } = &mut *self.layout;
        let len_field = slots[len_slot.index()].field;
        let at = counts.binary_search_by_key(&len_field, |count| count.len_field);
        if elements == 0 || at.is_ok_and(|at| counts[at].first != len_slot) {
            return;
        }
        // With a slot that decides about others, an element may lack some of its slots.
        if slots[first..].iter().any(|slot| fields[slot.field.index()].is_shape) {
            return;
        }
        let owns = |reference: Reference| reference.nulls == 0 && matches!(reference.edge, Edge::Part | Edge::Owned);
        let is_owner = |field: &FieldId| matches!(fields[field.index()].kind, SlotKind::Reference(to) if owns(to));
        let each = (slots.len() - first) / elements;
        let owners: Vec<FieldId> = slots[first..first + each].iter().map(|slot| slot.field).filter(is_owner).collect();
        if owners.is_empty() {
            return;
        }
        let is_of_objects = each == 1;
        match at {
            Ok(at) => {
                counts[at].owners.extend(owners);
                counts[at].is_of_objects |= is_of_objects;
            }
            // An inner vector ends before the outer one, so the order is not that of the length fields.
            Err(at) => {
                counts.insert(at, ObjectCount { len_field, first: len_slot, owners, is_of_objects, lens });
            }
        }
    }

    /// Reserves room for `elements` more elements of the last object, like the one whose slots begin at `first`.
    pub(crate) fn expect_like_those_from(&mut self, first: usize, elements: usize) {
        let slots = self.layout.slots.len() - first;
        pages::reserve(&mut self.layout.slots, elements.saturating_mul(slots));
    }

    /// Records that each of these fields has a slot in every element of a vector whose slots begin at `first`.
    pub(crate) fn note_elements(&mut self, fields: Range<FieldId>, first: usize, elements: usize) {
        let (Some(object), true) = (self.layout.objects.last(), elements > 0) else { return };
        let slots = to_u32((self.layout.slots.len() - first) / elements);
        let first = to_u32(first) - object.first_slot.0;
        for field in &mut self.layout.fields[fields.start.index()..fields.end.index()] {
            let name_at = field.elements.map_or(0, |elements| elements.name_at);
            field.elements = Some(ElementSlots { name_at, first, slots });
        }
    }

    /// Records that a shape slot decides about all slots after it. Each element of a vector has `each` of these slots;
    /// zero if their number varies.
    pub(crate) fn note_inside(&mut self, shape: FieldId, slot: SlotId, each: usize) {
        let slots = to_u32(self.layout.slots.len() - slot.index() - 1);
        self.layout.fields[shape.index()].inside = DependentSlots { slots, each: to_u32(each) };
    }

    /// Returns the number of slots so far.
    pub(crate) fn count(&self) -> usize {
        self.layout.slots.len()
    }

    /// Numbers a slot that is made later.
    pub(crate) fn reserve(&mut self, field: FieldId) -> SlotId {
        deadline::unwind_if_passed_after(1);
        let id = SlotId::new(self.layout.slots.len());
        let object = ObjectId::new(self.layout.objects.len() - 1);
        self.layout.slots.push(SlotInfo { object, field });
        self.layout.objects[object.index()].slots += 1;
        id
    }

    /// Makes a slot that was numbered earlier.
    pub(crate) fn reserved<T: 'static>(&mut self, id: SlotId, field: FieldId, values: &'static [T]) -> Slot<T> {
        // SAFETY: `shared` returns data for values of this type, which are never freed.
        unsafe { Slot::new(id, self.shared(field, values)) }
    }

    /// Returns the data that slots of a field share. Nearly always the last slot's data can be reused.
    fn shared<T: 'static>(&mut self, field: FieldId, values: *const [T]) -> &'static SharedSlotData {
        if self.shared.len() <= field.index() {
            self.shared.resize(field.index() + 1, None);
        }
        let known = self.shared[field.index()].filter(|shared| shared.is_of(values));
        let shared = known.unwrap_or_else(|| self.keep(SharedSlotData::new(self.heap, field, values)));
        self.shared[field.index()] = Some(shared);
        shared
    }
}
