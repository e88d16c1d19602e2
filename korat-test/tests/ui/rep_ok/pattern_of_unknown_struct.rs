//! A pattern of a struct that does not derive `Finitize`.

use korat::{Finitize, rep_ok};

#[derive(Clone, Debug, PartialEq)]
struct Place {
    row: u8,
}

#[derive(Debug, Finitize)]
struct Event {
    count: usize,
    #[finitize(values = [Place { row: 1 }])]
    place: Place,
}

#[rep_ok]
impl Event {
    fn rep_ok(&self) -> bool {
        let Place { row } = &self.place;
        *row > 0 && self.count > 0
    }
}

fn main() {
    korat::for_each_valid(Event::scope(3), |event| assert!(event.count > 0));
}
