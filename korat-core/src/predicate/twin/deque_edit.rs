//! Edits inside a deque: elements added, removed or moved anywhere but at the ends, saved before they change. See
//! `deque` for the safety argument.

use std::ops::{Range, RangeBounds};
use std::{ptr, slice};

use super::deque::VecDeque;
use super::deque_iter::IntoIter;
use super::elem::Elem;
use super::sequence::span;
use super::slice::Slice;

impl<T> VecDeque<T> {
    /// Saves the element at `at`, which must exist.
    #[inline]
    pub(super) fn save_at(&mut self, at: usize) {
        self.assert_own();
        if let Some(work) = self.0.log()
            && self.0.saved != work.epoch()
        {
            // SAFETY: the element has a value, and lies in the workspace.
            unsafe { Elem::save(self.0.place(at), work) };
        }
    }

    /// Saves the elements from `from` on.
    pub(super) fn save_from(&mut self, from: usize) {
        self.assert_own();
        if let Some(work) = self.0.log()
            && self.0.saved != work.epoch()
        {
            for (run, count) in self.0.runs(from..self.len()) {
                // SAFETY: these elements have values, and lie in the workspace.
                unsafe { work.save_all(run, count) };
            }
        }
    }

    /// Saves the position of the first element and the length.
    pub(super) fn save_ends(&mut self) {
        if let Some(work) = self.0.log() {
            // SAFETY: the header lies in the workspace.
            unsafe { work.save(&raw mut (*self.0.data()).ends) };
        }
    }

    /// Saves all elements, before they change in place.
    pub(super) fn save_elements(&mut self) {
        self.save_from(0);
        if let Some(work) = self.0.log()
            && self.0.saved != work.epoch()
        {
            // SAFETY: the header lies in the workspace.
            unsafe { work.save(&raw mut (*self.0.data()).saved) };
            self.0.saved = work.epoch();
        }
    }

    /// Moves the elements into one contiguous run, and returns it as a mutable slice.
    pub fn make_contiguous(&mut self) -> &mut Slice<T> {
        self.save_elements();
        let (head, len, room) = (self.0.ends.head, self.len(), self.0.room);
        if head + len > room {
            self.save_ends();
            // SAFETY: the two runs lie at the two ends of the places. The first one moves next to the second, over
            // places whose contents are not needed; both then form one run, which is rotated until it begins with the
            // first element.
            unsafe {
                let (first, second) = (room - head, len - (room - head));
                ptr::copy(self.0.elems.add(head), self.0.elems.add(second), first);
                slice::from_raw_parts_mut(self.0.elems, len).rotate_left(second);
            }
            self.0.ends.head = 0;
        }
        self.as_mut_slices().0
    }

    /// Inserts an element at `index`.
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

    /// Removes and returns the element at `index`.
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

    /// Moves the last `k` elements of a range before the others. They must be saved.
    fn turn(&mut self, range: Range<usize>, k: usize) {
        let reverse = |range: Range<usize>| {
            let (mut one, mut other) = (range.start, range.end);
            while one + 1 < other {
                other -= 1;
                // SAFETY: both places hold elements with values.
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
        // SAFETY: both places hold elements with values, and may be the same.
        unsafe { ptr::swap(self.0.place(one), self.0.place(other)) };
    }

    /// Removes and returns the element at `index`, and puts the last one in its place.
    pub fn swap_remove_back(&mut self, index: usize) -> Option<T> {
        if index < self.len() {
            self.swap(index, self.len() - 1);
            return self.pop_back();
        }
        None
    }

    /// Removes and returns the element at `index`, and puts the first one in its place.
    pub fn swap_remove_front(&mut self, index: usize) -> Option<T> {
        if index < self.len() {
            self.swap(index, 0);
            return self.pop_front();
        }
        None
    }

    /// Keeps only the first `len` elements.
    pub fn truncate(&mut self, len: usize) {
        if len >= self.len() {
            return;
        }
        self.save_from(len);
        self.save_ends();
        let gone = self.0.runs(len..self.len());
        self.0.ends.len = len;
        for (run, count) in gone {
            // SAFETY: the elements have values, and no longer belong to the deque. Without drop glue they stay
            // unchanged.
            unsafe { ptr::drop_in_place(ptr::slice_from_raw_parts_mut(run, count)) };
        }
    }

    /// Removes all elements.
    pub fn clear(&mut self) {
        self.truncate(0);
    }

    /// Resizes to `len` elements, filling up with clones of `value`.
    pub fn resize(&mut self, len: usize, value: T)
    where
        T: Clone,
    {
        self.resize_with(len, || value.clone());
    }

    /// Resizes to `len` elements, filling up with results of `value`.
    pub fn resize_with(&mut self, len: usize, mut value: impl FnMut() -> T) {
        self.truncate(len);
        while self.len() < len {
            self.push_back(value());
        }
    }

    /// Keeps only the elements for which `keep` returns true.
    pub fn retain(&mut self, mut keep: impl FnMut(&T) -> bool) {
        self.retain_mut(|value| keep(value));
    }

    /// Keeps only the elements for which `keep` returns true; `keep` may change them.
    pub fn retain_mut(&mut self, mut keep: impl FnMut(&mut T) -> bool) {
        self.save_elements();
        let mut kept = 0;
        for at in 0..self.len() {
            if keep(&mut self[at]) {
                // SAFETY: both places hold elements with values.
                unsafe { ptr::swap(self.0.place(kept), self.0.place(at)) };
                kept += 1;
            }
        }
        self.truncate(kept);
    }

    /// Moves all elements of `other` to the end.
    pub fn append(&mut self, other: &mut VecDeque<T>) {
        self.extend(other.drain(..));
    }

    /// Removes and returns the elements from `at` on.
    #[track_caller]
    pub fn split_off(&mut self, at: usize) -> VecDeque<T> {
        assert!(at <= self.len(), "`at` out of bounds");
        self.take_span(at..self.len())
    }

    /// Removes the elements in a range, and returns an iterator over them.
    #[track_caller]
    pub fn drain<R: RangeBounds<usize>>(&mut self, range: R) -> IntoIter<T> {
        self.take_span(span(range, self.len())).into_iter()
    }

    /// Moves the elements of a range to a new deque.
    fn take_span(&mut self, range: Range<usize>) -> VecDeque<T> {
        self.save_from(range.start);
        self.save_ends();
        let (len, count) = (self.len(), range.end - range.start);
        let mut taken = VecDeque::with_capacity(count);
        taken.save_ends();
        // SAFETY: the elements of the range move to the new deque, which has room for them, and the later ones close
        // the gap.
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
