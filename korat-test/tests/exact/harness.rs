//! Holds a search to brute force: every value of a small structure is built by hand and shown to the plain `rep_ok`. Takes
//! no set from a search; compares the multiset of values in both ways of backtracking and both prunings.

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::panic::{AssertUnwindSafe, catch_unwind};

use korat::{Backtracking, Finitize, Pruning, RepOk, SearchError};
use korat_core::{Limits, Searcher, Settings, UntypedSearcher};

/// Keys of a structure are 0, 1, and 2; there are at most as many of them as `SCOPE`.
pub const SCOPE: usize = 3;
/// The other number of a structure is below this.
pub const MARKS: u8 = 5;

/// More steps than any run on a real value takes; a run on a ring of `Pruning::Classic` takes more.
const STEPS: u64 = 5_000;

/// A structure whose values can be listed by hand.
pub trait Subject: Finitize + RepOk + Debug {
    /// Whether a classic search meets shapes that the types cannot hold.
    const HAS_IMPOSSIBLE_SHAPES: bool;

    fn build(keys: &[u8], mark: u8) -> Self;
}

/// How often each text comes.
type Texts = BTreeMap<String, usize>;

/// What brute force says.
#[derive(Default)]
pub struct Brute {
    accepted: Texts,
    rejected: usize,
    /// Messages of panics.
    panics: Vec<String>,
}

impl Brute {
    pub fn of<T: Subject>() -> Self {
        Brute::by(&|keys, mark| {
            let value = T::build(keys, mark);
            catch_unwind(AssertUnwindSafe(|| value.holds())).map(|holds| holds.then(|| format!("{value:?}")))
        })
    }

    /// Shows every value to the plain predicate: `run` gives the text of a value that it accepts.
    fn by(run: &dyn Fn(&[u8], u8) -> std::thread::Result<Option<String>>) -> Self {
        let mut brute = Brute::default();
        for keys in every_list() {
            for mark in 0..MARKS {
                match run(&keys, mark) {
                    Ok(Some(text)) => *brute.accepted.entry(text).or_default() += 1,
                    Ok(None) => brute.rejected += 1,
                    Err(payload) => brute.panics.push(message(&*payload)),
                }
            }
        }
        brute
    }
}

fn message(payload: &(dyn std::any::Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().map(|text| text.to_string());
    text.or_else(|| payload.downcast_ref::<String>().cloned()).unwrap_or_default()
}

/// Every list of at most `SCOPE` keys.
fn every_list() -> Vec<Vec<u8>> {
    let mut all = vec![vec![]];
    let mut longest = all.clone();
    for _ in 0..SCOPE {
        longest =
            longest.iter().flat_map(|list: &Vec<u8>| (0..3).map(move |key| [&list[..], &[key]].concat())).collect();
        all.extend(longest.iter().cloned());
    }
    all
}

/// How a search ended.
#[derive(Debug, PartialEq)]
pub enum End {
    Exhausted,
    Panicked(String),
    /// In `Pruning::Classic`, on a shape that no value has: without end, or accepted.
    Impossible,
}

/// The predicates that are known not to go on at their last choice, by their names and in that order.
const FROM_TOP: &str = include_str!("from_top.txt");

/// Fails if it is not known whether a predicate goes on at its last choice: one that is run from the top is always right, and tests
/// nothing of the lowering.
fn check_way(name: &str, notes: &[String]) {
    // Without the crate before it and the type after it.
    let name = name.split_once("::").and_then(|(_, path)| path.rsplit_once("::")).map_or(name, |(path, _)| path);
    let why: Vec<&String> = (notes.iter())
        .filter(|note| note.contains("runs from the top") || note.contains("`rep_ok` is not part of the machine"))
        .collect();
    let is_expected = FROM_TOP.lines().any(|line| line == name);
    assert_eq!(!why.is_empty(), is_expected, "`{name}` belongs in from_top.txt, or no more: {why:#?}");
}

/// What a search gives, and how it ends.
pub fn search<T: Subject>(pruning: Pruning, backtracking: Backtracking) -> (Texts, End) {
    let limits = Limits { steps: STEPS, ..Limits::default() };
    let settings = Settings { pruning, backtracking, limits, ..Settings::default() };
    let searcher = Searcher::<T>::new(&T::scope(SCOPE), settings).unwrap_or_else(|error| panic!("{error}"));
    let text = |searcher: &mut UntypedSearcher| format!("{:?}", searcher.value::<T>());
    let name = std::any::type_name::<T>();
    search_by(searcher.into_untyped(), settings, T::HAS_IMPOSSIBLE_SHAPES, name, text)
}

fn search_by(
    mut searcher: UntypedSearcher,
    settings: Settings,
    has_impossible_shapes: bool,
    name: &str,
    text: fn(&mut UntypedSearcher) -> String,
) -> (Texts, End) {
    let Settings { pruning, backtracking, .. } = settings;
    let mut texts = Texts::new();
    loop {
        match searcher.advance() {
            Ok(true) => *texts.entry(text(&mut searcher)).or_default() += 1,
            Ok(false) => {
                let notes = searcher.explanation().map(|explanation| explanation.notes).unwrap_or_default();
                assert!(!notes.iter().any(|note| note.contains("bug in korat")), "{notes:#?}");
                if backtracking == Backtracking::Checkpoint {
                    check_way(name, &notes);
                }
                return (texts, End::Exhausted);
            }
            // On a ring, numbers grow further than in any value.
            Err(SearchError::Panicked { .. }) if has_impossible_shapes && pruning == Pruning::Classic => {
                return (texts, End::Impossible);
            }
            Err(SearchError::Panicked { message, .. }) => return (texts, End::Panicked(message)),
            Err(SearchError::Endless { .. } | SearchError::TooDeep { .. } | SearchError::Misfit { .. })
                if has_impossible_shapes =>
            {
                return (texts, End::Impossible);
            }
            Err(error) => panic!("{pruning:?}, {backtracking:?}: {error}"),
        }
    }
}

/// The first few texts that come more often in `one` than in `other`.
fn more(one: &Texts, other: &Texts) -> Vec<String> {
    let more = one.iter().filter(|(text, count)| other.get(*text).is_none_or(|other| other < count));
    more.map(|(text, _)| text.clone()).take(3).collect()
}

/// What is wrong with a search, if anything is.
pub fn complaint(brute: &Brute, found: &Texts, end: &End, pruning: Pruning) -> Option<String> {
    let (missing, extra) = (more(&brute.accepted, found), more(found, &brute.accepted));
    let numbers = format!("{} values of {}", found.len(), brute.accepted.len());
    match end {
        _ if !extra.is_empty() => Some(format!("{numbers}; missing {missing:#?}; extra {extra:#?}")),
        End::Impossible if pruning == Pruning::Classic => None,
        End::Impossible => Some(format!("{numbers}; it does not end, or accepts what is no value")),
        End::Exhausted if !brute.panics.is_empty() => {
            Some(format!("{numbers}; it does not panic: {:?}", brute.panics[0]))
        }
        End::Exhausted if !missing.is_empty() => Some(format!("{numbers}; missing {missing:#?}")),
        End::Exhausted => None,
        End::Panicked(message) if brute.panics.contains(message) => None,
        End::Panicked(message) => Some(format!("{numbers}; it panics, and the plain rep_ok does not: {message}")),
    }
}

/// Fails if a search in any setting gives another multiset than brute force.
pub fn check<T: Subject>() {
    check_by(&Brute::of::<T>(), search::<T>);
}

fn check_by(brute: &Brute, search: fn(Pruning, Backtracking) -> (Texts, End)) {
    let (accepted, others) = (brute.accepted.len(), brute.rejected + brute.panics.len());
    assert!(accepted > 0 && others > 0, "{accepted} accepted, {others} not, which tests little");
    let mut complaints = String::new();
    for pruning in [Pruning::Ownership, Pruning::Classic] {
        for mode in [Backtracking::Reexecute, Backtracking::Checkpoint] {
            let (found, end) = search(pruning, mode);
            if let Some(text) = complaint(brute, &found, &end, pruning) {
                complaints += &format!("{pruning:?}, {mode:?}: {text}\n");
            }
        }
    }
    assert!(complaints.is_empty(), "{complaints}");
}

/// A node of every `List`: one type for all of them, which is compiled once.
#[derive(Debug, korat::Finitize)]
pub struct Node {
    #[finitize(0..=2)]
    pub key: u8,
    pub next: Option<Box<Node>>,
}

/// A predicate on `List`, keys in linked nodes: `name [plain(Type)] methods`.
macro_rules! on_lists {
    ($name:ident [$($options:tt)*] $($methods:tt)*) => {
        mod $name {
            use super::*;

            pub use $crate::harness::Node;

            #[derive(Debug, korat::Finitize)]
            pub struct List {
                pub head: Option<Box<Node>>,
                #[finitize(0..=4)]
                pub mark: u8,
            }

            #[korat::rep_ok($($options)*)]
            impl List {
                $($methods)*
            }

            impl $crate::harness::Subject for List {
                const HAS_IMPOSSIBLE_SHAPES: bool = true;

                fn build(keys: &[u8], mark: u8) -> Self {
                    let link = |next, key: &u8| Some(Box::new(Node { key: *key, next }));
                    List { head: keys.iter().rev().fold(None, link), mark }
                }
            }

            #[test]
            fn is_exact() {
                $crate::harness::check::<List>();
            }
        }
    };
}
pub(crate) use on_lists;

/// A predicate on `Row`, keys in a vector, so that a classic search meets no impossible shape: `name [plain(Type)] methods`.
macro_rules! on_rows {
    ($name:ident [$($options:tt)*] $($methods:tt)*) => {
        mod $name {
            use super::*;

            #[derive(Debug, korat::Finitize)]
            pub struct Row {
                #[finitize(0..=2, len = 0..=3)]
                pub keys: Vec<u8>,
                #[finitize(0..=4)]
                pub mark: u8,
            }

            #[korat::rep_ok($($options)*)]
            impl Row {
                $($methods)*
            }

            impl $crate::harness::Subject for Row {
                const HAS_IMPOSSIBLE_SHAPES: bool = false;

                fn build(keys: &[u8], mark: u8) -> Self {
                    Row { keys: keys.to_vec(), mark }
                }
            }

            #[test]
            fn is_exact() {
                $crate::harness::check::<Row>();
            }
        }
    };
}
pub(crate) use on_rows;

/// Predicates that go through a list with a number of their own and add up what the expression says of each node:
/// `name(x, node) { expression }`. `Self::bump` changes a number by a node's key and gives the new one.
macro_rules! walk {
    ($($name:ident($x:ident, $node:ident) { $($value:tt)* })*) => {
        $($crate::harness::on_lists! { $name []
            fn rep_ok(&self) -> bool {
                let mut $x: u8 = 1;
                let mut sum: u8 = 0;
                let mut at = &self.head;
                while let Some($node) = at {
                    let value: u8 = { $($value)* };
                    sum = sum.wrapping_mul(3).wrapping_add(value);
                    at = &$node.next;
                }
                sum.wrapping_add($x) % 5 == self.mark
            }

            fn bump(x: &mut u8, node: &Node) -> u8 {
                *x = x.wrapping_mul(2).wrapping_add(node.key);
                *x
            }
        })*
    };
}
pub(crate) use walk;

mod tests {
    use super::*;

    on_rows! {
        sum []

        fn rep_ok(&self) -> bool {
            self.keys.iter().sum::<u8>() == self.mark
        }
    }

    #[test]
    fn a_wrong_set_is_told() {
        let brute = Brute::of::<sum::Row>();
        let (found, end) = search::<sum::Row>(Pruning::Ownership, Backtracking::Checkpoint);
        assert_eq!(complaint(&brute, &found, &end, Pruning::Ownership), None);
        let mut less = found.clone();
        let (first, _) = less.pop_first().expect("there are values");
        let text = complaint(&brute, &less, &end, Pruning::Ownership).expect("one is missing");
        assert!(text.contains("missing") && text.contains(&first) && !text.contains("extra"), "{text}");
        let mut twice = found.clone();
        *twice.get_mut(&first).expect("it is there") += 1;
        let text = complaint(&brute, &twice, &end, Pruning::Ownership).expect("one is there twice");
        assert!(text.contains("extra") && text.contains(&first), "{text}");
        let text = complaint(&brute, &found, &End::Panicked("oh".to_string()), Pruning::Ownership).expect("it panics");
        assert!(text.contains("oh"), "{text}");
    }
}
