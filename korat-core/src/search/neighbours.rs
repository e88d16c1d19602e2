//! The neighbours of a value: the values that differ from it in one slot, as a fault would change it. They need not be valid.

use super::current_value::CanonicalValue;
use super::untyped::UntypedSearcher;
use crate::model::ids::SlotId;
use crate::slots::slot::UNASSIGNED;

impl UntypedSearcher {
    /// Returns every value of the type that has another index in one slot and is otherwise unchanged. Objects that
    /// become unreachable disappear; no new objects appear. Panics in the middle of a search.
    pub fn neighbours(&mut self, slots: &CanonicalValue) -> Vec<CanonicalValue> {
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
                neighbours.extend(self.heap.value_in(&other).map(CanonicalValue));
            }
        }
        neighbours
    }
}
