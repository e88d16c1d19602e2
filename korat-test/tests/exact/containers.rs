//! `&mut` into the predicate's own containers, kept across a read: what `last_mut`, `get_mut`, `iter_mut`, `entry` and
//! their like give.

use std::collections::{BTreeMap, HashMap, VecDeque};

use super::harness::{on_lists, on_rows};

on_rows! {
    last_mut []

    fn rep_ok(&self) -> bool {
        let mut stack = vec![1u8, 2];
        for key in &self.keys {
            let top = stack.last_mut();
            let by = self.mark;
            if let Some(top) = top {
                *top = top.wrapping_mul(2).wrapping_add(by ^ *key);
            }
            if *key == 2 {
                stack.push(*key);
            }
        }
        stack.iter().fold(0u8, |sum, n| sum.wrapping_mul(3).wrapping_add(*n)) % 5 == self.mark
    }
}

on_rows! {
    last_mut_across_the_loop []

    fn rep_ok(&self) -> bool {
        let mut stack = vec![1u8, 2];
        {
            let mut top = stack.last_mut();
            for key in &self.keys {
                if let Some(top) = &mut top {
                    **top = top.wrapping_mul(2).wrapping_add(*key);
                }
            }
        }
        stack.iter().fold(0u8, |sum, n| sum.wrapping_mul(3).wrapping_add(*n)) % 5 == self.mark
    }
}

on_rows! {
    last_mut_unwrapped []

    fn rep_ok(&self) -> bool {
        let mut stack = vec![1u8, 2];
        {
            let top = stack.last_mut().unwrap();
            for key in &self.keys {
                *top = top.wrapping_mul(2).wrapping_add(*key);
            }
        }
        stack.iter().fold(0u8, |sum, n| sum.wrapping_mul(3).wrapping_add(*n)) % 5 == self.mark
    }
}

on_rows! {
    get_mut []

    fn rep_ok(&self) -> bool {
        let mut all = vec![1u8, 2];
        for key in &self.keys {
            let one = all.get_mut(usize::from(*key));
            let by = self.mark;
            if let Some(one) = one {
                *one = one.wrapping_mul(2).wrapping_add(by);
            }
        }
        all.iter().fold(0u8, |sum, n| sum.wrapping_mul(3).wrapping_add(*n)) % 5 == self.mark
    }
}

on_rows! {
    get_mut_of_a_map []

    fn rep_ok(&self) -> bool {
        let mut map = BTreeMap::from([(0u8, 1u8), (1, 2)]);
        for key in &self.keys {
            let Some(held) = map.get_mut(key) else {
                map.insert(2, 5);
                continue;
            };
            let by = self.mark;
            *held = held.wrapping_mul(2).wrapping_add(by);
        }
        map.values().fold(0u8, |sum, n| sum.wrapping_mul(3).wrapping_add(*n)) % 5 == self.mark
    }
}

on_rows! {
    iter_mut_held []

    fn rep_ok(&self) -> bool {
        let mut all = [1u8, 2, 3];
        {
            let mut rest = all.iter_mut();
            for key in &self.keys {
                if let Some(one) = rest.next() {
                    *one = one.wrapping_mul(2).wrapping_add(*key);
                }
            }
        }
        all.iter().fold(0u8, |sum, n| sum.wrapping_mul(3).wrapping_add(*n)) % 5 == self.mark
    }
}

on_rows! {
    iter_mut_of_a_vector_held []

    fn rep_ok(&self) -> bool {
        let mut all = vec![1u8, 2, 3];
        {
            let mut rest = all.iter_mut().rev();
            for key in &self.keys {
                if let Some(one) = rest.next() {
                    *one = one.wrapping_mul(2).wrapping_add(*key);
                }
            }
        }
        all.iter().fold(0u8, |sum, n| sum.wrapping_mul(3).wrapping_add(*n)) % 5 == self.mark
    }
}

on_rows! {
    iter_mut_zipped []

    fn rep_ok(&self) -> bool {
        let mut all = vec![1u8, 2, 3];
        for (one, key) in all.iter_mut().zip(&self.keys) {
            *one = one.wrapping_mul(2).wrapping_add(*key);
        }
        all.iter().fold(0u8, |sum, n| sum.wrapping_mul(3).wrapping_add(*n)) % 5 == self.mark
    }
}

on_rows! {
    iter_mut_zipped_the_other_way []

    fn rep_ok(&self) -> bool {
        let mut all = [1u8, 2, 3];
        for (key, one) in self.keys.iter().zip(&mut all) {
            *one = one.wrapping_mul(2).wrapping_add(*key);
        }
        all.iter().fold(0u8, |sum, n| sum.wrapping_mul(3).wrapping_add(*n)) % 5 == self.mark
    }
}

on_rows! {
    entry_kept []

    fn rep_ok(&self) -> bool {
        let mut map: BTreeMap<u8, u8> = BTreeMap::new();
        for key in &self.keys {
            let held = map.entry(*key).or_insert(1);
            let by = self.mark;
            *held = held.wrapping_mul(2).wrapping_add(by);
        }
        map.iter().fold(0u8, |sum, (key, n)| sum.wrapping_mul(3).wrapping_add(*n ^ *key)) % 5 == self.mark
    }
}

on_rows! {
    entry_across_the_loop []

    fn rep_ok(&self) -> bool {
        let mut map: HashMap<u8, u8> = HashMap::new();
        {
            let held = map.entry(1).or_default();
            for key in &self.keys {
                *held = held.wrapping_mul(2).wrapping_add(*key);
            }
        }
        map[&1] % 5 == self.mark
    }
}

on_rows! {
    split_at_mut []

    fn rep_ok(&self) -> bool {
        let mut all = [1u8, 2, 3, 4];
        {
            let (low, high) = all.split_at_mut(2);
            for key in &self.keys {
                low[usize::from(*key % 2)] += *key;
                high[0] = high[0].wrapping_mul(2).wrapping_add(low[0]);
            }
        }
        all.iter().fold(0u8, |sum, n| sum.wrapping_mul(3).wrapping_add(*n)) % 5 == self.mark
    }
}

on_rows! {
    split_at_mut_of_a_vector []

    fn rep_ok(&self) -> bool {
        let mut all = vec![1u8, 2, 3, 4];
        {
            let (low, high) = all.split_at_mut(2);
            for key in &self.keys {
                low[usize::from(*key % 2)] += *key;
                high[1] = high[1].wrapping_mul(2).wrapping_add(low[0]);
            }
        }
        all.iter().fold(0u8, |sum, n| sum.wrapping_mul(3).wrapping_add(*n)) % 5 == self.mark
    }
}

on_rows! {
    front_and_back_of_a_deque []

    fn rep_ok(&self) -> bool {
        let mut queue = VecDeque::from([1u8, 2]);
        for key in &self.keys {
            let end = if *key == 1 { queue.front_mut() } else { queue.back_mut() };
            let by = self.mark;
            if let Some(end) = end {
                *end = end.wrapping_mul(2).wrapping_add(by);
            }
            queue.push_back(*key);
        }
        queue.iter().fold(0u8, |sum, n| sum.wrapping_mul(3).wrapping_add(*n)) % 5 == self.mark
    }
}

on_lists! {
    the_top_of_a_stack_while_walking []

    fn rep_ok(&self) -> bool {
        let mut stack = vec![1u8];
        let mut at = &self.head;
        while let Some(node) = at {
            let top = stack.last_mut();
            let key = node.key;
            if let Some(top) = top {
                *top = top.wrapping_mul(2).wrapping_add(key);
            }
            if key == 1 {
                stack.push(key);
            }
            at = &node.next;
        }
        stack.iter().fold(0u8, |sum, n| sum.wrapping_mul(3).wrapping_add(*n)) % 5 == self.mark
    }
}

on_lists! {
    rows_of_a_table []

    fn rep_ok(&self) -> bool {
        let mut table = vec![vec![1u8], vec![2u8]];
        let mut at = &self.head;
        while let Some(node) = at {
            let row = &mut table[usize::from(node.key % 2)];
            row.push(self.mark);
            let last = row.last_mut();
            let next = &node.next;
            last.map(|last| *last = last.wrapping_add(u8::from(next.is_some())));
            at = next;
        }
        table.concat().iter().fold(0u8, |sum, n| sum.wrapping_mul(3).wrapping_add(*n)) % 5 == self.mark
    }
}

on_lists! {
    an_option_of_the_body []

    fn rep_ok(&self) -> bool {
        let mut best: Option<u8> = None;
        let mut at = &self.head;
        while let Some(node) = at {
            let held = best.get_or_insert(1);
            let key = node.key;
            *held = held.wrapping_mul(2).wrapping_add(key);
            if key == 2 {
                best = best.take().map(|best| best / 2);
            }
            at = &node.next;
        }
        best.unwrap_or(3) % 5 == self.mark
    }
}

on_rows! {
    parts_replaced []

    fn rep_ok(&self) -> bool {
        let mut all = vec![3u8, 1, 4];
        let mut sum = 0u8;
        for (at, key) in self.keys.iter().enumerate() {
            let old: Vec<u8> = all.splice(at..=at, [*key, *key ^ 1]).collect();
            sum = sum.wrapping_mul(3).wrapping_add(old[0]);
            let mut copy = vec![0; all.len()];
            copy.copy_from_slice(&all);
            copy[at + 1..].clone_from_slice(&all[..all.len() - at - 1]);
            let mut row = [0; 2];
            row.copy_from_slice(&all[at..at + 2]);
            sum = copy.iter().fold(sum, |sum, n| sum.wrapping_mul(2).wrapping_add(*n)) ^ row[1];
        }
        sum % 5 == self.mark
    }
}
