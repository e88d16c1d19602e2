//! The elements of a heap are plain values.

use korat::{Finitize, rep_ok};
use std::collections::BinaryHeap;

#[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Finitize)]
struct Entry {
    key: u8,
}

#[derive(Debug, Finitize)]
struct Event {
    count: usize,
    payload: BinaryHeap<Entry>,
}

#[rep_ok]
impl Event {
    fn rep_ok(&self) -> bool {
        self.count > 0
    }
}

fn main() {
    korat::for_each_valid(Event::scope(3), |event| assert!(event.count > 0));
}
