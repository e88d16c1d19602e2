//! Which slots a stage of a repair tries, and which values for each.

use super::Repairer;
use super::choices::alternatives::{Alternatives, Target};
use super::mended::Mended;
use super::near::Fault;
use super::stages::{Stage, Which};
use super::suggest::are_bits;
use super::trial::FEW;
use crate::class::traits::RepOk;
use crate::model::ids::SlotId;

impl<T: RepOk> Repairer<'_, T> {
    /// The choices that a stage looks at, from the last one on.
    pub(super) fn depths(&self, stage: &Stage, mended: &Mended) -> Vec<usize> {
        let end = self.choices().depth();
        match stage.which {
            Which::Last | Which::Compared | Which::Vacant | Which::Bypassing => {
                (end.saturating_sub(stage.reads)..end).rev().collect()
            }
            Which::VacantBefore => (0..mended.swept.unwrap_or(0).min(end)).rev().collect(),
            Which::ChangedLinks => self.choices().changed_depths(),
            Which::ComparedAbove => self.choices().decisions_above(stage.reads),
            Which::ComparedInRoot => self.choices().decisions_in_root(),
            Which::FewBeside => self.choices().decisions_beside(stage.reads),
            Which::BitsInRoot => self.choices().numbers_in_root(stage.reads),
            Which::Changed
            | Which::Lost
            | Which::LostLater
            | Which::LostAnywhere
            | Which::Unreached
            | Which::NullLater
            | Which::Rings
            | Which::Likely
            | Which::Parts
            | Which::Bits
            | Which::AnyBits
            | Which::Local
            | Which::All => self.choices().decisions_near(stage.reads),
        }
    }

    /// Whether a stage tries other values of a slot.
    pub(super) fn is_tried(&mut self, stage: &Stage, slot: SlotId, index: u32, fault: &Fault) -> bool {
        let refers = self.refers(slot);
        let is_one = match stage.which {
            Which::Last => !refers && self.choices().lies_in_root(slot),
            Which::Changed => self.choices().is_changed(slot),
            Which::Bypassing => {
                refers && self.choices_mut().is_anything_lost(slot) && self.choices_mut().is_shared_link(slot)
            }
            Which::ChangedLinks => refers && self.choices_mut().is_anything_lost(slot),
            Which::Lost => refers && self.choices_mut().is_suspect(slot, index),
            Which::LostAnywhere => refers,
            Which::Unreached => refers && (self.choices_mut().is_shared_link(slot) || self.choices().is_changed(slot)),
            Which::LostLater | Which::NullLater | Which::Rings => {
                refers
                    && self.choices_mut().is_suspect(slot, index)
                    && !self.choices().is_leader(slot, index)
                    && (stage.which != Which::Rings || self.choices_mut().may_be_on_ring(slot))
            }
            Which::Likely if refers => {
                self.choices_mut().is_suspect(slot, index) || !self.suggested(slot, index, &fault.compared).is_empty()
            }
            // With another variant everything goes that this one holds.
            Which::Likely => !self.layout().is_variant(slot),
            Which::Local | Which::All => true,
            Which::Vacant | Which::VacantBefore => self.choices_mut().is_vacant(slot, index),
            Which::Parts => !refers,
            Which::Bits | Which::BitsInRoot | Which::AnyBits => {
                !refers
                    && !self.layout().is_length(slot)
                    && self.layout().number(slot, index).is_some()
                    && (stage.which == Which::AnyBits || are_bits(&fault.compared))
            }
            Which::FewBeside => !refers && (2..=stage.values).contains(&self.layout().indices(slot)),
            Which::Compared | Which::ComparedAbove => !refers && self.was_compared(slot, index, &fault.compared),
            // A count has to be what was counted; of two that have to be in order either may be wrong.
            Which::ComparedInRoot => {
                let rejecting = fault.compared.get(..1).filter(|last| last[0].is_for_equality());
                !refers && rejecting.is_some_and(|rejecting| self.was_compared(slot, index, rejecting))
            }
        };
        let may_be_last = match fault.ending {
            None => true,
            // Hardly anything is wrong with what is short.
            Some(ending) => {
                !self.layout().is_length(slot) && (!ending.is_of_changed || self.choices().is_changed(slot))
            }
        };
        // How many objects lie in a vector is not changed because of one fault.
        is_one && may_be_last && !fault.together.contains(&slot) && !self.layout().counts_objects(slot)
    }

    /// The values that a stage tries of a slot.
    pub(super) fn alternatives(&mut self, stage: &Stage, slot: SlotId, index: u32, fault: &Fault) -> Alternatives {
        if stage.which.links_lost() {
            return Alternatives::lost(slot, index, stage.values);
        }
        if stage.which == Which::Unreached {
            return Alternatives::new(slot, Some(index), Vec::new(), vec![Target::Unreached], stage.values);
        }
        if stage.which.is_behind() {
            let numbers = match stage.which {
                Which::Parts => self.other_parts(slot, index, &fault.compared),
                _ => self.other_bits(slot, index, &fault.compared),
            };
            return Alternatives::numbers(slot, index, numbers);
        }
        let is_plain = !self.refers(slot) && stage.which != Which::All;
        let values = if is_plain { stage.values.min(FEW) } else { stage.values };
        self.admit(slot, index, &fault.compared);
        // Elements go only because of a comparison: anything holds for none.
        if stage.which == Which::Likely && self.layout().is_length(slot) {
            let lengths = self.other_lengths(slot, index, &fault.compared);
            return Alternatives::new(slot, Some(index), lengths, Vec::new(), 0);
        }
        let mut suggested = self.suggested(slot, index, &fault.compared);
        // Beside what it was compared with it may have to be changed again and again: after the first time as far as it can be, and back.
        if stage.which == Which::ComparedAbove && self.choices().is_changed(slot) {
            let extremes = self.extremes(slot).into_iter().flat_map(<[i128; 2]>::from);
            let layout = self.layout();
            let far = extremes.filter_map(|number| layout.index_of_number(slot, number)).filter(|&far| far != index);
            suggested.splice(0..0, far);
        }
        if self.refers(slot) && self.choices_mut().is_suspect(slot, index) {
            suggested.extend(self.choices().way_back(slot));
        }
        // A link that is all right by itself is changed only because of a comparison.
        if stage.which == Which::Likely && self.refers(slot) && !self.choices_mut().is_suspect(slot, index) {
            return Alternatives::new(slot, Some(index), suggested, Vec::new(), 0);
        }
        // At first nothing that is in its place.
        let is_one = |kind: &Target| matches!(kind, Target::Lost | Target::Null) || stage.which == Which::All;
        let kinds = self.effort.order.into_iter().filter(is_one).collect();
        Alternatives::new(slot, Some(index), suggested, kinds, values)
    }
}
