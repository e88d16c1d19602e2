//! Everything within a number of changes, then within one more: the first value found has the fewest changes.

use super::{NotRepaired, Repairer};
use crate::class::RepOk;
use crate::engine::Alternatives;
use crate::ids::SlotId;

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

    /// The same within so many changes; whether there is one. An error if there is none with more changes either.
    pub(super) fn deepen_to(&mut self, changes: usize, lengths: Lengths) -> Result<bool, NotRepaired> {
        for most in 1..=changes.min(self.effort.changes) {
            let engine = &mut self.searcher.heap.engine;
            engine.cut_for_repair(0);
            engine.want_nothing();
            let repairing = engine.repairing();
            (repairing.most_changes, repairing.was_cut) = (most, false);
            let found = self.search_within(most, lengths);
            self.searcher.heap.engine.repairing().most_changes = usize::MAX;
            if found? {
                return Ok(true);
            }
            if !self.searcher.heap.engine.repairing().was_cut {
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
                let engine = &mut self.searcher.heap.engine;
                let depth = engine.depth();
                tried.resize(depth, None);
                let Some((slot, index)) = engine.last_pick().map(|last| (last.slot, last.index)) else {
                    return Ok(false);
                };
                let repairing = engine.repairing();
                let original = repairing.original(slot);
                let others =
                    repairing.changed().len() - usize::from(original.is_some_and(|original| original != index));
                if original.is_some() && others >= most {
                    repairing.was_cut = true;
                    engine.cut_for_repair(depth - 1);
                    continue;
                }
                let alternatives = match tried[depth - 1].take() {
                    Some(begun) => begun,
                    None => self.all_alternatives(slot, index, lengths),
                };
                if self.searcher.heap.engine.move_on_for_repair(tried[depth - 1].insert(alternatives)) {
                    break;
                }
            }
        }
        Ok(true)
    }

    /// Everything that a slot may be changed to.
    fn all_alternatives(&mut self, slot: SlotId, index: u32, lengths: Lengths) -> Alternatives {
        let engine = &mut self.searcher.heap.engine;
        if lengths == Lengths::Any || !engine.layout.is_length(slot) {
            return Alternatives::new(slot, Some(index), Vec::new(), self.effort.order.to_vec(), u32::MAX);
        }
        engine.repairing().was_cut = true;
        let now = engine.layout.number(slot, index);
        let near = now.into_iter().flat_map(|now| [now - 1, now + 1]);
        let near = near.filter_map(|number| engine.layout.index_of_number(slot, number)).collect();
        Alternatives::new(slot, Some(index), near, Vec::new(), 0)
    }
}
