//! Choices that are as the value under repair has them, which are nearly all: which slots need no look at other choices, so that they
//! take little, and what is noted of them later, all at once.

use super::choice::Engine;
use super::layout::{FieldInfo, Layout, SlotKind};
use crate::ahead::Row;
use crate::ids::{FieldId, SlotId};

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
    /// What they lead to, by their index, and what is kept for it.
    leads_to: [Row; 2],
}

impl OwnField {
    pub(super) fn of(layout: &Layout, field: &FieldInfo) -> Self {
        let own = Own::of(layout, field);
        let leads_to = match (field.kind, own) {
            (SlotKind::Reference(to), _) => {
                layout.classes[to.target.index()].rows.map(|row| row.numbered_from(to.nulls))
            }
            (_, Own::InArena { arena, nulls }) => layout.rows_of_arena(arena).map(|row| row.numbered_from(nulls)),
            _ => [Row::NONE; 2],
        };
        OwnField { own, leads_to }
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

impl Engine {
    /// The index that the value has in a slot, if the slot gets it whatever else was chosen.
    #[inline]
    pub(super) fn own_index(&self, slot: SlotId, field: FieldId) -> Option<u32> {
        let repairing = self.repairing.as_ref()?;
        let (index, field) = (repairing.original(slot)?, &repairing.own[field.index()]);
        // A predicate that asks where a link leads goes there next.
        field.leads_to.iter().for_each(|row| row.soon(index));
        let fits = match field.own {
            Own::Always => true,
            Own::InArena { arena, nulls } => self.decided_len(arena).is_some_and(|len| index < nulls + len),
            Own::Unchanged => repairing.changed.is_empty() && repairing.wishes.is_empty(),
            Own::Never => false,
        };
        let is_wished = || !repairing.wishes.is_empty() && repairing.wished.has(slot);
        (fits && !is_wished()).then_some(index)
    }

    /// Notes the choices that are as the value has them, and were not noted when they were made.
    pub(crate) fn note_choices(&mut self) {
        let Some(mut repairing) = self.repairing.take() else { return };
        let (first, depth) = (repairing.noted, self.depth());
        for number in first..depth {
            // Not by way of the slots, which lie all over the heap.
            let slot = self.choices()[number].id;
            let index = repairing.original[slot.index()];
            self.values[slot.index()] = index;
            repairing.note_read(slot, number);
            repairing.note_led(&self.layout, slot, index);
        }
        repairing.noted = depth;
        self.repairing = Some(repairing);
    }
}
