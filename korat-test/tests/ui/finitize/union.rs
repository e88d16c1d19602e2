//! A union does not say which of its fields is alive.

use korat::Finitize;

#[derive(Finitize)]
union Word {
    signed: i32,
    unsigned: u32,
}

fn main() {}
