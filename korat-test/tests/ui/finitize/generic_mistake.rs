//! A mistake in a class with parameters.

use korat::{Finitize, rep_ok};

#[derive(Debug, Finitize)]
struct Pair<T> {
    #[finitize(range = 0..3)]
    left: T,
    right: T,
}

#[rep_ok]
impl<T: PartialEq> Pair<T> {
    fn rep_ok(&self) -> bool {
        self.left == self.right
    }
}

fn main() {
    korat::for_each_valid(Pair::<u8>::scope(2), |pair| assert!(pair.left == pair.right));
}
