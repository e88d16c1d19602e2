//! The changes made so far, fault by fault, and those that are not to be made again.

use std::collections::BTreeMap;

use crate::model::ids::SlotId;

/// A change made for one fault.
#[derive(Clone, Copy)]
pub(super) struct Made {
    /// Number of the fault; some take more than one change.
    pub(super) mend: usize,
    pub(super) slot: SlotId,
    pub(super) index: u32,
    /// The index that was wanted for the slot before.
    pub(super) before: Option<u32>,
}

/// The changes made for earlier faults.
#[derive(Default)]
pub(super) struct Mended {
    /// How often each change was made.
    times: BTreeMap<(SlotId, u32), u32>,
    /// All changes, in the order in which they were made.
    made: Vec<Made>,
    /// Number of faults.
    faults: usize,
    /// Changes that are excluded while others are looked for.
    pub(super) barred: Vec<(SlotId, u32)>,
    /// Whether a revision is under way; it does not begin another one.
    pub(super) is_revised: bool,
}

/// A change that a later fault reverted is made once more; more often, two faults would take turns forever.
const MOST_TIMES: u32 = 2;

impl Mended {
    /// Begins another fault.
    pub(super) fn begin(&mut self) {
        self.faults += 1;
    }

    /// Notes a change for the current fault.
    pub(super) fn note(&mut self, slot: SlotId, index: u32, before: Option<u32>) {
        self.count([(slot, index)]);
        self.made.push(Made { mend: self.faults, slot, index, before });
    }

    /// Whether a change is not to be made again.
    pub(super) fn is_worn(&self, slot: SlotId, index: u32) -> bool {
        self.times.get(&(slot, index)).is_some_and(|&times| times >= MOST_TIMES) || self.barred.contains(&(slot, index))
    }

    /// Excludes a change from now on.
    pub(super) fn wear_out(&mut self, slot: SlotId, index: u32) {
        self.times.insert((slot, index), MOST_TIMES);
    }

    /// Returns the number of changes.
    pub(super) fn len(&self) -> usize {
        self.made.len()
    }

    /// Returns the changed slots in the order of the faults. Of two changes for one fault, the second was noted first.
    pub(super) fn slots(&self) -> impl Iterator<Item = SlotId> {
        let faults = self.made.chunk_by(|one, other| one.mend == other.mend);
        faults.flat_map(|fault| fault.iter().rev().map(|change| change.slot))
    }

    /// Removes the changes from the one at `first` on, and returns them.
    pub(super) fn forget_since(&mut self, first: usize) -> Vec<Made> {
        let made = self.made.split_off(first);
        for change in &made {
            if let Some(times) = self.times.get_mut(&(change.slot, change.index)) {
                *times -= 1;
            }
        }
        made
    }

    /// Adds changes that were removed.
    pub(super) fn remember(&mut self, made: &[Made]) {
        self.count(made.iter().map(|change| (change.slot, change.index)));
        self.made.extend(made);
    }

    /// Counts that changes were made once more.
    pub(super) fn count(&mut self, changes: impl IntoIterator<Item = (SlotId, u32)>) {
        for change in changes {
            *self.times.entry(change).or_default() += 1;
        }
    }

    /// Returns where the changes of each fault begin for which one of some changes was made, the last fault first.
    pub(super) fn beginnings(&self, mut is_one: impl FnMut(&Made) -> bool) -> Vec<usize> {
        let mut first = 0;
        let mut beginnings = Vec::new();
        for fault in self.made.chunk_by(|one, other| one.mend == other.mend) {
            if fault.iter().any(&mut is_one) {
                beginnings.push(first);
            }
            first += fault.len();
        }
        beginnings.reverse();
        beginnings
    }
}
