//! Whole assignments: loads one without choices, slot by slot or at once, and answers queries about the current one.

use super::canonical;
use super::choice_stack::Engine;
use super::ownership::{target, targets};
use crate::model::ids::{AllocId, ObjectId, SlotId};
use crate::model::part::Part;
use crate::slots::kinds::{Reference, SlotKind};
use crate::slots::slot::UNASSIGNED;
use crate::slots::slot_handle::SlotHandle;

impl Engine {
    /// Returns whether the search has not yet produced this value, up to the order of elements that have none. `slots`
    /// are those of the value. Returns `None` if what is remembered of values takes more than `most` bytes.
    pub(crate) fn is_new(&mut self, slots: &[SlotId], most: usize) -> Option<bool> {
        self.symmetry.is_new(&self.layout, (&self.values, self.links.root(), slots), most)
    }

    /// Returns whether values of the search may differ only in the order of elements that have none.
    pub(crate) fn may_have_duplicates(&self) -> bool {
        self.symmetry.may_have_duplicates(&self.layout)
    }

    /// Makes only values new whose canonical forms belong to a part.
    pub(crate) fn keep_forms_of(&mut self, part: Part) {
        self.symmetry.keep_forms_of(part);
    }

    /// Returns the canonical form of the current value, which has these slots.
    pub(crate) fn canonical_form(&self, slots: &[SlotId]) -> Box<[u32]> {
        canonical::form(&self.layout, &self.values, self.links.root(), slots)
    }

    /// Returns whether the current value may differ from another only in the order of elements that have none.
    pub(crate) fn has_duplicates(&self) -> bool {
        self.symmetry.has_duplicates()
    }

    /// Returns the reached objects that something refers to, each with its allocation and after such an object.
    pub(crate) fn allocated(&self) -> Vec<(ObjectId, AllocId)> {
        self.links.allocated(&self.layout, &self.values)
    }

    /// Returns the slots of all choices, with their handles and indices.
    pub(crate) fn chosen(&self) -> impl Iterator<Item = (SlotId, SlotHandle, u32)> + '_ {
        self.choices().iter().map(|choice| (choice.slot_id(), choice.slot(), choice.index()))
    }

    /// Loads the choices of an earlier time, with the numbers of objects that were reached then. The current assignment
    /// must be empty.
    pub(crate) fn load_chosen(&mut self, chosen: impl Iterator<Item = (SlotHandle, u32)>, reached: &[u32]) {
        self.load_slots(chosen);
        self.links.set_all_reached(reached);
    }

    /// Assigns slots, without choices and without counting objects.
    pub(crate) fn load_slots(&mut self, chosen: impl Iterator<Item = (SlotHandle, u32)>) {
        assert!(self.depth() == 0, "[korat internal bug] an assignment is loaded only between searches");
        for (slot, index) in chosen {
            slot.assign(index);
            self.values[slot.id().index()] = index;
        }
    }

    /// Makes slots of a loaded assignment unassigned, without counting objects.
    pub(crate) fn unload_slots(&mut self, slots: impl Iterator<Item = SlotHandle>) {
        for slot in slots {
            slot.erase();
            self.values[slot.id().index()] = UNASSIGNED;
        }
    }

    /// Loads a whole assignment, without choices. The current assignment must be empty.
    pub(crate) fn load(&mut self, values: &[u32]) {
        assert!(self.depth() == 0, "[korat internal bug] an assignment is loaded only between searches");
        self.values.copy_from_slice(values);
        self.links.count_reached(&self.layout, values);
    }

    /// Returns whether the given slots of a loaded assignment, without all others, are a value: objects have a single
    /// owner where their types require it, and indices lead to elements.
    pub(crate) fn is_whole_value(&self, slots: &[SlotId], reachable: &[u32]) -> bool {
        let to_root = |&slot: &SlotId| match self.layout.kind(slot) {
            SlotKind::Reference(reference) => reference
                .object(self.values[slot.index()])
                .is_some_and(|ordinal| self.layout.object_of(reference, ordinal) == self.links.root()),
            SlotKind::Value { .. } | SlotKind::Index(_) | SlotKind::Name(_) => false,
        };
        slots.iter().all(|&slot| self.is_in_arena(slot))
            && !slots.iter().any(to_root)
            && !self.links.is_shared_wrongly(&self.layout, reachable)
    }

    /// Returns whether a slot may hold an index, in an assignment that is built slot by slot with its objects numbered
    /// by first mention. Does not check the lengths of arenas.
    pub(crate) fn may_put(&self, slot: SlotId, index: u32) -> bool {
        let SlotKind::Reference(reference) = self.layout.kind(slot) else { return true };
        let holder = self.layout.slots[slot.index()].object;
        self.links.next(&self.layout, &self.values, reference, holder, index, true) == Some(index)
    }

    /// Assigns an index to a slot, without a choice.
    pub(crate) fn put(&mut self, slot: SlotId, index: u32) {
        self.values[slot.index()] = index;
        if let SlotKind::Reference(reference) = self.layout.kind(slot)
            && let Some(ordinal) = reference.object(index)
        {
            self.links.link(&self.layout, reference, slot, ordinal);
        }
    }

    /// Removes a loaded assignment.
    pub(crate) fn unload(&mut self) {
        self.values.fill(UNASSIGNED);
        self.links.reset(&self.layout);
    }

    /// Calls `look` with another assignment in place of the current one, which comes back afterwards.
    pub(crate) fn with_assignment<R>(&mut self, mut values: Vec<u32>, look: impl FnOnce(&mut Self) -> R) -> R {
        std::mem::swap(&mut self.values, &mut values);
        let result = look(self);
        std::mem::swap(&mut self.values, &mut values);
        result
    }

    /// Returns the objects that an object points to.
    pub(crate) fn targets(&self, holder: ObjectId) -> impl Iterator<Item = (Reference, ObjectId)> + '_ {
        targets(&self.layout, &self.values, holder)
    }

    /// Returns the object that an assigned reference points to.
    pub(crate) fn target(&self, slot: SlotId) -> Option<(Reference, ObjectId)> {
        target(&self.layout, &self.values, slot)
    }
}
