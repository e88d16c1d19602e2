//! Incoming links: which fields refer to each object or arena element, and which objects are lost. A broken link leaves its old target without a link
//! of its direction, and may give another object two.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashMap;

use super::rings::Rings;
use super::targets::Targets;
use crate::memory::pages;
use crate::model::ids::SlotId;
use crate::slots::kinds::{Edge, SlotKind};
use crate::slots::layout::{FieldInfo, Layout};

/// The incoming links of every target, computed on first use and kept up to date from then on.
#[derive(Default)]
pub(super) struct Incoming {
    /// Per target, the fields that refer to it, as bits; fields beyond the first 64 are left out.
    masks: Vec<u64>,
    /// The memory for them, from an earlier repair.
    spare: Vec<u64>,
    /// Per target and field, the number of slots beyond the first.
    again: FxHashMap<(usize, usize), u32>,
    /// Per such field, those of the same direction: together they refer to each target once.
    same_way: Vec<u64>,
    /// Fields that are null everywhere, as bits; and the direction guessed for such a field, by the first target.
    unused: u64,
    guessed: BTreeMap<(usize, usize), u64>,
    /// The directions in use, by the first target of their fields.
    ways: BTreeMap<usize, Vec<Way>>,
}

/// A direction: fields that together refer to each target of a range once, such as `left` and `right`, or `head` and `next`.
struct Way {
    fields: u64,
    /// Number of targets; zero if many have no incoming link, as the leaves of a tree whose links point upwards.
    count: u32,
    /// Positions of the targets without an incoming link.
    lost: BTreeSet<u32>,
    /// Unreachable rings, once they were computed.
    rings: Option<Rings>,
    /// Whether links have changed since.
    has_changed: bool,
}

/// Maximum number of fields: the bits of a mask.
const FIELDS: usize = 64;

/// Minimum number of links from which the direction of a field can be told: with fewer, every field looks disjoint from every other.
const FEW: usize = 4;

/// Number of targets that may be lost, beside a sixteenth of all: more are the rule, not a fault. A hundred broken links lose a hundred targets.
const MANY: usize = 256;

impl Incoming {
    /// Creates an empty table in the memory of an earlier repair.
    pub(super) fn unknown(spare: Vec<u64>) -> Self {
        Incoming { spare, ..Incoming::default() }
    }

    /// Returns the memory for the next repair.
    pub(super) fn into_spare(self) -> Vec<u64> {
        if self.is_known() { self.masks } else { self.spare }
    }

    pub(super) fn is_known(&self) -> bool {
        !self.masks.is_empty()
    }

    /// Computes all incoming links from the index of each slot.
    pub(super) fn find(&mut self, layout: &Layout, targets: &Targets, indices: &[u32]) {
        self.masks = pages::rezeroed(std::mem::take(&mut self.spare), targets.len());
        // Per field, since there are many more slots.
        let links: Vec<Option<usize>> = layout.fields.iter().map(link_number).collect();
        for (slot, (info, &index)) in layout.slots.iter().zip(indices).enumerate() {
            if let Some(field) = links[info.field.index()]
                && let Some(target) = targets.by_field(layout, SlotId::new(slot), info.field, index)
            {
                self.add(target, field);
            }
        }
        let fields = layout.declared.len().min(FIELDS);
        let mut together = vec![[0usize; FIELDS]; fields];
        // Most targets have the same incoming fields as their neighbours.
        for alike in self.masks.chunk_by(|one, other| one == other) {
            for one in bits(alike[0]) {
                for two in bits(alike[0]) {
                    together[one][two] += alike.len();
                }
            }
        }
        // `next` and `prev` have common targets; `left` and `right`, or `head` and `next`, do not.
        let is_apart = |one: usize, two: usize| together[one][two] * 4 < together[one][one].min(together[two][two]);
        // Undefined for links with a single target, such as `head`; a third field that is apart from both decides.
        let is_few = |one: usize| together[one][one] < FEW;
        let is_apart_by = |one: usize, two: usize| {
            is_few(one) != is_few(two)
                && (0..fields).any(|third| !is_few(third) && is_apart(one, third) && is_apart(third, two))
        };
        let goes_along = |one: usize, two: usize| one == two || is_apart(one, two) || is_apart_by(one, two);
        self.same_way = (0..fields)
            .map(|one| (0..fields).filter(|&two| goes_along(one, two)).fold(0, |mask, two| mask | 1 << two))
            .collect();
        self.unused = (0..fields).filter(|&field| together[field][field] == 0).fold(0, |mask, field| mask | 1 << field);
    }

    /// Returns the fields of the direction of a field. A field that is null everywhere joins a direction that misses some targets: these
    /// may be its own.
    fn fields_of_way(&mut self, field: usize, first: usize, count: u32) -> Option<u64> {
        let own = *self.same_way.get(field)?;
        if field >= FIELDS || self.unused & 1 << field == 0 {
            return Some(own);
        }
        let (masks, same_way, used) = (&self.masks, &self.same_way, !self.unused);
        Some(*self.guessed.entry((field, first)).or_insert_with(|| {
            let of_others = (0..same_way.len()).filter(|other| used & 1 << other != 0).map(|other| same_way[other]);
            let leaves_out = |fields: &u64| {
                let lost = masks[first..first + count as usize].iter().filter(|&mask| mask & fields == 0).count();
                (1..=most_lost(count)).contains(&lost)
            };
            of_others.map(|fields| fields | own).find(leaves_out).unwrap_or(own)
        }))
    }

    fn add(&mut self, target: usize, field: usize) {
        let (mask, bit) = (&mut self.masks[target], 1 << field);
        if *mask & bit != 0 {
            *self.again.entry((target, field)).or_default() += 1;
        }
        *mask |= bit;
    }

    fn remove(&mut self, target: usize, field: usize) {
        match self.again.get_mut(&(target, field)) {
            Some(1) => {
                self.again.remove(&(target, field));
            }
            Some(times) => *times -= 1,
            None => self.masks[target] &= !(1 << field),
        }
    }

    /// Notes that a slot has another target.
    pub(super) fn shift(&mut self, layout: &Layout, slot: SlotId, from: Option<usize>, to: Option<usize>) {
        if !self.is_known() || from == to {
            return;
        }
        let Some(field) = field_of(layout, slot) else { return };
        if let Some(from) = from {
            self.remove(from, field);
            self.note(from, -1);
        }
        if let Some(to) = to {
            self.add(to, field);
            self.note(to, 1);
        }
    }

    /// Notes that `more` links refer to a target.
    fn note(&mut self, target: usize, more: i32) {
        let mask = self.masks[target];
        let Some((&first, ways)) = self.ways.range_mut(..=target).next_back() else { return };
        let position = (target - first) as u32;
        for way in ways.iter_mut().filter(|way| position < way.count) {
            if let Some(rings) = &mut way.rings {
                rings.note(position, more);
            }
            if mask & way.fields == 0 {
                way.lost.insert(position);
            } else {
                way.lost.remove(&position);
            }
        }
    }

    /// Returns the direction of a slot, by its position in `ways`; the directions must be known.
    fn way(&mut self, layout: &Layout, targets: &Targets, slot: SlotId) -> Option<&mut Way> {
        let (first, count, _) = targets.first_of(layout, slot)?;
        let fields = self.fields_of_way(layout.declared(slot).index(), first, count)?;
        let ways = self.ways.entry(first).or_default();
        let at = match ways.iter().position(|way| way.fields == fields) {
            Some(at) => at,
            None => {
                let is_lost = |position: &u32| self.masks[first + *position as usize] & fields == 0;
                let is_news = (0..count).filter(is_lost).count() <= most_lost(count);
                let count = if is_news { count } else { 0 };
                let lost = (0..count).filter(is_lost).collect();
                ways.push(Way { fields, count, lost, rings: (!is_news).then(Rings::default), has_changed: false });
                ways.len() - 1
            }
        };
        ways.get_mut(at)
    }

    /// Returns the first lost target of a slot's direction, as an index of the slot, from an index on. Includes rings if they were computed.
    pub(super) fn lost(&mut self, layout: &Layout, targets: &Targets, slot: SlotId, from: u32) -> Option<u32> {
        let (.., nulls) = targets.first_of(layout, slot)?;
        let way = self.way(layout, targets, slot)?;
        let lost = way.lost.range(from.saturating_sub(nulls)..).next().copied();
        let on_ring = way.rings.as_ref().and_then(|rings| rings.next(from.saturating_sub(nulls)));
        lost.into_iter().chain(on_ring).min().map(|position| nulls + position)
    }

    /// Returns whether the target that an index of a slot names is lost in the slot's direction.
    pub(super) fn is_lost(&mut self, layout: &Layout, targets: &Targets, slot: SlotId, index: u32) -> bool {
        self.lost(layout, targets, slot, index) == Some(index)
    }

    /// Computes the unreachable rings, unless they are known.
    pub(super) fn look_for_rings(
        &mut self,
        layout: &Layout,
        targets: &Targets,
        slot: SlotId,
        find: impl FnOnce(u64, &BTreeSet<u32>) -> Rings,
    ) {
        let Some(way) = self.way(layout, targets, slot) else { return };
        if way.rings.is_none() {
            way.rings = Some(find(way.fields, &way.lost));
        }
    }

    /// Notes that links have changed, so there may be new rings.
    pub(super) fn note_changed(&mut self) {
        for way in self.ways.values_mut().flatten() {
            way.has_changed = true;
        }
    }

    /// Forgets the rings if there may be new ones and no lost target is left.
    pub(super) fn forget_rings(&mut self, layout: &Layout, targets: &Targets, slot: SlotId) {
        if let Some(way) = self.way(layout, targets, slot)
            && std::mem::take(&mut way.has_changed)
            && way.lost.is_empty()
            && way.count > 0
        {
            way.rings = way.rings.take().filter(|rings| rings.next(0).is_some());
        }
    }

    /// Returns whether the fields of two slots have the same direction; the directions must be known.
    pub(super) fn is_same_way(&self, layout: &Layout, slot: SlotId, other: SlotId) -> bool {
        let ways = self.same_way.get(layout.declared(slot).index());
        field_of(layout, other).is_some_and(|other| ways.is_some_and(|ways| ways & 1 << other != 0))
    }

    /// Returns whether more than one slot of a slot's direction refers to a target, or the direction allows it; the directions must be known.
    pub(super) fn may_be_shared(&mut self, layout: &Layout, targets: &Targets, slot: SlotId, target: usize) -> bool {
        if self.way(layout, targets, slot).is_none_or(|way| way.count == 0) {
            return true;
        }
        let ways = self.same_way.get(layout.declared(slot).index()).copied().unwrap_or(0);
        let mask = self.masks[target] & ways;
        mask.count_ones() > 1 || bits(mask).any(|field| self.again.contains_key(&(target, field)))
    }
}

/// Returns how many of `count` targets may be lost.
fn most_lost(count: u32) -> usize {
    MANY + count as usize / 16
}

/// Returns the field of a slot, if it is a link.
fn field_of(layout: &Layout, slot: SlotId) -> Option<usize> {
    link_number(&layout.fields[layout.slots[slot.index()].field.index()])
}

/// Returns the number of a link field; none for a field that contains its target by value, or beyond the maximum number of fields.
fn link_number(field: &FieldInfo) -> Option<usize> {
    let is_link = match field.kind {
        SlotKind::Reference(reference) => reference.edge != Edge::Part,
        SlotKind::Index(_) => true,
        SlotKind::Value { .. } | SlotKind::Name(_) => false,
    };
    let number = field.declared.index();
    (is_link && number < FIELDS).then_some(number)
}

/// Returns whether a slot belongs to one of the fields of a direction.
pub(super) fn goes_the_way(layout: &Layout, fields: u64, slot: SlotId) -> bool {
    field_of(layout, slot).is_some_and(|field| fields & 1 << field != 0)
}

fn bits(mut mask: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = mask.trailing_zeros() as usize;
        mask &= mask.wrapping_sub(1);
        (bit < FIELDS).then_some(bit)
    })
}
