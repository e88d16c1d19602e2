//! Decisions that depend on others, and how they are undone: a slot gets its intended index if that fits the decisions made so far, and an
//! alternative otherwise.

use super::alternatives::Alternatives;
use super::targets::Led;
use super::{Choices, ChoicesMut};
use crate::engine::choice_stack::Refusal;
use crate::engine::resume_point::ResumePoint;
use crate::engine::stop::Stop;
use crate::model::ids::SlotId;
use crate::slots::kinds::{Edge, SlotKind};
use crate::slots::slot::UNASSIGNED;
use crate::slots::slot_handle::SlotHandle;

impl Choices<'_> {
    /// Returns whether an index of a slot is compatible with the decisions made so far.
    pub(crate) fn fits(self, slot: SlotId, index: u32) -> bool {
        let Choices { engine, state } = self;
        match engine.layout.kind(slot) {
            SlotKind::Reference(reference) => {
                let Some(ordinal) = reference.object(index) else { return true };
                let object = engine.layout.object_of(reference, ordinal);
                let led = state.led[object.index()];
                let has_owner = led.is(Led::OWNED) || (led.is(Led::BOUND) && state.original(slot) != Some(index));
                let owns_alone = matches!(reference.edge, Edge::Owned | Edge::Part);
                let is_alike = led.alloc().is_none_or(|alloc| alloc == reference.alloc);
                // The root lies in no pointer.
                object != engine.links.root() && !(owns_alone && has_owner) && is_alike
            }
            SlotKind::Index(of) => {
                let Some(arena) = engine.layout.membership(slot).index_of else { return false };
                index < of.nulls || index - of.nulls < engine.arena_len(arena)
            }
            SlotKind::Value { len } => index < len && self.is_new_member(slot, index),
            SlotKind::Name(name) => index < name.len,
        }
    }

    /// Returns whether no other member of the set that a slot belongs to has this index.
    fn is_new_member(self, slot: SlotId, index: u32) -> bool {
        let Some(set) = self.engine.layout.membership(slot).member else { return true };
        let members = self.engine.layout.unordered_vectors[set as usize].elements.iter();
        members.flat_map(Clone::clone).all(|member| member == slot.0 || self.engine.values[member as usize] != index)
    }

    /// Returns the number of decisions.
    pub(crate) fn depth(self) -> usize {
        self.state.decisions.len()
    }

    /// Returns the slot and the index of a decision.
    pub(crate) fn at(self, depth: usize) -> (SlotId, u32) {
        let decision = &self.state.decisions.as_slice()[depth];
        (decision.id, decision.index())
    }
}

impl ChoicesMut<'_> {
    /// Wants a slot to have an index from now on; none: its own.
    pub(crate) fn want(&mut self, slot: SlotId, index: Option<u32>) {
        let ChoicesMut { engine, state } = self;
        let is_decided = engine.values[slot.index()] != UNASSIGNED;
        let before = state.wanted_target(&engine.layout, slot);
        match index {
            Some(index) => state.wishes.insert(slot, index),
            None => state.wishes.remove(&slot),
        };
        state.wished.set(slot, index.is_some());
        if !is_decided {
            let after = state.wanted_target(&engine.layout, slot);
            state.incoming.shift(&engine.layout, slot, before, after);
        }
    }

    /// Wants every slot to have its own index.
    pub(crate) fn want_nothing(&mut self) {
        let wishes: Vec<SlotId> = self.state.wishes.keys().copied().collect();
        for slot in wishes {
            self.want(slot, None);
        }
    }

    /// Adds a number to the values of a slot, if it is none of them. Only lists of bounds that are made of the value have room.
    pub(crate) fn admit(&mut self, slot: SlotId, number: i128) {
        let layout = &mut self.engine.layout;
        if layout.index_of_number(slot, number).is_none() && layout.admit(slot, number) {
            self.state.has_admitted = true;
        }
    }

    /// Answers the first read of a slot whose index depends on other decisions, or is to be another one.
    #[cold]
    #[inline(never)]
    pub(super) fn choose(&mut self, slot: SlotHandle, resume: &ResumePoint) -> Result<u32, Refusal> {
        if let Some(offered) = self.state.decisions.unread_offer() {
            return Err(self.engine.refusal_of_offer(offered, slot));
        }
        self.record_unchanged();
        let id = slot.id();
        if let Some(first) = self.engine.first_to_decide(id) {
            return Err(Refusal::NotYet { first });
        }
        let wanted = self.state.wanted(id);
        let index = match wanted.filter(|&index| self.view().fits(id, index)) {
            Some(index) => index,
            None if let Some(index) = self.stray_index(id) => index,
            // It has none, or what it has was given to another slot.
            None => self.first_alternative(id).ok_or(Refusal::Stop(Stop::DeadEnd))?,
        };
        let state = &mut *self.state;
        if state.is_change(id, index) && state.changed.len() >= state.most_changes {
            state.was_cut = true;
            return Err(Refusal::Stop(Stop::DeadEnd));
        }
        let depth = state.decisions.len();
        state.note_read(id, depth);
        state.recorded = depth + 1;
        self.record_held(id, index);
        slot.assign(index);
        self.state.decisions.push(slot, id, slot.field(), index, resume);
        Ok(index)
    }

    /// Returns the index that the value has in a slot, if it leads out of its arena and the predicate is to see that.
    fn stray_index(&mut self, slot: SlotId) -> Option<u32> {
        let is_index = matches!(self.engine.layout.kind(slot), SlotKind::Index(_));
        if !is_index || !self.state.shows_stray_indices {
            return None;
        }
        let index = self.state.original(slot)?;
        let depth = self.state.decisions.len();
        self.state.first_stray.get_or_insert(depth);
        Some(index)
    }

    /// Moves the last decision on to its next alternative, which is to be read next; drops it if there is none, and returns false.
    pub(crate) fn move_on(&mut self, tried: &mut Alternatives) -> bool {
        let last = self.state.decisions.last().map(|last| (last.slot, last.id, last.index()));
        let Some((slot, id, before)) = last else { return false };
        self.record_left(id, before);
        match self.next_alternative(tried) {
            Some(index) => {
                self.record_held(id, index);
                slot.offer(index);
                true
            }
            None => {
                self.drop_recorded();
                false
            }
        }
    }

    /// Drops all decisions but the first `depth`.
    pub(crate) fn cut(&mut self, depth: usize) {
        while self.state.decisions.len() > depth {
            let Some((id, index)) = self.state.decisions.last().map(|last| (last.id, last.index())) else { return };
            self.record_left(id, index);
            self.drop_recorded();
        }
    }

    /// Drops all decisions but the first `depth`, whether they were recorded or not; a run is going to make the same again.
    pub(crate) fn cut_to_repeat(&mut self, depth: usize) {
        while self.state.decisions.len() > depth.max(self.state.recorded) {
            self.drop_last(true);
        }
        self.cut(depth);
    }

    /// Drops the last decision, which was recorded and is not any more.
    fn drop_recorded(&mut self) {
        let last = self.state.decisions.last();
        let is_own = last.is_some_and(|last| self.state.original(last.id) == Some(last.index()));
        self.drop_last(is_own);
        self.state.recorded = self.state.decisions.len();
    }

    /// Drops the last decision. The same may be made again, if it is the value's own.
    fn drop_last(&mut self, is_own: bool) {
        let Some(last) = self.state.decisions.pop() else { return };
        if is_own {
            last.slot.give_back();
        } else {
            last.slot.erase();
        }
    }

    fn record_held(&mut self, slot: SlotId, index: u32) {
        let ChoicesMut { engine, state } = self;
        engine.values[slot.index()] = index;
        if state.incoming.is_known() {
            let wanted = state.wanted_target(&engine.layout, slot);
            let held = state.targets.of(&engine.layout, slot, index);
            state.incoming.shift(&engine.layout, slot, wanted, held);
        }
        if state.is_change(slot, index) {
            state.changed.push(slot);
            state.has_more |= state.leads_to_more(&engine.layout, slot, index);
            state.forget_bounds();
        }
        state.note_led(&engine.layout, slot, engine.layout.slots[slot.index()].field, index);
    }

    fn record_left(&mut self, slot: SlotId, index: u32) {
        let ChoicesMut { engine, state } = self;
        engine.values[slot.index()] = UNASSIGNED;
        if state.incoming.is_known() {
            let held = state.targets.of(&engine.layout, slot, index);
            let wanted = state.wanted_target(&engine.layout, slot);
            state.incoming.shift(&engine.layout, slot, held, wanted);
        }
        if state.is_change(slot, index)
            && let Some(at) = state.changed.iter().rposition(|&changed| changed == slot)
        {
            state.changed.swap_remove(at);
        }
        if let Some(target) = state.targets.of(&engine.layout, slot, index) {
            let led = &mut state.led[target];
            led.count -= 1;
            if let SlotKind::Reference(reference) = engine.layout.kind(slot) {
                if matches!(reference.edge, Edge::Owned | Edge::Part) {
                    led.set(Led::OWNED, false);
                }
                // A fresh object may be allocated in another way the next time.
                let ordinal = target - engine.layout.object_of(reference, 0).index();
                if led.count == 0 && ordinal as u32 >= state.room.present[reference.target.index()] {
                    led.set_alloc(None);
                }
            }
        }
    }
}
