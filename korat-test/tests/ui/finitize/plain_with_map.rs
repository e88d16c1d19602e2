//! A plain type stands for itself, and so do its fields.

use korat::Finitize;

#[derive(Clone, Debug, PartialEq, Finitize)]
#[finitize(plain)]
struct Place {
    row: u8,
    columns: std::collections::BTreeMap<u8, u8>,
}

fn main() {}
