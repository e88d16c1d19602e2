//! A weak pointer to something that is no class.

use korat::{Finitize, rep_ok};
use std::rc::Weak;

#[derive(Debug, Finitize)]
struct Event {
    count: usize,
    payload: Weak<u8>,
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
