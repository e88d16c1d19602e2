//! More predicates of `borrows.rs`, of forms that generated code did not compile once.

use super::*;

on_rows! {
    in_a_struct_of_the_body []

    fn rep_ok(&self) -> bool {
        struct Both<'a> {
            one: &'a mut u8,
            other: &'a mut Vec<u8>,
        }
        let (mut x, mut list) = (1u8, Vec::new());
        {
            let both = Both { one: &mut x, other: &mut list };
            for key in &self.keys {
                *both.one = both.one.wrapping_mul(2).wrapping_add(*key);
                both.other.push(*both.one);
            }
        }
        x.wrapping_add(list.iter().fold(0u8, |sum, n| sum.wrapping_add(*n))) % 5 == self.mark
    }
}

on_rows! {
    in_a_vector []

    fn rep_ok(&self) -> bool {
        let (mut x, mut y) = (1u8, 2u8);
        {
            let mut both = vec![&mut x, &mut y];
            for key in &self.keys {
                *both[usize::from(*key % 2)] += 1 + *key;
                note(both[0], *key);
            }
        }
        x.wrapping_mul(3).wrapping_add(y) % 5 == self.mark
    }
}
