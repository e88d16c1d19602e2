//! The same key twice.

use korat::Finitize;

#[derive(Clone, Debug, Finitize)]
#[finitize(objects = 3, objects = 4)]
struct Event {
    count: usize,
}

fn main() {}
