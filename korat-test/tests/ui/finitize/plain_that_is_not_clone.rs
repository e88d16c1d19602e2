//! A plain type is copied, compared and printed.

use korat::Finitize;

#[derive(Debug, PartialEq, Finitize)]
#[finitize(plain)]
struct Place {
    row: u8,
}

#[derive(Debug, Finitize)]
struct Board {
    place: Place,
    other: Vec<Place>,
}

fn main() {}
