//! An enum without variants has no value.

use korat::Finitize;

#[derive(Clone, Debug, PartialEq, Finitize)]
enum Never {}

fn main() {}
