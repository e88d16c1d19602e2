//! Panics of a predicate: a search ends with the plain `rep_ok`'s own message, and never with values that it has not
//! accepted.

use super::harness::{on_lists, on_rows};

on_rows! {
    subtraction []

    fn rep_ok(&self) -> bool {
        let mut left: u8 = 4;
        for key in &self.keys {
            left = left - *key;
        }
        left == self.mark
    }
}

on_rows! {
    addition_assigned []

    fn rep_ok(&self) -> bool {
        let mut sum: u8 = 250;
        for key in &self.keys {
            sum += *key;
        }
        sum - 250 == self.mark
    }
}

on_rows! {
    short_circuited []

    fn rep_ok(&self) -> bool {
        let mut left: u8 = 3;
        self.keys.iter().all(|key| left >= *key && { left -= *key; true }) && left == self.mark
    }
}

on_rows! {
    index []

    fn rep_ok(&self) -> bool {
        let names = [1u8, 0];
        self.keys.iter().map(|key| names[usize::from(*key)]).sum::<u8>() == self.mark
    }
}

on_rows! {
    never_reached []

    fn rep_ok(&self) -> bool {
        let mut left: u8 = 2;
        for key in &self.keys {
            if *key > left {
                return false;
            }
            left -= *key;
        }
        left == self.mark
    }
}

on_rows! {
    left_operand_first []

    fn rep_ok(&self) -> bool {
        let mut x: u8 = 3;
        for key in &self.keys {
            // The left operand is 2 at least; read late, it would be 0.
            x = (x - { x = 0; *key % 2 }).max(2);
        }
        x % 5 == self.mark
    }
}

on_lists! {
    explicit []

    fn rep_ok(&self) -> bool {
        let mut seen = [false; 3];
        let mut at = &self.head;
        while let Some(node) = at {
            let key = usize::from(node.key);
            assert!(key != 2 || !seen[2], "two twice");
            seen[key] = true;
            at = &node.next;
        }
        seen.iter().filter(|seen| **seen).count() == usize::from(self.mark)
    }
}

on_lists! {
    unwrapped []

    fn rep_ok(&self) -> bool {
        let mut left = vec![1u8, 2];
        let mut sum = 0u8;
        let mut at = &self.head;
        while let Some(node) = at {
            if node.key == 1 {
                sum += left.pop().expect("no more than two ones");
            }
            at = &node.next;
        }
        sum == self.mark
    }
}
