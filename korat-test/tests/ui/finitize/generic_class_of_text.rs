//! A type parameter stands for plain values.

use korat::{Finitize, rep_ok};

#[derive(Debug, Finitize)]
struct Pair<T> {
    left: T,
    right: T,
}

#[rep_ok]
impl<T> Pair<T> {
    fn rep_ok(&self) -> bool {
        true
    }
}

fn main() {
    korat::for_each_valid(Pair::<String>::scope(2), |_| ());
}
