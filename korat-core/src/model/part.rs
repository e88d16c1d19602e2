//! One of several parts of a search, and which candidates belong to it. Depends on nothing but the indices of choices, so that every
//! process decides alike.

/// One of several parts of a search, which together have every candidate and every value once. The choices up to a depth are a piece;
/// each piece belongs to one part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// The number of the part; the first is 0.
    pub index: u32,
    /// The number of parts.
    pub of: u32,
    /// The number of choices that make a piece.
    pub depth: usize,
}

impl Part {
    /// Returns whether the piece that these choices lead to belongs to the part. Pieces that differ only in the last choice are dealt
    /// one after the other, because they often differ in size systematically; where that begins depends on the choices before.
    pub(crate) fn has_piece(self, before: u64, last: u32) -> bool {
        (before % u64::from(self.of) + u64::from(last)) % u64::from(self.of) == u64::from(self.index)
    }

    /// Returns whether a canonical form belongs to the part.
    pub(crate) fn has_form(self, form: &[u32]) -> bool {
        self.has_piece(digest(form.iter().copied()), 0)
    }
}

/// Returns a number for a list of indices that is the same in every process: they are mixed as splitmix64 mixes its state.
pub(crate) fn digest(indices: impl Iterator<Item = u32>) -> u64 {
    indices.fold(0, |digest, index| {
        let state = digest.wrapping_add(u64::from(index)).wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (state ^ state >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    })
}

#[cfg(test)]
mod tests {
    use super::{Part, digest};

    #[test]
    fn every_piece_belongs_to_one_part() {
        for of in [1, 2, 3, 8, 64] {
            for piece in 0..100 {
                let before = digest([piece, 7].into_iter());
                let owners = (0..of).filter(|&index| Part { index, of, depth: 3 }.has_piece(before, piece)).count();
                assert_eq!(owners, 1);
            }
        }
    }

    /// Shards may run in versions of a program that were built at different times.
    #[test]
    fn digests_do_not_change() {
        assert_eq!(digest([].into_iter()), 0);
        assert_eq!(digest([1, 2, 3].into_iter()), 0x6ae5_15c1_c0ac_7e37);
    }
}
