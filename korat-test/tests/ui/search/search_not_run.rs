//! A search that is built and never run.

#![deny(unused_must_use)]

use korat::{Finitize, Search, rep_ok};

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
    Search::new(Event::scope(3)).limit(2);
}
