//! `VecDeque` of the predicate's own: a ring of elements, whose changes are logged. Adding and taking at either end is one
//! entry of the log.

use std::mem::needs_drop;
use std::ops::{Deref, Index, IndexMut, Range, RangeBounds};
use std::{mem, ptr, slice};

use super::sequence::{sequence_traits, span};
use super::{Array, Vec};
use crate::undo::{Data, Kept, Words, hold, put_back, touch};

/// `std::collections::VecDeque`: a handle, copied where the user's deque is moved.
pub struct VecDeque<T>(Kept<Ring<T>>);

impl<T: Clone> Copy for VecDeque<T> {}

/// Where the elements are. What lies in the places between the last and the first has no meaning.
struct Ring<T> {
    elems: *mut T,
    /// How many places there are: a power of two, or zero.
    room: usize,
    ends: Ends,
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
    const EMPTY: Self = Ring { elems: ptr::dangling_mut(), room: 0, ends: Ends { head: 0, len: 0 }, saved: 0 };

    /// The address of the `at`th place from the first element on; there must be places.
    #[inline(always)]
    fn place(&self, at: usize) -> *mut T {
        // SAFETY: the masked number is below `room`, and there are that many places.
        unsafe { self.elems.add((self.ends.head + at) & self.room.wrapping_sub(1)) }
    }

    /// Where the elements of a range lie: in at most two runs of neighbours, the second from the first place on.
    #[inline]
    fn runs(&self, range: Range<usize>) -> [(*mut T, usize); 2] {
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
    const OWNS: bool = needs_drop::<T>();

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
        self.0.ends.len
    }

    /// Whether there is none.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Makes room for `room` elements in all.
    #[cold]
    #[inline(never)]
    fn make_room(&mut self, room: usize) {
        let room = room.max(2 * self.0.room).max(FIRST).next_power_of_two();
        self.0.save();
        let elems = Kept::<Ring<T>>::take::<T>(room).as_ptr();
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
    #[inline]
    pub fn push_back(&mut self, value: T) {
        unsafe fn unpush<T>(target: *mut (), _: Words) {
            // SAFETY: the target is the header of a deque that was pushed to.
            unsafe { (*target.cast::<Ring<T>>()).ends.len -= 1 };
        }
        if self.0.ends.len == self.0.room {
            self.make_room(self.0.ends.len + 1);
        }
        let ring = &mut *self.0;
        // SAFETY: there is room for one more; what lies there has no meaning.
        unsafe { ring.place(ring.ends.len).write(value) };
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
        if self.0.ends.len == self.0.room {
            self.make_room(self.0.ends.len + 1);
        }
        let ring = &mut *self.0;
        ring.ends = Ends { head: ring.ends.head.wrapping_sub(1) & (ring.room - 1), len: ring.ends.len + 1 };
        // SAFETY: as in `push_back`.
        unsafe { ring.place(0).write(value) };
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
                put_back(words, ring.place(0));
            }
        }
        if self.0.ends.len == 0 {
            return None;
        }
        let place = self.0.place(0);
        // SAFETY: the element has a value; the undo function puts it back.
        unsafe { self.0.note_taken(unpop::<T>, place) };
        let ring = &mut *self.0;
        ring.ends = Ends { head: (ring.ends.head + 1) & (ring.room - 1), len: ring.ends.len - 1 };
        // SAFETY: the element has a value, and is no longer one of the deque's.
        Some(unsafe { place.read() })
    }

    /// Takes the last element.
    #[inline]
    pub fn pop_back(&mut self) -> Option<T> {
        unsafe fn unpop<T>(target: *mut (), words: Words) {
            // SAFETY: the target is the header of a deque whose last element was taken; the words say which.
            unsafe {
                let ring = &mut *target.cast::<Ring<T>>();
                ring.ends.len += 1;
                put_back(words, ring.place(ring.ends.len - 1));
            }
        }
        let last = self.0.ends.len.checked_sub(1)?;
        let place = self.0.place(last);
        // SAFETY: the element has a value; the undo function puts it back.
        unsafe { self.0.note_taken(unpop::<T>, place) };
        self.0.ends.len = last;
        // SAFETY: the element has a value, and is no longer one of the deque's.
        Some(unsafe { place.read() })
    }

    /// Saves the element at `at`, which there is.
    #[inline]
    fn save_at(&mut self, at: usize) {
        if let Some(work) = self.0.log()
            && self.0.saved != work.epoch()
        {
            // SAFETY: the element has a value, and lies in the workspace.
            unsafe { work.save(self.0.place(at)) };
        }
    }

    /// Saves the elements from `from` on.
    fn save_from(&mut self, from: usize) {
        if let Some(work) = self.0.log()
            && self.0.saved != work.epoch()
        {
            for (run, count) in self.0.runs(from..self.len()) {
                // SAFETY: these elements have values, and lie in the workspace.
                unsafe { work.save_all(run, count) };
            }
        }
    }

    /// Saves which elements there are.
    fn save_ends(&mut self) {
        if let Some(work) = self.0.log() {
            // SAFETY: the header lies in the workspace.
            unsafe { work.save(&raw mut self.0.ends) };
        }
    }

    /// Saves all elements, which are then changed in place.
    fn save_elements(&mut self) {
        self.save_from(0);
        if let Some(work) = self.0.log()
            && self.0.saved != work.epoch()
        {
            // SAFETY: the header lies in the workspace.
            unsafe { work.save(&raw mut self.0.saved) };
            self.0.saved = work.epoch();
        }
    }

    /// The element at `index`.
    #[inline]
    pub fn get(&self, index: usize) -> Option<&T> {
        // SAFETY: the element has a value, at an address that stays its own.
        (index < self.len()).then(|| unsafe { &*self.0.place(index) })
    }

    /// The element at `index`, to be changed.
    #[inline]
    pub fn get_mut(&mut self, index: usize) -> Option<&mut T> {
        if index >= self.len() {
            return None;
        }
        self.save_at(index);
        // SAFETY: as in `get`.
        Some(unsafe { &mut *self.0.place(index) })
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
    pub fn as_slices(&self) -> (&[T], &[T]) {
        let [(one, first), (other, second)] = self.0.runs(0..self.len());
        // SAFETY: as in `range`.
        unsafe { (slice::from_raw_parts(one, first), slice::from_raw_parts(other, second)) }
    }

    /// The elements in two runs, to be changed.
    pub fn as_mut_slices(&mut self) -> (&mut [T], &mut [T]) {
        let IterMut(one, other) = self.iter_mut();
        (one.into_slice(), other.into_slice())
    }

    /// The elements, moved into one run, to be changed.
    pub fn make_contiguous(&mut self) -> &mut [T] {
        self.save_elements();
        let (head, len, room) = (self.0.ends.head, self.len(), self.0.room);
        if head + len > room {
            self.save_ends();
            // SAFETY: the two runs lie at the two ends of the places. The first is moved next to the second, over places that
            // have no meaning; both are then one run, which is turned until it begins with the first element.
            unsafe {
                let (first, second) = (room - head, len - (room - head));
                ptr::copy(self.0.elems.add(head), self.0.elems.add(second), first);
                slice::from_raw_parts_mut(self.0.elems, len).rotate_left(second);
            }
            self.0.ends.head = 0;
        }
        self.as_mut_slices().0
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

    /// Adds an element at `index`.
    #[track_caller]
    pub fn insert(&mut self, index: usize, value: T) {
        let len = self.len();
        assert!(index <= len, "index out of bounds");
        if index < len {
            self.save_elements();
        }
        self.push_back(value);
        self.turn(index..len + 1, 1);
    }

    /// Takes the element at `index`.
    pub fn remove(&mut self, index: usize) -> Option<T> {
        let len = self.len();
        if index >= len {
            return None;
        }
        if index == 0 {
            return self.pop_front();
        }
        if index + 1 < len {
            self.save_elements();
            self.turn(index..len, len - index - 1);
        }
        self.pop_back()
    }

    /// Moves the last `k` elements of a range before the others; they are saved.
    fn turn(&mut self, range: Range<usize>, k: usize) {
        let reverse = |range: Range<usize>| {
            let (mut one, mut other) = (range.start, range.end);
            while one + 1 < other {
                other -= 1;
                // SAFETY: both places are those of elements with values.
                unsafe { ptr::swap(self.0.place(one), self.0.place(other)) };
                one += 1;
            }
        };
        reverse(range.clone());
        reverse(range.start..range.start + k);
        reverse(range.start + k..range.end);
    }

    /// Moves the first `n` elements to the end.
    #[track_caller]
    pub fn rotate_left(&mut self, n: usize) {
        let len = self.len();
        assert!(n <= len, "assertion failed: n <= self.len()");
        self.save_elements();
        self.turn(0..len, len - n);
    }

    /// Moves the last `n` elements to the front.
    #[track_caller]
    pub fn rotate_right(&mut self, n: usize) {
        assert!(n <= self.len(), "assertion failed: n <= self.len()");
        self.save_elements();
        self.turn(0..self.len(), n);
    }

    /// Swaps two elements.
    #[track_caller]
    pub fn swap(&mut self, one: usize, other: usize) {
        assert!(one < self.len() && other < self.len(), "assertion failed: index < self.len()");
        self.save_at(one);
        self.save_at(other);
        // SAFETY: both are elements with values, perhaps the same.
        unsafe { ptr::swap(self.0.place(one), self.0.place(other)) };
    }

    /// Takes the element at `index` and puts the last in its place.
    pub fn swap_remove_back(&mut self, index: usize) -> Option<T> {
        if index < self.len() {
            self.swap(index, self.len() - 1);
            return self.pop_back();
        }
        None
    }

    /// Takes the element at `index` and puts the first in its place.
    pub fn swap_remove_front(&mut self, index: usize) -> Option<T> {
        if index < self.len() {
            self.swap(index, 0);
            return self.pop_front();
        }
        None
    }

    /// Keeps the first `len`.
    pub fn truncate(&mut self, len: usize) {
        if len >= self.len() {
            return;
        }
        self.save_from(len);
        self.save_ends();
        let gone = self.0.runs(len..self.len());
        self.0.ends.len = len;
        for (run, count) in gone {
            // SAFETY: the elements have values, and are no longer the deque's. Without drop glue they stay as they are.
            unsafe { ptr::drop_in_place(ptr::slice_from_raw_parts_mut(run, count)) };
        }
    }

    /// Removes all.
    pub fn clear(&mut self) {
        self.truncate(0);
    }

    /// Makes it `len` long.
    pub fn resize(&mut self, len: usize, value: T)
    where
        T: Clone,
    {
        self.resize_with(len, || value.clone());
    }

    /// Makes it `len` long.
    pub fn resize_with(&mut self, len: usize, mut value: impl FnMut() -> T) {
        self.truncate(len);
        while self.len() < len {
            self.push_back(value());
        }
    }

    /// Keeps the elements for which `keep` says so.
    pub fn retain(&mut self, mut keep: impl FnMut(&T) -> bool) {
        self.retain_mut(|value| keep(value));
    }

    /// Keeps the elements for which `keep` says so, which may change them.
    pub fn retain_mut(&mut self, mut keep: impl FnMut(&mut T) -> bool) {
        self.save_elements();
        let mut kept = 0;
        for at in 0..self.len() {
            if keep(&mut self[at]) {
                // SAFETY: both places are those of elements with values.
                unsafe { ptr::swap(self.0.place(kept), self.0.place(at)) };
                kept += 1;
            }
        }
        self.truncate(kept);
    }

    /// Moves all of `other` to the end.
    pub fn append(&mut self, other: &mut VecDeque<T>) {
        self.extend(other.drain(..));
    }

    /// Takes the elements from `at` on.
    #[track_caller]
    pub fn split_off(&mut self, at: usize) -> VecDeque<T> {
        assert!(at <= self.len(), "`at` out of bounds");
        self.take_span(at..self.len())
    }

    /// Takes the elements of a range.
    #[track_caller]
    pub fn drain<R: RangeBounds<usize>>(&mut self, range: R) -> IntoIter<T> {
        self.take_span(span(range, self.len())).into_iter()
    }

    /// Moves the elements of a range to a deque of their own.
    fn take_span(&mut self, range: Range<usize>) -> VecDeque<T> {
        self.save_from(range.start);
        self.save_ends();
        let (len, count) = (self.len(), range.end - range.start);
        let mut taken = VecDeque::with_capacity(count);
        taken.save_ends();
        // SAFETY: the elements of the range move to the new deque, which has room, and those after it to their places.
        unsafe {
            for at in range.clone() {
                ptr::copy_nonoverlapping(self.0.place(at), taken.0.place(at - range.start), 1);
            }
            for at in range.end..len {
                ptr::copy(self.0.place(at), self.0.place(at - count), 1);
            }
        }
        (self.0.ends.len, taken.0.ends.len) = (len - count, count);
        taken
    }
}

/// The elements in order: the rest of two runs.
pub struct Iter<'d, T>(slice::Iter<'d, T>, slice::Iter<'d, T>);

/// The elements in order, to be changed.
pub struct IterMut<'d, T>(slice::IterMut<'d, T>, slice::IterMut<'d, T>);

impl<T> Clone for Iter<'_, T> {
    fn clone(&self) -> Self {
        Iter(self.0.clone(), self.1.clone())
    }
}

macro_rules! two_runs {
    ($iter:ident, $item:ty) => {
        impl<'d, T> Iterator for $iter<'d, T> {
            type Item = $item;
            #[inline]
            fn next(&mut self) -> Option<$item> {
                if self.0.len() == 0 {
                    mem::swap(&mut self.0, &mut self.1);
                }
                self.0.next()
            }
            fn size_hint(&self) -> (usize, Option<usize>) {
                let left = self.0.len() + self.1.len();
                (left, Some(left))
            }
        }

        impl<'d, T> DoubleEndedIterator for $iter<'d, T> {
            #[inline]
            fn next_back(&mut self) -> Option<$item> {
                if self.1.len() == 0 {
                    mem::swap(&mut self.0, &mut self.1);
                }
                self.1.next_back()
            }
        }

        impl<T> ExactSizeIterator for $iter<'_, T> {}
        impl<T> std::iter::FusedIterator for $iter<'_, T> {}
    };
}

two_runs!(Iter, &'d T);
two_runs!(IterMut, &'d mut T);

/// The elements by value, in order.
pub struct IntoIter<T> {
    deque: VecDeque<T>,
    front: usize,
    back: usize,
}

impl<T: Clone> Clone for IntoIter<T> {
    fn clone(&self) -> Self {
        self.deque.range(self.front..self.back).cloned().collect::<VecDeque<T>>().into_iter()
    }
}

impl<T> Iterator for IntoIter<T> {
    type Item = T;
    #[inline]
    fn next(&mut self) -> Option<T> {
        if self.front == self.back {
            return None;
        }
        if needs_drop::<T>() {
            self.back -= 1;
            return self.deque.pop_front();
        }
        self.front += 1;
        // SAFETY: the element has a value, and without drop glue it may be had twice.
        Some(unsafe { self.deque.0.place(self.front - 1).read() })
    }
    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.back - self.front, Some(self.back - self.front))
    }
}

impl<T> DoubleEndedIterator for IntoIter<T> {
    fn next_back(&mut self) -> Option<T> {
        if self.front == self.back {
            return None;
        }
        self.back -= 1;
        if needs_drop::<T>() {
            return self.deque.pop_back();
        }
        // SAFETY: as in `next`.
        Some(unsafe { self.deque.0.place(self.back).read() })
    }
}

impl<T> ExactSizeIterator for IntoIter<T> {}
impl<T> std::iter::FusedIterator for IntoIter<T> {}

/// A deque of std with the same elements, for a function that is not lifted.
impl<T: Clone> Deref for VecDeque<T> {
    type Target = std::collections::VecDeque<T>;
    #[cold]
    fn deref(&self) -> &Self::Target {
        hold(self.iter().cloned().collect())
    }
}

impl<T> Default for VecDeque<T> {
    fn default() -> Self {
        VecDeque::new()
    }
}

impl<T: Clone> Clone for VecDeque<T> {
    fn clone(&self) -> Self {
        self.iter().cloned().collect()
    }

    fn clone_from(&mut self, source: &Self) {
        *touch(self) = Clone::clone(source);
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

impl<T> Extend<T> for VecDeque<T> {
    #[inline]
    fn extend<I: IntoIterator<Item = T>>(&mut self, values: I) {
        values.into_iter().for_each(|value| self.push_back(value));
    }
}

impl<'v, T: Copy + 'v> Extend<&'v T> for VecDeque<T> {
    fn extend<I: IntoIterator<Item = &'v T>>(&mut self, values: I) {
        self.extend(values.into_iter().copied());
    }
}

impl<T> FromIterator<T> for VecDeque<T> {
    fn from_iter<I: IntoIterator<Item = T>>(values: I) -> Self {
        let mut deque = VecDeque::new();
        deque.extend(values);
        deque
    }
}

impl<T, const N: usize> From<[T; N]> for VecDeque<T> {
    fn from(values: [T; N]) -> Self {
        values.into_iter().collect()
    }
}

impl<T, const N: usize> From<Array<T, N>> for VecDeque<T> {
    fn from(values: Array<T, N>) -> Self {
        values.into_iter().collect()
    }
}

impl<T> From<Vec<T>> for VecDeque<T> {
    fn from(values: Vec<T>) -> Self {
        values.into_iter().collect()
    }
}

impl<T> From<VecDeque<T>> for Vec<T> {
    fn from(values: VecDeque<T>) -> Self {
        values.into_iter().collect()
    }
}

impl<T> IntoIterator for VecDeque<T> {
    type Item = T;
    type IntoIter = IntoIter<T>;
    #[inline]
    fn into_iter(self) -> IntoIter<T> {
        let back = self.len();
        IntoIter { deque: self, front: 0, back }
    }
}

impl<'d, T> IntoIterator for &'d VecDeque<T> {
    type Item = &'d T;
    type IntoIter = Iter<'d, T>;
    #[inline]
    fn into_iter(self) -> Iter<'d, T> {
        self.iter()
    }
}

impl<'d, T> IntoIterator for &'d mut VecDeque<T> {
    type Item = &'d mut T;
    type IntoIter = IterMut<'d, T>;
    fn into_iter(self) -> IterMut<'d, T> {
        self.iter_mut()
    }
}

sequence_traits!([T] VecDeque<T>);

// Its own changes are logged.
impl<T: std::panic::RefUnwindSafe> std::panic::RefUnwindSafe for VecDeque<T> {}
