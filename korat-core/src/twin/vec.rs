//! `Vec` in a lifted predicate: a field, whose length and elements are slots, or the predicate's own, whose changes are logged.

use std::mem::needs_drop;
use std::ops::{Deref, DerefMut, Index, IndexMut, Range, RangeBounds};
use std::{ptr, slice};

use super::sequence::{sequence_traits, span};
use super::slice::IterMut;
use super::{Array, Elem, Iter, Slice};
use crate::slot::{Shown, Slot};
use crate::undo::{Data, Kept, Words, put_back, touch};

/// `std::vec::Vec`: a handle, copied where the user's vector is moved.
pub struct Vec<T>(Kept<Header<T>>);

impl<T: Clone> Copy for Vec<T> {}

/// Where the elements are. What lies behind the last of them has no meaning.
pub(crate) struct Header<T> {
    elems: *mut Elem<T>,
    len: usize,
    room: usize,
    /// The slot that says how many elements there are, if the vector is a field.
    field: *const Slot<usize>,
    /// When all elements were saved last.
    saved: u64,
}

impl<T> Data for Header<T> {
    const OWNS: bool = needs_drop::<T>();

    fn drop_all(&mut self) {
        let len = std::mem::take(&mut self.len);
        // SAFETY: the first `len` elements have values, and are forgotten here.
        unsafe { ptr::drop_in_place(ptr::slice_from_raw_parts_mut(self.elems, len)) };
    }
}

/// Room for elements in the beginning.
const FIRST: usize = 8;

impl<T> Header<T> {
    const EMPTY: Self = Header { elems: ptr::dangling_mut(), len: 0, room: 0, field: ptr::null(), saved: 0 };

    /// A field: its length and as many elements as it may have, both kept by the heap.
    pub(crate) fn field(len: &'static Slot<usize>, elems: &'static [Elem<T>]) -> Self {
        Header { elems: elems.as_ptr().cast_mut(), len: elems.len(), room: elems.len(), field: len, saved: 0 }
    }
}

impl<T> Vec<T> {
    /// The elements for a slice pattern, which binds them without deciding any.
    pub fn __korat_elems(&self) -> &[Elem<T>] {
        self.elems()
    }

    pub(crate) fn of_field(field: &'static Header<T>) -> Self {
        Vec(Kept::at(field))
    }

    /// The same vector.
    pub(crate) fn handle(&self) -> Self {
        Vec(self.0)
    }

    /// No elements.
    #[inline]
    #[allow(clippy::new_without_default)]
    pub fn new() -> Self {
        Vec(Kept::new(Header::EMPTY))
    }

    /// No elements, and room for some.
    pub fn with_capacity(capacity: usize) -> Self {
        let mut vec = Vec::new();
        vec.make_room(capacity);
        vec
    }

    /// These elements. Not by `From`, so that each may be coerced to the type that the vector is to have.
    pub fn of<const N: usize>(values: [T; N]) -> Self {
        values.into_iter().collect()
    }

    /// How many elements. The slice has it too, but not under the name `Vec::len`.
    #[inline]
    pub fn len(&self) -> usize {
        self.as_slice().len()
    }

    /// Whether there is none.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.as_slice().is_empty()
    }

    /// The elements as a slice.
    pub fn as_slice(&self) -> &Slice<T> {
        self
    }

    /// Makes room for `room` elements in all.
    #[cold]
    #[inline(never)]
    fn make_room(&mut self, room: usize) {
        assert!(self.0.field.is_null(), "[korat internal bug] a predicate writes to a field");
        if room <= self.0.room {
            return;
        }
        let room = room.max(2 * self.0.room).max(FIRST);
        self.0.save();
        let elems = Kept::<Header<T>>::take::<Elem<T>>(room).as_ptr();
        // SAFETY: the new place is as large as needed and apart from the old one, whose elements are not used again unless
        // the old header comes back.
        unsafe { ptr::copy_nonoverlapping(self.0.elems, elems, self.0.len) };
        (self.0.elems, self.0.room) = (elems, room);
    }

    /// Adds an element at the end.
    #[inline(always)]
    pub fn push(&mut self, value: T) {
        unsafe fn unpush<T>(target: *mut (), _: Words) {
            // SAFETY: the target is the header of a vector that was pushed to.
            unsafe { (*target.cast::<Header<T>>()).len -= 1 };
        }
        if self.0.len == self.0.room {
            self.make_room(self.0.len + 1);
        }
        let header = &mut *self.0;
        // SAFETY: there is room for one more; what lies there has no meaning.
        unsafe { header.elems.add(header.len).write(Elem::own(value)) };
        header.len += 1;
        // SAFETY: takes the push back.
        unsafe { self.0.note(unpush::<T>, 0) };
    }

    /// Takes the last element.
    #[inline(always)]
    pub fn pop(&mut self) -> Option<T> {
        unsafe fn unpop<T>(target: *mut (), words: Words) {
            // SAFETY: the target is the header of a vector that an element was popped from, whose bits the words lead to.
            unsafe {
                let header = &mut *target.cast::<Header<T>>();
                put_back(words, header.elems.add(header.len));
                header.len += 1;
            }
        }
        assert!(self.0.field.is_null(), "[korat internal bug] a predicate writes to a field");
        let place = self.0.len.checked_sub(1)?;
        // SAFETY: the element at `place` has a value; the undo function puts it back.
        unsafe { self.0.note_taken(unpop::<T>, self.0.elems.add(place)) };
        self.0.len = place;
        // SAFETY: the element has a value, and is no longer among the first `len`.
        Some(unsafe { self.0.elems.add(place).read() }.into_inner())
    }

    /// Saves the elements from `from` on, and how many there are.
    fn save_from(&mut self, from: usize) {
        assert!(self.0.field.is_null(), "[korat internal bug] a predicate writes to a field");
        if let Some(work) = self.0.log() {
            let (elems, len) = (self.0.elems, self.0.len);
            // SAFETY: these elements have values; they and the length lie in the workspace.
            unsafe {
                work.save_all(elems.add(from.min(len)), len - from.min(len));
                work.save(&raw mut self.0.len);
            }
        }
    }

    /// Saves one element.
    #[inline]
    fn save_at(&mut self, at: usize) {
        if at < self.0.len
            && let Some(work) = self.0.log()
            && self.0.saved != work.epoch()
        {
            // SAFETY: the element has a value, and lies in the workspace.
            unsafe { work.save(self.0.elems.add(at)) };
        }
    }

    /// The predicate's own elements, all of them saved.
    fn own(&mut self) -> &mut [Elem<T>] {
        assert!(self.0.field.is_null(), "[korat internal bug] a predicate writes to a field");
        if let Some(work) = self.0.log()
            && self.0.saved != work.epoch()
        {
            // SAFETY: the elements have values, and lie in the workspace with their header.
            unsafe {
                work.save_all(self.0.elems, self.0.len);
                work.save(&raw mut self.0.saved);
            }
            self.0.saved = work.epoch();
        }
        // SAFETY: the first `len` elements have values, and belong to this vector alone.
        unsafe { slice::from_raw_parts_mut(self.0.elems, self.0.len) }
    }

    /// Adds an element at `index`.
    #[track_caller]
    pub fn insert(&mut self, index: usize, value: T) {
        let len = self.0.len;
        assert!(index <= len, "insertion index (is {index}) should be <= len (is {len})");
        self.push(value);
        if index < len {
            self.save_from(index);
            // SAFETY: the elements from `index` on have values; they change places among themselves.
            unsafe { slice::from_raw_parts_mut(self.0.elems.add(index), len + 1 - index) }.rotate_right(1);
        }
    }

    /// Takes the element at `index`.
    #[track_caller]
    pub fn remove(&mut self, index: usize) -> T {
        let len = self.0.len;
        assert!(index < len, "removal index (is {index}) should be < len (is {len})");
        if index + 1 < len {
            self.save_from(index);
            // SAFETY: as in `insert`.
            unsafe { slice::from_raw_parts_mut(self.0.elems.add(index), len - index) }.rotate_left(1);
        }
        self.pop().expect("[korat internal bug] there is an element at the index")
    }

    /// Takes the element at `index` and puts the last in its place.
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
        // SAFETY: as in `own`.
        unsafe { slice::from_raw_parts_mut(self.0.elems, self.0.len) }.swap(one, other);
    }

    /// The element at `index`, to be changed.
    pub fn get_mut(&mut self, index: usize) -> Option<&mut T> {
        (index < self.0.len).then(|| &mut self[index])
    }

    /// The first element, to be changed.
    pub fn first_mut(&mut self) -> Option<&mut T> {
        self.get_mut(0)
    }

    /// The last element, to be changed.
    pub fn last_mut(&mut self) -> Option<&mut T> {
        self.get_mut(self.0.len.wrapping_sub(1))
    }

    /// Keeps the first `len`.
    pub fn truncate(&mut self, len: usize) {
        if len >= self.0.len {
            return;
        }
        self.save_from(len);
        let gone = self.0.len - len;
        self.0.len = len;
        // SAFETY: the elements have values, and are no longer among the first `len`. Without drop glue they stay as they are.
        unsafe { ptr::drop_in_place(ptr::slice_from_raw_parts_mut(self.0.elems.add(len), gone)) };
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
        self.truncate(len);
        while self.0.len < len {
            self.push(value.clone());
        }
    }

    /// Makes it `len` long.
    pub fn resize_with(&mut self, len: usize, mut value: impl FnMut() -> T) {
        self.truncate(len);
        while self.0.len < len {
            self.push(value());
        }
    }

    /// Room is made when it is needed.
    pub fn reserve(&mut self, _additional: usize) {}

    /// Keeps the elements for which `keep` says so.
    pub fn retain(&mut self, mut keep: impl FnMut(&T) -> bool) {
        self.retain_mut(|value| keep(value));
    }

    /// Keeps the elements for which `keep` says so, which may change them.
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

    /// Removes an element that equals the one before it.
    pub fn dedup(&mut self)
    where
        T: PartialEq,
    {
        self.dedup_by(|one, other| one == other);
    }

    /// Removes an element whose key equals that of the one before it.
    pub fn dedup_by_key<K: PartialEq>(&mut self, mut key: impl FnMut(&mut T) -> K) {
        self.dedup_by(|one, other| key(one) == key(other));
    }

    /// Removes an element that is the same as the one before it.
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

    /// Moves all of `other` to the end.
    pub fn append(&mut self, other: &mut Vec<T>) {
        self.extend(other.drain(..));
    }

    /// Takes the elements from `at` on.
    pub fn split_off(&mut self, at: usize) -> Vec<T> {
        self.drain(at..).collect()
    }

    /// Takes the elements of a range.
    #[track_caller]
    pub fn drain<R: RangeBounds<usize>>(&mut self, range: R) -> IntoIter<T> {
        let len = self.0.len;
        let Range { start, end } = span(range, len);
        self.save_from(start);
        let mut taken = Vec::with_capacity(end - start);
        // SAFETY: the elements of the range move to the new vector, those after it to its place; both have room.
        unsafe {
            ptr::copy_nonoverlapping(self.0.elems.add(start), taken.0.elems, end - start);
            ptr::copy(self.0.elems.add(end), self.0.elems.add(start), len - end);
        }
        taken.0.save();
        taken.0.len = end - start;
        self.0.len = len - (end - start);
        taken.into_iter()
    }

    /// How many elements fit before more room is made.
    pub fn capacity(&self) -> usize {
        self.len().max(self.0.room)
    }

    /// Adds copies of all elements of a slice.
    pub fn extend_from_slice(&mut self, other: &Slice<T>)
    where
        T: Clone,
    {
        self.extend(other.iter().cloned());
    }
}

impl<T> Default for Vec<T> {
    fn default() -> Self {
        Vec::new()
    }
}

impl<T> Deref for Vec<T> {
    type Target = Slice<T>;
    #[inline]
    fn deref(&self) -> &Slice<T> {
        let header = &*self.0;
        let len = if header.field.is_null() {
            header.len
        } else {
            // SAFETY: the slot is kept by the heap, which is never freed.
            *unsafe { &*header.field }.__korat_read()
        };
        assert!(len <= header.len, "[korat internal bug] a field is longer than it may be");
        // SAFETY: the first `len` elements have values, at an address that stays theirs.
        Slice::of(unsafe { slice::from_raw_parts(header.elems, len) })
    }
}

impl<T> DerefMut for Vec<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut Slice<T> {
        Slice::of_mut(self.own())
    }
}

impl<T, I> Index<I> for Vec<T>
where
    Slice<T>: Index<I>,
{
    type Output = <Slice<T> as Index<I>>::Output;
    #[inline]
    #[track_caller]
    fn index(&self, index: I) -> &Self::Output {
        &(**self)[index]
    }
}

impl<T, I: Places> IndexMut<I> for Vec<T>
where
    Slice<T>: IndexMut<I>,
{
    #[inline]
    #[track_caller]
    fn index_mut(&mut self, index: I) -> &mut Self::Output {
        match index.place() {
            Some(at) => self.save_at(at),
            None => drop(self.own()),
        }
        assert!(self.0.field.is_null(), "[korat internal bug] a predicate writes to a field");
        // SAFETY: as in `own`.
        &mut Slice::of_mut(unsafe { slice::from_raw_parts_mut(self.0.elems, self.0.len) })[index]
    }
}

/// What of a vector an index means.
pub trait Places {
    /// The one element it means.
    fn place(&self) -> Option<usize> {
        None
    }
}

impl Places for usize {
    fn place(&self) -> Option<usize> {
        Some(*self)
    }
}

impl Places for Range<usize> {}
impl Places for std::ops::RangeFrom<usize> {}
impl Places for std::ops::RangeTo<usize> {}
impl Places for std::ops::RangeFull {}
impl Places for std::ops::RangeInclusive<usize> {}
impl Places for std::ops::RangeToInclusive<usize> {}

/// The elements by value, in order.
pub struct IntoIter<T> {
    vec: Vec<T>,
    front: usize,
    back: usize,
}

impl<T> IntoIter<T> {
    /// The elements that are left.
    pub fn as_slice(&self) -> &Slice<T> {
        &self.vec[self.front..self.back]
    }
}

impl<T> Clone for IntoIter<T>
where
    T: Clone,
{
    fn clone(&self) -> Self {
        self.as_slice().to_vec().into_iter()
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
            return Some(self.vec.remove(self.front));
        }
        self.front += 1;
        // SAFETY: the element has a value, and without drop glue it may be had twice.
        Some(unsafe { self.vec.0.elems.add(self.front - 1).read() }.into_inner())
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
            return Some(self.vec.remove(self.back));
        }
        // SAFETY: as in `next`.
        Some(unsafe { self.vec.0.elems.add(self.back).read() }.into_inner())
    }
}

impl<T> ExactSizeIterator for IntoIter<T> {}
impl<T> std::iter::FusedIterator for IntoIter<T> {}

impl<T> Shown for Vec<T> {
    type Out = Vec<T>;
    fn shown(&self) -> &Vec<T> {
        self
    }
}

impl<T: Clone> Clone for Vec<T> {
    fn clone(&self) -> Self {
        self.to_vec()
    }

    fn clone_from(&mut self, source: &Self) {
        *touch(self) = Clone::clone(source);
    }
}

impl<T> Extend<T> for Vec<T> {
    fn extend<I: IntoIterator<Item = T>>(&mut self, values: I) {
        values.into_iter().for_each(|value| self.push(value));
    }
}

impl<'v, T: Copy + 'v> Extend<&'v T> for Vec<T> {
    fn extend<I: IntoIterator<Item = &'v T>>(&mut self, values: I) {
        values.into_iter().for_each(|value| self.push(*value));
    }
}

impl<T> FromIterator<T> for Vec<T> {
    fn from_iter<I: IntoIterator<Item = T>>(values: I) -> Self {
        let mut vec = Vec::new();
        vec.extend(values);
        vec
    }
}

impl<T, const N: usize> From<Array<T, N>> for Vec<T> {
    fn from(values: Array<T, N>) -> Self {
        values.into_iter().collect()
    }
}

impl<T: Clone> From<&Slice<T>> for Vec<T> {
    fn from(values: &Slice<T>) -> Self {
        values.to_vec()
    }
}

impl<T, const N: usize> From<[T; N]> for Vec<T> {
    fn from(values: [T; N]) -> Self {
        Vec::of(values)
    }
}

impl<'v, T> IntoIterator for &'v Vec<T> {
    type Item = &'v T;
    type IntoIter = Iter<'v, T>;
    #[inline]
    fn into_iter(self) -> Iter<'v, T> {
        self.iter()
    }
}

impl<T> IntoIterator for Vec<T> {
    type Item = T;
    type IntoIter = IntoIter<T>;
    #[inline]
    fn into_iter(self) -> IntoIter<T> {
        let back = if self.0.field.is_null() { self.0.len } else { self.len() };
        IntoIter { vec: self, front: 0, back }
    }
}

impl<'v, T> IntoIterator for &'v mut Vec<T> {
    type Item = &'v mut T;
    type IntoIter = IterMut<'v, T>;
    fn into_iter(self) -> Self::IntoIter {
        self.iter_mut()
    }
}

impl<T> AsRef<Slice<T>> for Vec<T> {
    fn as_ref(&self) -> &Slice<T> {
        self
    }
}

sequence_traits!([T] Vec<T>);

// Its own changes are logged.
impl<T: std::panic::RefUnwindSafe> std::panic::RefUnwindSafe for Vec<T> {}
