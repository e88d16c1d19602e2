//! Numbers the slots of a planned heap while its objects are made.

use std::fmt::Debug;
use std::ops::Range;

use super::meaning::Vector;
use crate::ahead::Row;
use crate::arena::Arena;
use crate::clock;
use crate::domain::List;
use crate::engine::layout::{
    Edge, Elements, Inside, Layout, ObjectCount, ObjectInfo, Reference, Role, Sequence, SlotInfo, SlotKind,
};
use crate::ids::{ClassId, FieldId, HeapId, ObjectId, SlotId, small};
use crate::pages;
use crate::slot::{AnySlot, Shared, Slot};

/// Numbers the slots while views are made.
pub struct SlotMaker<'h> {
    pub(super) heap: HeapId,
    pub(super) layout: &'h mut Layout,
    pub(super) arena: &'h mut Arena,
    pub(super) vectors: &'h [Vector],
    /// Per field, what its last slot shares with others.
    pub(super) shared: Vec<Option<&'static Shared>>,
    /// Per field, the last length that was made of it, for the vectors beside.
    pub(super) lengths: Vec<Option<&'static Slot<usize>>>,
}

/// A vector without an order whose elements are being made.
#[derive(Clone, Copy)]
pub(crate) struct Unordered {
    /// Its number in `Layout::sequences`.
    sequence: usize,
    /// Which of the vectors beside that it is, if it is one.
    beside: Option<usize>,
}

impl SlotMaker<'_> {
    /// The first object of a class, and how many there are to be.
    pub(crate) fn objects_of(&self, class: ClassId) -> (ObjectId, usize) {
        let class = &self.layout.classes[class.index()];
        (class.first_object, class.count as usize)
    }

    pub(crate) fn begin_object(&mut self, class: ClassId) {
        let first_slot = SlotId::new(self.layout.slots.len());
        self.layout.objects.push(ObjectInfo { class, first_slot, slots: 0 });
    }

    /// How many bytes are kept for the objects so far.
    pub(crate) fn bytes_kept(&self) -> usize {
        self.arena.plain_bytes()
    }

    /// Makes room for so many more objects like the last one, for which so many bytes are kept. Gives those of the others.
    pub(crate) fn expect_like_the_last(&mut self, objects: usize, bytes: usize) -> Row {
        let slots = self.layout.objects.last().map_or(0, |last| last.slots as usize);
        pages::make_room(&mut self.layout.objects, objects);
        pages::make_room(&mut self.layout.slots, objects.saturating_mul(slots));
        if bytes == 0 { Row::NONE } else { Row::new(self.arena.lay_side_by_side(objects.saturating_mul(bytes)), bytes) }
    }

    /// Keeps a slot, or what belongs to slots, at a place of its own, for what is copied around.
    pub(crate) fn keep<T: 'static>(&mut self, kept: T) -> &'static T {
        // SAFETY: the arena belongs to a heap, and a heap with objects is never freed.
        unsafe { self.arena.keep(kept) }
    }

    pub(crate) fn slot<T: 'static>(&mut self, field: FieldId, values: &'static [T]) -> Slot<T> {
        let reserved = self.reserve(field);
        self.reserved(reserved, field, values)
    }

    /// A slot over a list, whose values may be others in another search.
    pub(crate) fn listed<T: Clone + Debug + PartialEq>(&mut self, field: FieldId, list: List<T>) -> Slot<T> {
        let reserved = self.reserve(field);
        let shared = self.shared(field, list.places());
        // SAFETY: `shared` is of values of this type, which the heap keeps as it keeps the slot.
        unsafe { Slot::new(reserved, shared) }
    }

    /// Makes the length of a vector; or gives that of the vector it lies beside, which was made just before.
    pub(crate) fn length(&mut self, field: FieldId, values: &'static [usize], is_beside: bool) -> &'static Slot<usize> {
        if is_beside {
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

    /// Begins a vector; gives nothing if its elements have an order of their own.
    pub(crate) fn begin_vector(&mut self, len_field: FieldId, len: &Slot<usize>, is_beside: bool) -> Option<Unordered> {
        let vector = self.vectors.iter().find(|vector| vector.len_field == len_field)?;
        if vector.role == Role::default() {
            return None;
        }
        let sequences = &mut self.layout.sequences;
        if is_beside {
            // Lengths are numbered as vectors are begun.
            let known = sequences.binary_search_by_key(&len.id(), |sequence| sequence.len_slot);
            let sequence = known.expect("[korat internal bug] a vector is made before those beside it");
            sequences[sequence].beside.push(Vec::new());
            return Some(Unordered { sequence, beside: Some(sequences[sequence].beside.len() - 1) });
        }
        sequences.push(Sequence {
            len_field,
            object: ObjectId::new(self.layout.objects.len() - 1),
            len_slot: len.id(),
            len: len.eraser(),
            lens: vector.lens.clone(),
            elements: Vec::new(),
            beside: Vec::new(),
            row: Row::NONE,
            role: vector.role,
        });
        Some(Unordered { sequence: sequences.len() - 1, beside: None })
    }

    /// Makes one element of a vector.
    pub(crate) fn element<R>(&mut self, vector: Option<Unordered>, make: impl FnOnce(&mut Self) -> R) -> R {
        let first = small(self.layout.slots.len());
        let made = make(self);
        if let Some(Unordered { sequence, beside }) = vector {
            let end = small(self.layout.slots.len());
            let Sequence { elements, beside: others, .. } = &mut self.layout.sequences[sequence];
            beside.map_or(elements, |at| &mut others[at]).push(first..end);
        }
        made
    }

    /// Notes where the elements of a vector lie, in the order of their numbers.
    pub(crate) fn note_row(&mut self, vector: Option<Unordered>, row: Row) {
        if let Some(Unordered { sequence, beside: None }) = vector {
            self.layout.sequences[sequence].row = row;
        }
    }

    /// Ends a vector whose elements have the slots from `first` on: notes its length if each of them is an object of its own.
    pub(crate) fn end_vector(&mut self, len_slot: SlotId, lens: &'static [usize], first: usize, elements: usize) {
        let is_object = |slot: &SlotInfo| {
            let kind = self.layout.fields[slot.field.index()].kind;
            let owns = |reference: Reference| matches!(reference.edge, Edge::Part | Edge::Owned);
            matches!(kind, SlotKind::Reference(reference) if reference.nulls == 0 && owns(reference))
        };
        let slots = &self.layout.slots[first..];
        if slots.len() == elements && slots.iter().all(is_object) {
            // A vector in a vector ends before it.
            let counts = &mut self.layout.object_counts;
            match counts.binary_search_by_key(&len_slot, |count| count.len_slot) {
                Ok(at) => counts[at].vectors += 1,
                Err(at) => counts.insert(at, ObjectCount { len_slot, vectors: 1, lens }),
            }
        }
    }

    /// Makes room for so many more elements of the last object, like the one whose slots begin at `first`.
    pub(crate) fn expect_like_those_from(&mut self, first: usize, elements: usize) {
        let slots = self.layout.slots.len() - first;
        pages::make_room(&mut self.layout.slots, elements.saturating_mul(slots));
    }

    /// Notes that each of these fields has a slot in every element of a vector, whose elements have the slots from `first` on.
    pub(crate) fn note_elements(&mut self, fields: Range<FieldId>, first: usize, elements: usize) {
        let (Some(object), true) = (self.layout.objects.last(), elements > 0) else { return };
        let slots = small((self.layout.slots.len() - first) / elements);
        let first = small(first) - object.first_slot.0;
        for field in &mut self.layout.fields[fields.start.index()..fields.end.index()] {
            let name_at = field.elements.map_or(0, |elements| elements.name_at);
            field.elements = Some(Elements { name_at, first, slots });
        }
    }

    /// Notes that a shape decides about all slots since its own, `each` of which are one element of a vector, if all have as many.
    pub(crate) fn note_inside(&mut self, shape: FieldId, slot: SlotId, each: usize) {
        let slots = small(self.layout.slots.len() - slot.index() - 1);
        self.layout.fields[shape.index()].inside = Inside { slots, each: small(each) };
    }

    /// How many slots there are.
    pub(crate) fn count(&self) -> usize {
        self.layout.slots.len()
    }

    /// Numbers a slot that is made later.
    pub(crate) fn reserve(&mut self, field: FieldId) -> SlotId {
        clock::stop_if_over_after(1);
        let id = SlotId::new(self.layout.slots.len());
        let object = ObjectId::new(self.layout.objects.len() - 1);
        self.layout.slots.push(SlotInfo { object, field });
        self.layout.objects[object.index()].slots += 1;
        id
    }

    /// Makes a slot that was numbered before.
    pub(crate) fn reserved<T: 'static>(&mut self, id: SlotId, field: FieldId, values: &'static [T]) -> Slot<T> {
        // SAFETY: what `shared` gives is of values of this type, which are never freed.
        unsafe { Slot::new(id, self.shared(field, values)) }
    }

    /// What slots of a field share: nearly always what the last one had.
    fn shared<T: 'static>(&mut self, field: FieldId, values: *const [T]) -> &'static Shared {
        if self.shared.len() <= field.index() {
            self.shared.resize(field.index() + 1, None);
        }
        let known = self.shared[field.index()].filter(|shared| shared.is_of(values));
        let shared = known.unwrap_or_else(|| self.keep(Shared::new(self.heap, field, values)));
        self.shared[field.index()] = Some(shared);
        shared
    }
}
