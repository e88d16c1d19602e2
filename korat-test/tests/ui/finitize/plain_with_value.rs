//! `plain` is a word of its own.

use korat::Finitize;

#[derive(Clone, Debug, PartialEq, Finitize)]
#[finitize(plain = true)]
struct Place {
    row: u8,
}

fn main() {}
