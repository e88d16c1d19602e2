//! What a predicate has compared last is noted, whatever the sides are, by lifted predicates and machines alike; and comparisons
//! mean what they meant.

// What clippy would have written otherwise is what the hooks must leave as it is.
#![allow(clippy::all, unpredictable_function_pointer_comparisons)]

mod meaning;
mod noted;
mod pointers;

use korat::__private::compared::{Comparison, ComparisonRecorder};
use korat::{Backtracking, Finitize, RepOk};
use korat_core::{Searcher, Settings};

/// Shows every valid value with the last comparisons before it was accepted, the newest first. With `Reexecute` all of them are of
/// the run that accepted it; with `Checkpoint` the older ones may be of candidates that were rejected before.
fn each_accepted<T: Finitize + RepOk>(scope: usize, show: impl Fn(Backtracking, &T, &[Comparison])) {
    for backtracking in [Backtracking::Reexecute, Backtracking::Checkpoint] {
        let settings = Settings { backtracking, ..Settings::default() };
        let mut searcher = Searcher::new(&T::scope(scope), settings).expect("a search");
        let recorder = ComparisonRecorder::begin();
        let mut valid = 0;
        while searcher.advance().expect("a predicate that neither panics nor goes on for ever") {
            show(backtracking, &searcher.value(), &recorder.last().collect::<Vec<_>>());
            searcher.free_cycles();
            valid += 1;
        }
        assert!(valid > 0);
    }
}
