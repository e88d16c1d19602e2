//! Holds both ways of backtracking to each other and to the untouched `rep_ok`, for one invariant at a time.

use std::collections::BTreeMap;
use std::fmt::Debug;

use korat::{Finitize, Pruning, RepOk};

use crate::trace::{End, Trace, Traced, debug_text};

/// How many values are filtered by hand, at most.
const FILTERED: usize = 20_000;

/// Each text, and how many values have it.
fn texts(trace: &Trace) -> BTreeMap<&str, usize> {
    let mut texts = BTreeMap::new();
    for (_, _, text) in &trace.values {
        *texts.entry(text.as_str()).or_default() += 1;
    }
    texts
}

/// Holds every way of searching to the first one, and that one to the untouched `rep_ok`. `all` are the values of `T`
/// within the same bounds, valid or not.
pub fn check<T: Finitize + RepOk + Debug>(scope: usize, valid: usize, all: impl Iterator<Item = Box<T>>) {
    check_texts(
        T::NAME,
        &Traced::of::<T>(),
        scope,
        valid,
        &mut all.map(|value| value.holds().then(|| debug_text(&value))),
    );
}

/// `all` are the texts of the values that `rep_ok` accepts, and `None` for each of the others.
fn check_texts(
    name: &str,
    subject: &Traced,
    scope: usize,
    valid: usize,
    all: &mut dyn Iterator<Item = Option<String>>,
) {
    let [owned, classic] = [Pruning::Ownership, Pruning::Classic].map(|pruning| subject.agreed(scope, pruning));
    let (explored, accepted) = (owned.runs.len(), owned.runs.iter().filter(|run| run.accepted).count());
    assert_eq!(owned.end, End::Exhausted, "{name}");
    assert_eq!(owned.values.len(), valid, "{name}: valid values, of {explored} candidates");
    assert!(0 < accepted && accepted < explored, "{name}: {accepted} of {explored} accepted, which tests little");
    if classic.end == End::Exhausted {
        assert_eq!(texts(&owned), texts(&classic), "{name}: the prunings generate different values");
    }
    let texts = texts(&owned);
    let mut by_hand: BTreeMap<String, usize> = BTreeMap::new();
    let mut seen = 0;
    for value in all.take(FILTERED) {
        seen += 1;
        if let Some(text) = value {
            *by_hand.entry(text).or_default() += 1;
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
    use crate::trace::{MODES, assert_same};

    fn difference(one: Trace, other: Trace) -> String {
        let compared = catch_unwind(|| assert_same("Rising", Pruning::Ownership, &one, &other));
        *compared.expect_err("they differ").downcast().expect("a message")
    }

    #[test]
    fn a_difference_is_shown_with_both_candidates() {
        let [small, large] = [1, 2].map(|scope| Traced::of::<Rising>().trace(scope, Pruning::Ownership, MODES[0]));
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
        let [whole, mut part] = [(); 2].map(|()| Traced::of::<Rising>().trace(2, Pruning::Ownership, MODES[0]));
        part.runs.truncate(3);
        let message = difference(whole, part);
        assert!(message.contains("differ at candidate 3\n") && message.ends_with("has ended"), "{message}");
    }
}
