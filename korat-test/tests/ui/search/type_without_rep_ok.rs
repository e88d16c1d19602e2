//! A class whose invariant is not lifted.

use korat::Finitize;

#[derive(Debug, Finitize)]
struct Event {
    count: usize,
}

impl Event {
    fn rep_ok(&self) -> bool {
        self.count > 0
    }
}

fn main() {
    korat::for_each_valid(Event::scope(3), |event| assert!(event.rep_ok()));
}
