//! The key of a map stands for itself.

use korat::{Finitize, rep_ok};
use std::collections::BTreeMap;

#[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Finitize)]
struct Node {
    key: usize,
}

#[derive(Debug, Finitize)]
struct Event {
    count: usize,
    payload: BTreeMap<Node, u8>,
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
