//! The size of a map is bounded by its keys.

use korat::{Finitize, rep_ok};
use std::collections::HashMap;

#[derive(Debug, Finitize)]
struct Event {
    count: usize,
    #[finitize(len = 0..3)]
    payload: HashMap<u8, bool>,
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
