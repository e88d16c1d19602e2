//! What is asked of a repair under way: where things lie and lay, what was added, which choices a rejection may be about, and whether
//! what was chosen is a value. Changes nothing.

use super::choice::{Engine, UNASSIGNED};
use super::layout::{Edge, SlotKind};
use super::ownership::held_by;
use super::targets::elements_of;
use crate::ids::{AllocId, ObjectId, SlotId};

/// Of a large object only so many slots are looked at.
pub(super) const MOST_SLOTS: usize = 16;

/// Choices, each once, the last one first.
fn last_first(mut depths: Vec<usize>) -> Vec<usize> {
    depths.sort_unstable_by(|one, other| other.cmp(one));
    depths.dedup();
    depths
}

impl Engine {
    /// The index that the value to be repaired has in a slot.
    pub(crate) fn original(&self, slot: SlotId) -> Option<u32> {
        self.repairing.as_ref()?.original(slot)
    }

    /// Whether a slot lies in what the value did not have, and nobody has decided what it is to hold.
    pub(crate) fn is_open(&self, slot: SlotId) -> bool {
        self.repairing.as_ref().is_some_and(|repairing| repairing.wanted(slot).is_none())
    }

    /// Whether the choice of a slot differs from the original.
    pub(crate) fn is_changed(&self, slot: SlotId) -> bool {
        self.repairing.as_ref().is_some_and(|repairing| repairing.changed.contains(&slot))
    }

    /// The choices that differ from the original, the last one first.
    pub(crate) fn changed_depths(&self) -> Vec<usize> {
        let Some(repairing) = &self.repairing else { return Vec::new() };
        last_first(repairing.changed.iter().map(|slot| repairing.depths[slot.index()] as usize).collect())
    }

    /// How many choices there are before that of a slot. What lies in its holder has none.
    pub(crate) fn depth_of(&self, slot: SlotId) -> Option<usize> {
        let repairing = self.repairing.as_ref()?;
        let is_chosen = self.values[slot.index()] != UNASSIGNED && !self.layout.is_part(slot);
        is_chosen.then(|| repairing.depths[slot.index()] as usize)
    }

    /// The choices by which an object was come to first: as itself, and as an element.
    fn leaders_of(&self, object: ObjectId) -> impl Iterator<Item = SlotId> + use<'_> {
        let repairing = self.repairing.as_ref();
        self.targets_of(object).filter_map(move |target| {
            let led = repairing?.led[target];
            let leader = led.leader();
            let leads = led.count > 0 && !self.layout.is_part(leader);
            (leads && self.values[leader.index()] != UNASSIGNED).then_some(leader)
        })
    }

    /// What leads to an object: itself, and the element of an arena that it lies in.
    fn targets_of(&self, object: ObjectId) -> impl Iterator<Item = usize> + use<> {
        let element = self.part_at(object).and_then(|slot| self.layout.place(slot).element);
        let repairing = self.repairing.as_ref();
        let position = repairing.zip(element).map(|(repairing, (arena, at))| repairing.targets.position(arena, at));
        [Some(object.index()), position].into_iter().flatten()
    }

    /// The index with which a slot leads back to where its object was come to from.
    pub(crate) fn way_back(&self, slot: SlotId) -> Option<u32> {
        let targets = &self.repairing.as_ref()?.targets;
        let (first, count, nulls) = targets.first_of(&self.layout, slot)?;
        let leader = self.leaders_of(self.layout.slots[slot.index()].object).next()?;
        let from = self.layout.slots[leader.index()].object;
        let mut ways = self.targets_of(from).filter_map(|target| target.checked_sub(first));
        ways.find(|&at| at < count as usize).map(|at| nulls + at as u32)
    }

    /// Whether choices lead to what a slot leads to with an index.
    pub(crate) fn is_led_to(&self, slot: SlotId, index: u32) -> bool {
        self.repairing.as_ref().is_some_and(|repairing| repairing.is_reached(&self.layout, slot, index))
    }

    /// The object that a slot leads to with an index, through the element of an arena, too.
    pub(crate) fn led_to(&self, slot: SlotId, index: u32) -> Option<ObjectId> {
        if index == UNASSIGNED {
            return None;
        }
        let layout = &self.layout;
        match layout.kind(slot) {
            SlotKind::Reference(reference) => Some(layout.object_of(reference, reference.object(index)?)),
            SlotKind::Index(of) => {
                let position = index.checked_sub(of.nulls)?;
                let arena = &layout.sequences[layout.place(slot).index_of? as usize];
                let element = SlotId(arena.elements.get(position as usize)?.start);
                let SlotKind::Reference(reference) = layout.kind(element) else { return None };
                Some(layout.object_of(reference, reference.object(self.original(element)?)?))
            }
            SlotKind::Value { .. } | SlotKind::Name(_) => None,
        }
    }

    /// The objects that choices lead to and that the value did not have, with how they are allocated.
    pub(crate) fn added_objects(&self) -> Vec<(ObjectId, AllocId)> {
        let Some(repairing) = &self.repairing else { return Vec::new() };
        let mut added = Vec::new();
        for (class, &present) in self.layout.classes.iter().zip(&repairing.room.present) {
            for object in (class.first_object.0 + present..class.first_object.0 + class.count).map(ObjectId) {
                let led = repairing.led[object.index()];
                if led.count > 0 && object != self.links.root() {
                    added.extend(led.alloc().map(|alloc| (object, alloc)));
                }
            }
        }
        added
    }

    /// Looks at another assignment in place of the current one.
    pub(crate) fn look_at_assignment<R>(&mut self, mut values: Vec<u32>, look: impl FnOnce(&mut Self) -> R) -> R {
        std::mem::swap(&mut self.values, &mut values);
        let result = look(self);
        std::mem::swap(&mut self.values, &mut values);
        result
    }

    /// Whether the value had an object.
    pub(crate) fn was_present(&self, object: ObjectId) -> bool {
        let class = self.layout.objects[object.index()].class.index();
        let ordinal = object.0 - self.layout.classes[class].first_object.0;
        self.repairing.as_ref().is_some_and(|repairing| ordinal < repairing.room.present[class])
    }

    /// The element slot of an arena that an object lies in, if its number says so.
    pub(crate) fn part_at(&self, object: ObjectId) -> Option<SlotId> {
        let original = &self.repairing.as_ref()?.original;
        let part = elements_of(&self.layout, original, object).find(|element| element.edge == Edge::Part);
        part.map(|part| part.slot)
    }

    /// The slot of the holder of an object, if it lies in one.
    pub(crate) fn slot_of_part(&self, object: ObjectId) -> Option<SlotId> {
        if let Some(slot) = self.part_at(object) {
            return Some(slot);
        }
        let class = self.layout.objects[object.index()].class;
        let has_parts =
            self.layout.fields.iter().any(
                |field| matches!(field.kind, SlotKind::Reference(to) if to.edge == Edge::Part && to.target == class),
            );
        let mut slots = (0..if has_parts { self.layout.slots.len() } else { 0 }).map(SlotId::new);
        slots.find(|&slot| {
            let SlotKind::Reference(reference) = self.layout.kind(slot) else { return false };
            let ordinal = self.original(slot).and_then(|index| reference.object(index));
            reference.edge == Edge::Part
                && ordinal.is_some_and(|ordinal| self.layout.object_of(reference, ordinal) == object)
        })
    }

    /// How an object is allocated, as far as it is not the only way of its class.
    pub(crate) fn alloc_of(&self, object: ObjectId) -> Option<AllocId> {
        self.repairing.as_ref()?.led[object.index()].alloc()
    }

    /// The objects by which the one that was read last was come to, so many of them, the last one first.
    fn objects_above(&self, most: usize) -> impl Iterator<Item = ObjectId> {
        let object = |slot: SlotId| self.layout.slots[slot.index()].object;
        let up = move |&below: &ObjectId| self.leaders_of(below).next().map(object);
        let last = self.picks.last().map(|last| object(last.id));
        std::iter::successors(last, up).skip(1).take(most)
    }

    /// The choices of some objects, the last one first.
    fn choices_of(&self, objects: impl Iterator<Item = ObjectId>) -> Vec<usize> {
        let slots = objects.flat_map(|object| self.layout.slots_of(object).take(MOST_SLOTS));
        last_first(slots.filter_map(|slot| self.depth_of(slot)).collect())
    }

    /// The choices of the objects by which the one that was read last was come to, of so many of them, the last one first.
    pub(crate) fn choices_above(&self, most: usize) -> Vec<usize> {
        self.choices_of(self.objects_above(most))
    }

    /// Whether a slot lies in the root, and not in one of its vectors.
    pub(crate) fn is_alone_in_root(&self, slot: SlotId) -> bool {
        self.lies_in_root(slot) && self.layout.field(slot).elements.is_none()
    }

    /// The choices of the root, but for the elements of its vectors, the last one first.
    pub(crate) fn choices_in_root(&self) -> Vec<usize> {
        let slots = self.layout.slots_of(self.links.root()).filter(|&slot| self.is_alone_in_root(slot));
        last_first(slots.filter_map(|slot| self.depth_of(slot)).collect())
    }

    /// The choices of numbers in the root among the last ones, elements of its vectors included, the last one first; of each field only
    /// the last two.
    pub(crate) fn numbers_in_root(&self, last: usize) -> Vec<usize> {
        let mut fields = Vec::new();
        let depth = self.depth();
        let is_one = |&at: &usize| {
            let (slot, index) = self.choice_at(at);
            let field = self.layout.slots[slot.index()].field;
            let is_number = self.lies_in_root(slot) && self.layout.number(slot, index).is_some();
            let is_one = is_number && fields.iter().filter(|&&other| other == field).count() < 2;
            fields.extend(is_one.then_some(field));
            is_one
        };
        (depth.saturating_sub(last)..depth).rev().filter(is_one).collect()
    }

    /// The choices of what these objects lead to, the last one first.
    pub(crate) fn choices_beside(&self, most: usize) -> Vec<usize> {
        let slots = self.objects_above(most).flat_map(|object| self.layout.slots_of(object).take(MOST_SLOTS));
        self.choices_of(slots.filter_map(|slot| self.led_to(slot, self.values[slot.index()])))
    }

    /// The choices that a rejection may be about, the last one first: the last ones, those of the same objects, and the one that
    /// has led to the last of them.
    pub(crate) fn choices_near(&self, last: usize) -> Vec<usize> {
        let end = self.depth();
        let mut near: Vec<usize> = (end.saturating_sub(last)..end).collect();
        let mut objects: Vec<ObjectId> = Vec::new();
        let add = |objects: &mut Vec<ObjectId>, object| {
            if !objects.contains(&object) && object != self.links.root() {
                objects.push(object);
            }
        };
        for &depth in &near {
            add(&mut objects, self.layout.slots[self.choice_at(depth).0.index()].object);
        }
        let depth_of = |slot| self.depth_of(slot).filter(|&depth| depth < end);
        for &object in &objects {
            let slots = self.layout.slots_of(object).take(MOST_SLOTS);
            near.extend(slots.filter_map(depth_of));
        }
        // What has led to the object that was read last, and what lies beside that.
        if let Some(object) = self.picks.last().map(|last| self.layout.slots[last.id.index()].object) {
            for leader in self.leaders_of(object) {
                near.extend(depth_of(leader));
                let holder = self.layout.slots[leader.index()].object;
                near.extend(self.layout.slots_of(holder).take(MOST_SLOTS).filter_map(depth_of));
            }
        }
        last_first(near)
    }

    /// These choices, and those above them.
    pub(crate) fn choices_near_and_above(&self, last: usize, most: usize) -> Vec<usize> {
        last_first([self.choices_near(last), self.choices_above(most)].concat())
    }

    /// How many slots with a choice were read for the first time, and how many of them after so many choices.
    pub(crate) fn first_reads(&self, after: usize) -> (usize, usize) {
        let Some(repairing) = &self.repairing else { return (0, 0) };
        let mut reads = (0, 0);
        for slot in repairing.read_first.iter().filter(|slot| self.values[slot.index()] != UNASSIGNED) {
            reads.0 += 1;
            reads.1 += usize::from(repairing.depths[slot.index()] as usize >= after);
        }
        reads
    }

    /// Whether a slot of the value was read for the first time.
    pub(crate) fn has_read_on(&self) -> bool {
        let Some(repairing) = &self.repairing else { return false };
        let is_one = |slot: &SlotId| self.values[slot.index()] != UNASSIGNED && repairing.original(*slot).is_some();
        repairing.read_first.iter().any(is_one)
    }

    /// Whether a slot was read for the first time; most likely it was not long ago.
    pub(crate) fn is_read_first(&self, slot: SlotId) -> bool {
        self.repairing.as_ref().is_some_and(|repairing| repairing.read_first.iter().rev().any(|&read| read == slot))
    }

    /// Whether a slot lies in the root.
    pub(crate) fn lies_in_root(&self, slot: SlotId) -> bool {
        self.layout.slots[slot.index()].object == self.links.root()
    }

    /// Whether two slots lie in one object.
    pub(crate) fn are_together(&self, slot: SlotId, other: SlotId) -> bool {
        self.layout.slots[slot.index()].object == self.layout.slots[other.index()].object
    }

    /// How many choices there are up to the last slot that was read for the first time.
    pub(crate) fn last_read_first(&self) -> Option<usize> {
        let repairing = self.repairing.as_ref()?;
        repairing.read_first.iter().map(|slot| repairing.depths[slot.index()] as usize + 1).max()
    }

    pub(crate) fn all_slots(&self) -> impl Iterator<Item = SlotId> + use<> {
        (0..self.values.len()).map(SlotId::new)
    }

    /// The slot and the index of a choice.
    pub(crate) fn choice_at(&self, depth: usize) -> (SlotId, u32) {
        let choice = &self.picks.as_slice()[depth];
        (choice.id, choice.index())
    }

    /// Whether slots that were not read may need a value of their own beside the choices: something was given to another owner, there is
    /// more than there was, or they are written as a whole with one that has changed.
    pub(crate) fn needs_completion(&self) -> bool {
        let Some(repairing) = &self.repairing else { return false };
        let is_alone = |&slot: &SlotId| self.layout.leads_nowhere(slot) && !self.layout.field(slot).is_bound;
        !repairing.changed.iter().all(is_alone)
    }

    /// Whether the value has slots with these changes, or may have, that it did not have.
    pub(crate) fn has_more(&self) -> bool {
        let Some(repairing) = &self.repairing else { return false };
        repairing.changed.iter().any(|&slot| repairing.leads_to_more(&self.layout, slot, self.values[slot.index()]))
    }

    /// Whether every object that choices lead to is kept alive by the root, and no chain of references closes a cycle that cannot
    /// be built. Every slot of the value is decided.
    pub(crate) fn is_held_by_owners(&self) -> bool {
        let Some(repairing) = &self.repairing else { return false };
        let objects = self.layout.objects.len();
        let held = held_by(&self.layout, &self.values, self.links.root());
        let is_held = (0..objects).all(|object| held[object] || repairing.led[object].count == 0);
        let closes = |&slot: &SlotId| self.links.closes_cycle(&self.layout, &self.values, slot);
        is_held && !repairing.changed.iter().any(closes)
    }
}
