//! Operators of classes: `==`, `<`, hashing, `{:?}` and `clone` run the user's own impls. The naive comparison has more.

use std::marker::PhantomData;
use std::ptr;
use std::rc::{Rc, Weak};

use korat::{Backtracking, Finitize, Search, rep_ok};

/// A queue that rep_ok empties.
#[derive(Clone, Debug, PartialEq, Finitize)]
struct Queue {
    #[finitize(len = 0..=3)]
    front: Vec<Item>,
    #[finitize(len = 0..=2)]
    back: Vec<Item>,
}

#[derive(Clone, Debug, PartialEq, PartialOrd, Finitize)]
struct Item {
    #[finitize(0..=1)]
    key: u8,
    #[finitize(skip = PhantomData)]
    kind: PhantomData<fn()>,
}

impl Queue {
    fn pop(&mut self) -> Option<Item> {
        if self.front.is_empty() {
            self.front = self.back.drain(..).rev().collect();
        }
        self.front.pop()
    }
}

#[rep_ok]
impl Queue {
    fn rep_ok(&self) -> bool {
        let mut rest = self.clone();
        let mut last = None;
        while let Some(item) = rest.pop() {
            if last.is_some_and(|last| last > item) {
                return false;
            }
            last = Some(item);
        }
        rest.front.is_empty()
    }
}

fn lists(most: usize) -> Vec<Vec<Item>> {
    let item = |key| Item { key, kind: PhantomData };
    let mut all = vec![vec![]];
    let mut longest: Vec<Vec<Item>> = all.clone();
    for _ in 0..most {
        longest = longest.iter().flat_map(|list| (0..2).map(|key| [&list[..], &[item(key)]].concat())).collect();
        all.extend(longest.iter().cloned());
    }
    all
}

#[test]
fn a_clone_can_be_changed() {
    let mut expected = Vec::new();
    for front in lists(3) {
        for back in lists(2) {
            let queue = Queue { front: front.clone(), back };
            if queue.rep_ok() {
                expected.push(format!("{queue:?}"));
            }
        }
    }
    expected.sort();
    assert_eq!(expected.len(), 42);
    for backtracking in [Backtracking::Checkpoint, Backtracking::Reexecute] {
        let mut found = Vec::new();
        Search::new(Queue::scope(5)).backtracking(backtracking).for_each(|queue| found.push(format!("{queue:?}")));
        found.sort();
        assert_eq!(found, expected, "{backtracking:?}");
    }
}

/// Operators of a generic class, with the bounds of its derives.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Finitize)]
struct Pair<T> {
    left: Option<Box<Pair<T>>>,
    value: T,
}

#[derive(Debug, Finitize)]
struct Pairs {
    all: [Pair<bool>; 2],
}

#[rep_ok]
impl Pairs {
    fn rep_ok(&self) -> bool {
        self.all[0] < self.all[1]
    }
}

#[test]
fn generic_classes_are_compared() {
    // Six values of at most two pairs behind each other, four of them with one pair; the two share two objects.
    let plain =
        |chain: &[bool]| chain.iter().rev().fold(None, |left, value| Some(Box::new(Pair { left, value: *value })));
    let chains: Vec<Vec<bool>> = (1..=3)
        .flat_map(|len| (0..1 << len).map(move |bits| (0..len).map(|at| bits >> at & 1 == 1).collect()))
        .collect();
    let mut expected = 0;
    for left in &chains {
        for right in &chains {
            if left.len() + right.len() - 2 <= 2 && plain(left) < plain(right) {
                expected += 1;
            }
        }
    }
    assert_eq!(korat::valid(Pairs::scope(2)).count(), expected);
}

/// A copy cannot say what its raw pointer points to.
#[derive(Debug, Finitize)]
struct Raw {
    first: Linked,
    second: Linked,
}

#[derive(Debug, PartialEq, Finitize)]
struct Linked {
    next: *const Other,
}

#[derive(Debug, Finitize)]
struct Other {
    mark: bool,
}

#[rep_ok]
impl Raw {
    fn rep_ok(&self) -> bool {
        ptr::eq(self.first.next, ptr::null()) || self.first == self.second
    }
}

/// Its invariant rejects by panicking, and compares classes with raw pointers.
#[derive(Debug, Finitize)]
struct Panicking {
    first: Linked,
    second: Linked,
}

#[rep_ok(panics = invalid)]
impl Panicking {
    fn rep_ok(&self) -> bool {
        assert_eq!(self.first, self.second);
        true
    }
}

#[test]
fn what_cannot_be_copied_is_named() {
    for error in [
        Search::new(Raw::scope(1)).try_count().expect_err("a raw pointer cannot be copied"),
        Search::new(Panicking::scope(1)).try_count().expect_err("a raw pointer cannot be copied"),
    ] {
        let text = error.to_string();
        assert!(text.contains("[korat] rep_ok compares, hashes, prints or clones a part of the structure"), "{text}");
        assert!(text.contains("*const"), "{text}");
    }
}

/// Equal to nothing but itself.
#[derive(Debug, Finitize)]
struct Itself {
    #[finitize(0..=1)]
    key: u8,
}

impl PartialEq for Itself {
    fn eq(&self, other: &Itself) -> bool {
        ptr::eq(self, other)
    }
}

impl Drop for Itself {
    fn drop(&mut self) {}
}

#[derive(Debug, Finitize)]
struct Several {
    all: Vec<Itself>,
}

#[rep_ok]
impl Several {
    fn rep_ok(&self) -> bool {
        !self.all.is_empty() && self.all.contains(&self.all[0]) && self.all[0] != self.all[self.all.len() - 1]
    }
}

#[test]
fn an_object_is_compared_with_itself() {
    assert_eq!(korat::valid(Several::scope(2)).count(), 4);
}

#[derive(Clone, Debug, Finitize)]
struct Child {
    parent: Weak<Parent>,
}

#[derive(Debug, Finitize)]
struct Parent {
    mark: bool,
}

#[derive(Debug, Finitize)]
struct Family {
    parent: Rc<Parent>,
    child: Child,
}

#[rep_ok]
impl Family {
    fn rep_ok(&self) -> bool {
        self.child.clone().parent.upgrade().is_some_and(|parent| parent.mark) || self.parent.mark
    }
}

#[test]
fn a_clone_that_would_share_a_part_is_refused() {
    let error = Search::new(Family::scope(1)).try_count().expect_err("the clone leads to the parent");
    assert!(error.to_string().contains("a clone would share its target with the structure"), "{error}");
}

/// Compared with values that rep_ok makes.
#[derive(Clone, Debug, PartialEq, Finitize)]
enum Shape {
    Dot,
    Circle(#[finitize(0..=2)] u8),
}

#[derive(Debug, Finitize)]
struct Drawing {
    shapes: [Shape; 2],
}

#[rep_ok]
impl Drawing {
    fn rep_ok(&self) -> bool {
        self.shapes[0] == Shape::Circle(1) && self.shapes[1] != Shape::Dot
    }
}

#[test]
fn a_part_is_compared_with_a_literal() {
    assert_eq!(korat::valid(Drawing::scope(1)).count(), 3);
}

/// Equal to those that point to the same, whatever they are marked with.
#[derive(Clone, Copy, Debug, Finitize)]
#[finitize(copy)]
struct Marked {
    to: *const Other,
    mark: bool,
}

#[rep_ok(helpers, copy)]
impl PartialEq for Marked {
    fn eq(&self, other: &Marked) -> bool {
        self.to == other.to
    }
}

#[derive(Debug, Finitize)]
struct TwoMarked {
    first: Marked,
    second: Marked,
}

#[rep_ok]
impl TwoMarked {
    fn rep_ok(&self) -> bool {
        self.first == self.second
    }
}

#[test]
fn equality_of_a_copied_struct_written_by_hand() {
    // Both null, or both to one object with a mark of its own.
    assert_eq!(korat::valid(TwoMarked::scope(2)).count(), 4 + 4 * 2);
}

/// Other traits with the names of operators.
mod named_alike {
    pub trait Hash {
        fn hash(&self) -> u8;
    }
}

#[derive(Debug, Finitize)]
struct Digit {
    #[finitize(0..=3)]
    digit: u8,
}

#[rep_ok(helpers)]
impl PartialEq<u8> for Digit {
    fn eq(&self, other: &u8) -> bool {
        self.digit == *other
    }
}

#[rep_ok(helpers)]
impl named_alike::Hash for Digit {
    fn hash(&self) -> u8 {
        self.digit % 2
    }
}

#[derive(Debug, Finitize)]
struct Digits {
    first: Digit,
    second: Digit,
}

#[rep_ok]
impl Digits {
    fn rep_ok(&self) -> bool {
        use named_alike::Hash as _;
        self.first == 2 && self.second.hash() == 1
    }
}

#[test]
fn traits_named_like_operators_can_be_marked() {
    let digits = korat::valid(Digits::scope(1)).map(|digits| (digits.first.digit, digits.second.digit));
    assert_eq!(digits.collect::<Vec<_>>(), [(2, 1), (2, 3)]);
}
