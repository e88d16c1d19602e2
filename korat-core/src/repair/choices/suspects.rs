//! Suspect links, judged by all others: null while an object is lost, or with the same target as another link. Takes a slot, tells whether it is
//! suspect and why.

use super::incoming::goes_the_way;
use super::reads::MOST_SLOTS;
use super::rings::Links;
use super::{Choices, ChoicesMut};
use crate::engine::choice_stack::Engine;
use crate::model::ids::SlotId;
use crate::slots::kinds::SlotKind;

impl Choices<'_> {
    /// Whether the new target of a slot has a link to the old one, and so was left out.
    pub(crate) fn was_bypassed(self, slot: SlotId) -> bool {
        let Choices { engine, state } = self;
        let target = |slot| state.target_now(&engine.layout, &engine.values, slot);
        let before = state.wanted(slot).and_then(|index| state.targets.of(&engine.layout, slot, index));
        let Some(object) = self.led_to(slot, engine.value(slot)) else { return false };
        before.is_some() && engine.layout.slots_of(object).take(MOST_SLOTS).any(|link| target(link) == before)
    }

    /// Whether a slot was the first to lead to what it leads to with an index.
    pub(crate) fn is_leader(self, slot: SlotId, index: u32) -> bool {
        let target = self.state.targets.of(&self.engine.layout, slot, index);
        target.is_some_and(|target| self.state.led[target].leader() == slot)
    }
}

impl ChoicesMut<'_> {
    /// Computes the incoming links, unless they are known.
    pub(super) fn know_incoming(&mut self) {
        let ChoicesMut { engine: Engine { layout, values, .. }, state } = self;
        if state.incoming.is_known() {
            return;
        }
        let mut incoming = std::mem::take(&mut state.incoming);
        if state.is_unchanged() {
            incoming.find(layout, &state.targets, &state.original);
        } else {
            let indices: Vec<u32> = (0..values.len()).map(|slot| state.index_now(values, SlotId::new(slot))).collect();
            incoming.find(layout, &state.targets, &indices);
        }
        state.incoming = incoming;
    }

    /// Whether a choice leads, in the way that another one does, to what is led to twice.
    pub(crate) fn shares_the_way(&mut self, slot: SlotId, other: SlotId) -> bool {
        self.know_incoming();
        let ChoicesMut { engine: Engine { layout, values, .. }, state } = self;
        let target = state.targets.of(layout, slot, values[slot.index()]);
        target.is_some_and(|target| state.led[target].count > 1) && state.incoming.is_same_way(layout, slot, other)
    }

    /// Whether a link is suspect: it is null, or shares its target with another link of its direction, which most links do not.
    pub(crate) fn is_suspect(&mut self, slot: SlotId, index: u32) -> bool {
        self.know_incoming();
        let (layout, state) = (&self.engine.layout, &mut *self.state);
        let target = state.targets.of(layout, slot, index);
        target.is_none_or(|target| state.incoming.may_be_shared(layout, &state.targets, slot, target))
    }

    /// Whether an object is lost that a slot could refer to.
    pub(crate) fn is_anything_lost(&mut self, slot: SlotId) -> bool {
        self.know_incoming();
        self.state.incoming.lost(&self.engine.layout, &self.state.targets, slot, 0).is_some()
    }

    /// Whether a slot shares its target with another link of its direction.
    pub(crate) fn is_shared_link(&mut self, slot: SlotId) -> bool {
        let index = self.engine.values[slot.index()];
        self.state.targets.of(&self.engine.layout, slot, index).is_some() && self.is_suspect(slot, index)
    }

    /// Whether a slot is null with an index, and an object is lost that it could refer to.
    pub(crate) fn is_vacant(&mut self, slot: SlotId, index: u32) -> bool {
        let (nulls, present) = match self.engine.layout.kind(slot) {
            SlotKind::Reference(reference) => {
                (reference.nulls, reference.nulls + self.state.room.present[reference.target.index()])
            }
            SlotKind::Index(of) => (of.nulls, u32::MAX),
            SlotKind::Value { .. } | SlotKind::Name(_) => return false,
        };
        if index >= nulls {
            return false;
        }
        self.know_incoming();
        self.state.incoming.forget_rings(&self.engine.layout, &self.state.targets, slot);
        self.look_for_rings(slot);
        let (layout, state) = (&self.engine.layout, &mut *self.state);
        let mut from = 0;
        while let Some(index) = state.incoming.lost(layout, &state.targets, slot, from) {
            if index < present && !state.is_reached(layout, slot, index) {
                return true;
            }
            from = index + 1;
        }
        false
    }

    /// Whether a slot is a null reference with an index, and no object is lost that it could refer to.
    pub(crate) fn is_empty_link(&mut self, slot: SlotId, index: u32) -> bool {
        let leads_nowhere = matches!(self.engine.layout.kind(slot), SlotKind::Reference(to) if index < to.nulls);
        leads_nowhere && !self.is_vacant(slot, index)
    }

    /// Computes the unreachable rings, whose objects are lost, too.
    pub(crate) fn look_for_rings(&mut self, slot: SlotId) {
        self.know_incoming();
        let ChoicesMut { engine: Engine { layout, values, .. }, state } = self;
        let Some((first, count, _)) = state.targets.first_of(layout, slot) else { return };
        let mut incoming = std::mem::take(&mut state.incoming);
        incoming.look_for_rings(layout, &state.targets, slot, |fields, lost| {
            let now = |slot| state.target_now(layout, values, slot);
            let goes_along = |slot| goes_the_way(layout, fields, slot);
            let range = first..first + count as usize;
            let links = Links::new(layout, &state.targets, &state.original, now, range, goes_along);
            links.lost_rings(lost.iter().copied())
        });
        state.incoming = incoming;
    }
}
