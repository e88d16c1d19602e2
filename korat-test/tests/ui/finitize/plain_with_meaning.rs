//! The attributes of a field of a class, in a plain type.

use korat::Finitize;

#[derive(Clone, Debug, PartialEq, Finitize)]
#[finitize(plain)]
struct Place {
    #[finitize(identity)]
    row: u8,
    #[finitize(index_of = nodes)]
    node: usize,
    #[finitize(len = 0..2)]
    name: String,
}

fn main() {}
