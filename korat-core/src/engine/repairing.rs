//! Choices that repair makes: a slot gets the index that the value to be repaired has there, as long as that is possible, and
//! another one only where a repair says so. Objects are those of the value, each with an identity, so that nothing here
//! is up to isomorphism.

use std::collections::BTreeMap;

use super::alternatives::{Alternatives, Target};
use super::as_it_was::OwnField;
use super::choice::{Engine, Refusal, UNASSIGNED};
use super::incoming::Incoming;
use super::layout::{Edge, Layout, SlotKind};
use super::patience::Patience;
use super::targets::{Bits, Led, Room, Targets};
use crate::ambient::Stop;
use crate::ids::{FieldId, SlotId};
use crate::pages;
use crate::slot::Eraser;
use crate::undo::Resume;

/// Why a run of the predicate has not come to its end.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BrokenOff {
    /// It has panicked, with this message.
    Panic(String),
    /// It has taken as many steps without reading a new field as the user has allowed.
    Loop,
}

/// What is known of the value that is being repaired, and of the choices made so far.
pub(crate) struct Repairing {
    /// Per slot, the index that the value has. `UNASSIGNED` in objects that it does not have.
    pub(crate) original: Vec<u32>,
    /// Per field, when its slots get these and nothing else has to be looked at.
    pub(super) own: Vec<OwnField>,
    /// Whether some of these know what needs no look.
    pub(super) is_plain: bool,
    /// The slots that are to have another one; and the same as a set.
    pub(super) wishes: BTreeMap<SlotId, u32>,
    pub(super) wished: Bits,
    /// Per declared field, whether it may not change.
    kept: Vec<bool>,
    pub(super) targets: Targets,
    /// Per target, what is known of it.
    pub(super) led: Vec<Led>,
    pub(super) room: Room,
    pub(super) incoming: Incoming,
    /// Slots whose choice differs from the original, in no order.
    pub(super) changed: Vec<SlotId>,
    /// How many may; and whether something was not tried for that.
    pub(crate) most_changes: usize,
    pub(crate) was_cut: bool,
    /// Whether slots were read, or may have been, that the value does not have.
    pub(super) has_more: bool,
    /// Whether lists have got numbers that they had not.
    pub(crate) has_admitted: bool,
    /// How many of the first choices are noted in `led`, `changed` and what follows here. The others are as the value has them; they
    /// are noted when the run is over, or before a choice that depends on them.
    pub(super) noted: usize,
    /// Per slot that has a choice, how many there are before it.
    pub(super) depths: Vec<u32>,
    /// Per slot, whether it was read; and those that were read for the first time since `begin_trial`, if there was one.
    read: Bits,
    is_trial: bool,
    pub(super) read_first: Vec<SlotId>,
    /// Why the last run did not come to its end, if it did not.
    pub(crate) broken_off: Option<BrokenOff>,
    /// Whether the predicate runs on the value as it is, indices that lead out of their arenas included.
    pub(crate) as_it_is: bool,
    /// How many choices there were before the first of these.
    pub(crate) led_out: Option<usize>,
    /// How long the predicate may go on.
    pub(crate) patience: Patience,
    /// Which objects a reference is changed to first.
    pub(super) order: [Target; 5],
    /// After so many choices nobody wants to know what is compared any more; none: always.
    pub(crate) noted_until: Option<usize>,
}

/// Tables that an earlier repair has left: to make them anew takes longer than to write zeros.
#[derive(Default)]
pub(crate) struct Spare {
    pub(crate) original: Vec<u32>,
    depths: Vec<u32>,
    led: Vec<Led>,
    sets: [Vec<u64>; 2],
    incoming: Vec<u64>,
}

impl Repairing {
    /// The value has the `original` slots; fields that are `kept` may not change.
    pub(crate) fn new(
        layout: &Layout,
        original: Vec<u32>,
        room: Room,
        kept: Vec<bool>,
        order: [Target; 5],
        patience: Patience,
        spare: Spare,
    ) -> Self {
        let targets = Targets::new(layout, &original, &room);
        let mut led = pages::zeroed_again(spare.led, targets.len);
        let [wished, read] = spare.sets.map(|set| Bits(pages::zeroed_again(set, original.len() / 64 + 1)));
        // They have no meaning for slots that have no choice.
        let depths = Some(spare.depths).filter(|depths| depths.len() == original.len());
        // Where all objects of a class are allocated in one way, and none is bound to its owner, there is nothing to note.
        if layout.has_ways() {
            for (slot, &index) in original.iter().enumerate() {
                if index != UNASSIGNED
                    && let SlotKind::Reference(reference) = layout.kind(SlotId::new(slot))
                    && let Some(ordinal) = reference.object(index)
                {
                    let led = &mut led[layout.object_of(reference, ordinal).index()];
                    led.set_alloc(Some(reference.alloc));
                    led.set(Led::BOUND, led.is(Led::BOUND) || layout.is_bound(SlotId::new(slot)));
                }
            }
        }
        Repairing {
            own: layout.fields.iter().map(|field| OwnField::of(layout, field)).collect(),
            is_plain: false,
            wishes: BTreeMap::new(),
            wished,
            kept,
            incoming: Incoming::unknown(spare.incoming),
            led,
            room,
            changed: Vec::new(),
            has_more: false,
            has_admitted: false,
            most_changes: usize::MAX,
            was_cut: false,
            noted: 0,
            depths: depths.unwrap_or_else(|| pages::zeroed(original.len())),
            read,
            is_trial: false,
            read_first: Vec::new(),
            broken_off: None,
            as_it_is: false,
            led_out: None,
            patience,
            order,
            noted_until: None,
            targets,
            original,
        }
    }

    /// What is left of it when the repair is over.
    fn into_spare(self) -> Spare {
        Spare {
            original: self.original,
            depths: self.depths,
            led: self.led,
            sets: [self.wished.0, self.read.0],
            incoming: self.incoming.into_spare(),
        }
    }

    /// The index that the value has in a slot; none in what it does not have.
    pub(crate) fn original(&self, slot: SlotId) -> Option<u32> {
        Some(self.original[slot.index()]).filter(|&index| index != UNASSIGNED)
    }

    /// The index that a slot is to have.
    pub(crate) fn wanted(&self, slot: SlotId) -> Option<u32> {
        let wish = if self.wishes.is_empty() { None } else { self.wishes.get(&slot).copied() };
        wish.or_else(|| self.original(slot))
    }

    /// So many objects of each class may be added from now on; none: as many as ever.
    pub(crate) fn make_anew(&mut self, objects: Option<u32>) {
        self.room.made_anew = objects.map(|objects| objects.min(self.room.most_fresh.unwrap_or(u32::MAX)));
    }

    /// Whether nothing is changed, or is to be.
    #[inline]
    pub(super) fn is_as_it_was(&self) -> bool {
        self.changed.is_empty() && self.wishes.is_empty()
    }

    /// The slots whose choice differs from the original.
    pub(crate) fn changed(&self) -> &[SlotId] {
        &self.changed
    }

    /// Whether a slot differs from the original with this index.
    fn is_change(&self, slot: SlotId, index: u32) -> bool {
        self.original(slot).is_some_and(|original| original != index)
    }

    /// Reads are counted as first ones anew.
    pub(crate) fn begin_trial(&mut self) {
        self.is_trial = true;
        self.read_first.clear();
    }

    /// The index that a slot is to have in place of its own.
    pub(crate) fn wish(&self, slot: SlotId) -> Option<u32> {
        self.wishes.get(&slot).copied()
    }

    /// Links were changed.
    pub(crate) fn note_changed_links(&mut self) {
        self.incoming.note_changed();
    }

    /// The slots read for the first time were not read.
    pub(crate) fn forget_trial(&mut self) {
        for slot in self.read_first.drain(..) {
            self.read.set(slot, false);
        }
    }

    /// Nothing was read.
    pub(crate) fn forget_reads(&mut self) {
        self.read.0.fill(0);
        self.read_first.clear();
        self.is_trial = false;
    }

    /// A slot was not read.
    pub(crate) fn forget_read(&mut self, slot: SlotId) {
        self.read.set(slot, false);
    }

    /// Whether choices lead to what a slot would lead to with an index.
    pub(super) fn is_reached(&self, layout: &Layout, slot: SlotId, index: u32) -> bool {
        self.targets.of(layout, slot, index).is_some_and(|target| self.led[target].count > 0)
    }

    /// The index that a slot has by its choice, or is to have.
    pub(super) fn index_now(&self, values: &[u32], slot: SlotId) -> u32 {
        match values[slot.index()] {
            UNASSIGNED => self.wanted(slot).unwrap_or(UNASSIGNED),
            index => index,
        }
    }

    /// What a slot leads to with it.
    pub(super) fn target_now(&self, layout: &Layout, values: &[u32], slot: SlotId) -> Option<usize> {
        self.targets.of(layout, slot, self.index_now(values, slot))
    }

    /// A slot is read, after so many choices.
    #[inline(always)]
    pub(super) fn note_read(&mut self, slot: SlotId, depth: usize) {
        if !self.read.set(slot, true) && self.is_trial {
            self.read_first.push(slot);
        }
        self.depths[slot.index()] = depth as u32;
    }

    /// A choice leads to what a slot leads to with an index.
    #[inline(always)]
    pub(super) fn note_led(&mut self, layout: &Layout, slot: SlotId, field: FieldId, index: u32) {
        let Some(target) = self.targets.by_field(layout, slot, field, index) else { return };
        let led = &mut self.led[target];
        led.add(slot);
        if let SlotKind::Reference(reference) = layout.fields[field.index()].kind {
            if matches!(reference.edge, Edge::Owned | Edge::Part) {
                led.set(Led::OWNED, true);
            }
            led.set_alloc(Some(reference.alloc));
        }
    }

    /// What a slot leads to that has no choice, and is to get the index that is wanted.
    fn wanted_target(&self, layout: &Layout, slot: SlotId) -> Option<usize> {
        self.targets.of(layout, slot, self.wanted(slot)?)
    }
}

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
        // SAFETY: the slot that asks is alive.
        let id = unsafe { slot.id() };
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
        // SAFETY: the slot that asks is alive.
        unsafe { slot.assign(index) };
        // SAFETY: as above.
        let field = unsafe { slot.field() };
        self.picks.push(slot, id, field, index, resume);
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
                // SAFETY: slots of the engine's choices are alive.
                unsafe { slot.offer(index) };
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
        // SAFETY: slots of the engine's choices are alive, and have an index.
        unsafe {
            if is_own {
                last.slot.give_back();
            } else {
                last.slot.erase();
            }
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

    /// Whether a slot may not change: the user says so, or it says where an object lies that lies in its holder.
    pub(crate) fn is_kept(&self, slot: SlotId) -> bool {
        let Some(repairing) = &self.repairing else { return false };
        let has_original = repairing.original(slot).is_some();
        has_original
            && (self.layout.is_part(slot)
                || self.layout.is_bound(slot)
                || repairing.kept[self.layout.declared(slot).index()])
    }

    /// Forgets the choices of a repair. What is known of them stays until the next search is begun, with `reset`.
    pub(crate) fn end_repair(&mut self) {
        self.picks.clear();
        self.slowly = false;
        self.spare = self.repairing.take().map(|repairing| repairing.into_spare()).unwrap_or_default();
    }
}
