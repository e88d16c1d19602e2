//! More predicates of `closures.rs`, of forms that generated code did not compile once.

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
