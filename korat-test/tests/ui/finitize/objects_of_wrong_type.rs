//! A bound that is not a number of objects.

use korat::Finitize;

#[derive(Clone, Debug, Finitize)]
#[finitize(objects = 0..=scope)]
struct Event {
    count: usize,
}

fn main() {}
