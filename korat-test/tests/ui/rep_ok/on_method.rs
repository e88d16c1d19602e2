//! The attribute of an `impl` block, on the method.

use korat::{Finitize, rep_ok};

#[derive(Debug, Finitize)]
struct Event {
    count: usize,
}

impl Event {
    #[rep_ok]
    fn rep_ok(&self) -> bool {
        self.count > 0
    }
}

fn main() {}
