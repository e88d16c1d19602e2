//! Edits inside a vector: elements added, removed or moved anywhere but at the end, saved before they change. See `vec`
//! for the safety argument.

use std::ops::{Range, RangeBounds};
use std::{ptr, slice};

use super::elem::Elem;
use super::sequence::span;
use super::slice::Slice;
use super::vec::Vec;
use super::vec_iter::IntoIter;

impl<T> Vec<T> {
    /// Saves the element at `at`, if there is one.
    #[inline]
    pub(super) fn save_at(&mut self, at: usize) {
        let is_saved = self.0.is_current_epoch(self.0.logged) && at >= self.0.unsaved;
        if at < self.0.len
            && !is_saved
            && let Some(work) = self.0.log()
        {
            // SAFETY: the element has a value, and lies in the workspace.
            unsafe { Elem::save(self.0.elems.add(at), work) };
        }
    }

    /// Saves all elements owned by the predicate, and returns them for changes.
    pub(super) fn own(&mut self) -> &mut [Elem<T>] {
        self.save_from(0);
        // SAFETY: the first `len` elements have values, and belong only to this vector.
        unsafe { slice::from_raw_parts_mut(self.0.elems, self.0.len) }
    }

    /// Inserts an element at `index`.
    #[track_caller]
    pub fn insert(&mut self, index: usize, value: T) {
        let len = self.0.len;
        assert!(index <= len, "insertion index (is {index}) should be <= len (is {len})");
        self.push(value);
        if index < len {
            self.save_from(index);
            // SAFETY: the elements from `index` on have values, and only swap places.
            unsafe { slice::from_raw_parts_mut(self.0.elems.add(index), len + 1 - index) }.rotate_right(1);
        }
    }

    /// Removes and returns the element at `index`.
    #[track_caller]
    pub fn remove(&mut self, index: usize) -> T {
        let len = self.0.len;
        assert!(index < len, "removal index (is {index}) should be < len (is {len})");
        if index + 1 < len {
            self.save_from(index);
            // SAFETY: the elements from `index` on have values, and only swap places.
            unsafe { slice::from_raw_parts_mut(self.0.elems.add(index), len - index) }.rotate_left(1);
        }
        self.pop().expect("[korat internal bug] there is an element at the index")
    }

    /// Removes and returns the element at `index`, and puts the last one in its place.
    #[track_caller]
    pub fn swap_remove(&mut self, index: usize) -> T {
        let len = self.0.len;
        assert!(index < len, "swap_remove index (is {index}) should be < len (is {len})");
        self.swap(index, len - 1);
        self.pop().expect("[korat internal bug] there is an element at the index")
    }

    /// Swaps two elements.
    #[track_caller]
    pub fn swap(&mut self, one: usize, other: usize) {
        self.save_at(one);
        self.save_at(other);
        assert!(self.0.field.is_null(), "[korat internal bug] a predicate writes to a field");
        // SAFETY: the first `len` elements have values, and belong only to this vector.
        unsafe { slice::from_raw_parts_mut(self.0.elems, self.0.len) }.swap(one, other);
    }

    /// Keeps only the first `len` elements.
    pub fn truncate(&mut self, len: usize) {
        if len >= self.0.len {
            return;
        }
        assert!(self.0.field.is_null(), "[korat internal bug] a predicate writes to a field");
        self.log_len();
        let gone = self.0.len - len;
        self.0.len = len;
        // SAFETY: the elements have values, and are no longer among the first `len`. Without drop glue they stay
        // unchanged.
        unsafe { ptr::drop_in_place(ptr::slice_from_raw_parts_mut(self.0.elems.add(len), gone)) };
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
        self.truncate(len);
        while self.0.len < len {
            self.push(value.clone());
        }
    }

    /// Resizes to `len` elements, filling up with results of `value`.
    pub fn resize_with(&mut self, len: usize, mut value: impl FnMut() -> T) {
        self.truncate(len);
        while self.0.len < len {
            self.push(value());
        }
    }

    /// Keeps only the elements for which `keep` returns true.
    pub fn retain(&mut self, mut keep: impl FnMut(&T) -> bool) {
        self.retain_mut(|value| keep(value));
    }

    /// Keeps only the elements for which `keep` returns true; `keep` may change them.
    pub fn retain_mut(&mut self, mut keep: impl FnMut(&mut T) -> bool) {
        let mut kept = 0;
        for at in 0..self.own().len() {
            if keep(self.own()[at].get_mut()) {
                self.own().swap(kept, at);
                kept += 1;
            }
        }
        self.truncate(kept);
    }

    /// Removes elements that equal their predecessor.
    pub fn dedup(&mut self)
    where
        T: PartialEq,
    {
        self.dedup_by(|one, other| one == other);
    }

    /// Removes elements whose key equals that of their predecessor.
    pub fn dedup_by_key<K: PartialEq>(&mut self, mut key: impl FnMut(&mut T) -> K) {
        self.dedup_by(|one, other| key(one) == key(other));
    }

    /// Removes elements for which `same` returns true with their predecessor.
    pub fn dedup_by(&mut self, mut same: impl FnMut(&mut T, &mut T) -> bool) {
        let mut kept = 0;
        for at in 0..self.own().len() {
            let (before, from) = self.own().split_at_mut(at);
            if kept == 0 || !same(from[0].get_mut(), before[kept - 1].get_mut()) {
                self.own().swap(kept, at);
                kept += 1;
            }
        }
        self.truncate(kept);
    }

    /// Moves all elements of `other` to the end.
    pub fn append(&mut self, other: &mut Vec<T>) {
        self.extend(other.drain(..));
    }

    /// Removes and returns the elements from `at` on.
    pub fn split_off(&mut self, at: usize) -> Vec<T> {
        self.drain(at..).collect()
    }

    /// Removes the elements in a range, and returns an iterator over them.
    #[track_caller]
    pub fn drain<R: RangeBounds<usize>>(&mut self, range: R) -> IntoIter<T> {
        let len = self.0.len;
        let Range { start, end } = span(range, len);
        self.save_from(start);
        let mut taken = Vec::with_capacity(end - start);
        // SAFETY: the elements of the range move to the new vector, which has room for them, and the later ones close
        // the gap.
        unsafe {
            ptr::copy_nonoverlapping(self.0.elems.add(start), taken.0.elems, end - start);
            ptr::copy(self.0.elems.add(end), self.0.elems.add(start), len - end);
        }
        taken.0.save();
        taken.0.len = end - start;
        self.0.len = len - (end - start);
        taken.into_iter()
    }

    /// Replaces the elements in a range, and returns an iterator over the old ones.
    #[track_caller]
    pub fn splice<R: RangeBounds<usize>>(&mut self, range: R, with: impl IntoIterator<Item = T>) -> IntoIter<T> {
        let Range { start, end } = span(range, self.0.len);
        let old = self.drain(start..end);
        let mut rest = self.split_off(start);
        self.extend(with);
        self.append(&mut rest);
        old
    }

    /// Appends clones of the elements of a slice.
    pub fn extend_from_slice(&mut self, other: &Slice<T>)
    where
        T: Clone,
    {
        self.extend(other.iter().cloned());
    }
}
