//! Operands with side effects: the right one changes a local that the left one has read, in every place where Rust has
//! operands. Each right operand also reads the
//! structure, in the expression or in a helper that it calls, so that runs are resumed in the middle.

use super::harness::{on_rows, walk};

/// Changes the number, and gives the new one.
pub fn bump(x: &mut u8, by: u8) -> u8 {
    *x = x.wrapping_mul(2).wrapping_add(by);
    *x
}

/// The next place of three.
pub fn up(i: &mut usize) -> u8 {
    *i = (*i + 1) % 3;
    *i as u8
}

pub fn three(a: u8, b: u8, c: u8) -> u8 {
    a.wrapping_mul(3).wrapping_add(b).wrapping_mul(3).wrapping_add(c)
}

pub struct Pair {
    pub a: u8,
    pub b: u8,
}

walk! {
    equal(x, node) { u8::from(x == bump(&mut x, node.key)) }
    less(x, node) { u8::from(x < bump(&mut x, node.key)) }
    at_least(x, node) { u8::from(x >= bump(&mut x, node.key)) }
    xor(x, node) { x ^ bump(&mut x, node.key) }
    or(x, node) { x | bump(&mut x, node.key) }
    minus(x, node) { (x as u16 + 300 - u16::from(bump(&mut x, node.key))) as u8 }
    shift(x, node) { x << (bump(&mut x, node.key) % 4) }
    method_argument(x, node) { x.wrapping_add(bump(&mut x, node.key)) }
    method_arguments(x, node) { x.clamp(bump(&mut x, node.key).min(9), x.max(10)) }
    both_sides(x, node) { x ^ bump(&mut x, node.key) ^ x ^ bump(&mut x, 1) }
    swapped_sides(x, node) { bump(&mut x, node.key) ^ x }
    block_operand(x, node) { x ^ { x = x.wrapping_add(node.key).wrapping_add(1); x } }
    call_arguments(x, node) { three(x, bump(&mut x, node.key), x) }
    tuple(x, node) { let pair = (x, bump(&mut x, node.key), x); three(pair.0, pair.1, pair.2) }
    array(x, node) { let [a, b, c] = [x, bump(&mut x, node.key), x]; three(a, b, c) }
    array_indexed(x, node) { [x, bump(&mut x, node.key), x][usize::from(x % 3)] }
    vector(x, node) { vec![x, bump(&mut x, node.key), x].iter().fold(0u8, |sum, n| sum.wrapping_mul(3).wrapping_add(*n)) }
    range(x, node) { (x..bump(&mut x, node.key).max(1)).len() as u8 }
    range_inclusive(x, node) { u8::from((x..=bump(&mut x, node.key)).contains(&3)) }
    short_circuit(x, node) { u8::from(x < bump(&mut x, node.key) && x > bump(&mut x, node.key)) }
    short_circuit_or(x, node) { u8::from(x == bump(&mut x, node.key) || x == bump(&mut x, 1)) }
    below_if(x, node) { if x == bump(&mut x, node.key) { x } else { x ^ bump(&mut x, 1) } }
    below_if_in_an_operand(x, node) { x ^ if node.key > 0 { bump(&mut x, node.key) } else { 7 } }
    below_match(x, node) { match (x, bump(&mut x, node.key)) { (a, b) if a < b => a, (a, b) => a ^ b } }
    below_match_in_an_operand(x, node) { x ^ match node.key { 0 => 5, key => bump(&mut x, key) } }
    below_a_cast(x, node) { (x as u16 * 3 + bump(&mut x, node.key) as u16) as u8 }
    below_unary(x, node) { !x ^ !bump(&mut x, node.key) }
    below_a_reference(x, node) { u8::from(&{ x } == &bump(&mut x, node.key)) }
    add_to_itself(x, node) { x += bump(&mut x, node.key) % 8; x %= 16; x }
    xor_to_itself(x, node) { x ^= { x = x.wrapping_add(1); node.key }; x }
    assigned_to_itself(x, node) { x = x ^ bump(&mut x, node.key); x }
    of_options(x, node) { Some(x).zip(Some(bump(&mut x, node.key))).map_or(0, |(a, b)| three(a, b, a)) }
    in_a_macro_of_std(x, node) { u8::from(matches!((x, bump(&mut x, node.key)), (a, b) if a < b)) }
    in_a_condition_of_while(x, node) { let mut n = 0; while x < bump(&mut x, node.key) && n < 3 { n += 1; } n }
    in_a_condition_of_let(x, node) { if let (1 | 2, b) = (x, bump(&mut x, node.key)) { b } else { x } }
    in_nested_calls(x, node) { three(x, three(x, bump(&mut x, node.key), x), bump(&mut x, 1)) }
    in_a_returned_tuple(x, node) { (|| (3u8, 4u8))().0 ^ x ^ bump(&mut x, node.key) }
    a_read_left_and_right(x, node) { node.key ^ x ^ bump(&mut x, node.key) ^ node.key }
    // The left operand reads the structure after the right one's local has changed.
    by_assignment(x, node) { x ^ { x = node.key; 1 } ^ { x += 1; x } }
    increments(x, node) { ({ x = x.wrapping_add(1); x }) ^ ({ x = x.wrapping_mul(3); x }) ^ node.key ^ x }
}

/// Operands that call a helper which is lowered itself.
mod by_a_helper {
    use super::*;

    walk! {
        equal(x, node) { u8::from(x == Self::bump(&mut x, node)) }
        less(x, node) { u8::from(x < Self::bump(&mut x, node)) }
        at_least(x, node) { u8::from(x >= Self::bump(&mut x, node)) }
        xor(x, node) { x ^ Self::bump(&mut x, node) }
        or(x, node) { x | Self::bump(&mut x, node) }
        minus(x, node) { (x as u16 + 300 - u16::from(Self::bump(&mut x, node))) as u8 }
        shift(x, node) { x << (Self::bump(&mut x, node) % 4) }
        method_argument(x, node) { x.wrapping_add(Self::bump(&mut x, node)) }
        method_arguments(x, node) { x.clamp(Self::bump(&mut x, node).min(9), x.max(10)) }
        both_sides(x, node) { x ^ Self::bump(&mut x, node) ^ x ^ Self::bump(&mut x, node) }
        swapped_sides(x, node) { Self::bump(&mut x, node) ^ x }
        call_arguments(x, node) { three(x, Self::bump(&mut x, node), x) }
        tuple(x, node) { let pair = (x, Self::bump(&mut x, node), x); three(pair.0, pair.1, pair.2) }
        array(x, node) { let [a, b, c] = [x, Self::bump(&mut x, node), x]; three(a, b, c) }
        array_indexed(x, node) { [x, Self::bump(&mut x, node), x][usize::from(x % 3)] }
        vector(x, node) { vec![x, Self::bump(&mut x, node), x].iter().fold(0u8, |sum, n| sum.wrapping_mul(3).wrapping_add(*n)) }
        range(x, node) { (x..Self::bump(&mut x, node).max(1)).len() as u8 }
        range_inclusive(x, node) { u8::from((x..=Self::bump(&mut x, node)).contains(&3)) }
        short_circuit(x, node) { u8::from(x < Self::bump(&mut x, node) && x > Self::bump(&mut x, node)) }
        short_circuit_or(x, node) { u8::from(x == Self::bump(&mut x, node) || x == Self::bump(&mut x, node)) }
        below_if(x, node) { if x == Self::bump(&mut x, node) { x } else { x ^ Self::bump(&mut x, node) } }
        below_if_in_an_operand(x, node) { x ^ if node.key > 0 { Self::bump(&mut x, node) } else { 7 } }
        below_match(x, node) { match (x, Self::bump(&mut x, node)) { (a, b) if a < b => a, (a, b) => a ^ b } }
        below_match_in_an_operand(x, node) { x ^ match node.key { 0 => 5, key => Self::bump(&mut x, node) } }
        below_a_cast(x, node) { (x as u16 * 3 + Self::bump(&mut x, node) as u16) as u8 }
        below_unary(x, node) { !x ^ !Self::bump(&mut x, node) }
        below_a_reference(x, node) { u8::from(&{ x } == &Self::bump(&mut x, node)) }
        add_to_itself(x, node) { x += Self::bump(&mut x, node) % 8; x %= 16; x }
        assigned_to_itself(x, node) { x = x ^ Self::bump(&mut x, node); x }
        of_options(x, node) { Some(x).zip(Some(Self::bump(&mut x, node))).map_or(0, |(a, b)| three(a, b, a)) }
        in_a_macro_of_std(x, node) { u8::from(matches!((x, Self::bump(&mut x, node)), (a, b) if a < b)) }
        in_a_condition_of_while(x, node) { let mut n = 0; while x < Self::bump(&mut x, node) && n < 3 { n += 1; } n }
        in_a_condition_of_let(x, node) { if let (1 | 2, b) = (x, Self::bump(&mut x, node)) { b } else { x } }
        in_nested_calls(x, node) { three(x, three(x, Self::bump(&mut x, node), x), Self::bump(&mut x, node)) }
        in_a_returned_tuple(x, node) { (|| (3u8, 4u8))().0 ^ x ^ Self::bump(&mut x, node) }
        a_read_left_and_right(x, node) { node.key ^ x ^ Self::bump(&mut x, node) ^ node.key }
    }
}

on_rows! {
    indexed []

    fn rep_ok(&self) -> bool {
        let g = [1u8, 2, 3];
        let (mut i, mut sum) = (0usize, 0u8);
        for key in &self.keys {
            sum = sum.wrapping_mul(3).wrapping_add(g[i].wrapping_mul(up(&mut i)) ^ key);
        }
        sum.wrapping_add(i as u8) % 5 == self.mark
    }
}

on_rows! {
    indexed_after_a_read []

    fn rep_ok(&self) -> bool {
        let mut g = vec![1u8, 2, 3];
        let (mut i, mut sum) = (0usize, 0u8);
        for key in &self.keys {
            sum = sum.wrapping_add(g[i] ^ { i = (i + 1 + usize::from(*key)) % 3; g[i] = g[i].wrapping_add(1); g[i] });
        }
        sum.wrapping_add(i as u8) % 5 == self.mark
    }
}

on_rows! {
    indexed_assignment []

    fn rep_ok(&self) -> bool {
        let mut g = [1u8, 2, 3];
        let mut i = 0usize;
        for key in &self.keys {
            // The right side first, then the place.
            g[i] = up(&mut i).wrapping_add(*key);
            g[i] += up(&mut i);
        }
        g.iter().fold(0u8, |sum, n| sum.wrapping_mul(3).wrapping_add(*n)) % 5 == self.mark
    }
}

on_rows! {
    fields [plain(Pair)]

    fn rep_ok(&self) -> bool {
        let mut pair = Pair { a: 1, b: 2 };
        let mut sum = 0u8;
        for key in &self.keys {
            sum = sum.wrapping_mul(3).wrapping_add(pair.a ^ bump(&mut pair.a, *key) ^ pair.a);
            sum = sum.wrapping_add(u8::from(pair.b == bump(&mut pair.b, *key)));
        }
        sum % 5 == self.mark
    }
}

on_rows! {
    derefs []

    fn rep_ok(&self) -> bool {
        let mut x = 1u8;
        let mut sum = 0u8;
        let p = &mut x;
        for key in &self.keys {
            sum = sum.wrapping_mul(3).wrapping_add(*p ^ bump(&mut *p, *key));
            sum = sum.wrapping_add(u8::from(*p < bump(p, *key)));
        }
        sum.wrapping_add(x) % 5 == self.mark
    }
}

on_rows! {
    boxes []

    fn rep_ok(&self) -> bool {
        let mut x = Box::new(1u8);
        let mut sum = 0u8;
        for key in &self.keys {
            sum = sum.wrapping_mul(3).wrapping_add(*x ^ bump(&mut x, *key));
        }
        sum.wrapping_add(*x) % 5 == self.mark
    }
}

on_rows! {
    struct_literals [plain(Pair)]

    fn rep_ok(&self) -> bool {
        let mut x = 1u8;
        let mut sum = 0u8;
        for key in &self.keys {
            let pair = Pair { b: x, a: bump(&mut x, *key) };
            let other = Pair { a: bump(&mut x, 1), ..Pair { a: 0, b: x } };
            sum = three(sum, three(pair.a, pair.b, x), three(other.a, other.b, x));
        }
        sum % 5 == self.mark
    }
}

on_rows! {
    move_closures []

    fn rep_ok(&self) -> bool {
        let mut x = 1u8;
        let mut sum = 0u8;
        for key in &self.keys {
            let (one, between, other) = (move || x, bump(&mut x, *key), move || x);
            sum = three(sum, one() ^ between, other());
        }
        sum % 5 == self.mark
    }
}

on_rows! {
    returned []

    fn rep_ok(&self) -> bool {
        let mut x = 1u8;
        for key in &self.keys {
            if *key == 2 {
                return x ^ bump(&mut x, *key) == self.mark ^ x;
            }
            x = bump(&mut x, *key) ^ x;
        }
        x % 5 == self.mark
    }
}

on_rows! {
    the_last_value []

    fn rep_ok(&self) -> bool {
        let mut x = 1u8;
        let mut next = |by: u8| { x = x.wrapping_mul(3).wrapping_add(by); x };
        self.keys.iter().all(|key| next(*key) < next(1)) && next(0) % 5 == self.mark
    }
}

on_rows! {
    indexed_by_a_helper []

    fn rep_ok(&self) -> bool {
        let g = [1u8, 2, 3];
        let (mut i, mut sum) = (0usize, 0u8);
        for at in 0..self.keys.len() {
            sum = sum.wrapping_mul(3).wrapping_add(g[i].wrapping_mul(self.up(&mut i, at)));
        }
        sum.wrapping_add(i as u8) % 5 == self.mark
    }

    fn up(&self, i: &mut usize, at: usize) -> u8 {
        *i = (*i + 1 + usize::from(self.keys[at])) % 3;
        *i as u8
    }
}

on_rows! {
    fields_by_a_helper [plain(Pair)]

    fn rep_ok(&self) -> bool {
        let mut pair = Pair { a: 1, b: 2 };
        let mut sum = 0u8;
        for at in 0..self.keys.len() {
            sum = sum.wrapping_mul(3).wrapping_add(pair.a ^ self.bump(&mut pair.a, at) ^ pair.a);
            let other = Pair { b: pair.b, a: self.bump(&mut pair.b, at) };
            sum = three(sum, other.a, other.b);
        }
        sum % 5 == self.mark
    }

    fn bump(&self, x: &mut u8, at: usize) -> u8 {
        *x = x.wrapping_mul(2).wrapping_add(self.keys[at]);
        *x
    }
}
