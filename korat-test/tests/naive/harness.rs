//! The two sides of the comparison. Takes a structure that says how to build a value from raw digits, gives the set of its
//! valid values as text: once by enumerating everything and filtering, once from the search. The naive side never calls
//! the search.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Debug;
use std::rc::Rc;

use korat::{Finitize, Pruning, RepOk, Report, Search, SelfCheck, Summaries};

use crate::canonical::{Canonical, canonical, holds_itself_alone};
use crate::trace::{End, MODES, Traced};

/// More raw assignments than this are too slow for a test.
const MOST_ASSIGNMENTS: usize = 200_000;

/// The raw space: every slot of every object is a digit, whether the object is reached or not.
#[derive(Default)]
pub struct Space {
    /// Per digit, how many values it takes.
    radices: Vec<usize>,
}

impl Space {
    /// One more digit with `values` values; gives its place.
    pub fn slot(&mut self, values: usize) -> usize {
        self.radices.push(values);
        self.radices.len() - 1
    }

    /// `count` objects of one class with the same digits each; gives their places.
    pub fn objects<const S: usize>(&mut self, count: usize, slots: [usize; S]) -> Vec<[usize; S]> {
        (0..count).map(|_| slots.map(|values| self.slot(values))).collect()
    }

    /// Calls `visit` with every assignment of digits.
    pub fn each(&self, mut visit: impl FnMut(&[usize])) {
        let total: usize = self.radices.iter().product();
        assert!(total <= MOST_ASSIGNMENTS, "{total} raw assignments are too many for a test");
        let mut digits = vec![0; self.radices.len()];
        for number in 0..total {
            let mut rest = number;
            for (digit, radix) in digits.iter_mut().zip(&self.radices) {
                (*digit, rest) = (rest % radix, rest / radix);
            }
            visit(&digits);
        }
    }
}

/// Every map with some of these keys and a value of `values` for each.
pub fn maps<K: Copy + Ord, V: Clone>(keys: &[K], values: &[V]) -> Vec<BTreeMap<K, V>> {
    let Some((&key, rest)) = keys.split_first() else { return vec![BTreeMap::new()] };
    let with = |map: &BTreeMap<K, V>| {
        let map = map.clone();
        values.iter().map(move |value| map.clone().into_iter().chain([(key, value.clone())]).collect())
    };
    let others = maps(rest, values);
    let more: Vec<BTreeMap<K, V>> = others.iter().flat_map(with).collect();
    others.into_iter().chain(more).collect()
}

/// Every set of some of these keys.
pub fn sets<K: Copy + Ord>(keys: &[K]) -> Vec<BTreeSet<K>> {
    maps(keys, &[()]).into_iter().map(|set| set.into_keys().collect()).collect()
}

/// Every list of at most `most` of these values.
pub fn lists<T: Clone>(values: &[T], most: usize) -> Vec<Vec<T>> {
    let Some(most) = most.checked_sub(1) else { return vec![Vec::new()] };
    let longer = |list: Vec<T>| values.iter().map(move |value| [std::slice::from_ref(value), &list[..]].concat());
    std::iter::once(Vec::new()).chain(lists(values, most).into_iter().flat_map(longer)).collect()
}

/// The raw assignment is not a value of the types: a box owned twice, a cycle of pointers that cannot be set later.
#[derive(Debug)]
pub struct CannotHold;

/// Which boxed objects are owned already.
pub struct Owned(Vec<bool>);

impl Owned {
    pub fn none_of(objects: usize) -> Self {
        Owned(vec![false; objects])
    }

    /// The object that a reference digit names, which nobody else may own; 0 is null.
    pub fn take(&mut self, digit: usize) -> Result<Option<usize>, CannotHold> {
        let Some(object) = digit.checked_sub(1) else { return Ok(None) };
        if std::mem::replace(&mut self.0[object], true) { Err(CannotHold) } else { Ok(Some(object)) }
    }
}

/// Objects behind an `Rc` that cannot change once made: their own pointers must be made before them.
pub struct Frozen<T>(Vec<Making<T>>);

enum Making<T> {
    NotYet,
    Started,
    Done(Rc<T>),
}

impl<T> Frozen<T> {
    pub fn none_of(objects: usize) -> Self {
        Frozen((0..objects).map(|_| Making::NotYet).collect())
    }

    /// The object, if it is made.
    pub fn known(&self, object: usize) -> Option<Rc<T>> {
        match &self.0[object] {
            Making::Done(made) => Some(Rc::clone(made)),
            Making::NotYet | Making::Started => None,
        }
    }

    /// The object, made by `make` if it is met for the first time.
    pub fn get(
        &mut self,
        object: usize,
        make: impl FnOnce(&mut Self) -> Result<T, CannotHold>,
    ) -> Result<Rc<T>, CannotHold> {
        match &self.0[object] {
            Making::Done(made) => return Ok(Rc::clone(made)),
            Making::Started => return Err(CannotHold),
            Making::NotYet => {}
        }
        self.0[object] = Making::Started;
        let made = Rc::new(make(self)?);
        self.0[object] = Making::Done(Rc::clone(&made));
        Ok(made)
    }
}

/// Which objects owning references lead to, from the root's own reference digits on; 0 is null.
pub fn held(objects: usize, root: &[usize], next: impl Fn(usize) -> Vec<usize>) -> Vec<bool> {
    let mut held = vec![false; objects];
    let mut work = root.to_vec();
    while let Some(digit) = work.pop() {
        let Some(object) = digit.checked_sub(1) else { continue };
        if !std::mem::replace(&mut held[object], true) {
            work.extend(next(object));
        }
    }
    held
}

/// A structure that both sides can enumerate.
pub trait Subject: Finitize + RepOk + Debug + Canonical {
    /// Whether `rep_ok` itself rejects every shape that the types cannot hold, so that a classic search ends well.
    const EXCLUDES_IMPOSSIBLE_SHAPES: bool;

    /// The untouched invariant.
    fn untouched(&self) -> bool;

    /// Builds every raw assignment at this scope that is a value, in any order, duplicates included.
    fn each_raw(scope: usize, visit: &mut dyn FnMut(Self));
}

/// What enumerating everything and filtering finds.
#[derive(Debug, Default)]
pub struct Naive {
    pub accepted: BTreeSet<String>,
    pub rejected: BTreeSet<String>,
}

/// Enumerates everything; `accepts` is the filter.
pub fn naive_by<T: Subject>(scope: usize, accepts: impl Fn(&T) -> bool) -> Naive {
    let mut found = Naive::default();
    T::each_raw(scope, &mut |value| {
        let side = if accepts(&value) { &mut found.accepted } else { &mut found.rejected };
        side.insert(canonical(&value));
    });
    found
}

/// Enumerates everything and filters with the untouched `rep_ok`.
pub fn naive<T: Subject>(scope: usize) -> Naive {
    naive_by(scope, T::untouched)
}

/// One generated value.
pub struct Found {
    pub text: String,
    /// What the untouched `rep_ok` says.
    accepted: bool,
    /// Whether nothing but the value holds its parts.
    alone: bool,
}

/// What a search generates, in its order.
pub fn generated<T: Subject>(search: Search<T>) -> Vec<Found> {
    let mut found = Vec::new();
    // Nothing is asserted inside: a failing property would be shown with `Debug`, which does not end on a cycle.
    search.allow_empty(true).self_check(SelfCheck::All).for_each(|value| {
        found.push(Found { text: canonical(&value), accepted: value.untouched(), alone: holds_itself_alone(&value) });
    });
    found
}

/// The texts of what a search generates.
pub fn generated_set<T: Subject>(search: Search<T>) -> BTreeSet<String> {
    generated(search).into_iter().map(|found| found.text).collect()
}

/// Both sides find the same `expected` values, the search each of them once in every mode. In both prunings, both ways of
/// backtracking see the same candidates.
pub fn assert_agreement<T: Subject>(scope: usize, expected: usize) {
    let naive = naive::<T>(scope);
    assert_eq!(naive.accepted.len(), expected, "naive values of {} at scope {scope}", T::NAME);
    assert!(naive.accepted.is_disjoint(&naive.rejected), "rep_ok of {} depends on more than the value", T::NAME);
    for pruning in [Pruning::Ownership, Pruning::Classic] {
        let trace = Traced::of::<T>().agreed(scope, pruning);
        if pruning == Pruning::Classic && !T::EXCLUDES_IMPOSSIBLE_SHAPES {
            continue;
        }
        let context = format!("{} at scope {scope}, {pruning:?}", T::NAME);
        assert_eq!(trace.end, End::Exhausted, "{context}");
        assert_eq!(trace.values.len(), expected, "{context}: values of the observed search");
        for mode in MODES {
            let found = generated(Search::new(T::scope(scope)).pruning(pruning).backtracking(mode));
            assert_found(&found, &naive, &format!("{context}, {mode:?}"));
        }
        assert_drawn::<T>(scope, pruning, &naive, &context);
    }
}

/// Random descents lead to accepted values, and to each size that has some.
fn assert_drawn<T: Subject>(scope: usize, pruning: Pruning, naive: &Naive, context: &str) {
    let search = || Search::new(T::scope(scope)).pruning(pruning).allow_empty(true);
    let mut found = Vec::new();
    let drawn = search().summaries(Summaries::Never).sample(100).for_each(|value| {
        found.push(Found { text: canonical(&value), accepted: value.untouched(), alone: holds_itself_alone(&value) });
    });
    for Found { text, accepted, alone } in &found {
        assert!(accepted, "{context}: the untouched rep_ok rejects {text}, which was drawn");
        assert!(alone, "{context}: something else holds a part of {text}, which was drawn");
        assert!(naive.accepted.contains(text), "{context}: drawn and not valid: {text}");
    }
    let sizes = |report: &Report| report.by_size.iter().map(|(size, _)| *size).collect::<Vec<_>>();
    assert_eq!(sizes(&drawn), sizes(&search().report()), "{context}: sizes of drawn values");
}

/// The values that were found are the accepted ones, each once.
fn assert_found(found: &[Found], naive: &Naive, context: &str) {
    for Found { text, accepted, alone } in found {
        assert!(accepted, "{context}: the untouched rep_ok rejects {text}");
        assert!(alone, "{context}: something else holds a part of {text}");
        assert!(!naive.rejected.contains(text), "{context}: generated and rejected: {text}");
    }
    let set: BTreeSet<String> = found.iter().map(|found| found.text.clone()).collect();
    assert_same_set(&set, &naive.accepted, context);
    assert_eq!(found.len(), set.len(), "{context}: some value was generated twice");
}

fn assert_same_set(generated: &BTreeSet<String>, naive: &BTreeSet<String>, context: &str) {
    let missing: Vec<&String> = naive.difference(generated).take(3).collect();
    let extra: Vec<&String> = generated.difference(naive).take(3).collect();
    assert!(missing.is_empty() && extra.is_empty(), "{context}: missing {missing:#?}, not valid {extra:#?}");
}
