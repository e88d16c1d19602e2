//! An id is a newtype.

use korat::{Finitize, rep_ok};

#[derive(Clone, Debug, PartialEq, Finitize)]
#[finitize(id)]
struct Place(u32, u32);

#[derive(Debug, Finitize)]
struct Event {
    nodes: Vec<u8>,
    #[finitize(index_of = nodes)]
    at: Option<Place>,
}

#[rep_ok]
impl Event {
    fn rep_ok(&self) -> bool {
        self.at.is_none()
    }
}

fn main() {
    korat::for_each_valid(Event::scope(3), |event| assert!(event.nodes.is_empty()));
}
