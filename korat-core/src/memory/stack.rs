//! A stack with a fixed capacity: entries never move, and finding the last one takes no indirection.
//!
//! # Safety argument
//! The stack owns its places as raw storage, which `RawArray` frees once; entries are `Copy` and are never dropped.
//! `start <= end <= limit` lie in that storage, entries before `end` are initialised, and an entry is written only at
//! `end`, below `limit`. References to entries are shared and end before the next push: callers of `last_above`, which
//! returns an address, are responsible for that.

use std::slice;

use super::pages::RawArray;

/// A stack of entries.
pub(crate) struct Stack<T: Copy> {
    start: *mut T,
    /// One past the last entry.
    end: *mut T,
    /// One past the last place.
    limit: *mut T,
    /// The storage that the pointers lead into.
    _places: RawArray<T>,
}

impl<T: Copy> Stack<T> {
    /// Creates an empty stack with room for `room` entries.
    pub(crate) fn with_capacity(room: usize) -> Self {
        let places = RawArray::new(room);
        let start: *mut T = places.first();
        Stack { start, end: start, limit: start.wrapping_add(room), _places: places }
    }

    /// Pushes the entry that `make` returns. Panics before calling `make` if there is no room.
    #[inline(always)]
    pub(crate) fn push_with(&mut self, make: impl FnOnce() -> T) {
        assert!(self.end < self.limit, "[korat internal bug] more choices than slots");
        // SAFETY: `end` is below `limit`, so there is a place at `end`.
        unsafe {
            self.end.write(make());
            self.end = self.end.add(1);
        }
    }

    #[inline(always)]
    pub(crate) fn last(&self) -> Option<&T> {
        // SAFETY: entries before `end` are initialised.
        self.last_above(0).map(|last| unsafe { &*last })
    }

    /// Returns the address of the last entry, if there are more than `depth` entries. The entry stays there unchanged
    /// until another one is pushed in its place.
    #[inline(always)]
    pub(crate) fn last_above(&self, depth: usize) -> Option<*const T> {
        // SAFETY: there is an entry before `end`.
        (self.end > self.start.wrapping_add(depth)).then(|| unsafe { self.end.sub(1) }.cast_const())
    }

    /// Removes the last entry.
    ///
    /// # Safety
    /// There must be an entry, and `last` must be the address of the last one.
    #[inline(always)]
    pub(crate) unsafe fn drop_last(&mut self, last: *const T) {
        self.end = last.cast_mut();
    }

    /// Removes all entries.
    pub(crate) fn clear(&mut self) {
        self.end = self.start;
    }

    /// Returns the capacity.
    pub(crate) fn room(&self) -> usize {
        // SAFETY: both pointers lie in the same storage.
        unsafe { self.limit.offset_from_unsigned(self.start) }
    }

    #[inline(always)]
    pub(crate) fn len(&self) -> usize {
        // SAFETY: both pointers lie in the same storage.
        unsafe { self.end.offset_from_unsigned(self.start) }
    }

    pub(crate) fn as_slice(&self) -> &[T] {
        // SAFETY: entries before `end` are initialised.
        unsafe { slice::from_raw_parts(self.start, self.len()) }
    }
}
