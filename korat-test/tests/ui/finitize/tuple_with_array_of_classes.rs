//! An array of classes in a tuple has no place of its own.

use korat::{Finitize, rep_ok};

#[derive(Debug, Finitize)]
struct Node {
    key: usize,
}

#[derive(Debug, Finitize)]
struct Event {
    count: usize,
    payload: (u8, [Node; 2]),
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
