//! The probe sequence of a key in a hash table. Numbers near each other get cells near each other, so that a predicate
//! that walks a large structure finds both in the cache.

use std::hash::{Hash, Hasher};

use rustc_hash::FxHasher;

/// The probe sequence of a key: its first cell, and the ones to try if that is taken. It is the same in every process,
/// because the order of a search must not depend on chance.
#[derive(Clone, Copy)]
pub(super) struct ProbeSequence {
    first: u64,
    mixed: u64,
}

impl ProbeSequence {
    #[inline(always)]
    pub(super) fn of<Q: Hash + ?Sized>(key: &Q) -> Self {
        let mut hasher = ProbeHasher::default();
        key.hash(&mut hasher);
        let mixed = hasher.mixed.finish();
        let first = match hasher.key {
            KeyShape::Number(number) => folded(number),
            KeyShape::Empty | KeyShape::Other => mixed,
        };
        ProbeSequence { first, mixed }
    }

    #[inline(always)]
    pub(super) fn first(self, mask: usize) -> usize {
        self.first as usize & mask
    }

    /// Returns the cell to try after one that another key occupies. The step is pseudorandom, not one, since numbers
    /// occupy long rows of cells without a gap; it is odd, so that the sequence reaches all cells.
    #[inline(always)]
    pub(super) fn after(self, cell: usize, mask: usize) -> usize {
        (cell + ((self.mixed ^ (self.mixed >> 32)) as usize | 1)) & mask
    }
}

/// Folds the high bits of a number into the low ones. Consecutive numbers stay together, numbers with equal low bits
/// are spread, and distinct numbers stay distinct.
#[inline(always)]
fn folded(number: u64) -> u64 {
    let number = number ^ (number >> 7);
    let number = number ^ (number >> 14);
    number ^ (number >> 28)
}

/// What a key consists of.
#[derive(Clone, Copy, Default)]
enum KeyShape {
    #[default]
    Empty,
    /// A single number.
    Number(u64),
    Other,
}

/// A hasher that also remembers the key if it is a single number.
#[derive(Default)]
struct ProbeHasher {
    mixed: FxHasher,
    key: KeyShape,
}

macro_rules! numbers {
    ($($write:ident($type:ty))*) => {$(
        #[inline(always)]
        fn $write(&mut self, number: $type) {
            self.key = if matches!(self.key, KeyShape::Empty) { KeyShape::Number(number as u64) } else { KeyShape::Other };
            self.mixed.$write(number);
        }
    )*};
}

impl Hasher for ProbeHasher {
    #[inline(always)]
    fn write(&mut self, bytes: &[u8]) {
        self.key = KeyShape::Other;
        self.mixed.write(bytes);
    }
    numbers! {
        write_u8(u8) write_u16(u16) write_u32(u32) write_u64(u64) write_usize(usize)
        write_i8(i8) write_i16(i16) write_i32(i32) write_i64(i64) write_isize(isize)
    }
    #[inline(always)]
    fn finish(&self) -> u64 {
        self.mixed.finish()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    /// Returns the average number of cells probed per key, in a table with twice as many cells as keys.
    fn looks<K: Hash>(keys: impl IntoIterator<Item = K>) -> f64 {
        let keys: Vec<K> = keys.into_iter().collect();
        let mask = (2 * keys.len()).next_power_of_two() - 1;
        let (mut taken, mut looks) = (HashSet::new(), 0);
        for key in &keys {
            let spot = ProbeSequence::of(key);
            let mut cell = spot.first(mask);
            looks += 1;
            while !taken.insert(cell) {
                cell = spot.after(cell, mask);
                looks += 1;
            }
        }
        f64::from(looks) / keys.len() as f64
    }

    #[test]
    fn numbers_in_a_row_have_cells_side_by_side() {
        assert_eq!(looks(0..100_000_usize), 1.0);
        assert_eq!(looks(0..1_000_u32), 1.0);
        let mask = (1 << 18) - 1;
        for first in (0..100_000_u64).step_by(128) {
            let cells: Vec<usize> = (first..first + 128).map(|number| ProbeSequence::of(&number).first(mask)).collect();
            assert_eq!(cells.iter().max().zip(cells.iter().min()).map(|(most, least)| most - least), Some(127));
        }
    }

    #[test]
    fn whatever_keys_there_are_few_cells_are_looked_at() {
        let few = |looks: f64| assert!(looks < 2.5, "{looks}");
        for shift in 0..44 {
            few(looks((0..20_000_u64).map(|number| number << shift)));
            few(looks((0..20_000_u64).map(|number| (number % 2) << 50 | (number / 2) << (shift % 20))));
            few(looks((0..20_000_u64).map(|number| (number % 141) << (shift + 15) | (number / 141) << 7)));
        }
        few(looks((0..20_000_usize).map(|place| 0x7f00_1234_0000 + 128 * place)));
        few(looks((0..20_000_i64).map(|number| number - 10_000)));
        few(looks((0..20_000_u64).map(|number| ((number % 10) << 32) | (number / 10))));
        few(looks((0..20_000_u32).map(|number| (number % 100, number / 100))));
        few(looks((0..20_000_u32).map(|number| number.to_string())));
        few(looks((0..20_000_u32).map(|number| Some(number).filter(|number| *number > 0))));
    }
}
