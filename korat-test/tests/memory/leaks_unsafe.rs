//! Every byte of what raw pointers, `Arc` and cells that are set once lead to is freed: by the user's own `Drop`, by counting, or by
//! taking cycles apart. Nothing is freed twice.

use std::cell::{Cell, OnceCell};
use std::ptr::{self, NonNull};
use std::rc::Rc;
use std::sync::{Arc, Mutex, Weak};

use korat::{Backtracking, Finitize, Pruning, Search, rep_ok};

use crate::counting::{left_by, panics};

const PRUNINGS: [Pruning; 2] = [Pruning::Ownership, Pruning::Classic];
const MODES: [Backtracking; 2] = [Backtracking::Checkpoint, Backtracking::Reexecute];

/// What a search leaves behind, in every mode.
fn left_by_search<T: Finitize + korat::RepOk + std::fmt::Debug>(scope: usize, valid: u64, property: fn(T)) -> usize {
    left_by(|| {
        for pruning in PRUNINGS {
            for mode in MODES {
                let search = Search::new(T::scope(scope)).pruning(pruning).backtracking(mode);
                assert_eq!(search.for_each(property).valid, valid, "{pruning:?}, {mode:?}");
            }
        }
    })
}

#[derive(Debug, Finitize)]
struct Node {
    #[finitize(len = 0..=1)]
    text: String,
    next: Option<Box<Node>>,
}

/// Boxes own the nodes, and the last one is known.
#[derive(Debug, Finitize)]
struct Queue {
    head: Option<Box<Node>>,
    tail: *mut Node,
    #[finitize(scope..=scope)]
    len: usize,
}

#[rep_ok]
impl Queue {
    fn rep_ok(&self) -> bool {
        let mut last: *const Node = ptr::null();
        let mut at = &self.head;
        for _ in 0..self.len {
            let Some(node) = at else { return false };
            last = &**node;
            at = &node.next;
        }
        at.is_none() && ptr::eq(self.tail, last)
    }
}

impl Queue {
    fn push(&mut self, text: String) {
        let mut node = Box::new(Node { text, next: None });
        let last: *mut Node = &mut *node;
        // SAFETY: the invariant says that it is null or the last node, which the list owns.
        match unsafe { self.tail.as_mut() } {
            Some(tail) => tail.next = Some(node),
            None => self.head = Some(node),
        }
        self.tail = last;
        self.len += 1;
    }
}

#[test]
fn queues_with_a_raw_tail() {
    let property = |mut queue: Queue| {
        queue.push("x".to_string());
        queue.push("y".to_string());
        assert!(queue.rep_ok());
    };
    assert_eq!(left_by_search::<Queue>(3, 27, property), 0);
}

/// A link that nothing owns by its type.
#[derive(Debug, Finitize)]
struct Link {
    next: NonNull<Link>,
    prev: Cell<Option<NonNull<Link>>>,
    #[finitize(len = 1..=1)]
    text: Box<str>,
}

/// A ring of links, which its destructor frees.
#[derive(Finitize)]
struct Ring {
    first: *mut Link,
    #[finitize(skip = vec![String::from("scratch"); scope])]
    scratch: Vec<String>,
}

#[rep_ok]
impl Ring {
    fn rep_ok(&self) -> bool {
        if self.first.is_null() {
            return self.scratch.len() > 1;
        }
        let mut at: *const Link = self.first;
        for _ in 0..=self.scratch.len() {
            // SAFETY: a pointer of the structure is null or leads to a link.
            let link = unsafe { &*at };
            // SAFETY: as above.
            let back = unsafe { link.next.as_ref() }.prev.get();
            if back.map(NonNull::as_ptr) != Some(at.cast_mut()) {
                return false;
            }
            at = link.next.as_ptr();
            if ptr::eq(at, self.first) {
                return true;
            }
        }
        false
    }
}

impl Drop for Ring {
    fn drop(&mut self) {
        let mut at = self.first;
        while !at.is_null() {
            // SAFETY: every link of the ring came from a box and is freed once.
            let link = unsafe { Box::from_raw(at) };
            at = if ptr::eq(link.next.as_ptr(), self.first) { ptr::null_mut() } else { link.next.as_ptr() };
        }
    }
}

impl std::fmt::Debug for Ring {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a ring")
    }
}

#[test]
fn rings_that_nothing_owns_by_type() {
    // Each link has one of two letters.
    assert_eq!(left_by_search::<Ring>(3, 1 + 2 + 4 + 8, drop), 0);
}

#[test]
fn a_failing_property_on_a_ring() {
    let run = || {
        let search = Search::new(Ring::scope(3));
        assert!(panics(|| search.for_each(|ring| assert!(ring.first.is_null()))));
        let mut rings = korat::valid(Ring::scope(3));
        let kept = rings.nth(5);
        drop(rings);
        assert!(kept.is_some_and(|ring| ring.rep_ok()));
    };
    // Std keeps what it has read for its first backtrace.
    run();
    assert_eq!(left_by(run), 0);
}

#[derive(Debug, Finitize)]
struct Limited {
    on: bool,
    #[finitize(skip = Box::new(scope))]
    limit: Box<usize>,
}

#[rep_ok]
impl Limited {
    fn rep_ok(&self) -> bool {
        self.on || *self.limit > 1
    }
}

#[test]
fn a_left_out_value_is_that_of_its_own_scope() {
    let run = || {
        for (scope, valid) in [(1, 1), (2, 2), (1, 1)] {
            let report = korat::for_each_valid(Limited::scope(scope), |limited| assert_eq!(*limited.limit, scope));
            assert_eq!(report.valid, valid);
        }
    };
    assert_eq!(left_by(run), 0);
}

#[derive(Debug, Finitize)]
struct Peer {
    next: Mutex<Option<Arc<Peer>>>,
    first: Weak<Peer>,
    name: OnceCell<Rc<Name>>,
}

#[derive(Debug, Finitize)]
struct Name {
    #[finitize(len = 2..=2)]
    text: String,
}

/// Peers that lead to each other in circles of `Arc`.
#[derive(Finitize)]
struct Circle {
    start: Arc<Peer>,
}

impl std::fmt::Debug for Circle {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a circle")
    }
}

#[rep_ok]
impl Circle {
    fn rep_ok(&self) -> bool {
        let mut at = self.start.clone();
        for _ in 0..4 {
            if !at.first.upgrade().is_some_and(|first| Arc::ptr_eq(&first, &self.start)) {
                return false;
            }
            let Some(next) = at.next.lock().unwrap().clone() else { return false };
            if Arc::ptr_eq(&next, &self.start) {
                return true;
            }
            at = next;
        }
        false
    }
}

#[test]
fn circles_of_arc() {
    // One or two peers; each has no name, or a name of its own or a shared one, of four texts.
    assert_eq!(left_by_search::<Circle>(2, (1 + 4) + (1 + 4 + 4 + 4 + 16), drop), 0);
}
