//! `VecDeque` in a lifted predicate: either a field, whose length and elements are slots, or a ring buffer owned by the
//! predicate, whose changes are logged. Adding or removing an element at either end takes one log entry.
//!
//! # Safety argument
//! The header and the places of a deque owned by the predicate lie in the workspace's memory, at addresses that the
//! memory handed out (`undo/data_handle`). There are `room` places, a power of two; `len` of them, from `head` on and wrapping
//! around, hold values. References to elements are derived from the address of the places, which is not part of the
//! header, and last for one method or as long as the deque is borrowed. When the deque grows, the elements are copied
//! bit by bit, and the old ones are not used again unless the old header is restored. An element with drop glue is
//! dropped or moved out once, and `len` stops counting it before that. The elements of a field are kept by its heap,
//! which is never freed, and are never written.

use std::ops::{Index, IndexMut, RangeBounds};
use std::{ptr, slice};

use super::deque_iter::{Iter, IterMut};
use super::ring::FIRST;
use super::sequence::{sequence_traits, span};
use super::{Elem, Slice};
use crate::predicate::undo::bits::put_back_bytes;
use crate::predicate::undo::data_handle::DataHandle;
use crate::predicate::undo::log::Words;
use crate::twin::Ring;
use crate::twin::ring::Ends;

/// The twin of `std::collections::VecDeque`: a handle, copied where the user's code moves the deque.
pub struct VecDeque<T>(pub(crate) DataHandle<Ring<T>>);

impl<T: Clone> Copy for VecDeque<T> {}

impl<T> VecDeque<T> {
    pub(crate) fn of_field(field: &'static Ring<T>) -> Self {
        VecDeque(DataHandle::at(field))
    }

    /// Returns another handle to the same deque.
    pub(crate) fn handle(&self) -> Self {
        VecDeque(self.0)
    }

    /// Creates an empty deque.
    #[inline]
    #[allow(clippy::new_without_default)]
    pub fn new() -> Self {
        VecDeque(DataHandle::new(Ring::EMPTY))
    }

    /// Creates an empty deque with room for `capacity` elements.
    pub fn with_capacity(capacity: usize) -> Self {
        let mut deque = VecDeque::new();
        if capacity > 0 {
            deque.make_room(capacity);
        }
        deque
    }

    /// Returns the number of elements that fit before it grows.
    pub fn capacity(&self) -> usize {
        self.0.room
    }

    /// Does nothing: the container grows on demand.
    pub fn reserve(&mut self, _additional: usize) {}

    /// Returns the number of elements.
    #[inline]
    pub fn len(&self) -> usize {
        if self.0.field.is_null() {
            return self.0.ends.len;
        }
        // SAFETY: the slot is kept by the heap, which is never freed.
        let len = *unsafe { &*self.0.field }.__korat_read();
        assert!(len <= self.0.ends.len, "[korat internal bug] a field is longer than it may be");
        len
    }

    /// Returns whether it is empty.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Asserts that this is not a field: fields are read-only.
    #[inline]
    pub(crate) fn assert_own(&self) {
        assert!(self.0.field.is_null(), "[korat internal bug] a predicate writes to a field");
    }

    /// Grows to room for at least `room` elements.
    #[cold]
    #[inline(never)]
    fn make_room(&mut self, room: usize) {
        self.assert_own();
        let room = room.max(2 * self.0.room).max(FIRST).next_power_of_two();
        self.0.save();
        let elems = DataHandle::<Ring<T>>::take::<Elem<T>>(room).as_ptr();
        let [(one, first), (other, second)] = self.0.runs(0..self.len());
        // SAFETY: the new place is large enough and does not overlap the old one, whose elements are not used again
        // unless the old header is restored.
        unsafe {
            ptr::copy_nonoverlapping(one, elems, first);
            ptr::copy_nonoverlapping(other, elems.add(first), second);
        }
        (self.0.elems, self.0.room, self.0.ends.head) = (elems, room, 0);
    }

    /// Adds an element at the end.
    #[inline(always)]
    pub fn push_back(&mut self, value: T) {
        unsafe fn unpush<T>(target: *mut (), _: Words) {
            // SAFETY: the target is the header of a deque that an element was pushed to.
            unsafe { (*target.cast::<Ring<T>>()).ends.len -= 1 };
        }
        self.assert_own();
        if self.0.ends.len == self.0.room {
            self.make_room(self.0.ends.len + 1);
        }
        let ring = &mut *self.0;
        // SAFETY: there is room for one more; nothing there is needed.
        unsafe { ring.place(ring.ends.len).write(Elem::own(value)) };
        ring.ends.len += 1;
        // SAFETY: `unpush` reverts the push.
        unsafe { self.0.note(unpush::<T>, 0) };
    }

    /// Adds an element at the front.
    #[inline]
    pub fn push_front(&mut self, value: T) {
        unsafe fn unpush<T>(target: *mut (), _: Words) {
            // SAFETY: the target is the header of a deque that an element was pushed to.
            let ring = unsafe { &mut *target.cast::<Ring<T>>() };
            ring.ends = Ends { head: (ring.ends.head + 1) & (ring.room - 1), len: ring.ends.len - 1 };
        }
        self.assert_own();
        if self.0.ends.len == self.0.room {
            self.make_room(self.0.ends.len + 1);
        }
        let ring = &mut *self.0;
        ring.ends = Ends { head: ring.ends.head.wrapping_sub(1) & (ring.room - 1), len: ring.ends.len + 1 };
        // SAFETY: there is room for one more; nothing there is needed.
        unsafe { ring.place(0).write(Elem::own(value)) };
        // SAFETY: `unpush` reverts the push.
        unsafe { self.0.note(unpush::<T>, 0) };
    }

    /// Removes and returns the first element.
    #[inline]
    pub fn pop_front(&mut self) -> Option<T> {
        unsafe fn unpop<T>(target: *mut (), words: Words) {
            // SAFETY: the target is the header of a deque whose first element was removed; the words hold that element.
            unsafe {
                let ring = &mut *target.cast::<Ring<T>>();
                ring.ends = Ends { head: ring.ends.head.wrapping_sub(1) & (ring.room - 1), len: ring.ends.len + 1 };
                put_back_bytes(words, ring.place(0).cast(), Elem::<T>::BYTES);
            }
        }
        self.assert_own();
        if self.0.ends.len == 0 {
            return None;
        }
        let place = self.0.place(0);
        // SAFETY: the element has a value, which the undo function puts back.
        unsafe { self.0.note_taken_bytes(unpop::<T>, place, Elem::<T>::BYTES) };
        let ring = &mut *self.0;
        ring.ends = Ends { head: (ring.ends.head + 1) & (ring.room - 1), len: ring.ends.len - 1 };
        // SAFETY: the element has a value, and no longer belongs to the deque.
        Some(unsafe { Elem::take_recent(place) })
    }

    /// Removes and returns the last element.
    #[inline]
    pub fn pop_back(&mut self) -> Option<T> {
        unsafe fn unpop<T>(target: *mut (), words: Words) {
            // SAFETY: the target is the header of a deque whose last element was removed; the words hold that element.
            unsafe {
                let ring = &mut *target.cast::<Ring<T>>();
                ring.ends.len += 1;
                put_back_bytes(words, ring.place(ring.ends.len - 1).cast(), Elem::<T>::BYTES);
            }
        }
        self.assert_own();
        let last = self.0.ends.len.checked_sub(1)?;
        let place = self.0.place(last);
        // SAFETY: the element has a value, which the undo function puts back.
        unsafe { self.0.note_taken_bytes(unpop::<T>, place, Elem::<T>::BYTES) };
        self.0.ends.len = last;
        // SAFETY: the element has a value, and no longer belongs to the deque.
        Some(unsafe { Elem::take_recent(place) })
    }

    /// Returns the element at `index`.
    #[inline]
    pub fn get(&self, index: usize) -> Option<&T> {
        // SAFETY: the element has a value, at an address that remains valid.
        (index < self.len()).then(|| unsafe { &*self.0.place(index) }.get())
    }

    /// Returns a mutable reference to the element at `index`.
    #[inline]
    pub fn get_mut(&mut self, index: usize) -> Option<&mut T> {
        if index >= self.len() {
            return None;
        }
        self.save_at(index);
        // SAFETY: the element has a value, belongs to the predicate, and is borrowed with the deque.
        Some(unsafe { &mut *self.0.place(index) }.get_mut())
    }

    /// Returns the first element.
    #[inline]
    pub fn front(&self) -> Option<&T> {
        self.get(0)
    }

    /// Returns the last element.
    #[inline]
    pub fn back(&self) -> Option<&T> {
        self.get(self.len().wrapping_sub(1))
    }

    /// Returns a mutable reference to the first element.
    #[inline]
    pub fn front_mut(&mut self) -> Option<&mut T> {
        self.get_mut(0)
    }

    /// Returns a mutable reference to the last element.
    #[inline]
    pub fn back_mut(&mut self) -> Option<&mut T> {
        self.get_mut(self.len().wrapping_sub(1))
    }

    /// Returns an iterator over the elements, in order.
    #[inline]
    pub fn iter(&self) -> Iter<'_, T> {
        self.range(..)
    }

    /// Returns an iterator over mutable references to the elements, in order.
    pub fn iter_mut(&mut self) -> IterMut<'_, T> {
        self.range_mut(..)
    }

    /// Returns an iterator over the elements in a range.
    #[track_caller]
    pub fn range<R: RangeBounds<usize>>(&self, range: R) -> Iter<'_, T> {
        let [(one, first), (other, second)] = self.0.runs(span(range, self.len()));
        // SAFETY: these elements have values, at addresses that remain valid.
        unsafe { Iter(slice::from_raw_parts(one, first).iter(), slice::from_raw_parts(other, second).iter()) }
    }

    /// Returns an iterator over mutable references to the elements in a range.
    #[track_caller]
    pub fn range_mut<R: RangeBounds<usize>>(&mut self, range: R) -> IterMut<'_, T> {
        self.save_elements();
        let [(one, first), (other, second)] = self.0.runs(span(range, self.len()));
        // SAFETY: these elements have values and belong only to this deque, and the runs do not overlap.
        unsafe {
            let (one, other) = (slice::from_raw_parts_mut(one, first), slice::from_raw_parts_mut(other, second));
            IterMut(one.iter_mut(), other.iter_mut())
        }
    }

    /// Returns the elements as two slices.
    pub fn as_slices(&self) -> (&Slice<T>, &Slice<T>) {
        let Iter(one, other) = self.iter();
        (Slice::of(one.as_slice()), Slice::of(other.as_slice()))
    }

    /// Returns the elements as two mutable slices.
    pub fn as_mut_slices(&mut self) -> (&mut Slice<T>, &mut Slice<T>) {
        let IterMut(one, other) = self.iter_mut();
        (Slice::of_mut(one.into_slice()), Slice::of_mut(other.into_slice()))
    }

    /// Returns whether an element equals `value`.
    pub fn contains(&self, value: &T) -> bool
    where
        T: PartialEq,
    {
        self.iter().any(|element| element == value)
    }

    /// Searches for a value by binary search.
    pub fn binary_search(&self, value: &T) -> Result<usize, usize>
    where
        T: Ord,
    {
        self.binary_search_by(|element| element.cmp(value))
    }

    /// Searches by binary search with a comparison function.
    pub fn binary_search_by(&self, mut compare: impl FnMut(&T) -> std::cmp::Ordering) -> Result<usize, usize> {
        let at = self.partition_point(|element| compare(element).is_lt());
        if self.get(at).is_some_and(|element| compare(element).is_eq()) { Ok(at) } else { Err(at) }
    }

    /// Searches for a key by binary search.
    pub fn binary_search_by_key<K: Ord>(&self, key: &K, mut key_of: impl FnMut(&T) -> K) -> Result<usize, usize> {
        self.binary_search_by(|element| key_of(element).cmp(key))
    }

    /// Returns the index of the first element for which `holds` is false. The elements must be partitioned accordingly.
    pub fn partition_point(&self, mut holds: impl FnMut(&T) -> bool) -> usize {
        let (mut low, mut high) = (0, self.len());
        while low < high {
            let mid = low.midpoint(high);
            if holds(&self[mid]) {
                low = mid + 1;
            } else {
                high = mid;
            }
        }
        low
    }
}

impl<T> Index<usize> for VecDeque<T> {
    type Output = T;
    #[inline]
    #[track_caller]
    fn index(&self, index: usize) -> &T {
        self.get(index).expect("Out of bounds access")
    }
}

impl<T> IndexMut<usize> for VecDeque<T> {
    #[inline]
    #[track_caller]
    fn index_mut(&mut self, index: usize) -> &mut T {
        self.get_mut(index).expect("Out of bounds access")
    }
}

sequence_traits!([T] VecDeque<T>);

// It logs its own changes, so `machine::probe` may treat it as restorable.
impl<T: std::panic::RefUnwindSafe> std::panic::RefUnwindSafe for VecDeque<T> {}
impl<T: std::panic::UnwindSafe> std::panic::UnwindSafe for VecDeque<T> {}
