//! A tuple with a type whose values are not known.

use korat::{Finitize, rep_ok};

#[derive(Clone, Debug, PartialEq)]
struct Plain;

#[derive(Debug, Finitize)]
struct Event {
    count: usize,
    payload: (u8, Plain),
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
