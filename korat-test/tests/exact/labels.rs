//! Labels that hide others, of loops and of blocks, in loops with reads and in loops without.

use super::harness::{on_lists, on_rows};

on_rows! {
    loops []

    fn rep_ok(&self) -> bool {
        let mut sum = 0u8;
        'a: for key in &self.keys {
            'a: for other in &self.keys {
                if *other == *key {
                    continue 'a;
                }
                sum = sum.wrapping_mul(2).wrapping_add(*other);
                if *other > *key {
                    break 'a;
                }
            }
            sum = sum.wrapping_add(1);
            if *key == 2 {
                break 'a;
            }
        }
        sum % 5 == self.mark
    }
}

on_rows! {
    loops_without_reads_inside []

    fn rep_ok(&self) -> bool {
        let mut sum = 0u8;
        'a: for key in &self.keys {
            let mut n = 0u8;
            'a: loop {
                n += 1;
                if n > *key {
                    break 'a;
                }
            }
            sum = sum.wrapping_mul(3).wrapping_add(n);
            if *key == 2 {
                continue 'a;
            }
            sum += 1;
        }
        sum % 5 == self.mark
    }
}

on_rows! {
    blocks []

    fn rep_ok(&self) -> bool {
        let mut sum = 0u8;
        for key in &self.keys {
            let value = 'a: {
                let inner = 'a: {
                    if *key == 0 {
                        break 'a 3u8;
                    }
                    key.wrapping_mul(2)
                };
                if inner == 2 {
                    break 'a 5u8;
                }
                inner + 1
            };
            sum = sum.wrapping_mul(3).wrapping_add(value);
        }
        sum % 5 == self.mark
    }
}

on_rows! {
    a_block_in_a_loop []

    fn rep_ok(&self) -> bool {
        let mut sum = 0u8;
        'a: for key in &self.keys {
            'a: {
                if *key == 1 {
                    break 'a;
                }
                sum = sum.wrapping_mul(2).wrapping_add(*key);
            }
            sum += 1;
            if *key == 2 {
                break 'a;
            }
        }
        sum % 5 == self.mark
    }
}

on_rows! {
    a_loop_in_a_block []

    fn rep_ok(&self) -> bool {
        let mut sum = 0u8;
        let last = 'a: {
            'a: for key in &self.keys {
                sum = sum.wrapping_mul(2).wrapping_add(*key);
                if *key == 1 {
                    break 'a;
                }
            }
            if sum > 3 {
                break 'a 1u8;
            }
            2u8
        };
        sum.wrapping_add(last) % 5 == self.mark
    }
}

on_rows! {
    a_loop_with_a_value []

    fn rep_ok(&self) -> bool {
        let mut sum = 0u8;
        let mut i = 0;
        let end = 'a: loop {
            let Some(key) = self.keys.get(i) else { break 'a sum };
            i += 1;
            let more = 'a: loop {
                if *key == 2 {
                    break 'a 7u8;
                }
                if *key == sum % 3 {
                    break 'a 1u8;
                }
                break 4;
            };
            sum = sum.wrapping_mul(2).wrapping_add(more);
        };
        end % 5 == self.mark
    }
}

on_lists! {
    while_let []

    fn rep_ok(&self) -> bool {
        let mut sum = 0u8;
        let mut at = &self.head;
        'walk: while let Some(node) = at {
            at = &node.next;
            let mut rest = at;
            'walk: while let Some(other) = rest {
                rest = &other.next;
                if other.key < node.key {
                    continue 'walk;
                }
                sum = sum.wrapping_mul(2).wrapping_add(other.key);
                if other.key == 2 {
                    break 'walk;
                }
            }
            if sum > 9 {
                break 'walk;
            }
            sum += 1;
        }
        sum % 5 == self.mark
    }
}

on_lists! {
    in_a_closure []

    fn rep_ok(&self) -> bool {
        let mut sum = 0u8;
        let mut at = &self.head;
        'a: while let Some(node) = at {
            let count = |most: u8| {
                let mut n = 0u8;
                'a: loop {
                    n += 1;
                    if n >= most {
                        break 'a n;
                    }
                }
            };
            sum = sum.wrapping_mul(3).wrapping_add(count(node.key));
            at = &node.next;
            if node.key == 0 {
                break 'a;
            }
        }
        sum % 5 == self.mark
    }
}

on_lists! {
    three_deep []

    fn rep_ok(&self) -> bool {
        let mut sum = 0u8;
        let mut at = &self.head;
        'a: while let Some(node) = at {
            at = &node.next;
            'a: for i in 0..2u8 {
                'a: for j in 0..2u8 {
                    if i + j == node.key {
                        continue 'a;
                    }
                    sum = sum.wrapping_mul(2).wrapping_add(i ^ j);
                    if j == 1 {
                        break 'a;
                    }
                }
                if sum % 4 == 3 {
                    break 'a;
                }
            }
            if node.key == 2 {
                break 'a;
            }
        }
        sum % 5 == self.mark
    }
}
