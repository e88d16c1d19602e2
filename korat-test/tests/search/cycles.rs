//! Rings of strong pointers: generated, given to the property, and freed afterwards unless somebody holds them.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use korat::{Finitize, Search, rep_ok};

use crate::panics::message_of;

thread_local! {
    static DROPPED: Cell<u64> = const { Cell::new(0) };
}

#[derive(Debug, Finitize)]
struct Node {
    next: Option<Rc<RefCell<Node>>>,
    // Something to own, so that a leak is a leak of memory too.
    #[finitize(values = ["payload".to_string()])]
    name: String,
}

impl Drop for Node {
    fn drop(&mut self) {
        DROPPED.set(DROPPED.get() + 1);
    }
}

/// A ring of nodes, or none.
#[derive(Finitize)]
struct Ring {
    start: Option<Rc<RefCell<Node>>>,
    len: usize,
}

impl std::fmt::Debug for Ring {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "a ring of {}", self.len)
    }
}

#[rep_ok]
impl Ring {
    fn rep_ok(&self) -> bool {
        let Some(start) = &self.start else { return self.len == 0 };
        let mut seen = vec![Rc::as_ptr(start)];
        let mut at = start.clone();
        loop {
            let Some(next) = at.borrow().next.clone() else { return false };
            if Rc::ptr_eq(&next, start) {
                return self.len == seen.len();
            }
            if seen.contains(&Rc::as_ptr(&next)) {
                return false;
            }
            seen.push(Rc::as_ptr(&next));
            at = next;
        }
    }
}

impl Ring {
    /// Makes it a chain, which frees itself.
    fn open(&self) {
        if let Some(start) = &self.start {
            start.borrow_mut().next = None;
        }
    }
}

#[test]
fn a_ring_is_freed_when_its_value_is_dropped() {
    DROPPED.set(0);
    let mut built = 0;
    let report = Search::new(Ring::scope(5)).for_each(|ring| built += ring.len as u64);
    assert_eq!(report.valid, 6);
    assert_eq!((built, DROPPED.get()), (15, 15));
}

#[test]
fn a_ring_that_grew_is_freed_with_what_was_added() {
    DROPPED.set(0);
    Search::new(Ring::scope(3)).for_each(|mut ring| {
        let Some(start) = &ring.start else { return };
        let rest = start.borrow_mut().next.take();
        start.borrow_mut().next = Some(Rc::new(RefCell::new(Node { next: rest, name: String::new() })));
        ring.len += 1;
        assert!(ring.rep_ok());
    });
    assert_eq!(DROPPED.get(), 2 + 3 + 4);
}

#[test]
fn a_ring_that_somebody_holds_is_left_alone() {
    DROPPED.set(0);
    let mut kept = Vec::new();
    Search::new(Ring::scope(4)).for_each(|ring| {
        // Only one node of the ring is held, and it keeps all of them.
        kept.push((ring.len, ring.start.clone()));
    });
    assert_eq!(DROPPED.get(), 0);
    for (len, start) in kept {
        let ring = Ring { len, start };
        assert!(ring.rep_ok());
        ring.open();
    }
}

#[test]
fn an_iterator_frees_rings_too() {
    DROPPED.set(0);
    let lens: Vec<usize> = korat::valid(Ring::scope(4)).map(|ring| ring.len).collect();
    assert_eq!(lens, [0, 1, 2, 3, 4]);
    assert_eq!(DROPPED.get(), 10);

    DROPPED.set(0);
    let rings: Vec<Ring> = korat::valid(Ring::scope(4)).collect();
    assert!(rings.iter().all(Ring::rep_ok));
    assert_eq!(DROPPED.get(), 0);
    rings.iter().for_each(Ring::open);
}

thread_local! {
    static ARMED: Cell<bool> = const { Cell::new(false) };
}

/// A ring whose comparison panics; then the destructor panics, too, when korat has taken the copy of the ring apart.
#[derive(Debug, Finitize)]
struct Fragile {
    next: Option<Rc<RefCell<Fragile>>>,
}

impl PartialEq for Fragile {
    fn eq(&self, _: &Self) -> bool {
        ARMED.set(self.next.is_some());
        assert!(self.next.is_none(), "a ring");
        true
    }
}

impl Drop for Fragile {
    fn drop(&mut self) {
        assert!(self.next.is_some() || !ARMED.replace(false), "taken apart");
    }
}

#[derive(Debug, Finitize)]
struct Twice {
    first: Rc<RefCell<Fragile>>,
    second: Rc<RefCell<Fragile>>,
}

#[rep_ok]
impl Twice {
    fn rep_ok(&self) -> bool {
        *self.first.borrow() == *self.second.borrow()
    }
}

#[test]
fn a_destructor_that_panics_while_the_copies_of_an_operator_are_freed_does_not_end_the_process() {
    let message = message_of(|| korat::for_each_valid(Twice::scope(1), drop));
    assert!(message.contains("a ring"), "{message}");
    assert!(!ARMED.get(), "no copy was freed");
}
