//! The ring buffer behind a deque.

use std::ops::Range;
use std::ptr;

use super::Elem;
use crate::predicate::undo::data_handle::ContainerData;
use crate::slots::slot::Slot;

/// The header of a ring buffer. Places between the last element and the first hold nothing that is needed.
pub(crate) struct Ring<T> {
    pub(crate) elems: *mut Elem<T>,
    /// Number of places: a power of two, or zero. A field may have fewer, but only its elements are ever accessed.
    pub(crate) room: usize,
    pub(crate) ends: Ends,
    /// The slot of the length, if the deque is a field.
    pub(crate) field: *const Slot<usize>,
    /// The epoch in which all elements were last saved.
    pub(crate) saved: u64,
}

/// The place of the first element, and the number of elements.
#[derive(Clone, Copy)]
pub(crate) struct Ends {
    pub(crate) head: usize,
    pub(crate) len: usize,
}

/// Initial capacity.
pub(super) const FIRST: usize = 8;

impl<T> Ring<T> {
    pub(crate) const EMPTY: Self =
        Ring { elems: ptr::dangling_mut(), room: 0, ends: Ends { head: 0, len: 0 }, field: ptr::null(), saved: 0 };

    /// Creates the header of a field from the slot of its length and all its possible elements, both kept by the heap.
    pub(crate) fn field(len: &'static Slot<usize>, elems: *const [Elem<T>]) -> Self {
        let room = if elems.is_empty() { 0 } else { elems.len().next_power_of_two() };
        Ring { elems: elems.cast_mut().cast(), room, ends: Ends { head: 0, len: elems.len() }, field: len, saved: 0 }
    }

    /// Returns the address of the place `at` positions after the first element. There must be places.
    #[inline(always)]
    pub(crate) fn place(&self, at: usize) -> *mut Elem<T> {
        // SAFETY: the masked number is below `room`, the number of places; for a field, only elements are requested.
        unsafe { self.elems.add((self.ends.head + at) & self.room.wrapping_sub(1)) }
    }

    /// Returns where the elements of a range lie: at most two contiguous runs, the second of which starts at the first
    /// place.
    #[inline]
    pub(crate) fn runs(&self, range: Range<usize>) -> [(*mut Elem<T>, usize); 2] {
        let count = range.end - range.start;
        if count == 0 {
            return [(self.elems, 0); 2];
        }
        let start = (self.ends.head + range.start) & self.room.wrapping_sub(1);
        let first = count.min(self.room - start);
        // SAFETY: `start` is below `room`, the number of places.
        [(unsafe { self.elems.add(start) }, first), (self.elems, count - first)]
    }
}

impl<T> ContainerData for Ring<T> {
    type Held = T;

    fn drop_all(&mut self) {
        let runs = self.runs(0..self.ends.len);
        self.ends.len = 0;
        for (run, count) in runs {
            // SAFETY: these elements have values, and `len` no longer counts them.
            unsafe { ptr::drop_in_place(ptr::slice_from_raw_parts_mut(run, count)) };
        }
    }
}
