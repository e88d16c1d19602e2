//! A value that cannot be printed when the property fails.

use korat::{Finitize, Search, rep_ok};

#[derive(Finitize)]
struct Event {
    count: usize,
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
