//! A stack with room for a number of entries that is known beforehand: entries never move, and where the last one is takes no
//! look at anything else.
//!
//! # Why it is sound
//! The stack owns its places as raw storage, which is freed once, by `Places`; entries are `Copy` and never dropped. `start <= end <= limit` lie in it,
//! entries before `end` were written, and one is written only at `end`, below `limit`. References to entries are shared, and end before the
//! next entry is pushed: callers of `last_above`, which gives an address, answer for that.

use std::slice;

use crate::pages::Places;

/// Entries in the order in which they were pushed.
pub(super) struct Stack<T: Copy> {
    start: *mut T,
    /// One past the last entry.
    end: *mut T,
    /// One past the last place.
    limit: *mut T,
    /// What these lie in.
    _places: Places<T>,
}

impl<T: Copy> Stack<T> {
    /// Room for so many entries.
    pub(super) fn with_room(room: usize) -> Self {
        let places = Places::new(room);
        let start: *mut T = places.first();
        Stack { start, end: start, limit: start.wrapping_add(room), _places: places }
    }

    /// Adds the entry that `make` gives, once it is certain that there is room.
    #[inline(always)]
    pub(super) fn push_with(&mut self, make: impl FnOnce() -> T) {
        assert!(self.end < self.limit, "[korat internal bug] more choices than slots");
        // SAFETY: there is a place at `end`.
        unsafe {
            self.end.write(make());
            self.end = self.end.add(1);
        }
    }

    #[inline(always)]
    pub(super) fn last(&self) -> Option<&T> {
        // SAFETY: entries before `end` were written.
        self.last_above(0).map(|last| unsafe { &*last })
    }

    /// Where the last entry is, if there are more than `depth` of them. It stays there, and as it is, until another one is
    /// pushed in its place.
    #[inline(always)]
    pub(super) fn last_above(&self, depth: usize) -> Option<*const T> {
        // SAFETY: there is an entry before `end`.
        (self.end > self.start.wrapping_add(depth)).then(|| unsafe { self.end.sub(1) }.cast_const())
    }

    /// Drops the last entry.
    ///
    /// # Safety
    /// There must be one, and `last` must be its place.
    #[inline(always)]
    pub(super) unsafe fn drop_last(&mut self, last: *const T) {
        self.end = last.cast_mut();
    }

    /// Drops all entries.
    pub(super) fn clear(&mut self) {
        self.end = self.start;
    }

    /// How many entries there is room for in all.
    pub(super) fn room(&self) -> usize {
        // SAFETY: both are in the same places.
        unsafe { self.limit.offset_from_unsigned(self.start) }
    }

    #[inline(always)]
    pub(super) fn len(&self) -> usize {
        // SAFETY: both are in the same places.
        unsafe { self.end.offset_from_unsigned(self.start) }
    }

    pub(super) fn as_slice(&self) -> &[T] {
        // SAFETY: entries before `end` were written.
        unsafe { slice::from_raw_parts(self.start, self.len()) }
    }
}
