//! Values of another type than the field's.

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
    Search::new(Event::scope(3).field_values(korat::field!(Event.count), vec!["one"])).count();
}
