//! A plain type has values, not objects.

use korat::Finitize;

#[derive(Clone, Debug, PartialEq, Finitize)]
#[finitize(plain, objects = 3)]
struct Place {
    row: u8,
}

fn main() {}
