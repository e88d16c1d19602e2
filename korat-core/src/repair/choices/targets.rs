//! What slots lead to in a repair, objects and the positions of arenas in one row of numbers, and what is known of each.

use crate::memory::pages;
use crate::model::ids::{AllocId, FieldId, ObjectId, SlotId, to_u32};
use crate::slots::kinds::{Edge, SlotKind};
use crate::slots::layout::Layout;
use crate::slots::slot::UNASSIGNED;
use crate::slots::unordered::UnorderedVector;

/// What is known of something that choices lead to. All in one place, and zero at first.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Led {
    /// How many choices there are.
    pub(super) count: u32,
    /// The slot of the first of them, or of the first when there were some.
    leader: u32,
    /// How it is allocated, whether a choice owns it alone, and whether the owner that it had cannot give it up.
    ways: u32,
}

// SAFETY: it is made of numbers.
unsafe impl pages::Zeroable for Led {}

impl Led {
    pub(super) const OWNED: u32 = 1;
    pub(super) const BOUND: u32 = 2;
    const ALLOC: u32 = 2;

    /// A choice leads to it.
    #[inline(always)]
    pub(super) fn add(&mut self, slot: SlotId) {
        if self.count == 0 {
            self.leader = slot.0;
        }
        self.count += 1;
    }

    /// Returns the slot that referred to it first.
    pub(super) fn leader(self) -> SlotId {
        SlotId(self.leader)
    }

    pub(super) fn alloc(self) -> Option<AllocId> {
        (self.ways >> Led::ALLOC).checked_sub(1).map(|alloc| AllocId::new(alloc as usize))
    }

    #[inline(always)]
    pub(super) fn set_alloc(&mut self, alloc: Option<AllocId>) {
        let number = alloc.map_or(0, |alloc| alloc.index() as u32 + 1);
        self.ways = self.ways & ((1 << Led::ALLOC) - 1) | number << Led::ALLOC;
    }

    pub(super) fn is(self, what: u32) -> bool {
        self.ways & what != 0
    }

    #[inline(always)]
    pub(super) fn set(&mut self, what: u32, on: bool) {
        self.ways = if on { self.ways | what } else { self.ways & !what };
    }
}

/// A set of slots, as bits.
pub(super) struct Bits(pub(super) Vec<u64>);

impl Bits {
    /// Puts a slot in, or takes it out; says whether it was in.
    #[inline]
    pub(super) fn set(&mut self, slot: SlotId, on: bool) -> bool {
        let (word, bit) = (&mut self.0[slot.index() / 64], 1 << (slot.index() % 64));
        let was = *word & bit != 0;
        *word = if on { *word | bit } else { *word & !bit };
        was
    }

    /// Whether a slot is in.
    #[inline]
    pub(super) fn has(&self, slot: SlotId) -> bool {
        self.0[slot.index() / 64] & 1 << (slot.index() % 64) != 0
    }
}

/// An element of an arena.
pub(super) struct Element {
    arena: u32,
    position: u32,
    /// Its slot, and how that holds it.
    pub(super) slot: SlotId,
    pub(super) edge: Edge,
}

/// The elements of arenas that an object lies in, as far as its number says so.
pub(super) fn elements_of(layout: &Layout, original: &[u32], object: ObjectId) -> impl Iterator<Item = Element> {
    let class = layout.objects[object.index()].class;
    let ordinal = object.0 - layout.classes[class.index()].first_object.0;
    layout.unordered_vectors.iter().enumerate().filter_map(move |(arena, sequence)| {
        let first = SlotId(sequence.elements.first()?.start);
        let SlotKind::Reference(reference) = layout.kind(first) else { return None };
        // Nothing that the value does not have.
        let number = |slot: SlotId| Some(original[slot.index()]).filter(|&index| index != UNASSIGNED);
        let position = ordinal.checked_sub(reference.object(number(first)?)?)?;
        let slot = SlotId(sequence.elements.get(position as usize)?.start);
        let lies_there =
            reference.target == class && number(slot).and_then(|index| reference.object(index)) == Some(ordinal);
        lies_there.then_some(Element { arena: arena as u32, position, slot, edge: reference.edge })
    })
}

/// How much a value under repair has, and how much more it may have.
pub(crate) struct Room {
    /// Per class, how many objects the value has; those after them are fresh.
    pub(crate) present: Vec<u32>,
    /// How many fresh ones it may have, of each class, and in each arena; none: as many as there are.
    pub(crate) fresh: Option<u32>,
    /// Maximum number of fresh objects of each class while a missing part is made anew.
    pub(crate) made_anew: Option<u32>,
    /// The largest value that `made_anew` may have.
    pub(crate) most_fresh: Option<u32>,
}

impl Room {
    /// Returns `present` plus `fresh`, at most `there_are`.
    fn with_fresh(fresh: Option<u32>, present: u32, there_are: usize) -> u32 {
        let all = to_u32(there_are);
        fresh.map_or(all, |fresh| present.saturating_add(fresh).min(all))
    }

    /// How many objects of a class the value may ever have.
    fn most_objects(&self, layout: &Layout, class: usize) -> u32 {
        Self::with_fresh(self.most_fresh, self.present[class], layout.classes[class].count as usize)
    }

    /// How many objects of a class the value may have now.
    pub(super) fn objects(&self, layout: &Layout, class: usize) -> u32 {
        let fresh = self.made_anew.or(self.fresh);
        Self::with_fresh(fresh, self.present[class], layout.classes[class].count as usize)
    }

    /// How many elements of an arena, if the value has these slots.
    fn elements(&self, arena: &UnorderedVector, original: &[u32]) -> u32 {
        let len = arena.lens.get(original[arena.len_slot.index()] as usize).copied();
        Self::with_fresh(self.fresh, len.unwrap_or(0), arena.elements.len())
    }
}

/// What the slots of a field lead to.
#[derive(Clone, Copy)]
enum Leads {
    Nowhere,
    /// To `count` targets from `first` on; `nulls` indices before them have no target.
    To {
        first: usize,
        count: u32,
        nulls: u32,
    },
    /// Into an arena, which is not the same one for all of them.
    IntoAnArena {
        nulls: u32,
    },
}

/// What slots lead to, in one row of numbers: objects, then the positions of arenas.
pub(super) struct Targets {
    /// Per field, what its slots lead to.
    fields: Vec<Leads>,
    /// Per sequence, the number of its first position, and how many there may be.
    positions: Vec<(usize, u32)>,
    pub(super) len: usize,
}

impl Targets {
    pub(super) fn new(layout: &Layout, original: &[u32], room: &Room) -> Self {
        let mut targets = Targets { fields: Vec::new(), positions: Vec::new(), len: layout.objects.len() };
        for sequence in &layout.unordered_vectors {
            targets.positions.push((targets.len, room.elements(sequence, original)));
            targets.len += sequence.elements.len();
        }
        targets.fields = layout.fields.iter().map(|field| targets.of_field(layout, room, field.kind)).collect();
        targets
    }

    fn of_field(&self, layout: &Layout, room: &Room, kind: SlotKind) -> Leads {
        match kind {
            SlotKind::Reference(reference) => {
                let count = room.most_objects(layout, reference.target.index());
                Leads::To { first: layout.object_of(reference, 0).index(), count, nulls: reference.nulls }
            }
            SlotKind::Index(of) => match layout.only_arena(of) {
                Some(arena) => {
                    let (first, count) = self.positions[arena as usize];
                    Leads::To { first, count, nulls: of.nulls }
                }
                None => Leads::IntoAnArena { nulls: of.nulls },
            },
            SlotKind::Value { .. } | SlotKind::Name(_) => Leads::Nowhere,
        }
    }

    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// The target in which a slot lies: an object, or the element of an arena that the object is.
    pub(super) fn holder(&self, layout: &Layout, original: &[u32], slot: SlotId) -> usize {
        let object = layout.slots[slot.index()].object;
        let element = elements_of(layout, original, object).next();
        element.map_or(object.index(), |element| self.position(element.arena, element.position))
    }

    /// The position of an arena.
    pub(super) fn position(&self, arena: u32, at: u32) -> usize {
        self.positions[arena as usize].0 + at as usize
    }

    /// What a slot may lead to: the first target, how many there are, and how many indices before them lead to none.
    #[inline]
    pub(super) fn first_of(&self, layout: &Layout, slot: SlotId) -> Option<(usize, u32, u32)> {
        self.first_of_field(layout, slot, layout.slots[slot.index()].field)
    }

    #[inline(always)]
    fn first_of_field(&self, layout: &Layout, slot: SlotId, field: FieldId) -> Option<(usize, u32, u32)> {
        match self.fields[field.index()] {
            Leads::To { first, count, nulls } => Some((first, count, nulls)),
            Leads::Nowhere => None,
            Leads::IntoAnArena { nulls } => {
                let (first, count) = self.positions[layout.membership(slot).index_of? as usize];
                Some((first, count, nulls))
            }
        }
    }

    /// What a slot leads to with an index.
    #[inline]
    pub(super) fn of(&self, layout: &Layout, slot: SlotId, index: u32) -> Option<usize> {
        self.by_field(layout, slot, layout.slots[slot.index()].field, index)
    }

    /// Returns what a slot of a field leads to with an index.
    #[inline(always)]
    pub(super) fn by_field(&self, layout: &Layout, slot: SlotId, field: FieldId, index: u32) -> Option<usize> {
        let (first, count, nulls) = self.first_of_field(layout, slot, field)?;
        let position = index.checked_sub(nulls)?;
        // No index, and one that is wrong, leads nowhere.
        (position < count).then_some(first + position as usize)
    }
}
