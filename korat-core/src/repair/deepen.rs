//! Everything within a number of changes, then within one more: the first value found has the fewest changes.

use super::{NotRepaired, Repairer};
use crate::class::RepOk;
use crate::engine::Alternatives;

impl<T: RepOk> Repairer<'_, T> {
    /// Finds the nearest value by the number of changed slots.
    pub(super) fn deepen(&mut self) -> Result<(), NotRepaired> {
        if self.deepen_to(self.effort.changes)? { Ok(()) } else { Err(NotRepaired::TooManyChanges) }
    }

    /// The same within so many changes; whether there is one. An error if there is none with more changes either.
    pub(super) fn deepen_to(&mut self, changes: usize) -> Result<bool, NotRepaired> {
        for most in 1..=changes.min(self.effort.changes) {
            let engine = &mut self.searcher.heap.engine;
            engine.cut_for_repair(0);
            engine.want_nothing();
            let repairing = engine.repairing();
            (repairing.most_changes, repairing.was_cut) = (most, false);
            let found = self.search_within(most);
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

    fn search_within(&mut self, most: usize) -> Result<bool, NotRepaired> {
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
                let order = self.effort.order.to_vec();
                let tried = tried[depth - 1]
                    .get_or_insert_with(|| Alternatives::new(slot, Some(index), Vec::new(), order, u32::MAX));
                if engine.move_on_for_repair(tried) {
                    break;
                }
            }
        }
        Ok(true)
    }
}
