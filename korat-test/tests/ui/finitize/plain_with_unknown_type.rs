//! A plain type has a field whose values are not known.

use korat::Finitize;

#[derive(Clone, Debug, PartialEq, Finitize)]
#[finitize(plain)]
struct Place {
    row: u8,
    since: std::time::Instant,
}

fn main() {}
