//! The state of a repair: what each slot of the value has and is to have, what was decided and read, and what differs. Objects are those of the
//! value, each with an identity, so that nothing here is up to isomorphism.

use std::collections::BTreeMap;

use super::alternatives::Target;
use super::decisions::Decisions;
use super::incoming::Incoming;
use super::kept::Kept;
use super::step_budget::StepBudget;
use super::targets::{Bits, Led, Room, Targets};
use super::unchanged::FieldRule;
use crate::memory::pages;
use crate::model::ids::{FieldId, SlotId};
use crate::slots::kinds::{Edge, SlotKind};
use crate::slots::layout::Layout;
use crate::slots::slot::UNASSIGNED;

/// Why a run of the predicate ended early.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Interruption {
    /// It has panicked, with this message.
    Panic(String),
    /// It has taken more steps without reading a new field than it may.
    Loop,
}

/// The state of one repair.
pub(crate) struct State {
    /// Slots that have an index, in the order in which they were read.
    pub(crate) decisions: Decisions,
    /// Per slot, the index that the value has; `UNASSIGNED` in objects that it does not have.
    pub(crate) original: Vec<u32>,
    /// Per field, when its slots get that index whatever else was chosen.
    pub(super) rules: Vec<FieldRule>,
    /// Whether one of the rules has a bound below which indices need no check.
    pub(super) has_bounds: bool,
    /// The slots that are to have another index, and the same as a set.
    pub(super) wishes: BTreeMap<SlotId, u32>,
    pub(super) wished: Bits,
    /// What must not change.
    pub(super) kept: Kept,
    /// The numbers of everything that slots lead to.
    pub(super) targets: Targets,
    /// Per target, which decisions lead to it.
    pub(super) led: Vec<Led>,
    /// How many objects and elements there may be.
    pub(super) room: Room,
    /// Which fields lead to what, whether by a decision or not.
    pub(super) incoming: Incoming,
    /// Slots whose decision differs from the original, in no order.
    pub(super) changed: Vec<SlotId>,
    /// How many slots may differ, and whether something was not tried for that.
    pub(crate) most_changes: usize,
    pub(crate) was_cut: bool,
    /// Whether slots that the value does not have were read, or may have been.
    pub(super) has_more: bool,
    /// Whether numbers were added to lists of values.
    pub(crate) has_admitted: bool,
    /// How many of the first decisions are recorded in `led`, `changed` and the fields below. The others are unchanged; they are recorded when
    /// the run is over, or before a decision that depends on them.
    pub(super) recorded: usize,
    /// Per decided slot, how many decisions there are before its own.
    pub(super) depths: Vec<u32>,
    /// Per slot, whether it was read; and those that were read for the first time since `begin_trial`, if there was one.
    read: Bits,
    is_trial: bool,
    pub(super) read_first: Vec<SlotId>,
    /// Why the last run ended early, if it did.
    pub(crate) interruption: Option<Interruption>,
    /// Whether the predicate sees indices that lead out of their arenas as they are.
    pub(crate) shows_stray_indices: bool,
    /// How many decisions there were before the first of these indices.
    pub(crate) first_stray: Option<usize>,
    /// The step budget of a run.
    pub(crate) budget: StepBudget,
    /// Which objects a reference is changed to first.
    pub(super) order: [Target; 5],
    /// Number of decisions after which comparisons are no longer noted; `None`: no limit.
    pub(crate) noted_until: Option<usize>,
}

/// Tables that an earlier repair has left on its heap: clearing them is faster than making them anew.
#[derive(Default)]
pub(crate) struct Spare {
    pub(crate) original: Vec<u32>,
    decisions: Decisions,
    depths: Vec<u32>,
    led: Vec<Led>,
    sets: [Vec<u64>; 2],
    incoming: Vec<u64>,
}

impl State {
    /// Begins a repair of the value that has the `original` slots.
    pub(crate) fn new(
        layout: &Layout,
        original: Vec<u32>,
        room: Room,
        kept: Kept,
        order: [Target; 5],
        budget: StepBudget,
        spare: Spare,
    ) -> Self {
        let targets = Targets::new(layout, &original, &room);
        let mut led = pages::rezeroed(spare.led, targets.len);
        let [wished, read] = spare.sets.map(|set| Bits(pages::rezeroed(set, original.len() / 64 + 1)));
        // They have no meaning for slots that have no choice.
        let depths = Some(spare.depths).filter(|depths| depths.len() == original.len());
        // Where all objects of a class are allocated in one way, and none is bound to its owner, there is nothing to note.
        if layout.has_allocation_constraints() {
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
        let mut decisions = spare.decisions;
        decisions.make_room(original.len());
        State {
            decisions,
            rules: layout.fields.iter().map(|field| FieldRule::of(layout, field)).collect(),
            has_bounds: false,
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
            recorded: 0,
            depths: depths.unwrap_or_else(|| pages::zeroed(original.len())),
            read,
            is_trial: false,
            read_first: Vec::new(),
            interruption: None,
            shows_stray_indices: false,
            first_stray: None,
            budget,
            order,
            noted_until: None,
            targets,
            original,
        }
    }

    /// Makes all decided slots unassigned, and leaves its tables for the next repair.
    pub(crate) fn end(&mut self) -> Spare {
        self.decisions.clear();
        Spare {
            decisions: std::mem::take(&mut self.decisions),
            original: std::mem::take(&mut self.original),
            depths: std::mem::take(&mut self.depths),
            led: std::mem::take(&mut self.led),
            sets: [&mut self.wished, &mut self.read].map(|set| std::mem::take(&mut set.0)),
            incoming: std::mem::take(&mut self.incoming).into_spare(),
        }
    }

    /// Returns the index that the value has in a slot; none in what it does not have.
    #[inline]
    pub(crate) fn original(&self, slot: SlotId) -> Option<u32> {
        Some(self.original[slot.index()]).filter(|&index| index != UNASSIGNED)
    }

    /// Returns the index that a slot is to have.
    pub(crate) fn wanted(&self, slot: SlotId) -> Option<u32> {
        let wish = if self.wishes.is_empty() { None } else { self.wishes.get(&slot).copied() };
        wish.or_else(|| self.original(slot))
    }

    /// Lets at most `objects` objects of each class be added from now on; none: as many as the user allows.
    pub(crate) fn make_anew(&mut self, objects: Option<u32>) {
        self.room.made_anew = objects.map(|objects| objects.min(self.room.most_fresh.unwrap_or(u32::MAX)));
    }

    /// Whether no slot has another index than the value has, or is to have one.
    #[inline]
    pub(super) fn is_unchanged(&self) -> bool {
        self.changed.is_empty() && self.wishes.is_empty()
    }

    /// Returns the slots whose decision differs from the original.
    pub(crate) fn changed(&self) -> &[SlotId] {
        &self.changed
    }

    /// Whether a slot differs from the original with this index.
    pub(super) fn is_change(&self, slot: SlotId, index: u32) -> bool {
        self.original(slot).is_some_and(|original| original != index)
    }

    /// Begins to collect slots that are read for the first time.
    pub(crate) fn begin_trial(&mut self) {
        self.is_trial = true;
        self.read_first.clear();
    }

    /// Returns the index that a slot is to have in place of its own.
    pub(crate) fn wish(&self, slot: SlotId) -> Option<u32> {
        self.wishes.get(&slot).copied()
    }

    /// Notes that links were changed.
    pub(crate) fn note_changed_links(&mut self) {
        self.incoming.note_changed();
    }

    /// Forgets the reads since `begin_trial`.
    pub(crate) fn forget_trial(&mut self) {
        for slot in self.read_first.drain(..) {
            self.read.set(slot, false);
        }
    }

    /// Forgets all reads.
    pub(crate) fn forget_reads(&mut self) {
        self.read.0.fill(0);
        self.read_first.clear();
        self.is_trial = false;
    }

    /// Forgets that a slot was read.
    pub(crate) fn forget_read(&mut self, slot: SlotId) {
        self.read.set(slot, false);
    }

    /// Whether decisions lead to what a slot would lead to with an index.
    pub(super) fn is_reached(&self, layout: &Layout, slot: SlotId, index: u32) -> bool {
        self.targets.of(layout, slot, index).is_some_and(|target| self.led[target].count > 0)
    }

    /// Returns the index that a slot was given, or is to have.
    pub(super) fn index_now(&self, values: &[u32], slot: SlotId) -> u32 {
        match values[slot.index()] {
            UNASSIGNED => self.wanted(slot).unwrap_or(UNASSIGNED),
            index => index,
        }
    }

    /// Returns what a slot leads to with the index that it was given, or is to have.
    pub(super) fn target_now(&self, layout: &Layout, values: &[u32], slot: SlotId) -> Option<usize> {
        self.targets.of(layout, slot, self.index_now(values, slot))
    }

    /// Notes that a slot was read, after `depth` decisions.
    #[inline(always)]
    pub(super) fn note_read(&mut self, slot: SlotId, depth: usize) {
        if !self.read.set(slot, true) && self.is_trial {
            self.read_first.push(slot);
        }
        self.depths[slot.index()] = depth as u32;
    }

    /// Notes that a decision leads to what a slot leads to with an index.
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

    /// Returns what an undecided slot is going to lead to.
    pub(super) fn wanted_target(&self, layout: &Layout, slot: SlotId) -> Option<usize> {
        self.targets.of(layout, slot, self.wanted(slot)?)
    }
}
