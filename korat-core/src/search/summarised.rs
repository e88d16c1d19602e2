//! Summaries of a search: its values are counted, and built by their numbers, without searching for them.

use super::untyped::UntypedSearcher;
use crate::heap::bounded::Heap;
use crate::model::settings::{Backtracking, Pruning, Unread};
use crate::summary::natural::Natural;
use crate::summary::solver::{Effort, Halt, MethodNote, Solver, Subject};

/// The summaries of a search, or why there are none.
#[derive(Default)]
pub(super) enum Summaries {
    #[default]
    NotTried,
    None(String),
    Some(Box<Solver>),
}

impl UntypedSearcher {
    /// Finds summaries for all values with at most this many objects beside the root, with at most `runs` more runs of parts of
    /// the predicate. Returns whether they are complete, or why there are none. Panics in the middle of a search.
    pub fn summarise(&mut self, objects: u32, runs: u64) -> Result<bool, String> {
        self.assert_idle();
        if let Summaries::NotTried = self.summaries {
            let is_ours = self.settings.pruning == Pruning::Ownership
                && self.settings.backtracking == Backtracking::Checkpoint
                && self.settings.unread == Unread::All;
            let solver = match is_ours {
                true => Solver::new(&self.heap, self.settings.table_bytes),
                false => Err("the settings ask for another search".to_string()),
            };
            self.summaries = match solver {
                Ok(solver) => Summaries::Some(Box::new(solver)),
                Err(why) => Summaries::None(why),
            };
        }
        match &mut self.summaries {
            Summaries::Some(solver) => {
                let predicate = &self.predicate;
                let heap: &mut Heap = &mut self.heap;
                let subject = &mut Subject { heap, predicate: &|| predicate.lifted(), limits: self.settings.limits };
                match solver.solve(subject, objects, runs) {
                    Ok(()) => Ok(true),
                    Err(Halt::Budget | Halt::Restart) => Ok(false),
                    Err(Halt::Abandoned(why)) => {
                        self.summaries = Summaries::None(why.clone());
                        Err(why)
                    }
                }
            }
            Summaries::None(why) => Err(why.clone()),
            Summaries::NotTried => unreachable!("[korat internal bug] summaries were tried above"),
        }
    }

    fn solver(&mut self) -> &mut Solver {
        match &mut self.summaries {
            Summaries::Some(solver) => solver,
            Summaries::NotTried | Summaries::None(_) => panic!("there are no summaries of this search"),
        }
    }

    /// Returns the number of values by size, as far as summaries are complete.
    pub fn summarised_numbers(&mut self) -> Vec<(usize, Natural)> {
        let most = self.heap.engine.layout.objects.len() as u32;
        let solver = self.solver();
        let mut by_size: std::collections::BTreeMap<usize, Natural> = std::collections::BTreeMap::new();
        for objects in 0..most.min(solver.solved_below()) {
            for (size, number) in solver.accepted(objects) {
                *by_size.entry(size).or_insert(Natural::ZERO) += &number;
            }
        }
        by_size.into_iter().collect()
    }

    /// Returns what finding summaries took.
    pub fn summary_effort(&mut self) -> (u64, u64, u64) {
        let Effort { runs, tables, hits, .. } = self.solver().effort();
        (runs, tables, hits)
    }

    /// Returns how calls were treated.
    pub fn summary_notes(&mut self) -> Vec<String> {
        let shown = |note: MethodNote| {
            format!(
                "{} (line {}): {} tables, {} hits, {:?}",
                note.name, note.line, note.tables, note.hits, note.refused
            )
        };
        self.solver().notes().into_iter().map(shown).collect()
    }
}
