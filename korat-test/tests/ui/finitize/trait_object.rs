//! The types behind a trait are not known.

use korat::{Finitize, rep_ok};

trait Shape: std::fmt::Debug {}

#[derive(Debug, Finitize)]
struct Event {
    count: usize,
    payload: Box<dyn Shape>,
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
