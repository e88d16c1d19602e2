//! An id is a newtype around an integer.

use korat::Finitize;

#[derive(Clone, Debug, PartialEq, Finitize)]
#[finitize(id)]
struct Place(String);

fn main() {}
