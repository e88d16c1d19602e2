//! A heap is no field type.

use korat::{Finitize, rep_ok};
use std::collections::BinaryHeap;

#[derive(Debug, Finitize)]
struct Event {
    count: usize,
    payload: BinaryHeap<u8>,
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
