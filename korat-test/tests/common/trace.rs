//! Runs one invariant in both ways of backtracking and compares what is seen, candidate by candidate and value by value.

use std::collections::BTreeSet;
use std::fmt::{self, Debug, Write};
use std::ops::ControlFlow;

use korat::{Backtracking, Finitize, Pruning, RepOk, SearchError};
use korat_core::{Counters, Limits, Part, Searcher, Settings, Solving, SummaryEffort, UntypedSearcher};

/// The ways of backtracking that must agree; the first is the one the others are held to.
pub const MODES: [Backtracking; 2] = [Backtracking::Reexecute, Backtracking::Checkpoint];

/// One execution of the predicate, as it was observed.
#[derive(PartialEq)]
pub struct Run {
    pub choices: Vec<(u32, u32)>,
    pub accepted: bool,
    /// For messages.
    pub text: String,
}

/// How a search ended.
#[derive(Debug, PartialEq)]
pub enum End {
    Exhausted,
    /// In `Pruning::Classic`: the invariant relies on what the types exclude and never returns on this candidate.
    NeverReturns(String),
    /// In `Pruning::Classic`: the invariant relies on what the types exclude and accepts what is no value.
    Misfit(String),
}

/// A whole search.
pub struct Trace {
    pub runs: Vec<Run>,
    /// Each value: how many candidates had been run before it, its slots and its text.
    pub values: Vec<(u64, String, String)>,
    /// The search's own counts.
    pub explored: u64,
    pub field_inits: u64,
    pub end: End,
}

/// A type under test: all that a search of it needs to know about it.
pub struct Traced {
    name: &'static str,
    /// Begins a search at a scope.
    search: fn(usize, Settings) -> Result<UntypedSearcher, SearchError>,
    /// Builds the current value, and says whether the untouched `rep_ok` accepts it and what its `Debug` is.
    value: fn(&mut UntypedSearcher) -> (bool, String),
}

impl Traced {
    pub fn of<T: Finitize + RepOk + Debug>() -> Traced {
        Traced {
            name: T::NAME,
            search: |scope, settings| Searcher::<T>::new(&T::scope(scope), settings).map(Searcher::into_untyped),
            value: |searcher| {
                let value = searcher.value::<T>();
                (value.holds(), debug_text(&value))
            },
        }
    }

    pub fn trace(&self, scope: usize, pruning: Pruning, backtracking: Backtracking) -> Trace {
        let mut runs = Vec::new();
        let trace = self.by(scope, pruning, backtracking, &mut |searcher| {
            searcher.advance_observed(&mut |candidate| {
                let (choices, accepted, text) = (candidate.choices(), candidate.accepted(), candidate.describe());
                runs.push(Run { choices, accepted, text });
                ControlFlow::Continue(())
            })
        });
        Trace { runs, ..trace }
    }

    /// The values alone. As nobody looks at candidates, the machine goes from one to the next by itself.
    fn unobserved(&self, scope: usize, pruning: Pruning, backtracking: Backtracking) -> Trace {
        self.by(scope, pruning, backtracking, &mut UntypedSearcher::advance)
    }

    fn by(
        &self,
        scope: usize,
        pruning: Pruning,
        backtracking: Backtracking,
        advance: &mut dyn FnMut(&mut UntypedSearcher) -> Result<bool, SearchError>,
    ) -> Trace {
        let name = self.name;
        let limits = Limits { steps: 2_000, ..Limits::default() };
        let settings = Settings { pruning, backtracking, limits, ..Settings::default() };
        let mut searcher = (self.search)(scope, settings).unwrap_or_else(|error| panic!("{error}"));
        let mut values = Vec::new();
        let end = loop {
            match advance(&mut searcher) {
                Ok(true) => {}
                Ok(false) => break End::Exhausted,
                Err(SearchError::Endless { candidate, .. } | SearchError::TooDeep { candidate, .. }) => {
                    break End::NeverReturns(candidate);
                }
                Err(SearchError::Misfit { candidate, .. }) => break End::Misfit(candidate),
                Err(error) => panic!("{name}, {pruning:?}, {backtracking:?}: {error}"),
            }
            let (holds, text) = (self.value)(&mut searcher);
            let slots = searcher.describe();
            assert!(holds, "{name}, {pruning:?}, {backtracking:?}: rep_ok rejects\n{slots}");
            values.push((searcher.counters().explored, slots, text));
            searcher.free_cycles();
        };
        let Counters { explored, field_inits, .. } = searcher.counters();
        Trace { runs: Vec::new(), values, explored, field_inits, end }
    }

    /// What both ways of backtracking see, which must be the same, and must come to the same when nobody looks.
    pub fn agreed(&self, scope: usize, pruning: Pruning) -> Trace {
        let name = format!("{} at scope {scope}", self.name);
        let [expected, found] = MODES.map(|mode| {
            let observed = self.trace(scope, pruning, mode);
            let unobserved = self.unobserved(scope, pruning, mode);
            let heading = format!("{name}, {pruning:?}, {mode:?}: observed and unobserved differ");
            assert_same_values(&heading, &observed, &unobserved);
            assert_eq!(observed.field_inits, unobserved.field_inits, "{heading} in field initialisations");
            observed
        });
        assert_same(&name, pruning, &expected, &found);
        if expected.end == End::Exhausted {
            // A piece that a few choices make, and pieces that many candidates are shorter than.
            let depth = if pruning == Pruning::Ownership { 4 } else { 7 };
            self.assert_parted(&name, scope, pruning, 2, depth, &expected);
        }
        if pruning == Pruning::Ownership && expected.end == End::Exhausted {
            self.assert_summarised(&name, scope, &expected);
        }
        expected
    }

    /// Asserts that the parts of the search together have each candidate and each value once, in the order of the search.
    fn assert_parted(&self, name: &str, scope: usize, pruning: Pruning, of: u32, depth: usize, expected: &Trace) {
        let name = format!("{name}, {pruning:?}, {of} parts at depth {depth}");
        let remembers = (self.search)(scope, Settings::default()).is_ok_and(|searcher| searcher.remembers_values());
        let (mut runs, mut values) = (vec![0; expected.runs.len()], vec![0; expected.values.len()]);
        for part in (0..of).map(|index| Part { index, of, depth }) {
            let begin = |searcher: &mut UntypedSearcher, has_begun: &mut bool| {
                if !std::mem::replace(has_begun, true) {
                    searcher.take_part(part);
                }
            };
            let (mut begun, mut begun_unobserved) = (false, false);
            let mut seen = Vec::new();
            let observed = self.by(scope, pruning, MODES[0], &mut |searcher| {
                begin(searcher, &mut begun);
                searcher.advance_observed(&mut |candidate| {
                    let (choices, accepted, text) = (candidate.choices(), candidate.accepted(), candidate.describe());
                    seen.push(Run { choices, accepted, text });
                    ControlFlow::Continue(())
                })
            });
            let unobserved = self.by(scope, pruning, MODES[1], &mut |searcher| {
                begin(searcher, &mut begun_unobserved);
                searcher.advance()
            });
            assert_same_values(&format!("{name}: modes differ"), &observed, &unobserved);
            assert_eq!(observed.explored, seen.len() as u64, "{name}");
            let mut at = expected.runs.iter().enumerate();
            for run in &seen {
                let found = at.find(|(_, expected)| *expected == run);
                let (number, _) = found.unwrap_or_else(|| panic!("{name}: no such candidate\n{}", run_text(Some(run))));
                runs[number] += 1;
            }
            let mut at = expected.values.iter().enumerate();
            for (_, slots, text) in &observed.values {
                let found = at.find(|(_, expected)| (&expected.1, &expected.2) == (slots, text));
                values[found.unwrap_or_else(|| panic!("{name}: no such value\n{slots}\n{text}")).0] += 1;
            }
        }
        // Completions of values that have fewer choices may have pieces, too.
        let is_long = |run: &Run| run.choices.len() >= depth;
        if !remembers && depth > 0 && expected.runs.iter().all(|run| !run.accepted || is_long(run)) {
            let pieces: BTreeSet<_> =
                expected.runs.iter().filter(|run| is_long(run)).map(|run| &run.choices[..depth]).collect();
            for backtracking in MODES {
                let settings = Settings { backtracking, pruning, ..Settings::default() };
                let counted = (self.search)(scope, settings).unwrap().count_pieces(depth, u64::MAX, u64::MAX / 2);
                assert_eq!(counted, Some(pieces.len() as u64), "{name}: pieces");
            }
        }
        let times = if remembers { of } else { 1 };
        let wrong = runs.iter().position(|found| *found != times);
        assert!(wrong.is_none(), "{name}: not found once\n{}", run_text(wrong.and_then(|at| expected.runs.get(at))));
        assert!(values.iter().all(|found| *found == 1), "{name}: values are found {values:?} times");
    }

    /// How many tables summaries have, and how many calls these have answered again; or why there are none.
    #[allow(dead_code)]
    pub fn summary(&self, scope: usize) -> Result<(u64, u64), String> {
        let mut searcher = (self.search)(scope, Settings::default()).unwrap_or_else(|error| panic!("{error}"));
        searcher.summarise(u32::MAX, u64::MAX, Solving::BySize)?;
        let SummaryEffort { tables, hits, .. } = searcher.summary_effort();
        Ok((tables, hits))
    }

    /// Asserts that summaries, where there are any, count and build the values of the search.
    fn assert_summarised(&self, name: &str, scope: usize, expected: &Trace) {
        const RUNS: u64 = 100_000;
        let limits = Limits { steps: 2_000, ..Limits::default() };
        let settings = Settings { limits, ..Settings::default() };
        let mut searcher = (self.search)(scope, settings).unwrap_or_else(|error| panic!("{error}"));
        let summarised = searcher.summarise(u32::MAX, RUNS, Solving::BySize);
        if std::env::var_os("SHOW_SUMMARIES").is_some() {
            eprintln!(
                "{name}: {summarised:?} {:?}",
                summarised.is_ok().then(|| (searcher.summary_effort(), searcher.summary_notes()))
            );
        }
        if summarised != Ok(true) || searcher.has_filter() {
            return;
        }
        let mut by_size = (self.search)(scope, settings).unwrap_or_else(|error| panic!("{error}"));
        for objects in 0..64 {
            by_size
                .summarise(objects, RUNS, Solving::BySize)
                .unwrap_or_else(|why| panic!("{name}: size by size: {why}"));
            by_size.summarised_numbers();
        }
        // However far is summarised at a time, values have the same numbers.
        let built = self.built(name, &mut searcher);
        assert_eq!(self.built(name, &mut by_size), built, "{name}: size by size");
        let mut at_once = (self.search)(scope, settings).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(at_once.summarise(u32::MAX, RUNS, Solving::AtOnce), Ok(true), "{name}: at once");
        let mut searched: Vec<String> = expected.values.iter().map(|(_, _, text)| text.clone()).collect();
        searched.sort();
        for mut built in [built, self.built(name, &mut at_once)] {
            built.sort();
            for number in 0..built.len().max(searched.len()) {
                let (one, two) = (searched.get(number), built.get(number));
                assert!(one == two, "{name}: searched and summarised values differ\n{one:#?}\n{two:#?}");
            }
        }
    }

    /// Builds all values from summaries, in the order of their numbers.
    fn built(&self, name: &str, searcher: &mut UntypedSearcher) -> Vec<String> {
        let mut built = Vec::new();
        for (size, number) in searcher.summarised_numbers() {
            for number in 0..number.to_u64().expect("it is small") {
                assert!(searcher.go_to_number(size, &number.into()));
                let (holds, text) = (self.value)(searcher);
                assert!(holds, "{name}: rep_ok rejects what summaries accept\n{text}");
                assert_eq!(searcher.size(), size, "{name}: the size of\n{text}");
                built.push(text);
                searcher.free_cycles();
            }
        }
        built
    }
}

/// The value's `Debug`, cut where it is long: that of a ring never ends.
pub fn debug_text(value: &impl Debug) -> String {
    struct Cut(String);
    impl Write for Cut {
        fn write_str(&mut self, text: &str) -> fmt::Result {
            self.0.push_str(text);
            if self.0.len() > 2_000 { Err(fmt::Error) } else { Ok(()) }
        }
    }
    let mut text = Cut(String::new());
    // An error is the cut, and what is there by then is enough.
    let _ = write!(text, "{value:?}");
    text.0
}

/// Panics at the first difference, with the invariant, the number of the candidate and both candidates.
pub fn assert_same(name: &str, pruning: Pruning, expected: &Trace, found: &Trace) {
    let [reference, other] = MODES;
    let heading = format!("{name}, {pruning:?}: {reference:?} and {other:?} differ");
    for number in 0..expected.runs.len().max(found.runs.len()) {
        let (one, two) = (expected.runs.get(number), found.runs.get(number));
        assert!(
            one == two,
            "{heading} at candidate {number}\n{reference:?} {}\n{other:?} {}",
            run_text(one),
            run_text(two)
        );
    }
    assert_same_values(&heading, expected, found);
}

/// Asserts that two runs give the same values and end in the same way, whatever their candidates are.
fn assert_same_values(heading: &str, expected: &Trace, found: &Trace) {
    for number in 0..expected.values.len().max(found.values.len()) {
        let (one, two) = (expected.values.get(number), found.values.get(number));
        assert!(one == two, "{heading} at value {number}\n{one:#?}\n{two:#?}");
    }
    assert_eq!(expected.end, found.end, "{heading} in how they end");
    assert_eq!(expected.explored, found.explored, "{heading} in the number of candidates");
}

fn run_text(run: Option<&Run>) -> String {
    match run {
        Some(Run { choices, accepted, text }) => {
            format!("{}\n{text}  choices {choices:?}", if *accepted { "accepts" } else { "rejects" })
        }
        None => "has ended".to_string(),
    }
}
