//! Predicates that outsiders found wrong once, and shapes of control flow that no other file has.

use crate::harness::{on_lists, on_rows};

on_lists! {
    a_box_that_is_added_to []

    fn rep_ok(&self) -> bool {
        let mut sum = Box::new(1u8);
        let mut at = &self.head;
        while let Some(node) = at {
            *sum = sum.wrapping_mul(2);
            *sum += node.key;
            at = &node.next;
        }
        *sum % 5 == self.mark
    }
}

on_lists! {
    a_box_that_a_helper_changes []

    fn rep_ok(&self) -> bool {
        let mut sum = Box::new(1u8);
        let mut at = &self.head;
        while let Some(node) = at {
            Self::up(&mut sum, node);
            at = &node.next;
        }
        *sum % 5 == self.mark
    }

    fn up(sum: &mut Box<u8>, node: &Node) {
        **sum = sum.wrapping_mul(2).wrapping_add(node.key);
    }
}

on_lists! {
    a_box_by_value_through_helpers []

    fn rep_ok(&self) -> bool {
        let mut sum = (Box::new(1u8), 0u8);
        let mut at = &self.head;
        while let Some(node) = at {
            sum = Self::own(sum, node);
            at = &node.next;
        }
        sum.0.wrapping_add(sum.1) % 5 == self.mark
    }

    fn own(mut sum: (Box<u8>, u8), node: &Node) -> (Box<u8>, u8) {
        *sum.0 = sum.0.wrapping_mul(3).wrapping_add(node.key);
        sum.1 ^= node.key;
        sum
    }
}

on_lists! {
    a_box_in_an_option []

    fn rep_ok(&self) -> bool {
        let mut sum = Some(Box::new(1u8));
        let mut at = &self.head;
        while let Some(node) = at {
            if let Some(sum) = sum.as_deref_mut() {
                *sum = sum.wrapping_mul(2).wrapping_add(node.key);
            }
            at = &node.next;
        }
        *sum.unwrap() % 5 == self.mark
    }
}

/// A reference to memory that nobody owns.
fn leaked() -> &'static mut u8 {
    Box::leak(Box::new(1))
}

fn doubled(sum: &mut u8, key: u8) {
    *sum = sum.wrapping_mul(2).wrapping_add(key);
}

on_lists! {
    a_leaked_reference []

    fn rep_ok(&self) -> bool {
        let sum = leaked();
        let mut at = &self.head;
        while let Some(node) = at {
            doubled(sum, node.key);
            at = &node.next;
        }
        *sum % 5 == self.mark
    }
}

on_rows! {
    a_repeated_element_before_its_number []

    fn rep_ok(&self) -> bool {
        let mut x = 1u8;
        let all = vec![{ x += self.mark; x }; { x *= 2; usize::from(x) }];
        all.len() == 2 * usize::from(all[0]) && self.keys.len() != 1
    }
}

on_lists! {
    helpers_on_both_sides_of_or []

    fn rep_ok(&self) -> bool {
        let mut count = 0u8;
        let found = Self::has(&self.head, 2, &mut count) || !Self::has(&self.head, 1, &mut count);
        let neither = !(Self::has(&self.head, 0, &mut count) && Self::has(&self.head, 1, &mut count));
        u8::from(found).wrapping_mul(2).wrapping_add(u8::from(neither)).wrapping_add(count) % 5 == self.mark
    }

    fn has(at: &Option<Box<Node>>, key: u8, count: &mut u8) -> bool {
        *count = count.wrapping_add(1);
        let Some(node) = at else { return false };
        node.key == key || Self::has(&node.next, key, count)
    }
}

on_lists! {
    places_and_closures_that_count []

    fn rep_ok(&self) -> bool {
        let mut pair = (0u8, [1u8, 2]);
        let mut at = &self.head;
        while let Some(node) = at {
            pair.1[usize::from(node.key % 2)] = pair.0.wrapping_add(node.key);
            let mut up = |by: u8| pair.0 = pair.0.wrapping_add(by);
            up(node.key);
            at = &node.next;
        }
        pair.0.wrapping_add(pair.1[0]).wrapping_mul(2).wrapping_add(pair.1[1]) % 5 == self.mark
    }
}

on_lists! {
    a_way_out_in_the_arguments_of_a_macro []

    fn rep_ok(&self) -> bool {
        let mut sum: u8 = 1;
        let mut at = &self.head;
        'walk: while let Some(node) = at {
            at = &node.next;
            let pair = vec![sum, if node.key == 2 { sum = sum.wrapping_add(1); continue 'walk } else { node.key }];
            sum = sum.wrapping_mul(3).wrapping_add(pair[0] ^ pair[1]);
            let next = vec![match at { Some(next) if next.key == 0 => break 'walk, Some(next) => next.key, None => 7 }];
            assert!(next[0] < 8, "{}", if self.mark == 9 { return false } else { 1 });
            sum ^= next[0];
        }
        sum % 5 == self.mark
    }
}

on_lists! {
    lent_by_way_of_another_value []

    fn rep_ok(&self) -> bool {
        let mut sum: u8 = 0;
        let mut at = &self.head;
        while let Some(node) = at {
            let mut one = 1u8;
            let held = &mut one;
            let given = Some(held);
            sum = sum.wrapping_mul(2).wrapping_add(Self::add(given, node));
            let mut two = 2u8;
            let held = &mut two;
            let pair = (held, 3u8);
            sum = sum.wrapping_mul(3).wrapping_add(Self::pair(pair, node));
            let mut four = [4u8, 5];
            let held = &mut four;
            let given = held.first_mut();
            sum = sum.wrapping_mul(2).wrapping_add(Self::add(given, node));
            let mut five = 5u8;
            let held = &mut five;
            let again = &mut *held;
            let given = std::convert::identity(again);
            sum = sum.wrapping_mul(2).wrapping_add(Self::pair((given, 1), node));
            let (mut six, mut seven) = (6u8, 7u8);
            let (held, other) = (&mut six, &mut seven);
            let given = if sum % 2 == 0 { held } else { match sum % 3 { 0 => held, _ => { other } } };
            sum = sum.wrapping_mul(2).wrapping_add(Self::pair((given, 1), node));
            at = &node.next;
        }
        sum % 5 == self.mark
    }

    fn add(to: Option<&mut u8>, node: &Node) -> u8 {
        let Some(to) = to else { return 9 };
        *to += node.key;
        *to
    }

    fn pair(to: (&mut u8, u8), node: &Node) -> u8 {
        *to.0 += node.key;
        if node.next.is_some() { *to.0 } else { to.1 }
    }
}

on_lists! {
    references_to_temporaries_in_a_kept_statement []

    fn rep_ok(&self) -> bool {
        let mut total = 0u32;
        let mut at = &self.head;
        while let Some(node) = at {
            total += match (&u32::from(node.key), &(self.mark as u32)) {
                (0, mark) => *mark,
                (key, 0 | 1) => key + 1,
                (key, mark) => key ^ mark,
            };
            total += vec![{
                let once = &(node.key as u32);
                let twice = &once;
                match **twice { 0 => u32::from(self.mark), other => other }
            }]
            .iter()
            .sum::<u32>();
            at = &node.next;
        }
        total % 5 == u32::from(self.mark)
    }
}

on_lists! {
    an_inner_local_that_an_outer_reference_holds []

    fn rep_ok(&self) -> bool {
        let first = self.mark;
        let mut held = &first;
        let mut total = *held;
        let mut at = &self.head;
        while let Some(node) = at {
            total = total.wrapping_add({
                let key = node.key;
                held = &key;
                *held ^ self.mark
            });
            held = &first;
            at = &node.next;
        }
        total.wrapping_add(*held) % 5 == self.mark
    }
}

on_lists! {
    iterators_over_arrays_that_live_across_reads []

    fn rep_ok(&self) -> bool {
        let mut total = 0u8;
        let mut at = &self.head;
        while let Some(node) = at {
            for link in [&node.next, &self.head] {
                if let Some(other) = link {
                    total = total.wrapping_mul(2).wrapping_add(other.key);
                }
            }
            at = &node.next;
        }
        total % 5 == self.mark
    }
}

on_lists! {
    adapters_over_arrays_that_live_across_reads []

    fn rep_ok(&self) -> bool {
        let mut total = 0u8;
        let mut at = &self.head;
        while let Some(node) = at {
            for (number, other) in [&self.head, &node.next].into_iter().flatten().rev().enumerate() {
                if other.key == node.key && number == 0 {
                    continue;
                }
                total = total.wrapping_mul(3).wrapping_add(other.key);
            }
            at = &node.next;
        }
        total % 5 == self.mark
    }
}

on_lists! {
    alternatives_inside_a_let_else []

    fn rep_ok(&self) -> bool {
        let mut total = self.mark;
        let mut at = self.head.as_deref();
        while let Some(node) = at {
            let Node { key: 1 | 2, next } = node else { return self.mark == 0 };
            total = total.wrapping_add(node.key);
            at = next.as_deref();
        }
        total % 3 == self.mark
    }
}

on_lists! {
    a_closure_that_holds_an_inner_local []

    fn rep_ok(&self) -> bool {
        let (first, other) = ({
            let mark = &self.mark;
            self.head.iter().map(|node| node.key ^ *mark).max().unwrap_or(*mark)
        }, self.mark);
        let mut total = first;
        let mut at = &self.head;
        while let Some(node) = at {
            total = total.wrapping_mul(2).wrapping_add(node.key);
            at = &node.next;
        }
        total % 5 == other
    }
}
