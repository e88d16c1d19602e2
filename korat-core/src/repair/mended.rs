//! What was done about the faults so far: which changes were made, in which order, and which are not to be made again.

use std::collections::BTreeMap;

use crate::model::ids::SlotId;

/// A change that was made.
#[derive(Clone, Copy)]
pub(super) struct Made {
    /// Which mend has made it: several make more than one.
    pub(super) mend: usize,
    pub(super) slot: SlotId,
    pub(super) index: u32,
    /// What the slot was wished to have before.
    pub(super) before: Option<u32>,
}

/// What was done about earlier faults.
#[derive(Default)]
pub(super) struct Mended {
    /// How often changes were made: one that was given up is made again once, so that there is an end.
    times: BTreeMap<(SlotId, u32), u32>,
    /// All that hold, in their order.
    made: Vec<Made>,
    /// How many faults were mended, or are.
    mends: usize,
    /// Changes that are not to be made, since others are looked for.
    pub(super) barred: Vec<(SlotId, u32)>,
    /// Whether others are looked for.
    pub(super) is_revised: bool,
    /// How many choices there were up to the last of what was found when a link that led nowhere was changed: those after it were
    /// tried before.
    pub(super) swept: Option<usize>,
}

const MOST_TIMES: u32 = 2;

impl Mended {
    /// Another fault is about to be mended.
    pub(super) fn begin(&mut self) {
        self.mends += 1;
    }

    /// Notes a change that the mend under way has made.
    pub(super) fn note(&mut self, slot: SlotId, index: u32, before: Option<u32>) {
        self.count([(slot, index)]);
        self.made.push(Made { mend: self.mends, slot, index, before });
    }

    /// Whether a change was made often enough, or is not to be made.
    pub(super) fn is_worn(&self, slot: SlotId, index: u32) -> bool {
        self.times.get(&(slot, index)).is_some_and(|&times| times >= MOST_TIMES) || self.barred.contains(&(slot, index))
    }

    /// A change is not to be made any more.
    pub(super) fn wear_out(&mut self, slot: SlotId, index: u32) {
        self.times.insert((slot, index), MOST_TIMES);
    }

    /// How many changes hold.
    pub(super) fn len(&self) -> usize {
        self.made.len()
    }

    /// The slots that were changed, in the order of the faults. Of changes that were made together the last one was kept first.
    pub(super) fn slots(&self) -> impl Iterator<Item = SlotId> {
        let mends = self.made.chunk_by(|one, other| one.mend == other.mend);
        mends.flat_map(|mend| mend.iter().rev().map(|change| change.slot))
    }

    /// Forgets the changes from one on, and gives them.
    pub(super) fn forget_since(&mut self, first: usize) -> Vec<Made> {
        let made = self.made.split_off(first);
        for change in &made {
            if let Some(times) = self.times.get_mut(&(change.slot, change.index)) {
                *times -= 1;
            }
        }
        made
    }

    /// Remembers changes that were forgotten.
    pub(super) fn remember(&mut self, made: &[Made]) {
        self.count(made.iter().map(|change| (change.slot, change.index)));
        self.made.extend(made);
    }

    /// Changes were made once more, whether they hold or not.
    pub(super) fn count(&mut self, changes: impl IntoIterator<Item = (SlotId, u32)>) {
        for change in changes {
            *self.times.entry(change).or_default() += 1;
        }
    }

    /// Where the changes of each mend begin that has made one of some changes, the last mend first.
    pub(super) fn beginnings(&self, mut is_one: impl FnMut(&Made) -> bool) -> Vec<usize> {
        let mends = self.made.chunk_by(|one, other| one.mend == other.mend);
        let mut first = 0;
        let mut beginnings = Vec::new();
        for mend in mends {
            if mend.iter().any(&mut is_one) {
                beginnings.push(first);
            }
            first += mend.len();
        }
        beginnings.reverse();
        beginnings
    }
}
