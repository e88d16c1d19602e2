//! Values that the last comparisons before a rejection suggest for a slot: `self.size == count` suggests a size, `node.prev == last` a node,
//! `start + len == end` a length. A number that was not compared itself may be a summand, or a mask with a wrong bit.

use super::near::Fault;
use super::{NotRepaired, Repairer};
use crate::model::ids::SlotId;
use crate::predicate::compared::{Comparison, ComparisonRecorder, Operand};
use crate::slots::kinds::SlotKind;

/// Number of last comparisons that suggest something: a condition rarely has more parts.
const LAST: usize = 4;
/// Number of last reads that these comparisons may be about: two for each.
const NEAR: usize = 8;
/// Number of bits of the largest usual mask, a `u64`.
const BITS: u32 = 64;

/// Whether bits may have been compared: with each other, or a bit of a mask with zero. If nothing was compared, the statement before may have.
pub(super) fn are_bits(compared: &[Comparison]) -> bool {
    let is_one = |(left, right): (i128, i128)| {
        let [smaller, larger] = [left.min(right), left.max(right)];
        (0..=1).contains(&smaller) && (larger <= 1 || smaller == 0 && larger.count_ones() == 1)
    };
    compared.is_empty() || compared.iter().filter_map(Comparison::numbers).any(is_one)
}

/// Returns a number moved by the difference between the sides of a comparison.
fn moved(now: i128, from: i128, to: i128) -> Option<i128> {
    now.checked_add(to.checked_sub(from)?)
}

impl Repairer<'_> {
    /// Returns the last comparisons before the rejection. Runs the statement of the last choice again, since comparisons are noted on demand.
    pub(super) fn compared(&mut self) -> Result<Vec<Comparison>, NotRepaired> {
        let recorder = ComparisonRecorder::begin();
        self.run()?;
        Ok(recorder.last().take(LAST).collect())
    }

    /// Returns the indices that these other sides of comparisons suggest for a slot.
    pub(super) fn suggested_by(&self, slot: SlotId, others: &[Operand]) -> Vec<u32> {
        let layout = self.layout();
        let mut suggested = Vec::new();
        for other in others {
            let Operand::Integer(other) = *other else { continue };
            for near in [Some(other), other.checked_add(1), other.checked_sub(1)] {
                suggested.extend(near.and_then(|near| layout.index_of_number(slot, near)));
            }
        }
        suggested
    }

    /// Adds the numbers that a slot was compared with to its domain: a sum may be larger than any number in the value.
    pub(super) fn admit(&mut self, slot: SlotId, index: u32, compared: &[Comparison]) {
        for other in self.compared_with(slot, index, compared) {
            self.choices_mut().admit(slot, other);
        }
    }

    /// Returns the numbers with which a slot, as a summand, makes two unequal sums equal.
    pub(super) fn other_parts(&self, slot: SlotId, index: u32, compared: &[Comparison]) -> Vec<i128> {
        let rejecting = compared.first().filter(|rejecting| rejecting.is_for_equality());
        let now = self.layout().number(slot, index);
        let (Some(now), Some((left, right))) = (now, rejecting.and_then(Comparison::numbers)) else {
            return Vec::new();
        };
        let others = [moved(now, left, right), moved(now, right, left)].into_iter().flatten();
        others.filter(|&other| other != now).collect()
    }

    /// Returns the indices that comparisons suggest for a length, or a sum with it.
    pub(super) fn other_lengths(&self, slot: SlotId, index: u32, compared: &[Comparison]) -> Vec<u32> {
        if self.was_compared(slot, index, compared) {
            return self.suggested(slot, index, compared);
        }
        let layout = self.layout();
        let parts = self.other_parts(slot, index, compared);
        parts.into_iter().filter_map(|number| layout.index_of_number(slot, number)).collect()
    }

    /// Returns the numbers that differ from a mask in one bit, the bit in which the sides of a comparison differ first. A mask of 0 or 1 may look as
    /// if it was compared itself.
    pub(super) fn other_bits(&self, slot: SlotId, index: u32, compared: &[Comparison]) -> Vec<i128> {
        let Some(now) = self.layout().number(slot, index) else { return Vec::new() };
        if now > 1 && self.was_compared(slot, index, compared) {
            return Vec::new();
        }
        let differing = compared.iter().filter_map(Comparison::numbers).map(|(left, right)| left ^ right);
        let likely = differing.filter(|bits| bits.count_ones() == 1);
        let mut others: Vec<i128> = Vec::new();
        for other in likely.chain((0..BITS).map(|bit| 1 << bit)).map(|bit| now ^ bit) {
            if !others.contains(&other) {
                others.push(other);
            }
        }
        others
    }

    /// Returns the largest and the smallest number of a slot's domain.
    pub(super) fn extremes(&self, slot: SlotId) -> Option<(i128, i128)> {
        let layout = self.layout();
        let numbers = || (0..layout.indices(slot)).filter_map(|index| layout.number(slot, index));
        Some((numbers().max()?, numbers().min()?))
    }

    /// Returns the numbers that a slot was compared with.
    pub(super) fn compared_with(&self, slot: SlotId, index: u32, compared: &[Comparison]) -> Vec<i128> {
        let now = self.layout().number(slot, index).map(Operand::Integer);
        let sides = compared.iter().flat_map(|it| [(it.left, it.right), (it.right, it.left)]);
        let others = sides.filter(|&(side, _)| Some(side) == now).map(|(_, other)| other);
        others.filter_map(|other| if let Operand::Integer(other) = other { Some(other) } else { None }).collect()
    }

    /// Admits the numbers that the last-read slots were compared with, after the predicate has rejected.
    pub(super) fn admit_near(&mut self) -> Result<(), NotRepaired> {
        let Fault { last, compared, .. } = self.fault()?;
        for slot in last.into_iter().rev().take(NEAR) {
            let index = self.index(slot);
            self.admit(slot, index, &compared);
        }
        Ok(())
    }

    /// Returns the indices with which a slot changes the outcome of a comparison, likeliest first.
    pub(super) fn suggested(&self, slot: SlotId, index: u32, compared: &[Comparison]) -> Vec<u32> {
        let mut suggested = Vec::new();
        let mut suggest = |other: Option<u32>| {
            if let Some(other) = other
                && other != index
                && !suggested.contains(&other)
            {
                suggested.push(other);
            }
        };
        let now = self.layout().number(slot, index);
        let may_be_side = |side| match side {
            Operand::Integer(number) => now.is_none_or(|now| now == number),
            Operand::Address(address) => self.index_of_address(slot, address) == Some(index),
            Operand::Nothing | Operand::Other => true,
        };
        // The other side, then numbers derived from it, then numbers near it.
        for comparison in compared {
            let sides = [comparison.left, comparison.right];
            for (side, other) in [(sides[0], sides[1]), (sides[1], sides[0])] {
                match (side, other) {
                    (Operand::Integer(side), Operand::Integer(other)) => {
                        if Some(side) == now {
                            suggest(self.layout().index_of_number(slot, other));
                        }
                        let moved = now.and_then(|now| moved(now, side, other));
                        if !self.refers(slot) {
                            suggest(moved.and_then(|number| self.layout().index_of_number(slot, number)));
                        }
                    }
                    (Operand::Nothing, Operand::Integer(other)) => {
                        suggest(self.layout().index_of_number(slot, other));
                    }
                    (_, Operand::Address(address)) => suggest(self.index_of_address(slot, address)),
                    (side, Operand::Nothing) if self.refers(slot) && may_be_side(side) => suggest(Some(0)),
                    _ => {}
                }
            }
        }
        // For a reference, an index near another one means nothing.
        for comparison in compared.iter().filter(|_| !self.refers(slot)) {
            for side in [comparison.left, comparison.right] {
                let Operand::Integer(number) = side else { continue };
                for near in [Some(number), number.checked_add(1), number.checked_sub(1)] {
                    suggest(near.and_then(|near| self.layout().index_of_number(slot, near)));
                }
            }
        }
        suggested
    }

    /// Whether the slot holds a number that was compared.
    pub(super) fn was_compared(&self, slot: SlotId, index: u32, compared: &[Comparison]) -> bool {
        let now = self.layout().number(slot, index);
        now.is_some_and(|now| {
            let is_side = |side| side == Operand::Integer(now);
            compared.iter().any(|comparison| is_side(comparison.left) || is_side(comparison.right))
        })
    }

    /// Returns the index with which a slot refers to the object whose view is at an address.
    fn index_of_address(&self, slot: SlotId, address: usize) -> Option<u32> {
        let SlotKind::Reference(reference) = self.layout().kind(slot) else { return None };
        let ordinal = self.searcher.heap.ordinal_at(reference.target, address)?;
        Some(reference.nulls + ordinal)
    }
}
