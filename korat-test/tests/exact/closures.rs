//! Closures: called after what they captured has changed, kept across reads, moved over a `&mut`, and holding a part of
//! something.

use std::cell::Cell;

use super::harness::{on_lists, on_rows};

on_rows! {
    a_copy_is_captured []

    fn rep_ok(&self) -> bool {
        let mut x = 1u8;
        let mut sum = 0u8;
        for key in &self.keys {
            let before = move || x;
            x = x.wrapping_mul(2).wrapping_add(*key);
            sum = sum.wrapping_mul(3).wrapping_add(before() ^ x);
        }
        sum % 5 == self.mark
    }
}

on_rows! {
    a_copy_is_changed []

    fn rep_ok(&self) -> bool {
        let mut x = 1u8;
        let mut next = move || { x = x.wrapping_mul(2).wrapping_add(1); x };
        let mut sum = 0u8;
        for key in &self.keys {
            sum = sum.wrapping_add(next() ^ *key);
            x += 1;
        }
        sum.wrapping_add(x) % 5 == self.mark
    }
}

on_rows! {
    made_once_called_often []

    fn rep_ok(&self) -> bool {
        let mut sum = 1u8;
        let mut note = |key: u8| sum = sum.wrapping_mul(2).wrapping_add(key);
        for key in &self.keys {
            note(*key);
        }
        sum % 5 == self.mark
    }
}

on_rows! {
    a_cell_changes_in_between []

    fn rep_ok(&self) -> bool {
        let x = Cell::new(1u8);
        let look = || x.get();
        let mut sum = 0u8;
        for key in &self.keys {
            x.set(x.get().wrapping_mul(2).wrapping_add(*key));
            sum = sum.wrapping_mul(3).wrapping_add(look());
        }
        sum % 5 == self.mark
    }
}

on_rows! {
    a_part_of_a_tuple []

    fn rep_ok(&self) -> bool {
        let mut pair = (1u8, 2u8);
        {
            let mut note = |key: u8| pair.0 = pair.0.wrapping_mul(2).wrapping_add(key);
            for key in &self.keys {
                note(*key);
            }
        }
        pair.1 = pair.1.wrapping_add(pair.0);
        pair.1 % 5 == self.mark
    }
}

on_rows! {
    both_parts_of_a_tuple []

    fn rep_ok(&self) -> bool {
        let mut pair = (1u8, 2u8);
        {
            let mut note = |key: u8| pair.0 = pair.0.wrapping_mul(2).wrapping_add(key);
            for key in &self.keys {
                note(*key);
                // The other part is not captured.
                pair.1 = pair.1.wrapping_add(*key);
            }
        }
        pair.0.wrapping_mul(3).wrapping_add(pair.1) % 5 == self.mark
    }
}

on_rows! {
    two_of_them []

    fn rep_ok(&self) -> bool {
        let (mut x, mut y) = (1u8, 2u8);
        {
            let mut one = |key: u8| { x = x.wrapping_mul(2).wrapping_add(key); x };
            let mut other = |key: u8| { y = y.wrapping_mul(3).wrapping_add(key); y };
            for key in &self.keys {
                if *key == 1 { one(*key); } else { other(*key); }
            }
        }
        x.wrapping_mul(3).wrapping_add(y) % 5 == self.mark
    }
}

on_rows! {
    one_calls_the_other []

    fn rep_ok(&self) -> bool {
        let mut x = 1u8;
        {
            let mut add = |by: u8| { x = x.wrapping_add(by); x };
            let mut twice = |by: u8| add(by) ^ add(1);
            for key in &self.keys {
                twice(*key);
            }
        }
        x % 5 == self.mark
    }
}

on_rows! {
    passed_on []

    fn rep_ok(&self) -> bool {
        fn thrice(mut f: impl FnMut(u8)) {
            for i in 0..3 {
                f(i);
            }
        }
        let mut x = 1u8;
        for key in &self.keys {
            thrice(|i| x = x.wrapping_mul(2).wrapping_add(i ^ *key));
        }
        x % 5 == self.mark
    }
}

on_rows! {
    in_a_tuple []

    fn rep_ok(&self) -> bool {
        let mut x = 1u8;
        let mut sum = 0u8;
        for key in &self.keys {
            let pair = (move || x, { x = x.wrapping_mul(2).wrapping_add(*key); x }, move || x);
            sum = sum.wrapping_mul(3).wrapping_add(pair.0() ^ pair.1).wrapping_add(pair.2());
        }
        sum % 5 == self.mark
    }
}

on_rows! {
    a_vector_is_moved_in []

    fn rep_ok(&self) -> bool {
        let mut seen = vec![1u8];
        for key in &self.keys {
            let more = move || { let mut seen = seen; seen.push(*key); seen };
            seen = more();
        }
        seen.iter().fold(0u8, |sum, n| sum.wrapping_mul(3).wrapping_add(*n)) % 5 == self.mark
    }
}

on_rows! {
    by_reference_to_a_function []

    fn rep_ok(&self) -> bool {
        fn apply(f: &mut dyn FnMut(u8) -> u8, key: u8) -> u8 {
            f(key)
        }
        let mut x = 1u8;
        let mut sum = 0u8;
        let mut f = |key: u8| { x = x.wrapping_mul(2).wrapping_add(key); x };
        for key in &self.keys {
            sum = sum.wrapping_add(apply(&mut f, *key));
        }
        sum % 5 == self.mark
    }
}

on_rows! {
    boxed []

    fn rep_ok(&self) -> bool {
        let mut x = 1u8;
        let mut sum = 0u8;
        {
            let mut f: Box<dyn FnMut(u8) -> u8 + '_> = Box::new(|key| { x = x.wrapping_mul(2).wrapping_add(key); x });
            for key in &self.keys {
                sum = sum.wrapping_add(f(*key));
            }
        }
        sum.wrapping_add(x) % 5 == self.mark
    }
}

on_lists! {
    a_copy_before_a_walk []

    fn rep_ok(&self) -> bool {
        let mut x = 1u8;
        let first = move |by: u8| x.wrapping_add(by);
        let mut at = &self.head;
        while let Some(node) = at {
            x = x.wrapping_mul(2).wrapping_add(first(node.key));
            at = &node.next;
        }
        x.wrapping_add(first(0)) % 5 == self.mark
    }
}

on_lists! {
    kept_across_a_walk []

    fn rep_ok(&self) -> bool {
        let mut sum = 1u8;
        let mut highest = 0u8;
        {
            let mut note = |key: u8| {
                sum = sum.wrapping_mul(2).wrapping_add(key);
                highest = highest.max(sum);
                highest
            };
            let mut at = &self.head;
            while let Some(node) = at {
                if note(node.key) > 20 {
                    return false;
                }
                at = &node.next;
            }
        }
        sum.wrapping_add(highest) % 5 == self.mark
    }
}

on_lists! {
    called_around_a_helper []

    fn rep_ok(&self) -> bool {
        let mut x = 1u8;
        let mut sum = 0u8;
        let mut at = &self.head;
        while let Some(node) = at {
            let before = move || x;
            let changed = Self::note(&mut x, node);
            sum = sum.wrapping_mul(3).wrapping_add(before()).wrapping_add(changed);
            at = &node.next;
        }
        sum % 5 == self.mark
    }

    fn note(x: &mut u8, node: &Node) -> u8 {
        *x = x.wrapping_mul(2).wrapping_add(node.key);
        *x
    }
}

on_lists! {
    in_a_tuple_around_a_helper []

    fn rep_ok(&self) -> bool {
        let mut x = 1u8;
        let mut sum = 0u8;
        let mut at = &self.head;
        while let Some(node) = at {
            let (one, between, other) = (move || x, Self::note(&mut x, node), move || x);
            sum = sum.wrapping_mul(3).wrapping_add(one() ^ between).wrapping_add(other());
            at = &node.next;
        }
        sum % 5 == self.mark
    }

    fn note(x: &mut u8, node: &Node) -> u8 {
        *x = x.wrapping_mul(2).wrapping_add(node.key);
        *x
    }
}

mod once_refused;
