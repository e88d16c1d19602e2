//! The slots that a stage of a repair changes, and the values that it tries for each. Takes a stage and a fault, changes nothing.

use super::Repairer;
use super::choices::alternatives::{Alternatives, Target};
use super::near::Fault;
use super::stages::{ABOVE, FEW, Kind, Links, Place, REMEMBERED, Stage};
use super::suggest::are_bits;
use crate::model::ids::SlotId;

impl Repairer<'_> {
    /// Returns the choices that a stage looks at, the last one first.
    pub(super) fn depths(&self, place: Place) -> Vec<usize> {
        let end = self.choices().depth();
        match place {
            Place::Near(reads) => self.choices().decisions_near(reads),
            Place::Last => (end.saturating_sub(1)..end)
                .filter(|&at| self.choices().lies_in_root(self.choices().at(at).0))
                .collect(),
            Place::Anywhere => (0..end).rev().collect(),
            Place::Path => self.choices().decisions_above(ABOVE),
            Place::Beside => self.choices().decisions_beside(ABOVE),
            Place::Root => self.choices().decisions_in_root(),
            Place::RootNumbers => self.choices().numbers_in_root(REMEMBERED),
            Place::Changed => self.choices().changed_depths(),
        }
    }

    /// Whether a stage tries other values of a slot.
    pub(super) fn is_tried(&mut self, stage: &Stage, slot: SlotId, index: u32, fault: &Fault) -> bool {
        let refers = self.refers(slot);
        let is_one = match stage.kind {
            Kind::Compared => !refers && self.was_compared(slot, index, &fault.compared),
            Kind::Count if stage.place == Place::Last => !refers,
            // A count has to equal the number counted; of two numbers that have to be in order, either may be wrong.
            Kind::Count => {
                let rejecting = fault.compared.get(..1).filter(|last| last[0].is_for_equality());
                !refers && rejecting.is_some_and(|rejecting| self.was_compared(slot, index, rejecting))
            }
            Kind::Changed => self.choices().is_changed(slot),
            Kind::Derived => self.is_derived(slot),
            Kind::Null => refers && self.is_among(Links::Later, slot, index),
            Kind::Link(links, _) => refers && self.is_among(links, slot, index),
            Kind::Missing(Links::Null) => self.is_among(Links::Null, slot, index),
            Kind::Missing(links) => {
                refers && self.choices_mut().is_anything_lost(slot) && self.is_among(links, slot, index)
            }
            Kind::Likely if refers => {
                self.choices_mut().is_suspect(slot, index) || !self.suggested(slot, index, &fault.compared).is_empty()
            }
            // Another variant loses everything in this one.
            Kind::Likely => !self.layout().is_variant(slot),
            Kind::Behind if stage.place == Place::RootNumbers => {
                !refers && !self.layout().is_length(slot) && are_bits(&fault.compared)
            }
            Kind::Behind => !refers,
            Kind::Few => !refers && (2..=stage.values).contains(&self.layout().indices(slot)),
            Kind::All => true,
        };
        let may_be_last = match fault.ending {
            None => true,
            // A shorter vector is valid more often, and hides the fault.
            Some(ending) => {
                !self.layout().is_length(slot) && (!ending.is_of_changed || self.choices().is_changed(slot))
            }
        };
        // One fault is no reason to change the number of objects in a vector.
        is_one && may_be_last && !fault.together.contains(&slot) && !self.layout().counts_objects(slot)
    }

    /// Whether the user declares the field of a slot as derived.
    pub(super) fn is_derived(&self, slot: SlotId) -> bool {
        self.derived[self.layout().declared(slot).index()]
    }

    /// Whether a link is one of some.
    fn is_among(&mut self, links: Links, slot: SlotId, index: u32) -> bool {
        match links {
            Links::Later => self.choices_mut().is_suspect(slot, index) && !self.choices().is_leader(slot, index),
            Links::SharedOrChanged => self.choices_mut().is_shared_link(slot) || self.choices().is_changed(slot),
            Links::Suspect => self.choices_mut().is_suspect(slot, index),
            Links::Null => self.choices_mut().is_vacant(slot, index),
            Links::Shared => self.choices_mut().is_shared_link(slot),
            Links::Any => true,
        }
    }

    /// Returns the values that a stage tries for a slot.
    pub(super) fn alternatives(&mut self, stage: &Stage, slot: SlotId, index: u32, fault: &Fault) -> Alternatives {
        if let Some(target) = stage.kind.target() {
            return Alternatives::new(slot, Some(index), Vec::new(), vec![target], stage.values);
        }
        if stage.kind == Kind::Behind {
            let numbers = match stage.place {
                Place::RootNumbers => self.other_bits(slot, index, &fault.compared),
                _ => self.other_parts(slot, index, &fault.compared),
            };
            return Alternatives::numbers(slot, index, numbers);
        }
        let is_plain = !self.refers(slot) && stage.kind != Kind::All;
        let values = if is_plain { stage.values.min(FEW) } else { stage.values };
        self.admit(slot, index, &fault.compared);
        // A vector changes its length only because of a comparison: almost anything holds for an empty one.
        if stage.kind == Kind::Likely && self.layout().is_length(slot) {
            let lengths = self.other_lengths(slot, index, &fault.compared);
            return Alternatives::new(slot, Some(index), lengths, Vec::new(), 0);
        }
        let mut suggested = self.suggested(slot, index, &fault.compared);
        // A limit on the path that was changed to the next number may have to change for each number below it: it moves as far as it can.
        if stage.place == Place::Path && self.choices().is_changed(slot) {
            let extremes = self.extremes(slot).into_iter().flat_map(<[i128; 2]>::from);
            let layout = self.layout();
            let far = extremes.filter_map(|number| layout.index_of_number(slot, number)).filter(|&far| far != index);
            suggested.splice(0..0, far);
        }
        if self.refers(slot) && self.choices_mut().is_suspect(slot, index) {
            suggested.extend(self.choices().way_back(slot));
        }
        let occurring = self.occurring(slot);
        suggested.extend(
            occurring
                .iter()
                .filter(|&other| *other != index && !suggested.contains(other))
                .copied()
                .collect::<Vec<_>>(),
        );
        // A link that is not suspect changes only because of a comparison.
        if stage.kind == Kind::Likely && self.refers(slot) && !self.choices_mut().is_suspect(slot, index) {
            return Alternatives::new(slot, Some(index), suggested, Vec::new(), 0);
        }
        // Objects that have their place come last.
        let is_one = |kind: &Target| matches!(kind, Target::Lost | Target::Null) || stage.kind == Kind::All;
        let kinds = self.effort.order.into_iter().filter(is_one).collect();
        Alternatives::new(slot, Some(index), suggested, kinds, values)
    }
}
