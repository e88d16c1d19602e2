//! A field that is left out has no order.

use korat::{Finitize, rep_ok};

#[derive(Debug, Finitize)]
struct Event {
    count: usize,
    #[finitize(set, skip = Vec::new())]
    payload: Vec<u8>,
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
