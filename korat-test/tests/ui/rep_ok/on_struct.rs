//! The attribute of an `impl` block, on a struct.

use korat::{Finitize, rep_ok};

#[rep_ok]
#[derive(Debug, Finitize)]
struct Event {
    count: usize,
}

fn main() {}
