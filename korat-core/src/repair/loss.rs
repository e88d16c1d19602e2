//! Loss: the objects and elements that a repaired value no longer has. Nearness counts them beside the changed slots: cutting off a bucket
//! of ten entries is one changed link, and eleven changes away.

use std::collections::{BTreeSet, VecDeque};

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
    /// Number of lost objects and elements; an object that was an element counts once.
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
        let shorter: usize = changed.iter().map(|change| self.shorter_by(change)).sum();
        // Objects that were elements stand first.
        let gone: BTreeSet<SlotId> = slots.iter().copied().collect();
        let elements = objects.iter().take_while(|(slot, _)| gone.contains(slot)).count();
        let count = objects.len() + shorter.saturating_sub(elements);
        Less { slots, objects, count }
    }

    /// Returns by how many elements a change makes a vector shorter.
    fn shorter_by(&self, change: &ChangedSlot) -> usize {
        let layout = self.layout();
        if !layout.is_length(change.slot) {
            return 0;
        }
        let [old, new] = [change.old, change.new].map(|index| layout.number(change.slot, index).unwrap_or(0));
        usize::try_from(old - new).unwrap_or(0)
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
