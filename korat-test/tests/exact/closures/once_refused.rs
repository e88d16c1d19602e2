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

on_rows! {
    whose_bodies_begin_with_a_match []

    fn rep_ok(&self) -> bool {
        let mut sum = 0u8;
        let mut add = |key: &u8| match key { 0 => 1, other => *other } + self.mark;
        for key in &self.keys {
            sum = sum.wrapping_mul(3).wrapping_add(add(key));
        }
        let fits = |key: &u8| matches!(key, 0 | 2) && self.mark != *key;
        match self.keys.first() {
            Some(first) => matches!(first, 1 | 2) && sum % 5 == self.mark,
            None => self.keys.iter().all(fits),
        }
    }
}
