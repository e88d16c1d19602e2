//! Prefetch hints. They affect timing only.

use std::ptr;

use super::pages::LINE;

/// A contiguous array of items of one size.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PrefetchRow {
    first: *const u8,
    size: usize,
}

impl PrefetchRow {
    /// The empty row, for which no hint is issued.
    pub(crate) const NONE: Self = PrefetchRow { first: ptr::null(), size: 0 };

    /// Creates the row that starts at `first`, with items of `size` bytes.
    pub(crate) fn new(first: *const u8, size: usize) -> Self {
        PrefetchRow { first, size }
    }

    /// Creates the row of a slice.
    pub(crate) fn of<T>(things: *const [T]) -> Self {
        PrefetchRow::new(things.cast(), size_of::<T>())
    }

    /// Returns this row with its items numbered from `first` on.
    pub(crate) fn numbered_from(self, first: u32) -> Self {
        PrefetchRow { first: self.first.wrapping_sub(self.size * first as usize), ..self }
    }

    /// Prefetches the first cache lines of an item, at most three. The number may be out of range.
    #[inline(always)]
    pub(crate) fn prefetch(self, number: u32) {
        let thing = self.first.wrapping_add(self.size.wrapping_mul(number as usize));
        if self.size > 0 {
            prefetch(thing);
        }
        if self.size > LINE {
            prefetch(thing.wrapping_add(LINE));
        }
        if self.size > 2 * LINE {
            prefetch(thing.wrapping_add(2 * LINE));
        }
    }
}

/// Prefetches the cache line at an address, which may be any address.
#[inline(always)]
#[cfg(all(target_arch = "x86_64", not(miri)))]
pub(crate) fn prefetch(at: *const u8) {
    use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
    // SAFETY: a prefetch has no effect that the program can observe, whatever the address.
    unsafe { _mm_prefetch::<_MM_HINT_T0>(at.cast()) };
}

/// Does nothing under Miri, and on targets other than x86-64.
#[inline(always)]
#[cfg(not(all(target_arch = "x86_64", not(miri))))]
pub(crate) fn prefetch(_: *const u8) {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_number_can_be_asked_for() {
        let things = [[7_u8; 200]; 3];
        let row = PrefetchRow::of(&raw const things[..]);
        assert_eq!(row.numbered_from(2).first, row.first.wrapping_sub(400));
        for number in [0, 2, 3, u32::MAX] {
            row.prefetch(number);
            row.numbered_from(2).prefetch(number);
            PrefetchRow::NONE.prefetch(number);
        }
        assert_eq!(things, [[7; 200]; 3]);
    }
}
