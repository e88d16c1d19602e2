//! An invariant belongs to the type, not to one of its traits.

use korat::{Finitize, rep_ok};

#[derive(Debug, Finitize)]
struct Event {
    count: usize,
}

trait Checked {
    fn rep_ok(&self) -> bool;
}

#[rep_ok]
impl Checked for Event {
    fn rep_ok(&self) -> bool {
        self.count > 0
    }
}

fn main() {}
