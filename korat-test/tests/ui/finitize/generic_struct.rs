//! Parameters are not known to the search yet.

use korat::Finitize;

#[derive(Debug, Finitize)]
struct Pair<T> {
    left: T,
    right: T,
}

fn main() {}
