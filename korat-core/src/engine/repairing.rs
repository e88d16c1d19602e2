//! What is known in a repair of the value and of the choices made so far: what each slot has and is to have, what was read, what differs.
//! Objects are those of the value, each with an identity, so that nothing here is up to isomorphism.

use std::collections::BTreeMap;

use super::alternatives::Target;
use super::as_it_was::OwnField;
use super::choice::UNASSIGNED;
use super::incoming::Incoming;
use super::kept::Kept;
use super::layout::{Edge, Layout, SlotKind};
use super::patience::Patience;
use super::targets::{Bits, Led, Room, Targets};
use crate::ids::{FieldId, SlotId};
use crate::pages;

/// Why a run of the predicate has not come to its end.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BrokenOff {
    /// It has panicked, with this message.
    Panic(String),
    /// It has taken more steps without reading a new field than it may.
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
    pub(super) kept: Kept,
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
        kept: Kept,
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
    pub(super) fn into_spare(self) -> Spare {
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
    pub(super) fn is_change(&self, slot: SlotId, index: u32) -> bool {
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
    pub(super) fn wanted_target(&self, layout: &Layout, slot: SlotId) -> Option<usize> {
        self.targets.of(layout, slot, self.wanted(slot)?)
    }
}
