//! An invariant holds or does not.

use korat::{Finitize, rep_ok};

#[derive(Debug, Finitize)]
struct Event {
    count: usize,
}

#[rep_ok]
impl Event {
    fn rep_ok(&self) -> Result<(), String> {
        if self.count > 0 { Ok(()) } else { Err("empty".to_string()) }
    }
}

fn main() {
    korat::for_each_valid(Event::scope(3), |event| assert!(event.count > 0));
}
