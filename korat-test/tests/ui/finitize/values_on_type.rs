//! A list of values, on a type.

use korat::Finitize;

#[derive(Clone, Debug, Finitize)]
#[finitize(values = [1, 2])]
struct Event {
    count: usize,
}

fn main() {}
