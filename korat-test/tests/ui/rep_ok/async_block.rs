//! An invariant does not wait.

use korat::{Finitize, rep_ok};

#[derive(Debug, Finitize)]
struct Event {
    count: usize,
}

#[rep_ok]
impl Event {
    fn rep_ok(&self) -> bool {
        let _answer = async { self.count > 0 };
        true
    }
}

fn main() {
    korat::for_each_valid(Event::scope(3), |event| assert!(event.count > 0));
}
