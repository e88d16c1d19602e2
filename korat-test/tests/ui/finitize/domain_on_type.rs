//! A domain, on a type.

use korat::Finitize;

#[derive(Clone, Debug, Finitize)]
#[finitize(0..=scope)]
struct Event {
    count: usize,
}

fn main() {}
