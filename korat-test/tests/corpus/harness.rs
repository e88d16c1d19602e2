//! Runs one invariant in every way of searching and compares what is seen, candidate by candidate.

use std::collections::BTreeMap;
use std::fmt::{self, Debug, Write};
use std::ops::ControlFlow;

use korat::{Backtracking, Finitize, Pruning, RepOk, SearchError};
use korat_core::{Limits, Searcher, Settings};

/// The ways of backtracking that must agree; the first is the one the others are held to.
const fn modes() -> [Backtracking; 2] {
    [Backtracking::Reexecute, Backtracking::Checkpoint]
}

/// How many values are filtered by hand, at most.
const FILTERED: usize = 20_000;

/// One execution of the predicate, as it was observed.
#[derive(PartialEq)]
struct Run {
    choices: Vec<(u32, u32)>,
    accepted: bool,
    /// For messages.
    text: String,
}

/// How a search ended.
#[derive(Debug, PartialEq)]
enum End {
    Exhausted,
    /// In `Pruning::Classic`: the invariant relies on what the types exclude and never returns on this candidate.
    NeverReturns(String),
    /// In `Pruning::Classic`: the invariant relies on what the types exclude and accepts what is no value.
    Misfit(String),
}

/// A whole search.
struct Trace {
    runs: Vec<Run>,
    /// Each value: how many candidates had been run before it, its slots and its text.
    values: Vec<(usize, String, String)>,
    end: End,
}

impl Trace {
    fn of<T: Finitize + RepOk + Debug>(scope: usize, pruning: Pruning, backtracking: Backtracking) -> Trace {
        let limits = Limits { steps: 2_000, ..Limits::default() };
        let settings = Settings { pruning, backtracking, limits, ..Settings::default() };
        let mut searcher = Searcher::new(&T::scope(scope), settings).unwrap_or_else(|error| panic!("{error}"));
        let (mut runs, mut values) = (Vec::new(), Vec::new());
        let end = loop {
            let more = searcher.advance_observed(&mut |candidate| {
                let (choices, accepted, text) = (candidate.choices(), candidate.accepted(), candidate.describe());
                runs.push(Run { choices, accepted, text });
                ControlFlow::Continue(())
            });
            match more {
                Ok(true) => {}
                Ok(false) => break End::Exhausted,
                Err(SearchError::Endless { candidate, .. } | SearchError::TooDeep { candidate, .. }) => {
                    break End::NeverReturns(candidate);
                }
                Err(SearchError::Misfit { candidate, .. }) => break End::Misfit(candidate),
                Err(error) => panic!("{}, {pruning:?}, {backtracking:?}: {error}", T::NAME),
            }
            let value = searcher.value();
            let slots = searcher.describe();
            assert!(value.holds(), "{}, {pruning:?}, {backtracking:?}: rep_ok rejects\n{slots}", T::NAME);
            values.push((runs.len(), slots, debug_text(&value)));
            drop(value);
            searcher.free_cycles();
        };
        Trace { runs, values, end }
    }

    fn accepted(&self) -> usize {
        self.runs.iter().filter(|run| run.accepted).count()
    }

    /// Each text, and how many values have it.
    fn texts(&self) -> BTreeMap<&str, usize> {
        let mut texts = BTreeMap::new();
        for (_, _, text) in &self.values {
            *texts.entry(text.as_str()).or_default() += 1;
        }
        texts
    }
}

/// The value's `Debug`, cut where it is long: that of a ring never ends.
fn debug_text(value: &impl Debug) -> String {
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
fn assert_same(name: &str, pruning: Pruning, expected: &Trace, found: &Trace) {
    let [reference, other] = modes();
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
    for number in 0..expected.values.len().max(found.values.len()) {
        let (one, two) = (expected.values.get(number), found.values.get(number));
        assert!(one == two, "{heading} at value {number}\n{reference:?} gives {one:#?}\n{other:?} gives {two:#?}");
    }
    assert_eq!(expected.end, found.end, "{heading} in how they end");
}

fn run_text(run: Option<&Run>) -> String {
    match run {
        Some(Run { choices, accepted, text }) => {
            format!("{}\n{text}  choices {choices:?}", if *accepted { "accepts" } else { "rejects" })
        }
        None => "has ended".to_string(),
    }
}

/// Holds every way of searching to the first one, and that one to the untouched `rep_ok`. `all` are the values of `T`
/// within the same bounds, valid or not.
pub fn check<T: Finitize + RepOk + Debug>(scope: usize, valid: usize, all: impl Iterator<Item = Box<T>>) {
    let [owned, classic] = [Pruning::Ownership, Pruning::Classic].map(|pruning| {
        let [expected, found] = modes().map(|mode| Trace::of::<T>(scope, pruning, mode));
        assert_same(T::NAME, pruning, &expected, &found);
        expected
    });
    let (name, explored, accepted) = (T::NAME, owned.runs.len(), owned.accepted());
    assert_eq!(owned.end, End::Exhausted, "{name}");
    assert_eq!(owned.values.len(), valid, "{name}: valid values, of {explored} candidates");
    assert!(0 < accepted && accepted < explored, "{name}: {accepted} of {explored} accepted, which tests little");
    if classic.end == End::Exhausted {
        assert_eq!(owned.texts(), classic.texts(), "{name}: the prunings generate different values");
    }
    let texts = owned.texts();
    let mut by_hand: BTreeMap<String, usize> = BTreeMap::new();
    let mut seen = 0;
    for value in all.take(FILTERED) {
        seen += 1;
        if value.holds() {
            *by_hand.entry(debug_text(&value)).or_default() += 1;
        }
    }
    for (text, count) in &by_hand {
        let generated = texts.get(text.as_str()).copied().unwrap_or_default();
        assert!(*count <= generated, "{name}: generated {generated} times and not {count}: {text}");
    }
    if seen < FILTERED {
        assert_eq!(by_hand.values().sum::<usize>(), valid, "{name}: valid values, of {seen} filtered by hand");
    }
}

/// A test for each invariant: `name: Type, scope => number of valid values;`.
macro_rules! corpus {
    ($($name:ident: $Type:ty, $scope:literal => $valid:literal;)*) => {$(
        #[test]
        fn $name() {
            /// Whatever the type allows.
            #[derive(Debug, korat::Finitize)]
            struct Every {
                it: Box<$Type>,
            }

            #[korat::rep_ok]
            impl Every {
                fn rep_ok(&self) -> bool {
                    true
                }
            }

            let all = korat::valid(<Every as korat::Finitize>::scope($scope)).map(|every| every.it);
            $crate::harness::check::<$Type>($scope, $valid, all);
        }
    )*};
}

pub(crate) use corpus;

mod tests {
    use std::panic::catch_unwind;

    use super::*;
    use crate::lists::Rising;

    fn difference(one: Trace, other: Trace) -> String {
        let compared = catch_unwind(|| assert_same("Rising", Pruning::Ownership, &one, &other));
        *compared.expect_err("they differ").downcast().expect("a message")
    }

    #[test]
    fn a_difference_is_shown_with_both_candidates() {
        let [small, large] = [1, 2].map(|scope| Trace::of::<Rising>(scope, Pruning::Ownership, modes()[0]));
        let message = difference(small, large);
        let expected = [
            "Rising, Ownership: Reexecute and ",
            " differ at candidate 1\n",
            "Reexecute accepts\n  Rising { head: Link }\n",
            "accepts\n  Rising { head: Link#0 }\n  Link#0 { next: null }\n",
        ];
        for part in expected {
            assert!(message.contains(part), "{part} is not in {message}");
        }
    }

    #[test]
    fn a_search_that_ends_early_differs() {
        let [whole, mut part] = [(); 2].map(|()| Trace::of::<Rising>(2, Pruning::Ownership, modes()[0]));
        part.runs.truncate(3);
        let message = difference(whole, part);
        assert!(message.contains("differ at candidate 3\n") && message.ends_with("has ended"), "{message}");
    }
}
