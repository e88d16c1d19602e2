//! `&mut` inside other values that are kept across a read: tuples, options, vectors, arrays, structs, other references.

use super::harness::{on_lists, on_rows};

/// Borrows a number.
pub struct Holder<'a> {
    pub held: &'a mut u8,
}

impl Holder<'_> {
    pub fn add(&mut self, key: u8) {
        *self.held = self.held.wrapping_mul(2).wrapping_add(key);
    }
}

pub fn note(x: &mut u8, key: u8) {
    *x = x.wrapping_mul(2).wrapping_add(key);
}

pub fn larger<'a>(x: &'a mut u8, y: &'a mut u8) -> &'a mut u8 {
    if *x >= *y { x } else { y }
}

on_rows! {
    in_a_tuple []

    fn rep_ok(&self) -> bool {
        let (mut x, mut y) = (1u8, 2u8);
        {
            let pair = (&mut x, &mut y);
            for key in &self.keys {
                *pair.0 = pair.0.wrapping_mul(2).wrapping_add(*key);
                if *key == 1 {
                    *pair.1 += 1;
                }
            }
        }
        x.wrapping_mul(3).wrapping_add(y) % 5 == self.mark
    }
}

on_rows! {
    in_a_tuple_taken_apart []

    fn rep_ok(&self) -> bool {
        let (mut x, mut y) = (1u8, 2u8);
        {
            let (one, other) = (&mut x, &mut y);
            for key in &self.keys {
                *one = one.wrapping_mul(2).wrapping_add(*key);
                note(other, *key);
            }
        }
        x.wrapping_mul(3).wrapping_add(y) % 5 == self.mark
    }
}

on_rows! {
    in_an_array []

    fn rep_ok(&self) -> bool {
        let (mut x, mut y) = (1u8, 2u8);
        {
            let both = [&mut x, &mut y];
            for key in &self.keys {
                *both[usize::from(*key % 2)] += 1 + *key;
            }
        }
        x.wrapping_mul(3).wrapping_add(y) % 5 == self.mark
    }
}

on_rows! {
    in_an_option []

    fn rep_ok(&self) -> bool {
        let mut x = 1u8;
        {
            let mut held = Some(&mut x);
            for key in &self.keys {
                if let Some(held) = &mut held {
                    **held = held.wrapping_mul(2).wrapping_add(*key);
                }
                if *key == 2 {
                    held = None;
                }
            }
        }
        x % 5 == self.mark
    }
}

on_rows! {
    in_an_option_by_as_mut []

    fn rep_ok(&self) -> bool {
        let mut x = 1u8;
        {
            let mut held = Some(&mut x);
            for key in &self.keys {
                held.as_mut().map(|held| **held = held.wrapping_mul(2).wrapping_add(*key));
            }
        }
        x % 5 == self.mark
    }
}

on_rows! {
    in_an_option_of_a_pair []

    fn rep_ok(&self) -> bool {
        let (mut x, mut y) = (1u8, 2u8);
        {
            let mut held = Some((&mut x, &mut y));
            for key in &self.keys {
                if let Some((one, other)) = held.as_mut() {
                    **one = one.wrapping_mul(2).wrapping_add(*key);
                    std::mem::swap(*one, *other);
                }
            }
        }
        x.wrapping_mul(3).wrapping_add(y) % 5 == self.mark
    }
}

on_rows! {
    in_a_struct [plain(Holder)]

    fn rep_ok(&self) -> bool {
        let mut x = 1u8;
        {
            let mut holder = Holder { held: &mut x };
            for key in &self.keys {
                holder.add(*key);
                *holder.held ^= 1;
            }
        }
        x % 5 == self.mark
    }
}

on_rows! {
    of_a_reference []

    fn rep_ok(&self) -> bool {
        let (mut x, mut y) = (1u8, 2u8);
        {
            let mut one = &mut x;
            let mut other = &mut y;
            {
                let held = &mut one;
                for key in &self.keys {
                    **held = held.wrapping_mul(2).wrapping_add(*key);
                }
            }
            std::mem::swap(&mut one, &mut other);
            *one = one.wrapping_add(*other);
        }
        x.wrapping_mul(3).wrapping_add(y) % 5 == self.mark
    }
}

on_rows! {
    pointing_elsewhere_later []

    fn rep_ok(&self) -> bool {
        let (mut x, mut y) = (1u8, 2u8);
        {
            let mut held = &mut x;
            let mut other = Some(&mut y);
            for key in &self.keys {
                *held = held.wrapping_mul(2).wrapping_add(*key);
                if *key == 1 && let Some(next) = other.take() {
                    held = next;
                }
            }
        }
        x.wrapping_mul(3).wrapping_add(y) % 5 == self.mark
    }
}

on_rows! {
    given_back_by_a_function []

    fn rep_ok(&self) -> bool {
        let (mut x, mut y) = (1u8, 2u8);
        for key in &self.keys {
            let held = larger(&mut x, &mut y);
            let by = *key;
            *held = held.wrapping_sub(by);
        }
        x.wrapping_mul(3).wrapping_add(y) % 5 == self.mark
    }
}

on_rows! {
    given_back_and_kept []

    fn rep_ok(&self) -> bool {
        let (mut x, mut y) = (1u8, 2u8);
        {
            let held = larger(&mut x, &mut y);
            for key in &self.keys {
                note(held, *key);
            }
        }
        x.wrapping_mul(3).wrapping_add(y) % 5 == self.mark
    }
}

on_rows! {
    of_an_element_passed_on []

    fn rep_ok(&self) -> bool {
        let mut all = [1u8, 2, 3];
        for key in &self.keys {
            note(&mut all[usize::from(*key)], *key);
        }
        all.iter().fold(0u8, |sum, n| sum.wrapping_mul(3).wrapping_add(*n)) % 5 == self.mark
    }
}

on_rows! {
    of_an_element_kept []

    fn rep_ok(&self) -> bool {
        let mut all = [1u8, 2, 3];
        {
            let one = &mut all[1];
            for key in &self.keys {
                note(one, *key);
            }
        }
        all.iter().fold(0u8, |sum, n| sum.wrapping_mul(3).wrapping_add(*n)) % 5 == self.mark
    }
}

on_rows! {
    of_a_field_kept []

    fn rep_ok(&self) -> bool {
        let mut pair = (1u8, vec![2u8]);
        {
            let (one, list) = (&mut pair.0, &mut pair.1);
            for key in &self.keys {
                note(one, *key);
                list.push(*one);
            }
        }
        pair.1.iter().fold(pair.0, |sum, n| sum.wrapping_mul(3).wrapping_add(*n)) % 5 == self.mark
    }
}

on_rows! {
    by_a_pattern []

    fn rep_ok(&self) -> bool {
        let mut pair = (1u8, 2u8);
        {
            let (ref mut one, other) = pair;
            for key in &self.keys {
                note(one, *key ^ other);
            }
        }
        pair.0.wrapping_mul(3).wrapping_add(pair.1) % 5 == self.mark
    }
}

on_lists! {
    in_a_result []

    fn rep_ok(&self) -> bool {
        let (mut x, mut y) = (1u8, 2u8);
        {
            let mut held: Result<&mut u8, &mut u8> = if self.mark > 2 { Ok(&mut x) } else { Err(&mut y) };
            let mut at = &self.head;
            while let Some(node) = at {
                match &mut held {
                    Ok(x) => note(x, node.key),
                    Err(y) => note(y, node.key),
                }
                at = &node.next;
            }
        }
        x.wrapping_mul(3).wrapping_add(y) % 5 == self.mark
    }
}

on_lists! {
    in_nested_tuples []

    fn rep_ok(&self) -> bool {
        let (mut x, mut y) = (1u8, 2u8);
        {
            let mut nested = (0u8, (&mut x, Some(&mut y)));
            let mut at = &self.head;
            while let Some(node) = at {
                nested.0 += node.key;
                *nested.1.0 = nested.1.0.wrapping_add(nested.0);
                if let Some(y) = nested.1.1.as_deref_mut() {
                    *y = y.wrapping_mul(2).wrapping_add(1);
                }
                if node.key == 2 {
                    nested.1.1 = None;
                }
                at = &node.next;
            }
        }
        x.wrapping_mul(3).wrapping_add(y) % 5 == self.mark
    }
}

on_lists! {
    pushed_while_walking []

    fn rep_ok(&self) -> bool {
        let mut slots = [1u8, 2, 3];
        {
            let mut free: Vec<&mut u8> = slots.iter_mut().collect();
            let mut at = &self.head;
            while let Some(node) = at {
                if let Some(slot) = free.pop() {
                    *slot = slot.wrapping_add(node.key);
                }
                at = &node.next;
            }
        }
        slots.iter().fold(0u8, |sum, n| sum.wrapping_mul(3).wrapping_add(*n)) % 5 == self.mark
    }
}

mod once_refused;
