//! A mistake in a plain type that a class holds.

use korat::{Finitize, rep_ok};

#[derive(Clone, Debug, PartialEq, Finitize)]
#[finitize(plain)]
struct Place {
    #[finitize(range = 0..3)]
    row: u8,
}

#[derive(Debug, Finitize)]
struct Board {
    place: Place,
    other: Option<Place>,
    all: Vec<Place>,
}

#[rep_ok]
impl Board {
    fn rep_ok(&self) -> bool {
        self.place.row > 0
    }
}

fn main() {
    korat::for_each_valid(Board::scope(3), |board| assert!(board.place.row > 0));
}
