//! An id is a newtype.

use korat::Finitize;

#[derive(Clone, Debug, PartialEq, Finitize)]
#[finitize(id)]
enum Place {
    First,
    Second,
}

fn main() {}
