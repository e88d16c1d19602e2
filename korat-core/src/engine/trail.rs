//! Read-only queries about the choices made so far: the order of first reads, the progress of the search, and whether
//! the assignment is a value.

use super::choice_stack::Engine;
use super::type_violation::TypeViolation;
use crate::engine::resume_point::ResumePoint;
use crate::model::ids::SlotId;

impl Engine {
    /// Returns the fraction of the candidates that lie before the current one, assuming that every choice splits its
    /// share evenly.
    pub(crate) fn position(&self) -> f64 {
        let (mut before, mut part) = (0.0, 1.0);
        for choice in self.choices() {
            let (done, all) = choice.rule().progress(choice.index(), choice.fresh);
            part /= f64::from(all);
            before += part * f64::from(done);
        }
        before
    }

    /// Returns the slots in the order of their first reads, with their indices.
    pub(crate) fn trail(&self) -> impl Iterator<Item = (SlotId, u32)> + '_ {
        self.choices().iter().map(|choice| (choice.slot_id(), choice.index()))
    }

    /// Returns the slots in the order of their first reads, each with its index and the statement that first read it.
    pub(crate) fn decisions(&self) -> impl DoubleEndedIterator<Item = (SlotId, u32, &ResumePoint)> + '_ {
        self.choices().iter().map(|choice| (choice.slot_id(), choice.index(), &choice.resume))
    }

    /// Returns whether all references own their object and there is one per object other than the root: then no object
    /// has two owners.
    #[inline]
    fn is_forest(&self) -> bool {
        let references = self.last().map_or(0, |top| top.objects_before + u32::from(top.rule().is_object(top.index())));
        !self.layout.has_shared && !self.rules.some_filtered && references as usize + 1 == self.links.reached_count()
    }

    /// Returns why the current assignment is not a value of the user's types, if it is not. With `by_type`, every
    /// choice obeyed the rules of ownership.
    #[inline]
    pub(crate) fn type_violation(&self, by_type: bool) -> Option<TypeViolation> {
        if !self.layout.has_weak && (by_type || self.is_forest()) {
            return None;
        }
        self.links.type_violation(&self.layout, &self.values, by_type)
    }
}
