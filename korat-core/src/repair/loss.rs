//! Loss: the objects and elements that a repaired value no longer has. Nearness counts them beside the changed slots: cutting off a bucket
//! of ten entries is one changed link, and eleven changes away.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::choices::Choices;
use super::{ChangedSlot, Repairer};
use crate::model::ids::{ObjectId, SlotId};
use crate::slots::slot::UNASSIGNED;

/// What a repaired value no longer has.
pub(super) struct Less {
    /// Slots of objects that stay, but have shorter vectors or other variants.
    pub(super) slots: Vec<SlotId>,
    /// Objects, as slots with the index that led there.
    pub(super) objects: Vec<(SlotId, u32)>,
    /// Number of lost objects, elements and entries; an object that was an element counts once.
    pub(super) count: usize,
}

impl Repairer<'_> {
    /// Returns the number of objects and elements that the accepted value has lost.
    pub(super) fn loss(&mut self) -> usize {
        let layout = self.layout();
        let may_lose = |&slot: &SlotId| self.refers(slot) || layout.field(slot).is_shape;
        if !self.state.changed().iter().any(may_lose) {
            return 0;
        }
        let changed = self.changed();
        self.less(&changed).count
    }

    /// Returns the distance of the accepted value from the original: changed slots, and lost objects and elements.
    pub(super) fn distance(&mut self) -> usize {
        self.state.changed().len() + self.loss()
    }

    /// Returns what the accepted value no longer has. Every slot of the value must be decided.
    pub(super) fn less(&mut self, changed: &[ChangedSlot]) -> Less {
        let slots = self.gone(changed);
        let objects = lost(self.choices(), changed, &slots);
        let shorter = self.shorter_by(changed);
        // Objects that were elements stand first.
        let gone: BTreeSet<SlotId> = slots.iter().copied().collect();
        let elements = objects.iter().take_while(|(slot, _)| gone.contains(slot)).count();
        let inside = self.elements_inside(&slots, &objects);
        let count = objects.len() + shorter.saturating_sub(elements) + inside;
        Less { slots, objects, count }
    }

    /// Returns the number of elements that a length slot stands for with an index, or of entries, if the slot says whether a key is present.
    fn elements(&self, slot: SlotId, index: u32) -> i128 {
        if !self.layout().counts_elements(slot) || index == UNASSIGNED {
            return 0;
        }
        self.layout().number(slot, index).unwrap_or(i128::from(index))
    }

    /// Returns by how many elements and entries vectors, maps and sets get shorter, each by itself.
    fn shorter_by(&self, changed: &[ChangedSlot]) -> usize {
        let layout = self.layout();
        let mut shorter: BTreeMap<(ObjectId, String), i128> = BTreeMap::new();
        for change in changed.iter().filter(|change| layout.counts_elements(change.slot)) {
            // All keys of a map or set together: one may have replaced another.
            let whole = match layout.keyed(change.slot) {
                Some((whole, _)) => whole,
                None => layout.field_name(change.slot).into_owned(),
            };
            let by = self.elements(change.slot, change.old) - self.elements(change.slot, change.new);
            *shorter.entry((layout.slots[change.slot.index()].object, whole)).or_default() += by;
        }
        shorter.into_values().filter_map(|by| usize::try_from(by).ok()).sum()
    }

    /// Returns the number of elements and entries, but those that are objects, inside what is lost.
    fn elements_inside(&self, slots: &[SlotId], objects: &[(SlotId, u32)]) -> usize {
        let (layout, choices) = (self.layout(), self.choices());
        let objects = objects.iter().filter_map(|&(slot, index)| choices.led_to(slot, index));
        let slots = slots.iter().copied().chain(objects.flat_map(|object| layout.slots_of(object)));
        let slots: BTreeSet<SlotId> = slots.filter(|&slot| !layout.counts_objects(slot)).collect();
        let elements = |slot| self.elements(slot, self.state.original(slot).unwrap_or(UNASSIGNED));
        slots.into_iter().filter_map(|slot| usize::try_from(elements(slot)).ok()).sum()
    }

    /// Returns the slots that remaining objects have lost, because a vector is shorter or a variant has changed.
    fn gone(&mut self, changed: &[ChangedSlot]) -> Vec<SlotId> {
        let heap = &mut self.searcher.heap;
        let layout = &heap.engine.layout;
        let reshaped = changed.iter().filter(|change| layout.field(change.slot).is_shape);
        let objects: BTreeSet<ObjectId> = reshaped.map(|change| layout.slots[change.slot.index()].object).collect();
        if objects.is_empty() {
            return Vec::new();
        }
        let present = heap.present();
        let slots = objects.into_iter().flat_map(|object| heap.engine.layout.slots_of(object));
        slots.filter(|&slot| self.state.original(slot).is_some() && !present[slot.index()]).collect()
    }
}

/// Returns the objects that the old targets of changed links, and slots that are gone, led to, and that nothing leads to now; those of gone
/// slots first.
fn lost(choices: Choices<'_>, changed: &[ChangedSlot], gone: &[SlotId]) -> Vec<(SlotId, u32)> {
    let mut found: Vec<(SlotId, u32)> = Vec::new();
    let mut met = BTreeSet::new();
    let before = |slot| (slot, choices.original(slot).unwrap_or(UNASSIGNED));
    // Gone slots come first, so that an element is known by its place and not by an index that led there.
    let mut work: VecDeque<(SlotId, u32)> = gone.iter().map(|&slot| before(slot)).collect();
    work.extend(changed.iter().map(|change| (change.slot, change.old)));
    while let Some((slot, index)) = work.pop_front() {
        let Some(object) = choices.led_to(slot, index) else { continue };
        if choices.is_led_to(slot, index) || !met.insert(object) {
            continue;
        }
        found.push((slot, index));
        work.extend(choices.engine.layout.slots_of(object).map(before));
    }
    found
}
