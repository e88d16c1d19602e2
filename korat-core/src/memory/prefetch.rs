//! Prefetch hints. They affect timing only.

use std::ptr;

use super::pages::LINE;

/// A contiguous array of items of one size.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row {
    first: *const u8,
    size: usize,
}

impl Row {
    /// The empty row, for which no hint is issued.
    pub(crate) const NONE: Self = Row { first: ptr::null(), size: 0 };

    /// Creates the row that starts at `first`, with items of `size` bytes.
    pub(crate) fn new(first: *const u8, size: usize) -> Self {
        Row { first, size }
    }

    /// Creates the row of a slice.
    pub(crate) fn of<T>(things: *const [T]) -> Self {
        Row::new(things.cast(), size_of::<T>())
    }

    /// Returns this row with its items numbered from `first` on.
    pub(crate) fn numbered_from(self, first: u32) -> Self {
        Row { first: self.first.wrapping_sub(self.size * first as usize), ..self }
    }

    /// Prefetches the first cache lines of an item, at most three. The number may be out of range.
    #[inline(always)]
    pub(crate) fn soon(self, number: u32) {
        let thing = self.first.wrapping_add(self.size.wrapping_mul(number as usize));
        if self.size > 0 {
            soon(thing);
        }
        if self.size > LINE {
            soon(thing.wrapping_add(LINE));
        }
        if self.size > 2 * LINE {
            soon(thing.wrapping_add(2 * LINE));
        }
    }
}

/// Prefetches the cache line at an address, which may be any address.
#[inline(always)]
#[cfg(all(target_arch = "x86_64", not(miri)))]
pub(crate) fn soon(at: *const u8) {
    use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
    // SAFETY: a prefetch has no effect that the program can observe, whatever the address.
    unsafe { _mm_prefetch::<_MM_HINT_T0>(at.cast()) };
}

/// Does nothing under Miri, and on targets other than x86-64.
#[inline(always)]
#[cfg(not(all(target_arch = "x86_64", not(miri))))]
pub(crate) fn soon(_: *const u8) {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_number_can_be_asked_for() {
        let things = [[7_u8; 200]; 3];
        let row = Row::of(&raw const things[..]);
        assert_eq!(row.numbered_from(2).first, row.first.wrapping_sub(400));
        for number in [0, 2, 3, u32::MAX] {
            row.soon(number);
            row.numbered_from(2).soon(number);
            Row::NONE.soon(number);
        }
        assert_eq!(things, [[7; 200]; 3]);
    }
}
