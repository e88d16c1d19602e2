//! A stack with room for a number of entries that is known beforehand: entries never move, and where the last one is takes no
//! look at anything else.

use std::mem::MaybeUninit;
use std::{ptr, slice};

use crate::pages;

/// Entries in the order in which they were pushed.
pub(super) struct Stack<T: Copy> {
    start: *mut T,
    /// One past the last entry.
    end: *mut T,
    /// One past the last place.
    limit: *mut T,
}

impl<T: Copy> Stack<T> {
    /// Room for so many entries.
    pub(super) fn with_room(room: usize) -> Self {
        let mut places: Box<[MaybeUninit<T>]> = Box::new_uninit_slice(room);
        pages::ask(&mut places);
        let places = Box::leak(places).as_mut_ptr_range();
        Stack { start: places.start.cast(), end: places.start.cast(), limit: places.end.cast() }
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

impl<T: Copy> Drop for Stack<T> {
    fn drop(&mut self) {
        // SAFETY: the places were leaked by `with_room`, and are given back once.
        unsafe {
            drop(Box::from_raw(ptr::slice_from_raw_parts_mut(self.start.cast::<MaybeUninit<T>>(), self.room())));
        }
    }
}
