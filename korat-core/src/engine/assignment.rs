//! Whole assignments: one that is put in place without choices, slot by slot or at once, and what is asked of one that is
//! there.

use super::choice::{Engine, UNASSIGNED};
use super::layout::{Reference, SlotKind};
use super::ownership::{target, targets};
use crate::ids::{AllocId, ObjectId, SlotId};
use crate::slot::Eraser;

impl Engine {
    /// Whether no value was given before that differs from this one only in the order of elements that have none. `slots` are
    /// those of the value.
    pub(crate) fn is_new(&mut self, slots: &[SlotId]) -> bool {
        self.symmetry.is_new(&self.layout, &self.values, self.links.root(), slots)
    }

    /// Whether values may differ in nothing but the order of elements that have none.
    pub(crate) fn has_doubles(&self) -> bool {
        self.symmetry.has_doubles()
    }

    /// The reached objects other than the root, with their way of allocation.
    pub(crate) fn allocated(&self) -> Vec<(ObjectId, AllocId)> {
        self.links.allocated(&self.layout, &self.values)
    }

    /// The slots that choices were made for, with their handles and indices.
    pub(crate) fn chosen(&self) -> impl Iterator<Item = (SlotId, Eraser, u32)> + '_ {
        self.choices().iter().map(|choice| (choice.slot_id(), choice.slot(), choice.index()))
    }

    /// Puts the choices of another time in place of the (empty) current assignment, with the objects that were reached.
    pub(crate) fn load_chosen(&mut self, chosen: impl Iterator<Item = (Eraser, u32)>, reached: &[u32]) {
        assert!(self.depth() == 0, "[korat internal bug] an assignment is loaded only between searches");
        for (slot, index) in chosen {
            slot.assign(index);
            self.values[slot.id().index()] = index;
        }
        self.links.set_all_reached(reached);
    }

    /// Puts a whole assignment in place of the (empty) current one, without choices.
    pub(crate) fn load(&mut self, values: &[u32]) {
        assert!(self.depth() == 0, "[korat internal bug] an assignment is loaded only between searches");
        self.values.copy_from_slice(values);
        self.links.count_reached(&self.layout, values);
    }

    /// Whether the slots of a loaded assignment, with all others left out, are a value: objects have one owner where their types
    /// say so, indices lead to elements.
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

    /// Whether an index may be put into a slot of an assignment that is built slot by slot, its objects numbered as they are
    /// mentioned; the lengths of arenas are not looked at.
    pub(crate) fn may_put(&self, slot: SlotId, index: u32) -> bool {
        let SlotKind::Reference(reference) = self.layout.kind(slot) else { return true };
        let holder = self.layout.slots[slot.index()].object;
        self.links.next(&self.layout, &self.values, reference, holder, index, true) == Some(index)
    }

    /// Puts an index into a slot, without a choice.
    pub(crate) fn put(&mut self, slot: SlotId, index: u32) {
        self.values[slot.index()] = index;
        if let SlotKind::Reference(reference) = self.layout.kind(slot)
            && let Some(ordinal) = reference.object(index)
        {
            self.links.link(&self.layout, reference, slot, ordinal);
        }
    }

    /// Takes a loaded assignment out again.
    pub(crate) fn unload(&mut self) {
        self.values.fill(UNASSIGNED);
        self.links.reset(&self.layout);
    }

    /// The objects an object points to.
    pub(crate) fn targets(&self, holder: ObjectId) -> impl Iterator<Item = (Reference, ObjectId)> + '_ {
        targets(&self.layout, &self.values, holder)
    }

    /// The object that an assigned reference points to.
    pub(crate) fn target(&self, slot: SlotId) -> Option<(Reference, ObjectId)> {
        target(&self.layout, &self.values, slot)
    }
}
