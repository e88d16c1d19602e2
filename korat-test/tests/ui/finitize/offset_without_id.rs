//! An offset belongs to an id.

use korat::Finitize;

#[derive(Clone, Debug, PartialEq, Finitize)]
#[finitize(plain, offset = 1)]
struct Id(u32);

fn main() {}
