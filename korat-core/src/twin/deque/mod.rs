//! `VecDeque` in a lifted predicate: a field, whose length and elements are slots, or the predicate's own, a ring of elements
//! whose changes are logged. Adding and taking at either end is one entry of the log.
//!
//! # Why it is sound
//! The header and the places of a deque of the predicate's own lie in the workspace's memory, at addresses that it gave (`undo/kept`). There are
//! `room` places, a power of two, and `len` of them from `head` on, around the end, have values. References to elements are made from the
//! address of the places, which is no part of the header, and last for one method or as long as the deque is borrowed. When more room
//! is made, the elements are copied bit by bit, and those at the old place are not used again unless the old header comes back. With
//! drop glue each element is dropped or moved out once, and `len` no longer counts it before that happens. The elements of a field are
//! kept by its heap, which is never freed, and are never written to.

mod convert;
mod edit;
mod iter;

use std::ops::{Index, IndexMut, Range, RangeBounds};
use std::{ptr, slice};

use super::sequence::{sequence_traits, span};
use super::{Elem, Slice};
use crate::slot::Slot;
use crate::undo::{Data, Kept, Words, put_back_bytes};
use iter::{Iter, IterMut};

/// `std::collections::VecDeque`: a handle, copied where the user's deque is moved.
pub struct VecDeque<T>(Kept<Ring<T>>);

impl<T: Clone> Copy for VecDeque<T> {}

/// Where the elements are. What lies in the places between the last and the first has no meaning.
pub(crate) struct Ring<T> {
    elems: *mut Elem<T>,
    /// How many places there are: a power of two, or zero. A field may have less, and never looks beyond its elements.
    room: usize,
    ends: Ends,
    /// The slot that says how many elements there are, if the deque is a field.
    field: *const Slot<usize>,
    /// When all elements were saved last.
    saved: u64,
}

/// The place of the first element, and how many there are.
#[derive(Clone, Copy)]
struct Ends {
    head: usize,
    len: usize,
}

/// Room for elements in the beginning.
const FIRST: usize = 8;

impl<T> Ring<T> {
    const EMPTY: Self =
        Ring { elems: ptr::dangling_mut(), room: 0, ends: Ends { head: 0, len: 0 }, field: ptr::null(), saved: 0 };

    /// A field: its length and as many elements as it may have, both kept by the heap.
    pub(crate) fn field(len: &'static Slot<usize>, elems: *const [Elem<T>]) -> Self {
        let room = if elems.is_empty() { 0 } else { elems.len().next_power_of_two() };
        Ring { elems: elems.cast_mut().cast(), room, ends: Ends { head: 0, len: elems.len() }, field: len, saved: 0 }
    }

    /// The address of the `at`th place from the first element on; there must be places.
    #[inline(always)]
    fn place(&self, at: usize) -> *mut Elem<T> {
        // SAFETY: the masked number is below `room`, and there are that many places; of a field only elements are asked for.
        unsafe { self.elems.add((self.ends.head + at) & self.room.wrapping_sub(1)) }
    }

    /// Where the elements of a range lie: in at most two runs of neighbours, the second from the first place on.
    #[inline]
    fn runs(&self, range: Range<usize>) -> [(*mut Elem<T>, usize); 2] {
        let count = range.end - range.start;
        if count == 0 {
            return [(self.elems, 0); 2];
        }
        let start = (self.ends.head + range.start) & self.room.wrapping_sub(1);
        let first = count.min(self.room - start);
        // SAFETY: `start` is below `room`, and there are that many places.
        [(unsafe { self.elems.add(start) }, first), (self.elems, count - first)]
    }
}

impl<T> Data for Ring<T> {
    type Held = T;

    fn drop_all(&mut self) {
        let runs = self.runs(0..self.ends.len);
        self.ends.len = 0;
        for (run, count) in runs {
            // SAFETY: these elements have values, and were forgotten above.
            unsafe { ptr::drop_in_place(ptr::slice_from_raw_parts_mut(run, count)) };
        }
    }
}

impl<T> VecDeque<T> {
    pub(crate) fn of_field(field: &'static Ring<T>) -> Self {
        VecDeque(Kept::at(field))
    }

    /// The same deque.
    pub(crate) fn handle(&self) -> Self {
        VecDeque(self.0)
    }

    /// No elements.
    #[inline]
    #[allow(clippy::new_without_default)]
    pub fn new() -> Self {
        VecDeque(Kept::new(Ring::EMPTY))
    }

    /// No elements, and room for some.
    pub fn with_capacity(capacity: usize) -> Self {
        let mut deque = VecDeque::new();
        if capacity > 0 {
            deque.make_room(capacity);
        }
        deque
    }

    /// How many elements fit before more room is made.
    pub fn capacity(&self) -> usize {
        self.0.room
    }

    /// Room is made when it is needed.
    pub fn reserve(&mut self, _additional: usize) {}

    /// How many elements.
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

    /// Whether there is none.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// What is changed is the predicate's own: fields are only looked at.
    #[inline]
    fn assert_own(&self) {
        assert!(self.0.field.is_null(), "[korat internal bug] a predicate writes to a field");
    }

    /// Makes room for `room` elements in all.
    #[cold]
    #[inline(never)]
    fn make_room(&mut self, room: usize) {
        self.assert_own();
        let room = room.max(2 * self.0.room).max(FIRST).next_power_of_two();
        self.0.save();
        let elems = Kept::<Ring<T>>::take::<Elem<T>>(room).as_ptr();
        let [(one, first), (other, second)] = self.0.runs(0..self.len());
        // SAFETY: the new place is as large as needed and apart from the old one, whose elements are not used again unless
        // the old header comes back.
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
            // SAFETY: the target is the header of a deque that was pushed to.
            unsafe { (*target.cast::<Ring<T>>()).ends.len -= 1 };
        }
        self.assert_own();
        if self.0.ends.len == self.0.room {
            self.make_room(self.0.ends.len + 1);
        }
        let ring = &mut *self.0;
        // SAFETY: there is room for one more; what lies there has no meaning.
        unsafe { ring.place(ring.ends.len).write(Elem::own(value)) };
        ring.ends.len += 1;
        // SAFETY: takes the push back.
        unsafe { self.0.note(unpush::<T>, 0) };
    }

    /// Adds an element at the front.
    #[inline]
    pub fn push_front(&mut self, value: T) {
        unsafe fn unpush<T>(target: *mut (), _: Words) {
            // SAFETY: the target is the header of a deque that was pushed to.
            let ring = unsafe { &mut *target.cast::<Ring<T>>() };
            ring.ends = Ends { head: (ring.ends.head + 1) & (ring.room - 1), len: ring.ends.len - 1 };
        }
        self.assert_own();
        if self.0.ends.len == self.0.room {
            self.make_room(self.0.ends.len + 1);
        }
        let ring = &mut *self.0;
        ring.ends = Ends { head: ring.ends.head.wrapping_sub(1) & (ring.room - 1), len: ring.ends.len + 1 };
        // SAFETY: there is room for one more; what lies there has no meaning.
        unsafe { ring.place(0).write(Elem::own(value)) };
        // SAFETY: takes the push back.
        unsafe { self.0.note(unpush::<T>, 0) };
    }

    /// Takes the first element.
    #[inline]
    pub fn pop_front(&mut self) -> Option<T> {
        unsafe fn unpop<T>(target: *mut (), words: Words) {
            // SAFETY: the target is the header of a deque whose first element was taken; the words say which.
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
        // SAFETY: the element has a value; the undo function puts it back.
        unsafe { self.0.note_taken_bytes(unpop::<T>, place, Elem::<T>::BYTES) };
        let ring = &mut *self.0;
        ring.ends = Ends { head: (ring.ends.head + 1) & (ring.room - 1), len: ring.ends.len - 1 };
        // SAFETY: the element has a value, and is no longer one of the deque's.
        Some(unsafe { Elem::take_recent(place) })
    }

    /// Takes the last element.
    #[inline]
    pub fn pop_back(&mut self) -> Option<T> {
        unsafe fn unpop<T>(target: *mut (), words: Words) {
            // SAFETY: the target is the header of a deque whose last element was taken; the words say which.
            unsafe {
                let ring = &mut *target.cast::<Ring<T>>();
                ring.ends.len += 1;
                put_back_bytes(words, ring.place(ring.ends.len - 1).cast(), Elem::<T>::BYTES);
            }
        }
        self.assert_own();
        let last = self.0.ends.len.checked_sub(1)?;
        let place = self.0.place(last);
        // SAFETY: the element has a value; the undo function puts it back.
        unsafe { self.0.note_taken_bytes(unpop::<T>, place, Elem::<T>::BYTES) };
        self.0.ends.len = last;
        // SAFETY: the element has a value, and is no longer one of the deque's.
        Some(unsafe { Elem::take_recent(place) })
    }

    /// The element at `index`.
    #[inline]
    pub fn get(&self, index: usize) -> Option<&T> {
        // SAFETY: the element has a value, at an address that stays its own.
        (index < self.len()).then(|| unsafe { &*self.0.place(index) }.get())
    }

    /// The element at `index`, to be changed.
    #[inline]
    pub fn get_mut(&mut self, index: usize) -> Option<&mut T> {
        if index >= self.len() {
            return None;
        }
        self.save_at(index);
        // SAFETY: the element has a value, is the predicate's own, and is borrowed with the deque.
        Some(unsafe { &mut *self.0.place(index) }.get_mut())
    }

    /// The first element.
    #[inline]
    pub fn front(&self) -> Option<&T> {
        self.get(0)
    }

    /// The last element.
    #[inline]
    pub fn back(&self) -> Option<&T> {
        self.get(self.len().wrapping_sub(1))
    }

    /// The first element, to be changed.
    #[inline]
    pub fn front_mut(&mut self) -> Option<&mut T> {
        self.get_mut(0)
    }

    /// The last element, to be changed.
    #[inline]
    pub fn back_mut(&mut self) -> Option<&mut T> {
        self.get_mut(self.len().wrapping_sub(1))
    }

    /// The elements in order.
    #[inline]
    pub fn iter(&self) -> Iter<'_, T> {
        self.range(..)
    }

    /// The elements in order, to be changed.
    pub fn iter_mut(&mut self) -> IterMut<'_, T> {
        self.range_mut(..)
    }

    /// The elements of a range.
    #[track_caller]
    pub fn range<R: RangeBounds<usize>>(&self, range: R) -> Iter<'_, T> {
        let [(one, first), (other, second)] = self.0.runs(span(range, self.len()));
        // SAFETY: these elements have values, at addresses that stay theirs.
        unsafe { Iter(slice::from_raw_parts(one, first).iter(), slice::from_raw_parts(other, second).iter()) }
    }

    /// The elements of a range, to be changed.
    #[track_caller]
    pub fn range_mut<R: RangeBounds<usize>>(&mut self, range: R) -> IterMut<'_, T> {
        self.save_elements();
        let [(one, first), (other, second)] = self.0.runs(span(range, self.len()));
        // SAFETY: these elements have values, belong to this deque alone, and the runs are apart.
        unsafe {
            let (one, other) = (slice::from_raw_parts_mut(one, first), slice::from_raw_parts_mut(other, second));
            IterMut(one.iter_mut(), other.iter_mut())
        }
    }

    /// The elements in two runs.
    pub fn as_slices(&self) -> (&Slice<T>, &Slice<T>) {
        let Iter(one, other) = self.iter();
        (Slice::of(one.as_slice()), Slice::of(other.as_slice()))
    }

    /// The elements in two runs, to be changed.
    pub fn as_mut_slices(&mut self) -> (&mut Slice<T>, &mut Slice<T>) {
        let IterMut(one, other) = self.iter_mut();
        (Slice::of_mut(one.into_slice()), Slice::of_mut(other.into_slice()))
    }

    /// Whether an element equals `value`.
    pub fn contains(&self, value: &T) -> bool
    where
        T: PartialEq,
    {
        self.iter().any(|element| element == value)
    }

    /// Binary search.
    pub fn binary_search(&self, value: &T) -> Result<usize, usize>
    where
        T: Ord,
    {
        self.binary_search_by(|element| element.cmp(value))
    }

    /// Binary search by a comparison.
    pub fn binary_search_by(&self, mut compare: impl FnMut(&T) -> std::cmp::Ordering) -> Result<usize, usize> {
        let at = self.partition_point(|element| compare(element).is_lt());
        if self.get(at).is_some_and(|element| compare(element).is_eq()) { Ok(at) } else { Err(at) }
    }

    /// Binary search by a key.
    pub fn binary_search_by_key<K: Ord>(&self, key: &K, mut key_of: impl FnMut(&T) -> K) -> Result<usize, usize> {
        self.binary_search_by(|element| key_of(element).cmp(key))
    }

    /// Where the elements stop satisfying `holds`, which holds of a first part only.
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

// Its own changes are logged.
impl<T: std::panic::RefUnwindSafe> std::panic::RefUnwindSafe for VecDeque<T> {}
impl<T: std::panic::UnwindSafe> std::panic::UnwindSafe for VecDeque<T> {}
