//! A type that is not a class, around a parameter of the block.

use korat::{Finitize, rep_ok};

struct Limits<T> {
    least: T,
}

#[derive(Debug, Finitize)]
struct Event<T> {
    count: T,
}

#[rep_ok]
impl<T: PartialOrd + Copy> Event<T> {
    fn rep_ok(&self) -> bool {
        self.above(&None)
    }

    fn above(&self, limits: &Option<Limits<T>>) -> bool {
        limits.as_ref().is_none_or(|limits| self.count > limits.least)
    }
}

fn main() {
    korat::for_each_valid(Event::<u8>::scope(3), |event| assert!(event.count < 4));
}
