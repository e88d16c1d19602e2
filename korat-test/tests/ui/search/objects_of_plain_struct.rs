//! A bound on the objects of a type that is no class.

use korat::{Finitize, Search, rep_ok};

struct Plain;

#[derive(Debug, Finitize)]
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
    Search::new(Event::scope(3).objects::<Plain>(2)).count();
}
