//! An invariant is a method.

use korat::{Finitize, rep_ok};

#[derive(Debug, Finitize)]
struct Event {
    count: usize,
}

#[rep_ok]
impl Event {
    fn rep_ok(count: usize) -> bool {
        count > 0
    }
}

fn main() {
    korat::for_each_valid(Event::scope(3), |event| assert!(event.count > 0));
}
