//! The element of a set stands for itself.

use korat::{Finitize, rep_ok};
use std::collections::HashSet;

#[derive(Debug, PartialEq, Eq, Hash, Finitize)]
struct Node {
    key: usize,
}

#[derive(Debug, Finitize)]
struct Event {
    count: usize,
    payload: HashSet<Box<Node>>,
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
