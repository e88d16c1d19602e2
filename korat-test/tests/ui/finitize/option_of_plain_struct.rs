//! An option of a struct that does not derive `Finitize`.

use korat::{Finitize, rep_ok};

#[derive(Clone, Debug, PartialEq)]
struct Plain;

#[derive(Debug, Finitize)]
struct Event {
    count: usize,
    payload: Option<Plain>,
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
