//! A key that korat does not know.

use korat::Finitize;

#[derive(Clone, Debug, Finitize)]
#[finitize(object = 3)]
struct Event {
    count: usize,
}

fn main() {}
