//! Everything within a number of changes, then within one more: the first value found has the fewest changes.

use super::choices::alternatives::Alternatives;
use super::{NotRepaired, Repairer};
use crate::class::traits::RepOk;
use crate::model::ids::SlotId;

/// What the length of a vector may become.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Lengths {
    /// Whatever its list has.
    Any,
    /// One more or less: what is short is valid more often, and is hardly what anybody wants.
    ByOne,
}

impl<T: RepOk> Repairer<'_, T> {
    /// Finds the nearest value by the number of changed slots.
    pub(super) fn deepen(&mut self) -> Result<(), NotRepaired> {
        if self.deepen_to(self.effort.changes, Lengths::Any)? { Ok(()) } else { Err(NotRepaired::TooManyChanges) }
    }

    /// Finds the nearest value within `changes` changed slots. Returns whether there is one; fails if more changes would not help either.
    pub(super) fn deepen_to(&mut self, changes: usize, lengths: Lengths) -> Result<bool, NotRepaired> {
        for most in 1..=changes.min(self.effort.changes) {
            self.choices_mut().cut(0);
            self.choices_mut().want_nothing();
            (self.state.most_changes, self.state.was_cut) = (most, false);
            let found = self.search_within(most, lengths);
            self.state.most_changes = usize::MAX;
            if found? {
                return Ok(true);
            }
            if !self.state.was_cut {
                return Err(NotRepaired::NoValue);
            }
        }
        Ok(false)
    }

    fn search_within(&mut self, most: usize, lengths: Lengths) -> Result<bool, NotRepaired> {
        // What was tried of each choice, from the first on.
        let mut tried: Vec<Option<Alternatives>> = Vec::new();
        while !self.run()? {
            loop {
                let depth = self.choices().depth();
                tried.resize(depth, None);
                let Some((slot, index)) = self.last_decision().map(|last| (last.slot, last.index)) else {
                    return Ok(false);
                };
                let original = self.state.original(slot);
                let others =
                    self.state.changed().len() - usize::from(original.is_some_and(|original| original != index));
                if original.is_some() && others >= most {
                    self.state.was_cut = true;
                    self.choices_mut().cut(depth - 1);
                    continue;
                }
                let alternatives = match tried[depth - 1].take() {
                    Some(begun) => begun,
                    None => self.all_alternatives(slot, index, lengths),
                };
                if self.choices_mut().move_on(tried[depth - 1].insert(alternatives)) {
                    break;
                }
            }
        }
        Ok(true)
    }

    /// Everything that a slot may be changed to.
    fn all_alternatives(&mut self, slot: SlotId, index: u32, lengths: Lengths) -> Alternatives {
        if lengths == Lengths::Any || !self.layout().is_length(slot) {
            return Alternatives::new(slot, Some(index), Vec::new(), self.effort.order.to_vec(), u32::MAX);
        }
        self.state.was_cut = true;
        let now = self.layout().number(slot, index);
        let near = now.into_iter().flat_map(|now| [now - 1, now + 1]);
        let near = near.filter_map(|number| self.layout().index_of_number(slot, number)).collect();
        Alternatives::new(slot, Some(index), near, Vec::new(), 0)
    }
}
