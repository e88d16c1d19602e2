//! Exhaustive search, nearest values first: everything within one change, then within two, and so on. A value that loses objects or elements
//! is as many changes farther away, so the search continues after it until nothing nearer is left.

use super::choices::alternatives::Alternatives;
use super::{NotRepaired, Repairer, SOON};
use crate::model::ids::SlotId;

/// What the length of a vector may become.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Lengths {
    /// Whatever its domain lists.
    Any,
    /// One more or less: shorter vectors are valid more often, and rarely what the user wants.
    ByOne,
}

/// The nearest value found so far.
#[derive(Clone)]
pub(super) struct Nearest {
    /// Changed slots, lost objects and lost elements.
    distance: usize,
    /// Every choice that differs from the original, those in new objects included.
    choices: Vec<(SlotId, u32)>,
}

impl Repairer<'_> {
    /// Finds the nearest value.
    pub(super) fn deepen(&mut self) -> Result<(), NotRepaired> {
        if self.deepen_to(self.effort.changes, Lengths::Any, None)? { Ok(()) } else { Err(NotRepaired::TooManyChanges) }
    }

    /// Finds the nearest value within `changes` changed slots, if it is nearer than `nearest`. Returns whether there is one, or `nearest` was
    /// given; fails if there is none with more changes either.
    pub(super) fn deepen_to(
        &mut self,
        changes: usize,
        lengths: Lengths,
        mut nearest: Option<Nearest>,
    ) -> Result<bool, NotRepaired> {
        for most in 1..=changes.min(self.effort.changes) {
            // With more changes, every other value is at least as far away.
            if nearest.as_ref().is_some_and(|nearest| nearest.distance <= most) {
                break;
            }
            self.choices_mut().cut(0);
            self.choices_mut().want_nothing();
            (self.state.most_changes, self.state.was_cut) = (most, false);
            let searched = self.search_within(most, lengths, &mut nearest);
            self.state.most_changes = usize::MAX;
            match searched {
                Err(NotRepaired::TooManyTries | NotRepaired::TimeOver) if nearest.is_some() => break,
                searched => searched?,
            }
            if !self.state.was_cut {
                match nearest {
                    Some(_) => break,
                    None => return Err(NotRepaired::NoValue),
                }
            }
        }
        match nearest {
            Some(nearest) => self.restore(&nearest).map(|()| true),
            None => Ok(false),
        }
    }

    /// Tries all values within `most` changes, until one loses nothing.
    fn search_within(
        &mut self,
        most: usize,
        lengths: Lengths,
        nearest: &mut Option<Nearest>,
    ) -> Result<(), NotRepaired> {
        // Per choice, what was tried of it.
        let mut tried: Vec<Option<Alternatives>> = Vec::new();
        // A search for something nearer takes at most as many tries again: the repair takes at most twice as long.
        let is_minimal = self.effort.minimal;
        let look_on = |tries: u64| if is_minimal { u64::MAX } else { tries + tries.max(SOON) };
        let mut end = if nearest.is_some() { look_on(self.tries()) } else { u64::MAX };
        while self.tries() < end {
            if self.run()? {
                let found = self.nearest();
                if nearest.as_ref().is_none_or(|nearest| found.distance < nearest.distance) {
                    end = end.min(look_on(self.tries()));
                    // Values with fewer changes were tried before.
                    let is_nearest = found.distance <= most;
                    *nearest = Some(found);
                    if is_nearest {
                        return Ok(());
                    }
                }
                let depth = self.depth_read;
                self.choices_mut().cut(depth);
            }
            if !self.move_on_within(most, lengths, &mut tried) {
                return Ok(());
            }
        }
        self.state.was_cut = true;
        Ok(())
    }

    /// Moves the last choice on that has another value within `most` changes. Returns whether there is one.
    fn move_on_within(&mut self, most: usize, lengths: Lengths, tried: &mut Vec<Option<Alternatives>>) -> bool {
        loop {
            let depth = self.choices().depth();
            tried.resize(depth, None);
            let Some((slot, index)) = self.last_decision().map(|last| (last.slot, last.index)) else {
                return false;
            };
            let original = self.state.original(slot);
            let others = self.state.changed().len() - usize::from(original.is_some_and(|original| original != index));
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
                return true;
            }
        }
    }

    /// Returns the accepted value, to restore it later.
    pub(super) fn nearest(&mut self) -> Nearest {
        let distance = self.distance();
        let all = (0..self.choices().depth()).map(|depth| self.choices().at(depth));
        let differs = |&(slot, index): &(SlotId, u32)| self.state.original(slot) != Some(index);
        Nearest { distance, choices: all.filter(differs).collect() }
    }

    /// Makes the choices of a value that was accepted before.
    pub(super) fn restore(&mut self, nearest: &Nearest) -> Result<(), NotRepaired> {
        self.make_only(&nearest.choices);
        self.accept_again()
    }

    /// Returns everything that a slot may be changed to.
    fn all_alternatives(&mut self, slot: SlotId, index: u32, lengths: Lengths) -> Alternatives {
        if lengths == Lengths::Any || !self.layout().is_length(slot) {
            let occurring = self.occurring(slot).to_vec();
            return Alternatives::new(slot, Some(index), occurring, self.effort.order.to_vec(), u32::MAX);
        }
        self.state.was_cut = true;
        let now = self.layout().number(slot, index);
        let near = now.into_iter().flat_map(|now| [now - 1, now + 1]);
        let near = near.filter_map(|number| self.layout().index_of_number(slot, number)).collect();
        Alternatives::new(slot, Some(index), near, Vec::new(), 0)
    }
}
