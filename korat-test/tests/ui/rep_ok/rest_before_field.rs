//! The number of fields of a class is not known to the macro.

use korat::{Finitize, rep_ok};

#[derive(Debug, Finitize)]
struct Pair(u8, u8);

#[rep_ok]
impl Pair {
    fn rep_ok(&self) -> bool {
        let Pair(.., last) = self;
        *last > 0
    }
}

fn main() {
    korat::for_each_valid(Pair::scope(3), |pair| assert!(pair.1 > 0));
}
