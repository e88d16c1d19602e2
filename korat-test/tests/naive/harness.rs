//! The two sides of the comparison. Takes a structure that says how to build a value from raw digits, gives the set of its
//! valid values as text: once by enumerating everything and filtering, once from the search. The naive side never calls
//! the search.

#[path = "../common/trace.rs"]
mod trace;

use std::any::Any;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
use std::fmt::{Debug, Write};
use std::ptr;
use std::rc::{Rc, Weak};

use korat::{Finitize, Pruning, RepOk, Search, SelfCheck};

use trace::{End, MODES, Trace};

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

/// A walk over a real value: objects are numbered when a pointer first leads to them.
#[derive(Default)]
pub struct Walk {
    text: String,
    numbers: HashMap<*const (), usize>,
    /// Per `Rc` met, its object; an object stands here once for each.
    strong: Vec<Weak<dyn Any>>,
}

impl Walk {
    /// Text for a plain value.
    pub fn plain(&mut self, value: &dyn Debug) {
        write!(self.text, "{value:?} ").expect("writing to a string cannot fail");
    }

    /// An object with its fields.
    pub fn fields(&mut self, class: &str, fields: &[&dyn Canonical]) {
        write!(self.text, "{class}( ").expect("writing to a string cannot fail");
        fields.iter().for_each(|field| field.walk(self));
        self.text.push_str(") ");
    }

    /// An object that a pointer leads to.
    pub fn pointer<T: Canonical>(&mut self, object: &T) {
        let next = self.numbers.len();
        let number = *self.numbers.entry(ptr::from_ref(object).cast()).or_insert(next);
        write!(self.text, "#{number} ").expect("writing to a string cannot fail");
        if number == next {
            object.walk(self);
        }
    }
}

/// A value that can be walked: isomorphic values give the same text, others do not.
pub trait Canonical {
    fn walk(&self, to: &mut Walk);
}

/// The text of a value.
pub fn canonical(value: &impl Canonical) -> String {
    let mut walk = Walk::default();
    value.walk(&mut walk);
    walk.text
}

/// Whether every counted object of the value is held by the value's own pointers and by nothing else.
pub fn holds_itself_alone(value: &impl Canonical) -> bool {
    let mut walk = Walk::default();
    value.walk(&mut walk);
    let holders = |object: &Weak<dyn Any>| walk.strong.iter().filter(|other| Weak::ptr_eq(object, other)).count();
    walk.strong.iter().all(|object| object.strong_count() == holders(object))
}

impl<T: Canonical> Canonical for Option<T> {
    fn walk(&self, to: &mut Walk) {
        match self {
            Some(value) => value.walk(to),
            None => to.plain(&()),
        }
    }
}

impl<T: Canonical> Canonical for Box<T> {
    fn walk(&self, to: &mut Walk) {
        to.pointer(&**self);
    }
}

impl<T: Canonical + 'static> Canonical for Rc<T> {
    fn walk(&self, to: &mut Walk) {
        let this: Weak<T> = Rc::downgrade(self);
        to.strong.push(this);
        to.pointer(&**self);
    }
}

impl<T: Canonical> Canonical for Weak<T> {
    fn walk(&self, to: &mut Walk) {
        match self.upgrade() {
            Some(strong) => to.pointer(&*strong),
            None => to.plain(&()),
        }
    }
}

impl<T: Canonical> Canonical for RefCell<T> {
    fn walk(&self, to: &mut Walk) {
        self.borrow().walk(to);
    }
}

impl<T: Canonical> Canonical for Vec<T> {
    fn walk(&self, to: &mut Walk) {
        to.plain(&self.len());
        self.iter().for_each(|value| value.walk(to));
    }
}

impl<T: Canonical> Canonical for VecDeque<T> {
    fn walk(&self, to: &mut Walk) {
        to.plain(&self.len());
        self.iter().for_each(|value| value.walk(to));
    }
}

impl<K: Debug, V: Canonical> Canonical for BTreeMap<K, V> {
    fn walk(&self, to: &mut Walk) {
        to.plain(&self.len());
        for (key, value) in self {
            to.plain(key);
            value.walk(to);
        }
    }
}

impl<K: Debug + Ord, V: Canonical> Canonical for HashMap<K, V> {
    fn walk(&self, to: &mut Walk) {
        to.plain(&self.len());
        for (key, value) in self.iter().collect::<BTreeMap<_, _>>() {
            to.plain(key);
            value.walk(to);
        }
    }
}

impl<K: Debug> Canonical for BTreeSet<K> {
    fn walk(&self, to: &mut Walk) {
        to.plain(self);
    }
}

impl<K: Debug + Ord> Canonical for HashSet<K> {
    fn walk(&self, to: &mut Walk) {
        to.plain(&self.iter().collect::<BTreeSet<_>>());
    }
}

impl<A: Canonical, B: Canonical> Canonical for (A, B) {
    fn walk(&self, to: &mut Walk) {
        self.0.walk(to);
        self.1.walk(to);
    }
}

impl<T: Canonical, const N: usize> Canonical for [T; N] {
    fn walk(&self, to: &mut Walk) {
        self.iter().for_each(|value| value.walk(to));
    }
}

/// Values whose `Debug` text says all there is to say.
macro_rules! canonical_plain {
    ($($type:ty)*) => {$(
        impl $crate::harness::Canonical for $type {
            fn walk(&self, to: &mut $crate::harness::Walk) {
                to.plain(self);
            }
        }
    )*};
}
pub(crate) use canonical_plain;

canonical_plain! { u8 i8 usize bool char }

/// Structs by their fields.
macro_rules! canonical_fields {
    ($($class:ident { $($field:tt),* })*) => {$(
        impl $crate::harness::Canonical for $class {
            fn walk(&self, to: &mut $crate::harness::Walk) {
                to.fields(stringify!($class), &[$( &self.$field ),*]);
            }
        }
    )*};
}
pub(crate) use canonical_fields;

/// `Debug` for structures with hashed parts, whose own order is another one each time.
macro_rules! debug_in_order {
    ($($class:ty)*) => {$(
        impl std::fmt::Debug for $class {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(&$crate::harness::canonical(self))
            }
        }
    )*};
}
pub(crate) use debug_in_order;

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
    search.allow_empty().self_check(SelfCheck::All).for_each(|value| {
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
        let trace = Trace::agreed::<T>(scope, pruning);
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
    }
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
