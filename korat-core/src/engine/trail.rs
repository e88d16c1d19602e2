//! What the choices made so far say: in which order slots were read, how far the search has come, and whether it is a value. Changes
//! nothing.

use super::choice::Engine;
use super::misfit::Misfit;
use crate::ids::SlotId;
use crate::undo::Resume;

impl Engine {
    /// The part of the candidates that lie before the current one, if every choice splits what it has evenly.
    pub(crate) fn position(&self) -> f64 {
        let (mut before, mut part) = (0.0, 1.0);
        for choice in self.choices() {
            let (done, all) = choice.rule().progress(choice.index(), choice.fresh);
            part /= f64::from(all);
            before += part * f64::from(done);
        }
        before
    }

    /// The slots in the order they were first read, with their indices.
    pub(crate) fn trail(&self) -> impl Iterator<Item = (SlotId, u32)> + '_ {
        let picks = self.picks.as_slice().iter().map(|choice| (choice.id, choice.index()));
        self.choices().iter().map(|choice| (choice.slot_id(), choice.index())).chain(picks)
    }

    /// The same, each with the statement that first read it.
    pub(crate) fn decisions(&self) -> impl DoubleEndedIterator<Item = (SlotId, u32, &Resume)> + '_ {
        self.choices().iter().map(|choice| (choice.slot_id(), choice.index(), &choice.resume))
    }

    /// Whether all references own, and there are as many as objects to own: then no object is owned twice.
    #[inline]
    fn is_forest(&self) -> bool {
        let references = self.last().map_or(0, |top| top.objects_before + u32::from(top.rule().is_object(top.index())));
        !self.layout.has_shared && !self.rules.some_filtered && references as usize + 1 == self.links.reached_count()
    }

    /// Why the current assignment is not a value of the user's types, if it is not. `by_type`: every choice was made under
    /// the rules of ownership.
    #[inline]
    pub(crate) fn misfit(&self, by_type: bool) -> Option<Misfit> {
        if !self.layout.has_weak && (by_type || self.is_forest()) {
            return None;
        }
        self.links.misfit(&self.layout, &self.values, by_type)
    }
}
