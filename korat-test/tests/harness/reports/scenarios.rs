//! Tests that fail, or end early, on purpose. They are ignored, and run by the other tests of this file.

use std::cell::RefCell;
use std::rc::{Rc, Weak};
use std::time::Duration;

use korat::{Finitize, Order, Search, rep_ok};

#[derive(Clone, Debug, Finitize)]
pub struct Node {
    value: u8,
    next: Option<Box<Node>>,
}

/// Strictly increasing.
#[derive(Clone, Debug, Finitize)]
pub struct SortedList {
    head: Option<Box<Node>>,
}

#[rep_ok]
impl SortedList {
    fn rep_ok(&self) -> bool {
        let mut last = None;
        let mut rest = &self.head;
        while let Some(node) = rest {
            if last.is_some_and(|last| node.value <= last) {
                return false;
            }
            last = Some(node.value);
            rest = &node.next;
        }
        true
    }
}

impl SortedList {
    /// Puts a value in, and once more if it is there.
    fn insert(&mut self, value: u8) {
        let mut place = &mut self.head;
        while place.as_ref().is_some_and(|node| node.value < value) {
            place = &mut place.as_mut().unwrap().next;
        }
        let next = place.take();
        *place = Some(Box::new(Node { value, next }));
    }

    pub fn len(&self) -> usize {
        std::iter::successors(self.head.as_ref(), |node| node.next.as_ref()).count()
    }
}

/// Reports a ring for what it is.
#[derive(Debug, Finitize)]
pub struct Link {
    next: RefCell<Option<Rc<Link>>>,
    prev: RefCell<Weak<Link>>,
}

/// A doubly linked list.
#[derive(Debug, Finitize)]
pub struct Chain {
    first: Option<Rc<Link>>,
}

#[rep_ok]
impl Chain {
    fn rep_ok(&self) -> bool {
        let Some(first) = &self.first else { return true };
        if first.prev.borrow().upgrade().is_some() {
            return false;
        }
        let mut at = Rc::clone(first);
        let mut seen = 1;
        loop {
            let next = at.next.borrow().clone();
            let Some(next) = next else { return true };
            let back = next.prev.borrow().upgrade();
            if seen > 8 || !back.is_some_and(|back| Rc::ptr_eq(&back, &at)) {
                return false;
            }
            seen += 1;
            at = next;
        }
    }
}

/// Ten digits of which only the first counts, and only one value of it is right: much to search, little to find.
#[derive(Debug, Finitize)]
pub struct Digits {
    #[finitize(0..=9)]
    digits: [u8; 10],
}

#[rep_ok]
impl Digits {
    fn rep_ok(&self) -> bool {
        let mut sum = 0u32;
        for digit in &self.digits {
            sum += u32::from(*digit);
        }
        sum == 90
    }
}

#[test]
#[ignore = "fails on purpose"]
fn panicking() {
    korat::for_each_valid(SortedList::scope(3), |mut list| {
        list.insert(1);
        assert!(list.rep_ok(), "the order is lost");
    });
}

/// As `panicking` tells people to paste it.
#[test]
#[ignore = "fails on purpose"]
#[rustfmt::skip]
#[allow(unused_qualifications, reason = "it is pasted")]
fn panicking_on_one_value() {
    korat::Search::new(SortedList::scope(3))
        .replay("SortedList:3:1.1.0", |mut list| {
            list.insert(1);
            assert!(list.rep_ok(), "the order is lost");
        });
}

#[test]
#[ignore = "fails on purpose"]
fn returning_false() {
    korat::for_each_valid(SortedList::scope(3), |list| list.len() < 2);
}

#[test]
#[ignore = "fails on purpose"]
fn returning_an_error() -> Result<(), String> {
    let scopes = 2..=3;
    for scope in scopes {
        korat::for_each_valid(SortedList::scope(scope), |list| match list.len() {
            3 => Err(format!("{} nodes", list.len())),
            _ => Ok(()),
        });
    }
    Ok(())
}

#[test]
#[ignore = "fails on purpose"]
fn several() {
    Search::new(SortedList::scope(3).objects::<Node>(2)).failures(5).for_each(|list| {
        assert!(list.len() != 1, "one node");
        assert!(list.len() != 2, "two nodes");
    });
}

#[test]
#[ignore = "fails on purpose"]
fn linked_both_ways() {
    korat::for_each_valid(Chain::scope(3), |chain| {
        let first = chain.first.as_ref();
        first.is_none_or(|first| first.next.borrow().as_ref().is_none_or(|next| next.next.borrow().is_none()))
    });
}

#[test]
#[ignore = "run by others"]
fn passing() {
    korat::for_each_valid(SortedList::scope(3), |list| list.rep_ok()).expect_count(15);
}

#[test]
#[ignore = "run by others"]
fn two_types() {
    korat::for_each_valid(Chain::scope(2), |_| {}).expect_count(3);
    korat::for_each_valid(SortedList::scope(3), |mut list| {
        list.insert(1);
        assert!(list.rep_ok(), "the order is lost");
    });
}

#[test]
#[ignore = "run by others"]
fn limited() {
    let report = Search::new(SortedList::scope(3)).limit(5).for_each(|_| {});
    assert_eq!((report.valid, report.is_complete()), (5, false));
    report.expect_complete();
}

#[test]
#[ignore = "run by others"]
fn miscounted() {
    Search::new(SortedList::scope(2)).expect_count(8).for_each(|_| {});
}

#[test]
#[ignore = "takes long"]
fn endless() {
    let report = Search::new(Digits::scope(0)).time_limit(Duration::from_millis(300)).for_each(|_| {});
    assert!(!report.is_complete());
}

#[test]
#[ignore = "takes long"]
fn slow_property() {
    Search::new(SortedList::scope(3))
        .time_limit(Duration::from_millis(200))
        .for_each(|_| std::thread::sleep(Duration::from_millis(30)))
        .expect_complete();
}

#[test]
#[ignore = "fails on purpose"]
fn no_values_wanted() {
    Search::new(SortedList::scope(3)).limit(0).for_each(|_| {});
}

/// Many quick values, then as many candidates that are rejected, and slowly.
#[derive(Debug, Finitize)]
pub struct Slowing {
    #[finitize(0..=9)]
    digits: [u8; 4],
    slow: bool,
}

#[rep_ok]
impl Slowing {
    fn rep_ok(&self) -> bool {
        if self.slow {
            for digit in &self.digits {
                if *digit > 9 {
                    return true;
                }
            }
            std::thread::sleep(Duration::from_micros(200));
        }
        !self.slow
    }
}

/// A list whose every candidate is a value, after a while: nearly all of them wait until those of smaller sizes are given.
#[derive(Debug, Finitize)]
pub struct Slow {
    head: Option<Box<Bit>>,
}

#[derive(Debug, Finitize)]
pub struct Bit {
    bit: bool,
    next: Option<Box<Bit>>,
}

#[rep_ok]
impl Slow {
    fn rep_ok(&self) -> bool {
        let (mut at, mut ones) = (&self.head, 0u32);
        while let Some(node) = at {
            ones += u32::from(node.bit);
            at = &node.next;
        }
        std::thread::sleep(Duration::from_millis(1));
        ones < 100
    }
}

/// One value.
#[derive(Debug, Finitize)]
pub struct Only {
    #[finitize(0..=0)]
    number: u8,
}

#[rep_ok]
impl Only {
    fn rep_ok(&self) -> bool {
        self.number == 0
    }
}

#[test]
#[ignore = "takes long"]
fn slow_candidates_after_quick_values() {
    let limit = Duration::from_millis(300);
    let report = Search::new(Slowing::scope(0)).order(Order::AsFound).time_limit(limit).for_each(|_| {});
    assert!(!report.is_complete());
}

#[test]
#[ignore = "takes long"]
fn slow_values_that_wait() {
    let report = Search::new(Slow::scope(10)).time_limit(Duration::from_millis(300)).for_each(|_| {});
    assert!(!report.is_complete());
}

#[test]
#[ignore = "takes long"]
fn slow_values_that_are_counted() {
    let report = Search::new(Slow::scope(10)).time_limit(Duration::from_millis(300)).report();
    assert!(!report.is_complete());
}

#[test]
#[ignore = "takes long"]
fn slow_property_after_quick_values() {
    let mut seen = 0;
    let report = Search::new(Slowing::scope(0)).time_limit(Duration::from_millis(300)).for_each(|_| {
        seen += 1;
        if seen > 9_000 {
            std::thread::sleep(Duration::from_millis(5));
        }
    });
    assert!(!report.is_complete());
}

#[test]
#[ignore = "run by others"]
fn only_one_value() {
    korat::for_each_valid(Only::scope(0), |_| {});
}

#[test]
#[ignore = "run by others"]
fn iterated() {
    assert!(korat::valid(SortedList::scope(3)).count() > 0);
}

/// Its invariant panics.
#[derive(Debug, Finitize)]
pub struct Panicking {
    number: u8,
}

#[rep_ok]
impl Panicking {
    fn rep_ok(&self) -> bool {
        assert!(self.number < 2, "too much");
        true
    }
}

#[test]
#[ignore = "fails on purpose"]
fn panicking_invariant() {
    korat::for_each_valid(Panicking::scope(3), |_| {});
}

#[test]
#[ignore = "fails on purpose"]
fn two_searches_with_others() {
    korat::for_each_valid((SortedList::scope(1), [1, 2]), |(_, number)| assert!(number < 6));
    korat::for_each_valid((SortedList::scope(1), [5, 6]), |(_, number)| assert!(number < 6));
}

/// A local that cannot be restored: its `rep_ok` runs from the top.
#[derive(Debug, Finitize)]
struct FromTheTop {
    #[finitize(0..=3, len = 9..=9)]
    digits: Vec<u8>,
}

#[rep_ok]
impl FromTheTop {
    fn rep_ok(&self) -> bool {
        let sum = Rc::new(RefCell::new(0u8));
        for digit in &self.digits {
            *sum.borrow_mut() += *digit;
            if *sum.borrow() > 9 {
                return false;
            }
        }
        true
    }
}

#[test]
#[ignore = "run by others"]
fn from_the_top() {
    assert!(Search::new(FromTheTop::scope(0)).limit(30_000).report().valid > 20_000);
}

/// A closure that reads several fields: its statement is replayed.
#[derive(Debug, Finitize)]
struct Replayed {
    #[finitize(0..=3, len = 9..=9)]
    digits: Vec<u8>,
}

#[rep_ok]
impl Replayed {
    fn rep_ok(&self) -> bool {
        self.digits.iter().all(|digit| *digit < 3) || self.digits.is_empty()
    }
}

#[test]
#[ignore = "run by others"]
fn replayed() {
    assert_eq!(Search::new(Replayed::scope(0)).report().valid, 3_u64.pow(9));
}
