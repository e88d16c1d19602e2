//! Predicates of `../closures.rs` that are ordinary Rust, but whose lifted form does not compile: `move` closures over
//! a `&mut`. No `mod` names this file; `#[path = "uncompilable/closures.rs"] mod uncompilable;` at the end of
//! `closures.rs` tries them.

use super::*;

on_rows! {
    moved_over_a_mutable_reference []

    fn rep_ok(&self) -> bool {
        let mut x = 1u8;
        {
            let held = &mut x;
            let mut note = move |key: u8| *held = held.wrapping_mul(2).wrapping_add(key);
            for key in &self.keys {
                note(*key);
            }
        }
        x % 5 == self.mark
    }
}
