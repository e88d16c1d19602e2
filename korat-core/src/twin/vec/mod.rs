//! `Vec` in a lifted predicate: a field, whose length and elements are slots, or the predicate's own, whose changes are logged.
//!
//! # Why it is sound
//! The header and the elements of a vector of the predicate's own lie in the workspace's memory, at addresses that it gave (`undo/kept`). The first
//! `len` places have values, and all below `room` may be written to. References to elements are made for one method, or for as long as the
//! vector is borrowed, from the address of the elements, which is no part of the header: so a reference to the header ends none of
//! them. When more room is made, the elements are copied bit by bit and those at the old place are not used again, unless the old header
//! comes back. Without drop glue, values behind the last may stay and be had twice; with it, each is dropped or moved out once, and `len` no
//! longer counts it before that happens. The elements of a field are kept by its heap, which is never freed, and are never written to.

mod convert;
mod edit;
mod iter;

use std::mem::MaybeUninit;
use std::ops::{Deref, DerefMut, Index, IndexMut, Range};
use std::{ptr, slice};

use super::sequence::sequence_traits;
use super::{Elem, Slice};
use crate::slot::{Shown, Slot};
use crate::undo::{Data, Kept, Words};

/// `std::vec::Vec`: a handle, copied where the user's vector is moved.
pub struct Vec<T>(Kept<Header<T>>);

impl<T: Clone> Copy for Vec<T> {}

/// Where the elements are. What lies behind the last of them has no meaning, but for those that were there once and may have to be there
/// again: they stay until something is put in their place, and are saved then. So a stack that goes up and down saves little.
pub(crate) struct Header<T> {
    elems: *mut Elem<T>,
    len: usize,
    room: usize,
    /// The slot that says how many elements there are, if the vector is a field.
    field: *const Slot<usize>,
    /// When the length was logged last.
    logged: u64,
    /// From here on all places are free to be written to: what was there is saved, or nothing goes back to when it was.
    unsaved: usize,
}

impl<T> Data for Header<T> {
    type Held = T;

    fn drop_all(&mut self) {
        let len = std::mem::take(&mut self.len);
        // SAFETY: the first `len` elements have values, and are forgotten here.
        unsafe { ptr::drop_in_place(ptr::slice_from_raw_parts_mut(self.elems, len)) };
    }
}

/// Room for elements in the beginning.
const FIRST: usize = 8;

impl<T> Header<T> {
    const EMPTY: Self =
        Header { elems: ptr::dangling_mut(), len: 0, room: 0, field: ptr::null(), logged: 0, unsaved: 0 };

    /// A field: its length and as many elements as it may have, both kept by the heap.
    pub(crate) fn field(len: &'static Slot<usize>, elems: *const [Elem<T>]) -> Self {
        Header { elems: elems.cast_mut().cast(), len: elems.len(), room: elems.len(), field: len, ..Self::EMPTY }
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

    /// How many elements fit before more room is made.
    pub fn capacity(&self) -> usize {
        self.len().max(self.0.room)
    }

    /// Room is made when it is needed.
    pub fn reserve(&mut self, _additional: usize) {}

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
        if let Some(work) = self.0.save() {
            // The old place comes back with the header, and nothing is put there any more.
            (self.0.logged, self.0.unsaved) = (work.epoch(), 0);
        }
        let elems = Kept::<Header<T>>::take::<Elem<T>>(room).as_ptr();
        // SAFETY: the new place is as large as needed and apart from the old one, whose elements are not used again unless
        // the old header comes back.
        unsafe { ptr::copy_nonoverlapping(self.0.elems, elems, self.0.len) };
        (self.0.elems, self.0.room) = (elems, room);
    }

    /// Adds an element at the end.
    #[inline(always)]
    pub fn push(&mut self, value: T) {
        if self.0.len == self.0.room {
            self.make_room(self.0.len + 1);
        }
        self.log_len();
        if self.0.len < self.0.unsaved {
            self.save_from(self.0.len);
        }
        let header = &mut *self.0;
        // SAFETY: there is room for one more; what lies there has no meaning.
        unsafe { header.elems.add(header.len).write(Elem::own(value)) };
        header.len += 1;
    }

    /// Takes the last element.
    #[inline(always)]
    pub fn pop(&mut self) -> Option<T> {
        assert!(self.0.field.is_null(), "[korat internal bug] a predicate writes to a field");
        let place = self.0.len.checked_sub(1)?;
        self.log_len();
        self.0.len = place;
        // SAFETY: the element has a value, and is no longer among the first `len`.
        Some(unsafe { Elem::take_recent(self.0.elems.add(place)) })
    }

    /// Logs how many elements there are, if changes are logged, and it was not since the statement to re-enter has begun.
    #[inline(always)]
    fn log_len(&mut self) {
        unsafe fn restore<T>(target: *mut (), words: Words) {
            // SAFETY: the target is the header of a vector that had so many elements.
            unsafe {
                let header = &mut *target.cast::<Header<T>>();
                (header.len, header.unsaved) = (words[0].assume_init() as usize, words[1].assume_init() as usize);
            }
        }
        let words = [self.0.len, self.0.unsaved].map(|word| MaybeUninit::new(word as u64));
        // SAFETY: brings the length back. The elements are there still, or are saved before something is put in their place.
        if let Some(now) = unsafe { self.0.note_first(self.0.logged, restore::<T>, words) } {
            (self.0.logged, self.0.unsaved) = (now, self.0.len.max(self.0.unsaved));
        }
    }

    /// Saves the elements from `from` on that are not saved.
    #[inline(never)]
    fn save_from(&mut self, from: usize) {
        assert!(self.0.field.is_null(), "[korat internal bug] a predicate writes to a field");
        self.log_len();
        let (elems, unsaved) = (self.0.elems, self.0.unsaved);
        if from < unsaved
            && let Some(work) = self.0.log()
        {
            // SAFETY: these elements have values, and lie in the workspace.
            unsafe { work.save_bits(elems.add(from), unsaved - from) };
            self.0.unsaved = from;
        }
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
        // SAFETY: the first `len` elements have values, are the predicate's own, and are borrowed with the vector.
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

impl<T> Shown for Vec<T> {
    type Out = Vec<T>;
    fn shown(&self) -> &Vec<T> {
        self
    }
}

sequence_traits!([T] Vec<T>);

// Its own changes are logged.
impl<T: std::panic::RefUnwindSafe> std::panic::RefUnwindSafe for Vec<T> {}
impl<T: std::panic::UnwindSafe> std::panic::UnwindSafe for Vec<T> {}
