//! First reads of slots that keep the index that the value has, as nearly all do: which of them depend on no other decision, so that they are
//! answered in a few instructions, and how they are recorded later, all at once.

use super::state::State;
use super::{Choices, ChoicesMut};
use crate::memory::prefetch::PrefetchRow;
use crate::model::ids::{FieldId, SlotId};
use crate::predicate::undo::Workspace;
use crate::slots::kinds::SlotKind;
use crate::slots::layout::{FieldInfo, Layout};
use crate::slots::slot::NO_INDEX;
use crate::slots::slot_handle::SlotHandle;

/// When a slot gets the index that the value has, whatever else was decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rule {
    /// Always.
    Always,
    /// If it leads to an element of this arena.
    InArena { arena: u32, nulls: u32 },
    /// As long as nothing is changed.
    WhileUnchanged,
    /// Never: other decisions have to be looked at.
    Never,
}

/// The rule of the slots of one field.
pub(super) struct FieldRule {
    rule: Rule,
    /// The rows that they lead to, by their index, to be prefetched; none if they lead nowhere.
    leads_to: Option<[PrefetchRow; 2]>,
    /// Smaller indices follow the rule; zero before the rule was checked in the same run, with the same changes.
    bound: u32,
}

impl FieldRule {
    pub(super) fn of(layout: &Layout, field: &FieldInfo) -> Self {
        let rule = Rule::of(layout, field);
        let leads_to = match (field.kind, rule) {
            (SlotKind::Reference(to), _) => {
                Some(layout.classes[to.target.index()].rows.map(|row| row.numbered_from(to.nulls)))
            }
            (_, Rule::InArena { arena, nulls }) => {
                Some(layout.rows_of_arena(arena).map(|row| row.numbered_from(nulls)))
            }
            _ => None,
        };
        FieldRule { rule, leads_to, bound: 0 }
    }

    /// Prefetches what a slot leads to with an index: a predicate that reads a link follows it next.
    #[inline(always)]
    fn prefetch(&self, index: u32) {
        if let Some(rows) = &self.leads_to {
            rows.iter().for_each(|row| row.prefetch(index));
        }
    }
}

impl Rule {
    fn of(layout: &Layout, field: &FieldInfo) -> Self {
        match field.kind {
            SlotKind::Name(_) => Rule::Always,
            SlotKind::Value { .. } if layout.unordered_vectors.iter().any(|sequence| sequence.role.set) => {
                Rule::WhileUnchanged
            }
            SlotKind::Value { .. } => Rule::Always,
            SlotKind::Reference(_) => Rule::WhileUnchanged,
            SlotKind::Index(of) => match layout.only_arena(of) {
                Some(arena) => Rule::InArena { arena, nulls: of.nulls },
                None => Rule::Never,
            },
        }
    }
}

impl State {
    /// Whether a slot is to have another index than the value has.
    #[inline(always)]
    fn is_wished(&self, slot: SlotId) -> bool {
        !self.wishes.is_empty() && self.wished.has(slot)
    }

    /// Whether the index that a slot is prepared for is that of the value. A slot that the value does not have may be prepared for an index
    /// of an earlier value.
    #[inline(always)]
    fn is_own(&self, slot: SlotId, prepared: u32) -> bool {
        // `original` lies elsewhere than the slot: as long as only slots of the value are read, one look at memory is enough.
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

    /// Forgets the bounds of all rules, since a slot was changed or a run begins.
    pub(crate) fn forget_bounds(&mut self) {
        if std::mem::take(&mut self.has_bounds) {
            self.rules.iter_mut().for_each(|field| field.bound = 0);
        }
    }
}

impl Choices<'_> {
    /// Returns the index that the value has in a slot, and for which it may be prepared, if the slot gets it whatever else was decided.
    #[inline(always)]
    fn unchanged_index(self, slot: SlotId, field: FieldId, prepared: u32) -> Option<u32> {
        let state = self.state;
        let index = if state.is_own(slot, prepared) { prepared } else { state.original(slot)? };
        let field = &state.rules[field.index()];
        field.prefetch(index);
        let fits = match field.rule {
            Rule::Always => true,
            Rule::InArena { arena, nulls } => self.engine.decided_len(arena).is_some_and(|len| index < nulls + len),
            Rule::WhileUnchanged => state.is_unchanged(),
            Rule::Never => false,
        };
        (fits && !state.is_wished(slot)).then_some(index)
    }
}

impl ChoicesMut<'_> {
    /// Answers the first read of a slot in the middle of an interval, if the rule of its field was checked in the same run: does what
    /// `choose_unchanged` does, in a few instructions. Returns false, and does nothing, if that is not so.
    #[inline(always)]
    pub(super) fn choose_in_interval(&mut self, slot: SlotHandle, work: &Workspace) -> bool {
        let state = &mut *self.state;
        if !state.has_bounds || !work.is_in_interval() {
            return false;
        }
        let (id, field, index) = (slot.id(), slot.field(), slot.prepared());
        // SAFETY: the slot is of this engine's heap, and the table has an entry for each of its fields.
        let rule = unsafe { state.rules.get_unchecked(field.index()) };
        if index >= rule.bound || !state.is_own(id, index) || state.is_wished(id) {
            return false;
        }
        rule.prefetch(index);
        work.choose_in_interval();
        // SAFETY: the slot asks, so that it has no index but the one that it is prepared for, which is less than `NO_INDEX`.
        unsafe { slot.take_prepared(index) };
        state.decisions.push_like_last(slot, id, field, index);
        true
    }

    /// Answers the first read of a slot that keeps the index that the value has, whatever else was decided. Returns false, and does nothing,
    /// if that is not so, or other decisions have to be looked at.
    #[inline(never)]
    pub(super) fn choose_unchanged(&mut self, slot: SlotHandle, work: &Workspace) -> bool {
        if self.state.decisions.unread_offer().is_some() {
            return false;
        }
        let (id, field, prepared) = (slot.id(), slot.field(), slot.prepared());
        let Some(index) = self.view().unchanged_index(id, field, prepared) else { return false };
        let Some(resume) = work.choose_in_order(|| self.state.decisions.len()) else { return false };
        if prepared == index {
            // SAFETY: this is the index that the slot is prepared for.
            unsafe { slot.take_prepared(index) };
        } else {
            slot.assign(index);
        }
        self.state.decisions.push(slot, id, field, index, &resume);
        if work.is_in_interval() {
            self.set_bound(field);
        }
        true
    }

    /// Sets the bound of a rule that was checked, in an interval.
    fn set_bound(&mut self, field: FieldId) {
        self.state.rules[field.index()].bound = match self.state.rules[field.index()].rule {
            Rule::Always => NO_INDEX,
            Rule::InArena { arena, nulls } => self.engine.decided_len(arena).map_or(0, |len| nulls + len),
            Rule::WhileUnchanged if self.state.is_unchanged() => NO_INDEX,
            Rule::WhileUnchanged | Rule::Never => 0,
        };
        self.state.has_bounds = true;
    }

    /// Records the unchanged decisions that were not recorded when they were made.
    pub(crate) fn record_unchanged(&mut self) {
        // The decisions are read while everything else changes.
        let decisions = std::mem::take(&mut self.state.decisions);
        for (number, decision) in decisions.as_slice().iter().enumerate().skip(self.state.recorded) {
            // Not by way of the slots, which lie all over the heap.
            let (slot, field, index) = (decision.id, decision.field, decision.first_index);
            self.engine.values[slot.index()] = index;
            self.state.note_read(slot, number);
            self.state.note_led(&self.engine.layout, slot, field, index);
        }
        self.state.recorded = decisions.len();
        self.state.decisions = decisions;
    }
}
