//! Values that differ in one slot: what a fault makes of a value. Takes the slots of one value, gives those of others, valid or not.

use super::{Abstract, Searcher};
use crate::class::RepOk;
use crate::engine::UNASSIGNED;
use crate::ids::SlotId;

impl<T: RepOk> Searcher<T> {
    /// Every value of the type that has another index in one slot, and is as it was everywhere else. Objects that nothing leads
    /// to then are gone; there are no new ones. Panics in the middle of a search.
    pub fn neighbours(&mut self, slots: &Abstract) -> Vec<Abstract> {
        self.assert_idle();
        let mut neighbours = Vec::new();
        for slot in 0..slots.0.len() {
            let had = slots.0[slot];
            if had == UNASSIGNED {
                continue;
            }
            for index in (0..self.heap.engine.layout.indices(SlotId::new(slot))).filter(|&index| index != had) {
                let mut other = slots.0.clone();
                other[slot] = index;
                neighbours.extend(self.heap.value_in(&other).map(Abstract));
            }
        }
        neighbours
    }
}
