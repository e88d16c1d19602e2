//! Choices that are as the value under repair has them, which are nearly all: which slots need no look at other choices, so that they
//! take little, and what is noted of them later, all at once.

use super::choice::Engine;
use super::layout::{FieldInfo, Layout, SlotKind};
use super::repairing::Repairing;
use crate::ahead::Row;
use crate::ids::{FieldId, SlotId};
use crate::slot::{Eraser, NO_INDEX};
use crate::undo::Workspace;

/// When a slot gets the index that the value has, whatever else was chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Own {
    /// Always.
    Always,
    /// If it leads to an element of this arena.
    InArena { arena: u32, nulls: u32 },
    /// As long as nothing is changed.
    Unchanged,
    /// That has to be looked at.
    Never,
}

/// What is known of the slots of a field.
pub(super) struct OwnField {
    own: Own,
    /// What they lead to, by their index, and what is kept for it; none if they lead nowhere.
    leads_to: Option<[Row; 2]>,
    /// Those whose index is smaller get it without a look; zero before one was looked at in the same run, with the same changes.
    plain_below: u32,
}

impl OwnField {
    pub(super) fn of(layout: &Layout, field: &FieldInfo) -> Self {
        let own = Own::of(layout, field);
        let leads_to = match (field.kind, own) {
            (SlotKind::Reference(to), _) => {
                Some(layout.classes[to.target.index()].rows.map(|row| row.numbered_from(to.nulls)))
            }
            (_, Own::InArena { arena, nulls }) => Some(layout.rows_of_arena(arena).map(|row| row.numbered_from(nulls))),
            _ => None,
        };
        OwnField { own, leads_to, plain_below: 0 }
    }

    /// What a slot leads to with an index is read soon.
    #[inline(always)]
    fn look_ahead(&self, index: u32) {
        if let Some(rows) = &self.leads_to {
            rows.iter().for_each(|row| row.soon(index));
        }
    }
}

impl Own {
    fn of(layout: &Layout, field: &FieldInfo) -> Self {
        match field.kind {
            SlotKind::Name(_) => Own::Always,
            SlotKind::Value { .. } if layout.sequences.iter().any(|sequence| sequence.role.set) => Own::Unchanged,
            SlotKind::Value { .. } => Own::Always,
            SlotKind::Reference(_) => Own::Unchanged,
            SlotKind::Index(of) => match layout.only_arena(of) {
                Some(arena) => Own::InArena { arena, nulls: of.nulls },
                None => Own::Never,
            },
        }
    }
}

impl Repairing {
    /// Whether a slot is to have another index than the value has.
    #[inline(always)]
    fn is_wished(&self, slot: SlotId) -> bool {
        !self.wishes.is_empty() && self.wished.has(slot)
    }

    /// Whether an index that a slot is prepared for is that of the value. A slot that the value does not have may be prepared for what another
    /// value had there.
    #[inline(always)]
    fn is_own(&self, slot: SlotId, prepared: u32) -> bool {
        // Slots lie all over the heap, and so do their numbers: as long as only those of the value are read, one look is enough.
        if self.has_more { self.original[slot.index()] == prepared } else { prepared != NO_INDEX }
    }

    /// Whether a slot leads with another index than the value has there to slots that the value may not have.
    pub(super) fn leads_to_more(&self, layout: &Layout, slot: SlotId, index: u32) -> bool {
        let field = &layout.fields[layout.slots[slot.index()].field.index()];
        match field.kind {
            SlotKind::Reference(to) => {
                to.object(index).is_some_and(|ordinal| ordinal >= self.room.present[to.target.index()])
            }
            _ => field.is_shape,
        }
    }

    /// Nothing is known of the slots of a field any more, since another one was changed, or a run begins.
    pub(crate) fn forget_plain(&mut self) {
        if std::mem::take(&mut self.is_plain) {
            self.own.iter_mut().for_each(|field| field.plain_below = 0);
        }
    }
}

impl Engine {
    /// Whether choices are made for a repair.
    #[inline(always)]
    pub(crate) fn is_repairing(&self) -> bool {
        self.slowly && self.repairing.is_some()
    }

    /// Answers the first read of a slot in the middle of a stretch, if others of its field were looked at in the same run: the same as
    /// `choose_as_it_was`, in a few instructions. False, and nothing is done, if it is not so.
    #[inline(always)]
    pub(crate) fn choose_plainly(&mut self, slot: Eraser, work: &Workspace) -> bool {
        let Some(repairing) = &self.repairing else { return false };
        if !repairing.is_plain || !work.is_in_stretch() || slot.heap() != self.heap() {
            return false;
        }
        let (id, field, index) = (slot.id(), slot.field(), slot.prepared());
        // SAFETY: the slot is of this engine's heap, and the table has an entry for each of its fields.
        let own = unsafe { repairing.own.get_unchecked(field.index()) };
        if index >= own.plain_below || !repairing.is_own(id, index) || repairing.is_wished(id) {
            return false;
        }
        own.look_ahead(index);
        work.choose_in_stretch();
        // SAFETY: the slot asks, so that it has no index but the one that it is prepared for, which is less than `NO_INDEX`.
        unsafe { slot.take_prepared(index) };
        self.picks.push_like_last(slot, id, field, index);
        true
    }

    /// Answers the first read of a slot that gets what the value has, whatever else was chosen; false, and nothing is done, if that
    /// is not so, or has to be looked at.
    #[inline(never)]
    pub(crate) fn choose_as_it_was(&mut self, slot: Eraser, work: &Workspace) -> bool {
        if self.unread_offer().is_some() {
            return false;
        }
        let (id, field, prepared) = (slot.id(), slot.field(), slot.prepared());
        let Some(index) = self.own_index(id, field, prepared) else { return false };
        let Some(resume) = work.choose_as_it_was(|| self.depth()) else { return false };
        if prepared == index {
            // SAFETY: this is the index that the slot is prepared for.
            unsafe { slot.take_prepared(index) };
        } else {
            slot.assign(index);
        }
        self.picks.push(slot, id, field, index, &resume);
        if work.is_in_stretch() {
            self.note_plain(field);
        }
        true
    }

    /// A slot of a field was looked at, in a stretch.
    fn note_plain(&mut self, field: FieldId) {
        let below = self.repairing.as_ref().map_or(0, |repairing| match repairing.own[field.index()].own {
            Own::Always => NO_INDEX,
            Own::InArena { arena, nulls } => self.decided_len(arena).map_or(0, |len| nulls + len),
            Own::Unchanged if repairing.is_as_it_was() => NO_INDEX,
            Own::Unchanged | Own::Never => 0,
        });
        let Some(repairing) = &mut self.repairing else { return };
        repairing.is_plain = true;
        repairing.own[field.index()].plain_below = below;
    }

    /// The index that the value has in a slot, and for which it may be prepared, if the slot gets it whatever else was chosen.
    #[inline(always)]
    fn own_index(&self, slot: SlotId, field: FieldId, prepared: u32) -> Option<u32> {
        let repairing = self.repairing.as_ref()?;
        let index = if repairing.is_own(slot, prepared) { prepared } else { repairing.original(slot)? };
        let field = &repairing.own[field.index()];
        // A predicate that asks where a link leads goes there next.
        field.look_ahead(index);
        let fits = match field.own {
            Own::Always => true,
            Own::InArena { arena, nulls } => self.decided_len(arena).is_some_and(|len| index < nulls + len),
            Own::Unchanged => repairing.is_as_it_was(),
            Own::Never => false,
        };
        (fits && !repairing.is_wished(slot)).then_some(index)
    }

    /// Notes the choices that are as the value has them, and were not noted when they were made.
    pub(crate) fn note_choices(&mut self) {
        let Some(mut repairing) = self.repairing.take() else { return };
        let (first, depth) = (repairing.noted, self.depth());
        for (number, choice) in self.picks.as_slice().iter().enumerate().skip(first) {
            // Not by way of the slots, which lie all over the heap.
            let (slot, field, index) = (choice.id, choice.field, choice.as_chosen);
            self.values[slot.index()] = index;
            repairing.note_read(slot, number);
            repairing.note_led(&self.layout, slot, field, index);
        }
        repairing.noted = depth;
        self.repairing = Some(repairing);
    }
}
