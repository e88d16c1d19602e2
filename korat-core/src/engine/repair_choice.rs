//! Choices that repair makes: a slot gets the index that the value to be repaired has there, as long as that is possible, and
//! another one only where a repair says so.

use super::alternatives::Alternatives;
use super::choice::{Engine, Refusal, UNASSIGNED};
use super::layout::{Edge, SlotKind};
use super::repairing::Repairing;
use super::targets::Led;
use crate::ambient::Stop;
use crate::ids::SlotId;
use crate::slot::Eraser;
use crate::undo::Resume;

impl Engine {
    /// Makes choices for a repair from now on. Slots that are `settled` have an index without a choice.
    pub(crate) fn begin_repair(&mut self, repairing: Repairing, settled: impl Iterator<Item = (SlotId, u32)>) {
        for (slot, index) in settled {
            self.values[slot.index()] = index;
        }
        self.picks.make_room(self.values.len());
        self.repairing = Some(Box::new(repairing));
        self.slowly = true;
    }

    pub(crate) fn repairing(&mut self) -> &mut Repairing {
        self.repairing.as_mut().expect("[korat internal bug] no repair is under way")
    }

    /// A slot is to have an index from now on; none: its own.
    pub(crate) fn want(&mut self, slot: SlotId, index: Option<u32>) {
        let has_choice = self.values[slot.index()] != UNASSIGNED;
        let Some(repairing) = &mut self.repairing else { return };
        let before = repairing.wanted_target(&self.layout, slot);
        match index {
            Some(index) => repairing.wishes.insert(slot, index),
            None => repairing.wishes.remove(&slot),
        };
        repairing.wished.set(slot, index.is_some());
        if !has_choice {
            let after = repairing.wanted_target(&self.layout, slot);
            repairing.incoming.shift(&self.layout, slot, before, after);
        }
    }

    /// A number becomes one of the values of a slot, if it is none; only where bounds are made of the value, lists have room.
    pub(crate) fn admit(&mut self, slot: SlotId, number: i128) {
        if self.layout.index_of_number(slot, number).is_none() && self.layout.admit(slot, number) {
            self.repairing().has_admitted = true;
        }
    }

    /// Every slot is to have its own index.
    pub(crate) fn want_nothing(&mut self) {
        let wishes: Vec<SlotId> = self.repairing().wishes.keys().copied().collect();
        for slot in wishes {
            self.want(slot, None);
        }
    }

    /// Answers the first read of a slot in a repair, whose index depends on other choices or is to be another one.
    #[cold]
    #[inline(never)]
    pub(super) fn choose_for_repair(&mut self, slot: Eraser, resume: &Resume) -> Result<(u32, u32), Refusal> {
        if let Some(offered) = self.unread_offer() {
            return Err(self.refusal_of_offer(offered, slot));
        }
        self.note_choices();
        let id = slot.id();
        if let Some(first) = self.first_to_decide(id) {
            return Err(Refusal::NotYet { first });
        }
        let wanted = self.repairing().wanted(id);
        let index = match wanted.filter(|&index| self.fits(id, index)) {
            Some(index) => index,
            None if let Some(index) = self.let_out(id) => index,
            // It has none, or what it has was given to another slot.
            None => self.first_alternative(id).ok_or(Refusal::Stop(Stop::DeadEnd))?,
        };
        let repairing = self.repairing();
        if repairing.is_change(id, index) && repairing.changed.len() >= repairing.most_changes {
            repairing.was_cut = true;
            return Err(Refusal::Stop(Stop::DeadEnd));
        }
        let depth = self.depth();
        self.repairing().note_read(id, depth);
        self.repairing().noted = depth + 1;
        self.note_held(id, index);
        slot.assign(index);
        self.picks.push(slot, id, slot.field(), index, resume);
        Ok((index, 0))
    }

    /// The index that the value has in a slot, if it leads out of its arena and the predicate is to see that.
    fn let_out(&mut self, slot: SlotId) -> Option<u32> {
        let depth = self.depth();
        let is_index = matches!(self.layout.kind(slot), SlotKind::Index(_));
        let repairing = self.repairing.as_mut().filter(|repairing| is_index && repairing.as_it_is)?;
        let index = repairing.original(slot)?;
        repairing.led_out.get_or_insert(depth);
        Some(index)
    }

    /// Whether a slot may have an index beside the choices made so far.
    pub(crate) fn fits(&self, slot: SlotId, index: u32) -> bool {
        let Some(repairing) = &self.repairing else { return false };
        match self.layout.kind(slot) {
            SlotKind::Reference(reference) => {
                let Some(ordinal) = reference.object(index) else { return true };
                let object = self.layout.object_of(reference, ordinal);
                let led = repairing.led[object.index()];
                let has_owner = led.is(Led::OWNED) || (led.is(Led::BOUND) && repairing.original(slot) != Some(index));
                let owns_alone = matches!(reference.edge, Edge::Owned | Edge::Part);
                let is_alike = led.alloc().is_none_or(|alloc| alloc == reference.alloc);
                // The root lies in no pointer.
                object != self.links.root() && !(owns_alone && has_owner) && is_alike
            }
            SlotKind::Index(of) => {
                let Some(arena) = self.layout.place(slot).index_of else { return false };
                index < of.nulls || index - of.nulls < self.arena_len(arena)
            }
            SlotKind::Value { len } => index < len && self.is_new_member(slot, index),
            SlotKind::Name(name) => index < name.len,
        }
    }

    /// Whether no other member of the set that a slot belongs to has this index.
    fn is_new_member(&self, slot: SlotId, index: u32) -> bool {
        let Some(set) = self.layout.place(slot).member else { return true };
        let members = self.layout.sequences[set as usize].elements.iter();
        members.flat_map(Clone::clone).all(|member| member == slot.0 || self.values[member as usize] != index)
    }

    /// Moves the last choice on to its next alternative, which is to be read next; drops it if there is none, and says so.
    pub(crate) fn move_on_for_repair(&mut self, tried: &mut Alternatives) -> bool {
        let Some((slot, id, before)) = self.picks.last().map(|last| (last.slot, last.id, last.index())) else {
            return false;
        };
        self.note_left(id, before);
        match self.next_alternative(tried) {
            Some(index) => {
                self.note_held(id, index);
                slot.offer(index);
                true
            }
            None => {
                self.drop_noted();
                false
            }
        }
    }

    /// Drops all choices but the first `depth`.
    pub(crate) fn cut_for_repair(&mut self, depth: usize) {
        while self.depth() > depth {
            let Some((id, index)) = self.picks.last().map(|last| (last.id, last.index())) else { return };
            self.note_left(id, index);
            self.drop_noted();
        }
    }

    /// Drops all choices but the first `depth`, whether they were noted or not; a run is going to make the same again.
    pub(crate) fn cut_to_repeat(&mut self, depth: usize) {
        while self.depth() > depth.max(self.repairing().noted) {
            self.drop_last_pick(true);
        }
        self.cut_for_repair(depth);
    }

    /// Drops the last choice, which was noted and is not any more.
    fn drop_noted(&mut self) {
        let is_own = self.picks.last().is_some_and(|last| self.original(last.id) == Some(last.index()));
        self.drop_last_pick(is_own);
        self.repairing().noted = self.depth();
    }

    /// Drops the last choice. The same may be made again, if it is the value's own.
    fn drop_last_pick(&mut self, is_own: bool) {
        let Some(last) = self.picks.pop() else { return };
        if is_own {
            last.slot.give_back();
        } else {
            last.slot.erase();
        }
    }

    fn note_held(&mut self, slot: SlotId, index: u32) {
        self.values[slot.index()] = index;
        let Some(repairing) = &mut self.repairing else { return };
        if repairing.incoming.is_known() {
            let wanted = repairing.wanted_target(&self.layout, slot);
            let held = repairing.targets.of(&self.layout, slot, index);
            repairing.incoming.shift(&self.layout, slot, wanted, held);
        }
        if repairing.is_change(slot, index) {
            repairing.changed.push(slot);
            repairing.has_more |= repairing.leads_to_more(&self.layout, slot, index);
            repairing.forget_plain();
        }
        repairing.note_led(&self.layout, slot, self.layout.slots[slot.index()].field, index);
    }

    fn note_left(&mut self, slot: SlotId, index: u32) {
        self.values[slot.index()] = UNASSIGNED;
        let Some(repairing) = &mut self.repairing else { return };
        if repairing.incoming.is_known() {
            let held = repairing.targets.of(&self.layout, slot, index);
            let wanted = repairing.wanted_target(&self.layout, slot);
            repairing.incoming.shift(&self.layout, slot, held, wanted);
        }
        if repairing.is_change(slot, index)
            && let Some(at) = repairing.changed.iter().rposition(|&changed| changed == slot)
        {
            repairing.changed.swap_remove(at);
        }
        if let Some(target) = repairing.targets.of(&self.layout, slot, index) {
            let led = &mut repairing.led[target];
            led.count -= 1;
            if let SlotKind::Reference(reference) = self.layout.kind(slot) {
                if matches!(reference.edge, Edge::Owned | Edge::Part) {
                    led.set(Led::OWNED, false);
                }
                // A fresh object may be allocated in another way the next time.
                let ordinal = target - self.layout.object_of(reference, 0).index();
                if led.count == 0 && ordinal as u32 >= repairing.room.present[reference.target.index()] {
                    led.set_alloc(None);
                }
            }
        }
    }

    /// Forgets the choices of a repair. What is known of them stays until the next search is begun, with `reset`.
    pub(crate) fn end_repair(&mut self) {
        self.picks.clear();
        self.slowly = false;
        self.spare = self.repairing.take().map(|repairing| repairing.into_spare()).unwrap_or_default();
    }
}
