//! Which decisions a rejection may be about, and what was read for the first time. Changes nothing.

use super::Choices;
use crate::model::ids::{ObjectId, SlotId};
use crate::slots::slot::UNASSIGNED;

/// Slots of one object that are looked at: larger objects are mostly vectors, of which every element would be a candidate.
pub(super) const MOST_SLOTS: usize = 16;

/// Sorts decisions, each once, the last one first.
fn last_first(mut depths: Vec<usize>) -> Vec<usize> {
    depths.sort_unstable_by(|one, other| other.cmp(one));
    depths.dedup();
    depths
}

impl<'a> Choices<'a> {
    /// Returns the index that the value has in a slot.
    pub(crate) fn original(self, slot: SlotId) -> Option<u32> {
        self.state.original(slot)
    }

    /// Whether a slot lies in what the value did not have, and no index is wanted there.
    pub(crate) fn is_open(self, slot: SlotId) -> bool {
        self.state.wanted(slot).is_none()
    }

    /// Whether the decision on a slot differs from the original.
    pub(crate) fn is_changed(self, slot: SlotId) -> bool {
        self.state.changed.contains(&slot)
    }

    /// Returns the decisions that differ from the original, the last one first.
    pub(crate) fn changed_depths(self) -> Vec<usize> {
        let depths = &self.state.depths;
        last_first(self.state.changed.iter().map(|slot| depths[slot.index()] as usize).collect())
    }

    /// Returns how many decisions there are before that of a slot. A part of its holder has none.
    pub(crate) fn depth_of(self, slot: SlotId) -> Option<usize> {
        let is_decided = self.engine.values[slot.index()] != UNASSIGNED && !self.engine.layout.is_part(slot);
        is_decided.then(|| self.state.depths[slot.index()] as usize)
    }

    /// Returns the object in which a slot lies.
    fn object(self, slot: SlotId) -> ObjectId {
        self.engine.layout.slots[slot.index()].object
    }

    /// Returns the objects on the path from the root to the last-read one, which is left out; nearest first, at most `most`.
    fn objects_above(self, most: usize) -> impl Iterator<Item = ObjectId> + use<'a> {
        let up = move |&below: &ObjectId| self.leaders_of(below).next().map(|leader| self.object(leader));
        let last = self.state.decisions.last().map(|last| self.object(last.id));
        std::iter::successors(last, up).skip(1).take(most)
    }

    /// Returns the decisions on slots of some objects, the last one first.
    fn decisions_of(self, objects: impl Iterator<Item = ObjectId>) -> Vec<usize> {
        let slots = objects.flat_map(|object| self.engine.layout.slots_of(object).take(MOST_SLOTS));
        last_first(slots.filter_map(|slot| self.depth_of(slot)).collect())
    }

    /// Returns the decisions on the path from the root to the last-read object, of at most `most` objects, the last one first.
    pub(crate) fn decisions_above(self, most: usize) -> Vec<usize> {
        self.decisions_of(self.objects_above(most))
    }

    /// Returns the decisions on objects that those above lead to, the last one first.
    pub(crate) fn decisions_beside(self, most: usize) -> Vec<usize> {
        let slots = self.objects_above(most).flat_map(|object| self.engine.layout.slots_of(object).take(MOST_SLOTS));
        self.decisions_of(slots.filter_map(|slot| self.led_to(slot, self.engine.values[slot.index()])))
    }

    /// Returns the decisions in the root, but for the elements of its vectors, the last one first.
    pub(crate) fn decisions_in_root(self) -> Vec<usize> {
        let slots = self.engine.layout.slots_of(self.engine.links.root()).filter(|&slot| self.is_alone_in_root(slot));
        last_first(slots.filter_map(|slot| self.depth_of(slot)).collect())
    }

    /// Returns the decisions on numbers in the root among the `last` ones, elements of its vectors included, the last one first; of each
    /// field only the last two.
    pub(crate) fn numbers_in_root(self, last: usize) -> Vec<usize> {
        let mut fields = Vec::new();
        let depth = self.depth();
        let is_one = |&at: &usize| {
            let (slot, index) = self.at(at);
            let field = self.engine.layout.slots[slot.index()].field;
            let is_number = self.lies_in_root(slot) && self.engine.layout.number(slot, index).is_some();
            let is_one = is_number && fields.iter().filter(|&&other| other == field).count() < 2;
            fields.extend(is_one.then_some(field));
            is_one
        };
        (depth.saturating_sub(last)..depth).rev().filter(is_one).collect()
    }

    /// Returns the decisions that a rejection may be about, the last one first: the `last` ones, those of the same objects, and those of the
    /// object that led to the last-read one.
    pub(crate) fn decisions_near(self, last: usize) -> Vec<usize> {
        let end = self.depth();
        let mut near: Vec<usize> = (end.saturating_sub(last)..end).collect();
        let mut objects: Vec<ObjectId> = Vec::new();
        for &depth in &near {
            let object = self.object(self.at(depth).0);
            if !objects.contains(&object) && object != self.engine.links.root() {
                objects.push(object);
            }
        }
        let depth_of = |slot| self.depth_of(slot).filter(|&depth| depth < end);
        for &object in &objects {
            near.extend(self.engine.layout.slots_of(object).take(MOST_SLOTS).filter_map(depth_of));
        }
        if let Some(last) = self.state.decisions.last() {
            for leader in self.leaders_of(self.object(last.id)) {
                near.extend(depth_of(leader));
                let holder = self.object(leader);
                near.extend(self.engine.layout.slots_of(holder).take(MOST_SLOTS).filter_map(depth_of));
            }
        }
        last_first(near)
    }

    /// Returns the decisions of `decisions_near` and `decisions_above`, the last one first.
    pub(crate) fn decisions_near_and_above(self, last: usize, most: usize) -> Vec<usize> {
        last_first([self.decisions_near(last), self.decisions_above(most)].concat())
    }

    /// Returns how many decided slots were read for the first time, and how many of them after `after` decisions.
    pub(crate) fn first_reads(self, after: usize) -> (usize, usize) {
        let mut reads = (0, 0);
        for slot in self.state.read_first.iter().filter(|slot| self.engine.values[slot.index()] != UNASSIGNED) {
            reads.0 += 1;
            reads.1 += usize::from(self.state.depths[slot.index()] as usize >= after);
        }
        reads
    }

    /// Whether a slot of the value was read for the first time.
    pub(crate) fn has_read_on(self) -> bool {
        let Choices { engine, state } = self;
        let is_one = |slot: &SlotId| engine.values[slot.index()] != UNASSIGNED && state.original(*slot).is_some();
        state.read_first.iter().any(is_one)
    }

    /// Whether a slot was read for the first time; most likely it was not long ago.
    pub(crate) fn is_read_first(self, slot: SlotId) -> bool {
        self.state.read_first.iter().rev().any(|&read| read == slot)
    }
}
