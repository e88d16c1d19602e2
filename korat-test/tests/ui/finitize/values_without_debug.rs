//! A listed type that cannot be printed.

use korat::{Finitize, rep_ok};

#[derive(Clone, PartialEq)]
struct Opaque;

#[derive(Finitize)]
struct Event {
    count: usize,
    #[finitize(values = [Opaque])]
    payload: Opaque,
}

#[rep_ok]
impl Event {
    fn rep_ok(&self) -> bool {
        self.count > 0
    }
}

fn main() {
    korat::Search::new(Event::scope(3)).count();
}
