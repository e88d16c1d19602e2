//! An enum has no place before its variant is known.

use korat::{Finitize, rep_ok};
use std::ptr::NonNull;

#[derive(Debug, Finitize)]
enum Shape {
    Point,
    Circle(u8),
}

#[derive(Debug, Finitize)]
struct Event {
    count: usize,
    payload: Option<NonNull<Shape>>,
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
