//! What a predicate is never run on otherwise: values of rejected candidates, which may wait, recurse or drop what they must not.

use std::sync::{Arc, Mutex};

use super::*;

#[derive(Debug, Finitize)]
struct Node {
    next: Option<Arc<Mutex<Node>>>,
    key: u8,
}

#[derive(Debug, Finitize)]
struct Chain {
    head: Arc<Mutex<Node>>,
}

#[korat::rep_ok]
impl Chain {
    fn rep_ok(&self) -> bool {
        let head = self.head.lock().unwrap();
        match &head.next {
            None => head.key == 1,
            Some(next) => {
                // Waits forever if it is the head.
                let next = next.lock().unwrap();
                next.key < head.key && next.next.is_none()
            }
        }
    }
}

#[test]
fn a_lock_is_not_waited_for() {
    assert_eq!(Search::new(Chain::scope(2)).self_check(SelfCheck::All).count(), 4);
}

#[derive(Debug)]
struct Armed(bool);

impl Drop for Armed {
    fn drop(&mut self) {
        assert!(!self.0 || std::thread::panicking(), "it is armed");
    }
}

#[derive(Debug, Finitize)]
struct Bomb {
    low: u8,
    high: u8,
    #[finitize(skip = Armed(true))]
    armed: Armed,
}

#[korat::rep_ok]
impl Bomb {
    fn rep_ok(&self) -> bool {
        self.low < self.high
    }
}

#[test]
fn a_skipped_field_with_a_destructor_is_not_dropped() {
    let report = Search::new(Bomb::scope(2)).for_each(|mut bomb: Bomb| bomb.armed.0 = false);
    assert_eq!(report.valid, 3);
}

#[derive(Debug, Finitize)]
struct Link {
    next: Option<Box<Link>>,
}

#[derive(Debug, Finitize)]
struct Deep {
    head: Option<Box<Link>>,
    #[finitize(0..=1)]
    len: usize,
}

#[korat::rep_ok]
impl Deep {
    fn rep_ok(&self) -> bool {
        Self::count(&self.head) == self.len
    }

    fn count(link: &Option<Box<Link>>) -> usize {
        let Some(link) = link else { return 0 };
        let much = [1u8; 2000];
        let count = Self::count(&link.next);
        count + usize::from(much[count % 2000])
    }
}

#[test]
fn the_native_stack_is_not_used_up() {
    let search = Search::new(Deep::scope(1500)).order(Order::AsFound).self_check(SelfCheck::All);
    assert_eq!(search.count(), 2);
}
