//! What may be uninitialised is plain.

use korat::{Finitize, rep_ok};
use std::mem::MaybeUninit;

#[derive(Debug, Finitize)]
struct Item {
    key: u8,
}

#[derive(Debug, Finitize)]
struct Slots {
    items: [MaybeUninit<Item>; 2],
}

#[rep_ok]
impl Slots {
    fn rep_ok(&self) -> bool {
        true
    }
}

fn main() {
    korat::for_each_valid(Slots::scope(3), |slots| assert!(slots.rep_ok()));
}
