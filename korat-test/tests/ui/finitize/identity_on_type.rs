//! What a field means, on a type.

use korat::Finitize;

#[derive(Clone, Debug, PartialEq, Finitize)]
#[finitize(identity)]
struct Place {
    row: u8,
}

fn main() {}
