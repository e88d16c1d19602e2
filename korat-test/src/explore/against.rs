//! The states that operations reach, against the values that an invariant accepts.

use std::collections::HashSet;
use std::fmt::{self, Debug};
use std::panic::Location;

use korat_core::{Bounds, Finitize, RepOk, Searcher};
use rustc_hash::FxBuildHasher;

use super::failure::FailedSequence;
use super::report::{ExploreEnding, ExploreReport};
use super::run::Run;
use super::{Explore, State};
use crate::env;
use crate::error::{Error, raised};
use crate::picture;
use crate::report::{counted, grouped};
use crate::search::Search;

/// The most values of each list that a comparison shows.
const SHOWN: usize = 10;

/// The states that operations reach, compared with the values that `rep_ok` accepts within bounds.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Comparison {
    /// The exploration, which has found every state.
    pub explored: ExploreReport,
    /// The number of valid values within the bounds.
    pub valid: u64,
    /// The number of valid values that are reached.
    pub reached: u64,
    /// The number of reached states that `rep_ok` accepts and that do not lie within the bounds.
    pub beyond_bounds: u64,
    /// Drawings of the valid values that no sequence of operations reaches through valid states, smallest first: the invariant is
    /// weaker than the code.
    pub unreachable: Vec<String>,
    /// The shortest sequences to states that `rep_ok` rejects, one for each state: the last operation leaves the valid states.
    pub rejected: Vec<FailedSequence>,
}

impl Comparison {
    /// Asserts that the same values are reached and valid.
    #[track_caller]
    pub fn expect_same(&self) -> &Self {
        self.expect_unreachable(0)
    }

    /// Asserts that every reached state is valid and within the bounds, and that exactly this many valid values are not reached.
    #[track_caller]
    pub fn expect_unreachable(&self, count: usize) -> &Self {
        let is_so = self.rejected.is_empty() && self.beyond_bounds == 0 && self.unreachable.len() == count;
        raised(if is_so { Ok(()) } else { Err(Error::Expectation(self.to_string())) });
        self
    }
}

impl fmt::Display for Comparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let states = counted(self.explored.found, "state");
        writeln!(f, "{states} reached, {} valid, {} in both", grouped(self.valid), grouped(self.reached))?;
        if self.beyond_bounds > 0 {
            let beyond = counted(self.beyond_bounds, "state");
            writeln!(f, "{beyond} reached and valid, but beyond the bounds: larger bounds take them in")?;
        }
        let more = |f: &mut fmt::Formatter<'_>, all: usize| match all.checked_sub(SHOWN) {
            Some(more) if more > 0 => writeln!(f, "  .. and {} more", grouped(more as u64)),
            _ => Ok(()),
        };
        if !self.unreachable.is_empty() {
            writeln!(f, "valid, but no sequence of operations reaches it through valid states:")?;
            self.unreachable.iter().take(SHOWN).try_for_each(|drawing| writeln!(f, "{drawing}"))?;
            more(f, self.unreachable.len())?;
        }
        if !self.rejected.is_empty() {
            writeln!(f, "reached, but rep_ok rejects it; the last call leaves the valid states:")?;
            for sequence in self.rejected.iter().take(SHOWN) {
                let after = match &*sequence.calls.join(", ") {
                    "" => "as a first state".to_string(),
                    calls => format!("after {calls}"),
                };
                match sequence.states.last().map_or("", String::as_str) {
                    drawing if drawing.contains('\n') => writeln!(f, "  {after}:\n{drawing}")?,
                    line => writeln!(f, "  {line}  {after}")?,
                }
            }
            more(f, self.rejected.len())?;
        }
        Ok(())
    }
}

impl<S: Finitize + RepOk + State> Explore<S> {
    /// Explores until nothing new is found, and compares the states with all values within bounds that `rep_ok` accepts. States
    /// that it rejects are not explored further, so what only they lead to counts as not reached. Panics if an operation or a
    /// check fails, or if a limit, the time or the environment ends the exploration or the search early.
    #[track_caller]
    pub fn compare(self, bounds: Bounds<S>) -> Comparison {
        raised(self.compared(bounds, Location::caller()).map_err(Error::Expectation))
    }

    fn compared(mut self, mut bounds: Bounds<S>, location: &'static Location<'static>) -> Result<Comparison, String> {
        env::apply(&mut self.config);
        if !self.matched_by.is_exact() {
            return Err("a comparison needs every state that can be reached; leave `Matching::Exact`".to_string());
        }
        if let Some(scope) = self.config.scope {
            bounds.set_scope(scope);
        }
        let recording = self.recorded(location);
        let mut run = Run::new(self, location);
        run.executor.accepts = Some(S::holds);
        let explored = recording.explored(run.explore()).map_err(|failed| failed.to_string())?;
        if explored.ending != ExploreEnding::Fixpoint {
            return Err(format!("a comparison needs every state that can be reached, but {explored}"));
        }
        // Values are compared as the search compares them: it knows which orders and names do not count.
        let mut searcher =
            Searcher::new(&bounds, run.executor.explore.config.settings()).map_err(|error| error.to_string())?;
        let (mut forms, mut beyond_bounds) = (HashSet::<_, FxBuildHasher>::default(), 0);
        for state in run.states.ids() {
            let (value, shared) = run.executor.forms.read::<S>(run.states.form(state), 0);
            match searcher.abstract_value(&value) {
                Ok(slots) => _ = forms.insert(searcher.canonical_form(&slots)),
                Err(_) => beyond_bounds += 1,
            }
            drop((value, shared));
        }
        let (mut valid, mut numbers) = (0, Vec::new());
        let search = Search::new(bounds.clone()).allow_empty(true).whole();
        let searched = search.run_property(location, |value| {
            valid += 1;
            let form = searcher.abstract_value(&value).map(|slots| searcher.canonical_form(&slots));
            if !form.is_ok_and(|form| forms.contains(&form)) {
                numbers.push(valid);
            }
        });
        let searched = searched.map_err(|error| error.to_string())?;
        if !searched.is_complete() {
            return Err(format!("a comparison needs every valid value, but {searched}"));
        }
        let reached = valid - numbers.len() as u64;
        let mut unreachable = Vec::new();
        Search::new(bounds).each_outline(numbers.last().map_or(0, |last| *last as usize), |number, outline| {
            if numbers.binary_search(&number).is_ok() {
                unreachable.push(picture::text(outline));
            }
        });
        Ok(Comparison { explored, valid, reached, beyond_bounds, unreachable, rejected: run.rejected })
    }
}
