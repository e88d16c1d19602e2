//! Summaries of a search: its values are counted, and built by their numbers, without searching for them.

use super::untyped::UntypedSearcher;
use crate::heap::bounded::Heap;
use crate::model::settings::{Backtracking, Pruning, Unread};
use crate::summary::cursor::BuiltValue;
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
        self.make_idle();
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

    /// Leaves the value that the searcher stands at: runs and completions assign slots of their own.
    fn make_idle(&mut self) {
        if self.restored.is_some() {
            self.leave_abstract();
        }
        self.assert_idle();
    }

    fn solver(&mut self) -> &mut Solver {
        match &mut self.summaries {
            Summaries::Some(solver) => solver,
            Summaries::NotTried | Summaries::None(_) => panic!("there are no summaries of this search"),
        }
    }

    /// Returns the number of values by size, smallest first, as far as summaries are complete.
    pub fn summarised_numbers(&mut self) -> Vec<(usize, Natural)> {
        let mut by_size: Vec<(usize, Natural)> = Vec::new();
        for (size, _, number) in self.summarised_usages() {
            match by_size.last_mut() {
                Some((last, sum)) if *last == size => *sum += &number,
                _ => by_size.push((size, number)),
            }
        }
        by_size
    }

    fn summarised_usages(&mut self) -> Vec<(usize, u128, Natural)> {
        self.make_idle();
        let most = self.heap.engine.layout.objects.len() as u32 - 1;
        let solver = self.solver();
        match solver.solved_below().min(most + 1).checked_sub(1) {
            Some(most) => solver.usages(most),
            None => Vec::new(),
        }
    }

    /// Makes the value of a size with a number the current one; the first has number 0. Returns false if there is none. Panics in
    /// the middle of a search.
    pub fn go_to_number(&mut self, size: usize, number: &Natural) -> bool {
        let mut number = number.clone();
        for (_, usage, values) in self.summarised_usages().into_iter().filter(|(of, ..)| *of == size) {
            if number < values {
                let value = self.solver().value(true, usage, &number);
                return value.is_some_and(|value| self.go_to_built(&value));
            }
            number = number - &values;
        }
        false
    }

    fn go_to_built(&mut self, value: &BuiltValue) -> bool {
        let mut handles = Vec::with_capacity(value.slots.len());
        for &(slot, index) in &value.slots {
            let handle = self.solver().handle(slot);
            handle.assign(index);
            handles.push(handle);
        }
        let mut reached = self.heap.engine.links.all_reached().to_vec();
        reached[..value.reached.len()].copy_from_slice(&value.reached);
        let chosen = value.slots.iter().zip(&handles).map(|(&(_, index), &handle)| (handle, index));
        self.heap.engine.load_chosen(chosen, &reached);
        self.go_to_restored(handles);
        true
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
