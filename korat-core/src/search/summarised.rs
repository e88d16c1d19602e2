//! Summaries of a search: its values are counted, and built by their numbers, without searching for them.

use std::rc::Rc;

use super::check::{RUNS, RunOutcome};
use super::current_value::Interruption;
use super::untyped::UntypedSearcher;
use crate::engine::stop::Stop;
use crate::heap::bounded::Heap;
use crate::model::error::SearchError;
use crate::model::settings::{Backtracking, Pruning, SelfCheck, Settings, Unread};
use crate::summary::effort::SummaryEffort;
use crate::summary::explain::MethodNote;
use crate::summary::natural::Natural;
use crate::summary::parts::BuiltValue;
use crate::summary::solver::{Halt, Solver, Solving, Subject};

/// The most objects, beside the root, of rejected values that are checked. Nobody else asks how many there are, and what makes a
/// small value wrong makes a large one wrong.
const REJECTED_OBJECTS: u32 = 8;

/// The summaries of a search, or why there are none.
#[derive(Default)]
pub(super) enum Summaries {
    #[default]
    NotTried,
    /// The reason, and what was done until it was found out.
    None {
        why: String,
        effort: SummaryEffort,
        notes: Vec<MethodNote>,
    },
    Some(Box<Solver>),
}

impl UntypedSearcher {
    /// Finds summaries for all values with at most this many objects beside the root, with at most `runs` more runs of parts of
    /// the predicate. Returns whether they are complete, or why there are none. Panics in the middle of a search.
    pub fn summarise(&mut self, objects: u32, runs: u64, solving: Solving) -> Result<bool, String> {
        self.make_idle();
        if let Summaries::NotTried = self.summaries {
            let other = match self.settings {
                Settings { pruning: Pruning::Classic, .. } => Some("`Pruning::Classic`"),
                Settings { backtracking: Backtracking::Reexecute, .. } => Some("`Backtracking::Reexecute`"),
                Settings { unread: Unread::First, .. } => Some("`Unread::First`"),
                _ => None,
            };
            let solver = match other {
                None => Solver::new(&self.heap, self.settings.table_bytes),
                Some(other) => Err(format!("{other} asks for another search")),
            };
            self.summaries = match solver {
                Ok(solver) => Summaries::Some(Box::new(solver)),
                Err(why) => Summaries::None { why, effort: SummaryEffort::default(), notes: Vec::new() },
            };
        }
        match &mut self.summaries {
            Summaries::Some(solver) => {
                let predicate = &self.predicate;
                let heap: &mut Heap = &mut self.heap;
                let subject = &mut Subject { heap, predicate: &|| predicate.lifted(), limits: self.settings.limits };
                match solver.solve(subject, objects, runs, solving) {
                    Ok(()) => Ok(true),
                    Err(Halt::Budget | Halt::Restart) => Ok(false),
                    Err(Halt::Abandoned(why)) => {
                        let (effort, notes) = (solver.effort(), solver.notes());
                        self.summaries = Summaries::None { why: why.clone(), effort, notes };
                        Err(why)
                    }
                }
            }
            Summaries::None { why, .. } => Err(why.clone()),
            Summaries::NotTried => unreachable!("[korat internal bug] summaries were tried above"),
        }
    }

    /// Leaves the value that the searcher stands at: runs and completions assign slots of their own.
    pub(super) fn make_idle(&mut self) {
        self.leave_descent();
        if self.restored.is_some() {
            self.leave_abstract();
        }
        self.assert_idle();
    }

    fn solver(&mut self) -> &mut Solver {
        match &mut self.summaries {
            Summaries::Some(solver) => solver,
            Summaries::NotTried | Summaries::None { .. } => panic!("there are no summaries of this search"),
        }
    }

    /// Returns the number of values by size, smallest first, as far as summaries are complete.
    pub fn summarised_numbers(&mut self) -> Vec<(usize, Natural)> {
        let mut by_size: Vec<(usize, Natural)> = Vec::new();
        for (size, _, number) in self.summarised_usages().iter() {
            match by_size.last_mut() {
                Some((last, sum)) if last == size => *sum += number,
                _ => by_size.push((*size, number.clone())),
            }
        }
        by_size
    }

    fn summarised_usages(&mut self) -> Rc<Vec<(usize, u128, Natural)>> {
        self.make_idle();
        self.solver().usages()
    }

    /// Makes the value of a size with a number the current one; the first has number 0. Returns false if there is none. Panics in
    /// the middle of a search.
    pub fn go_to_number(&mut self, size: usize, number: &Natural) -> bool {
        self.lend_built();
        let mut number = number.clone();
        for (_, usage, values) in self.solver().usages().iter().filter(|(of, ..)| *of == size) {
            if number < *values {
                return self.go_to_built(true, *usage, &number);
            }
            number = number - values;
        }
        self.leave_built();
        false
    }

    /// Goes on from a value that summaries built to the next one with as many objects of each class. Returns false if there is none,
    /// or if the current value was not built by summaries.
    pub fn go_to_next_number(&mut self) -> bool {
        if !self.is_built {
            return false;
        }
        self.lend_built();
        if !self.solver().build_next() {
            self.leave_built();
            return false;
        }
        self.stand_at_built();
        true
    }

    /// Leaves the value that the searcher stands at; if summaries built it, its slots stay assigned and are lent to the solver, since
    /// the next value has most of them, too.
    fn lend_built(&mut self) {
        if !self.is_built {
            return self.make_idle();
        }
        let standing = self.restored.take().unwrap_or_default();
        self.solver().lend_standing(standing);
    }

    /// Leaves the value whose slots were lent.
    fn leave_built(&mut self) {
        let standing = self.solver().return_standing();
        self.restored = Some(standing);
        self.leave_abstract();
    }

    /// Makes a value the current one, after [`lend_built`](Self::lend_built).
    fn go_to_built(&mut self, accepted: bool, usage: u128, number: &Natural) -> bool {
        if !self.solver().build(accepted, usage, number) {
            self.leave_built();
            return false;
        }
        self.stand_at_built();
        true
    }

    /// Assigns the slots of the value that was built last, and makes it the current one.
    fn stand_at_built(&mut self) {
        let Summaries::Some(solver) = &mut self.summaries else { return };
        let mut handles = solver.return_standing();
        let BuiltValue { slots, kept, changed, .. } = solver.built_value();
        let (slots, kept) = (slots.len(), (*kept).min(handles.len()));
        let others = changed.iter().filter(|at| **at < kept).map(|&at| (handles[at], solver.built_value().slots[at].1));
        self.heap.engine.load_slots(others);
        match kept {
            0 => self.heap.unload(&mut handles),
            _ => self.heap.engine.unload_slots(handles.drain(kept..)),
        }
        // A slot is looked for when those before it are assigned: then it exists.
        let chosen = (kept..slots).map(|at| {
            let (slot, index) = solver.built_value().slots[at];
            let handle = solver.handle(slot);
            handles.push(handle);
            (handle, index)
        });
        self.heap.engine.load_slots(chosen);
        self.heap.engine.links.set_all_reached(&solver.built_value().reached);
        self.go_to_restored(handles);
        self.is_built = true;
    }

    /// Records which fields accepted values have, and which of them the predicate has read, for [`field_use`](Self::field_use).
    pub fn note_summarised_fields(&mut self) {
        self.make_idle();
        let (read, unread) = self.solver().read_and_unread();
        self.uses.note(&self.heap.engine, &read, &unread);
    }

    /// Returns whether the settings let the search check itself.
    pub fn checks_itself(&self) -> bool {
        self.settings.self_check != SelfCheck::Off
    }

    /// Runs the predicate from the top on values that summaries accept, and on some that they reject, drawn with `entropy`. Returns an
    /// error if it says something else. Does nothing if the search does not check itself.
    pub fn check_summaries(&mut self, values: usize, entropy: &mut dyn FnMut() -> u64) -> Result<(), SearchError> {
        if !self.checks_itself() {
            return Ok(());
        }
        for accepted in [true, false] {
            self.make_idle();
            let most = if accepted { u32::MAX } else { REJECTED_OBJECTS };
            let usages = self.solver().usages_of(accepted, most);
            let total: Natural = usages.iter().map(|(.., number)| number.clone()).sum();
            if total.is_zero() {
                continue;
            }
            for _ in 0..values {
                let mut number = total.below(entropy);
                let found = usages.iter().find(|(.., values)| {
                    let is_it = number < *values;
                    if !is_it {
                        number = std::mem::replace(&mut number, Natural::ZERO) - values;
                    }
                    is_it
                });
                let Some((_, usage, _)) = found else { continue };
                self.lend_built();
                if !self.go_to_built(accepted, *usage, &number) {
                    continue;
                }
                match self.unfiltered_verdict() {
                    Ok(accepts) if accepts == accepted => {}
                    // No stack is large enough for every value that summaries can count.
                    Err(Interruption::Stopped(Stop::TooDeep)) => {}
                    Ok(_) => return Err(self.disagreement_with_summaries(accepted)),
                    Err(Interruption::Stopped(stop)) => return Err(self.stopped(stop)),
                    Err(Interruption::Panicked(payload)) => return Err(self.panicked(payload)),
                }
            }
        }
        self.make_idle();
        Ok(())
    }

    /// Returns the error for a value about which summaries say something else than the predicate has just said.
    fn disagreement_with_summaries(&mut self, accepted: bool) -> SearchError {
        let verdict = |accepts: bool| if accepts { RunOutcome::Accepts } else { RunOutcome::Rejects };
        for _ in 1..RUNS {
            if matches!(self.unfiltered_verdict(), Ok(again) if again == accepted) {
                return self.verdicts_differ(&verdict(!accepted), &verdict(accepted));
            }
        }
        SearchError::Summarised { accepted, candidate: self.describe() }
    }

    /// Returns what finding summaries took: runs of parts of the predicate, tables, and calls that a table answered which was there.
    pub fn summary_effort(&self) -> SummaryEffort {
        match &self.summaries {
            Summaries::Some(solver) => solver.effort(),
            Summaries::None { effort, .. } => *effort,
            Summaries::NotTried => SummaryEffort::default(),
        }
    }

    /// Returns how calls of each method of the predicate were treated, in the order of the source.
    pub fn summary_notes(&self) -> Vec<MethodNote> {
        match &self.summaries {
            Summaries::Some(solver) => solver.notes(),
            Summaries::None { notes, .. } => notes.clone(),
            Summaries::NotTried => Vec::new(),
        }
    }
}
