//! Where the objects of a value under repair lie and lay, which were added, and whether what was decided is a value. Changes nothing.

use super::Choices;
use super::targets::elements_of;
use crate::engine::ownership::held_by;
use crate::model::ids::{AllocId, ObjectId, SlotId};
use crate::slots::kinds::{Edge, SlotKind};
use crate::slots::slot::UNASSIGNED;

impl<'a> Choices<'a> {
    /// Returns the decided slots that led to an object first: to itself, and to the element that it lies in.
    pub(super) fn leaders_of(self, object: ObjectId) -> impl Iterator<Item = SlotId> + use<'a> {
        let Choices { engine, state } = self;
        self.targets_of(object).filter_map(move |target| {
            let led = state.led[target];
            let leader = led.leader();
            let leads = led.count > 0 && !engine.layout.is_part(leader);
            (leads && engine.values[leader.index()] != UNASSIGNED).then_some(leader)
        })
    }

    /// Returns the targets that stand for an object: itself, and the element of an arena that it lies in.
    fn targets_of(self, object: ObjectId) -> impl Iterator<Item = usize> + use<> {
        let element = self.part_at(object).and_then(|slot| self.engine.layout.membership(slot).element);
        let position = element.map(|(arena, at)| self.state.targets.position(arena, at));
        [Some(object.index()), position].into_iter().flatten()
    }

    /// Returns the index with which a slot leads back to where its object was reached from.
    pub(crate) fn way_back(self, slot: SlotId) -> Option<u32> {
        let layout = &self.engine.layout;
        let (first, count, nulls) = self.state.targets.first_of(layout, slot)?;
        let leader = self.leaders_of(layout.slots[slot.index()].object).next()?;
        let from = layout.slots[leader.index()].object;
        let mut ways = self.targets_of(from).filter_map(|target| target.checked_sub(first));
        ways.find(|&at| at < count as usize).map(|at| nulls + at as u32)
    }

    /// Whether decisions lead to what a slot leads to with an index.
    pub(crate) fn is_led_to(self, slot: SlotId, index: u32) -> bool {
        self.state.is_reached(&self.engine.layout, slot, index)
    }

    /// Returns the object that a slot leads to with an index, through the element of an arena, too.
    pub(crate) fn led_to(self, slot: SlotId, index: u32) -> Option<ObjectId> {
        if index == UNASSIGNED {
            return None;
        }
        let layout = &self.engine.layout;
        match layout.kind(slot) {
            SlotKind::Reference(reference) => Some(layout.object_of(reference, reference.object(index)?)),
            SlotKind::Index(of) => {
                let position = index.checked_sub(of.nulls)?;
                let arena = &layout.unordered_vectors[layout.membership(slot).index_of? as usize];
                let element = SlotId(arena.elements.get(position as usize)?.start);
                let SlotKind::Reference(reference) = layout.kind(element) else { return None };
                Some(layout.object_of(reference, reference.object(self.state.original(element)?)?))
            }
            SlotKind::Value { .. } | SlotKind::Name(_) => None,
        }
    }

    /// Returns the objects that decisions lead to and that the value did not have, with how they are allocated.
    pub(crate) fn added_objects(self) -> Vec<(ObjectId, AllocId)> {
        let Choices { engine, state } = self;
        let mut added = Vec::new();
        for (class, &present) in engine.layout.classes.iter().zip(&state.room.present) {
            for object in (class.first_object.0 + present..class.first_object.0 + class.count).map(ObjectId) {
                let led = state.led[object.index()];
                if led.count > 0 && object != engine.links.root() {
                    added.extend(led.alloc().map(|alloc| (object, alloc)));
                }
            }
        }
        added
    }

    /// Whether the value had an object.
    pub(crate) fn was_present(self, object: ObjectId) -> bool {
        let layout = &self.engine.layout;
        let class = layout.objects[object.index()].class.index();
        let ordinal = object.0 - layout.classes[class].first_object.0;
        ordinal < self.state.room.present[class]
    }

    /// Returns the element slot of an arena that an object lies in, if its number says so.
    pub(crate) fn part_at(self, object: ObjectId) -> Option<SlotId> {
        let mut elements = elements_of(&self.engine.layout, &self.state.original, object);
        elements.find(|element| element.edge == Edge::Part).map(|part| part.slot)
    }

    /// Returns the slot of the holder of an object, if it lies in one.
    pub(crate) fn slot_of_part(self, object: ObjectId) -> Option<SlotId> {
        if let Some(slot) = self.part_at(object) {
            return Some(slot);
        }
        let layout = &self.engine.layout;
        let class = layout.objects[object.index()].class;
        let is_holder = |kind| matches!(kind, SlotKind::Reference(to) if to.edge == Edge::Part && to.target == class);
        let has_parts = layout.fields.iter().any(|field| is_holder(field.kind));
        let mut slots = (0..if has_parts { layout.slots.len() } else { 0 }).map(SlotId::new);
        slots.find(|&slot| {
            let SlotKind::Reference(reference) = layout.kind(slot) else { return false };
            let ordinal = self.state.original(slot).and_then(|index| reference.object(index));
            reference.edge == Edge::Part
                && ordinal.is_some_and(|ordinal| layout.object_of(reference, ordinal) == object)
        })
    }

    /// Returns how an object is allocated, if its class has several ways.
    pub(crate) fn alloc_of(self, object: ObjectId) -> Option<AllocId> {
        self.state.led[object.index()].alloc()
    }

    /// Whether a slot lies in the root, and not in one of its vectors.
    pub(crate) fn is_alone_in_root(self, slot: SlotId) -> bool {
        self.lies_in_root(slot) && self.engine.layout.field(slot).elements.is_none()
    }

    /// Whether a slot lies in the root.
    pub(crate) fn lies_in_root(self, slot: SlotId) -> bool {
        self.engine.layout.slots[slot.index()].object == self.engine.links.root()
    }

    /// Whether two slots lie in one object.
    pub(crate) fn are_together(self, slot: SlotId, other: SlotId) -> bool {
        let slots = &self.engine.layout.slots;
        slots[slot.index()].object == slots[other.index()].object
    }

    /// Whether slots that were not read may need a value of their own beside the decisions: an object went to another owner, the value has
    /// more than it had, or a changed slot is only written as a whole with others.
    pub(crate) fn needs_completion(self) -> bool {
        let layout = &self.engine.layout;
        let is_alone = |&slot: &SlotId| layout.is_leaf(slot) && !layout.field(slot).is_bound;
        !self.state.changed.iter().all(is_alone)
    }

    /// Whether the value has, or may have, slots with these changes that it did not have.
    pub(crate) fn has_more(self) -> bool {
        let Choices { engine, state } = self;
        state.changed.iter().any(|&slot| state.leads_to_more(&engine.layout, slot, engine.values[slot.index()]))
    }

    /// Whether every object that decisions lead to is kept alive by the root, and no chain of references closes a cycle that cannot be
    /// built. Every slot of the value is decided.
    pub(crate) fn is_held_by_owners(self) -> bool {
        let Choices { engine, state } = self;
        let objects = engine.layout.objects.len();
        let held = held_by(&engine.layout, &engine.values, engine.links.root());
        let is_held = (0..objects).all(|object| held[object] || state.led[object].count == 0);
        let closes = |&slot: &SlotId| engine.links.closes_cycle(&engine.layout, &engine.values, slot);
        is_held && !state.changed.iter().any(closes)
    }
}
