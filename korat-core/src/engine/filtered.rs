//! Slots whose allowed indices are not a run of numbers: objects, the elements of an arena or the members of a set
//! determine what they may hold. None of this is on the fast path of a choice.

use super::choice_stack::{Engine, Refusal};
use super::rules::group_class;
use crate::engine::stop::Stop;
use crate::model::ids::SlotId;
use crate::slots::kinds::SlotKind;
use crate::slots::layout::SlotInfo;
use crate::slots::slot::{OFFERED, UNASSIGNED};
use crate::slots::slot_handle::SlotHandle;

impl Engine {
    /// Returns the first index from `from` on that a filtered slot may hold: its rule inspects every object, or the
    /// elements of a vector.
    #[inline(never)]
    pub(super) fn filtered_index(&self, slot: SlotId, from: u32) -> Option<u32> {
        let place = self.layout.membership(slot);
        let from = place.member.map_or(from, |set| from.max(self.symmetry.least_member(set)));
        match self.layout.kind(slot) {
            SlotKind::Value { len } => {
                let field = self.layout.slots[slot.index()].field;
                let has_room = |&index: &u32| self.rules.promises.have_room(&self.links, field, index);
                (from..len).find(has_room)
            }
            SlotKind::Name(name) => {
                let used = self.links.reached(group_class(&self.layout, name));
                (from < name.len && from <= name.nulls + used).then_some(from)
            }
            SlotKind::Index(index) => {
                let arena = place.index_of.expect("[korat internal bug] an index belongs to an arena");
                self.symmetry.next_position(index, place, self.arena_len(arena), from)
            }
            SlotKind::Reference(reference) => {
                let SlotInfo { object: holder, field } = self.layout.slots[slot.index()];
                if self.rules.promises.are_kept_by(field) {
                    return self.links.next_promised(reference, from);
                }
                let by_type = self.completing || self.rules.by_type();
                self.links.next(&self.layout, &self.values, reference, holder, from, by_type)
            }
        }
    }

    /// Returns the number of elements of an arena, whose length must be decided.
    pub(crate) fn arena_len(&self, arena: u32) -> u32 {
        let sequence = &self.layout.unordered_vectors[arena as usize];
        sequence.lens[self.values[sequence.len_slot.index()] as usize]
    }

    /// Returns whether an arena index leads to an element of its arena, or is a null. True for slots of other kinds.
    pub(crate) fn is_in_arena(&self, slot: SlotId) -> bool {
        let SlotKind::Index(index) = self.layout.kind(slot) else { return true };
        let Some(position) = self.values[slot.index()].checked_sub(index.nulls) else { return true };
        let Some(arena) = self.layout.membership(slot).index_of else { return false };
        let len_slot = self.layout.unordered_vectors[arena as usize].len_slot;
        self.values[len_slot.index()] != UNASSIGNED && position < self.arena_len(arena)
    }

    /// Returns the slot that must be decided before `slot`, if it is undecided: the length of the arena that an index
    /// leads into.
    pub(crate) fn first_to_decide(&self, slot: SlotId) -> Option<SlotHandle> {
        self.open_len(self.layout.membership(slot).index_of?)
    }

    /// Returns the number of elements of an arena, if its length is decided.
    #[inline]
    pub(crate) fn decided_len(&self, arena: u32) -> Option<u32> {
        let sequence = &self.layout.unordered_vectors[arena as usize];
        let index = sequence.len.index();
        if index >= OFFERED { None } else { sequence.lens.get(index as usize).copied() }
    }

    /// Returns the length slot of an arena, if it is undecided.
    #[inline]
    pub(super) fn open_len(&self, arena: u32) -> Option<SlotHandle> {
        let len = self.layout.unordered_vectors[arena as usize].len;
        let is_open = len.index() >= OFFERED;
        is_open.then_some(len)
    }

    /// Returns why a first read is refused while no read has taken the last choice's index: that choice is the length
    /// that this slot needs, or the predicate has read another slot than last time.
    #[cold]
    #[inline(never)]
    pub(crate) fn refusal_of_offer(&self, offered: SlotId, slot: SlotHandle) -> Refusal {
        let found = slot.id();
        match self.first_to_decide(found) {
            Some(first) => Refusal::NotYet { first },
            None => Refusal::Stop(Stop::NotDeterministic { expected: offered, found }),
        }
    }

    /// Updates links and symmetry after a filtered slot got an index.
    #[inline(never)]
    pub(super) fn link(&mut self, slot: SlotId, index: u32) {
        self.symmetry.link(self.layout.membership(slot), self.layout.kind(slot), index);
        let field = self.layout.slots[slot.index()].field;
        match self.layout.kind(slot) {
            SlotKind::Reference(reference) => {
                if let Some(ordinal) = reference.object(index) {
                    if self.rules.promises.are_kept_by(field) {
                        self.links.release(reference.target, 1);
                    }
                    self.links.link(&self.layout, reference, slot, ordinal);
                }
            }
            SlotKind::Name(name) => {
                let class = group_class(&self.layout, name);
                if index == name.nulls + self.links.reached(class) {
                    self.links.set_reached(class, index - name.nulls + 1);
                    self.fresh_names.push(slot);
                }
            }
            SlotKind::Value { .. } => self.rules.promises.reserve(&mut self.links, field, index, false),
            SlotKind::Index(_) => {}
        }
    }

    /// Undoes `link`. Choices are undone in reverse order.
    #[inline(never)]
    pub(super) fn unlink(&mut self, slot: SlotId, index: u32) {
        let field = self.layout.slots[slot.index()].field;
        match self.layout.kind(slot) {
            SlotKind::Reference(reference) => {
                if let Some(ordinal) = reference.object(index) {
                    self.links.unlink(&self.layout, reference, slot, ordinal);
                    if self.rules.promises.are_kept_by(field) {
                        self.links.reserve(reference.target, 1);
                    }
                }
            }
            SlotKind::Name(name) => {
                if self.fresh_names.last() == Some(&slot) {
                    self.fresh_names.pop();
                    self.links.set_reached(group_class(&self.layout, name), index - name.nulls);
                }
            }
            SlotKind::Value { .. } => self.rules.promises.reserve(&mut self.links, field, index, true),
            SlotKind::Index(_) => {}
        }
        self.symmetry.unlink(self.layout.membership(slot), self.layout.kind(slot), index);
    }
}
