//! An invariant has no conditions of its own.

use korat::{Finitize, rep_ok};

#[derive(Debug, Finitize)]
struct Event {
    count: usize,
}

#[rep_ok]
impl Event {
    unsafe fn rep_ok(&self) -> bool {
        self.count > 0
    }
}

fn main() {
    korat::for_each_valid(Event::scope(3), |event| assert!(event.count > 0));
}
