//! `Vec` in a lifted predicate: either a field, whose length and elements are slots, or a vector owned by the
//! predicate, whose changes are logged.
//!
//! # Safety argument
//! The header and the elements of a vector owned by the predicate lie in the workspace's memory, at addresses that the
//! memory handed out (`undo/data_handle`). The first `len` places have values, and all below `room` may be written. References
//! to elements are derived from the address of the elements, which is not part of the header, and last for one method
//! or as long as the vector is borrowed; so a reference to the header invalidates none of them. When the vector grows,
//! the elements are copied bit by bit, and the old ones are not used again unless the old header is restored. Values
//! without drop glue may remain behind the last element and be duplicated; a value with drop glue is dropped or moved
//! out once, and `len` stops counting it before that. The elements of a field are kept by its heap, which is never
//! freed, and are never written.

use std::mem::MaybeUninit;
use std::ops::{Deref, DerefMut, Index, IndexMut, Range};
use std::{ptr, slice};

use super::sequence::sequence_traits;
use super::{Elem, Slice};
use crate::predicate::machine::early::{Convertible, note_convertible};
use crate::predicate::undo::data_handle::{ContainerData, DataHandle};
use crate::predicate::undo::log::Words;
use crate::slots::slot::{AnySlot, ReadCell, Slot};

/// The twin of `std::vec::Vec`: a handle, copied where the user's code moves the vector.
pub struct Vec<T>(pub(crate) DataHandle<VecHeader<T>>);

impl<T: Clone> Copy for Vec<T> {}

/// The header of a vector.
///
/// Places past the last element hold nothing that is needed, except for removed elements that backtracking may bring
/// back. These stay in place until they are overwritten, and are saved only then, so a stack that grows and shrinks
/// saves little.
pub(crate) struct VecHeader<T> {
    pub(crate) elems: *mut Elem<T>,
    pub(crate) len: usize,
    room: usize,
    /// The slot of the length, if the vector is a field.
    pub(crate) field: *const Slot<usize>,
    /// The epoch in which the length was last logged.
    pub(crate) logged: u64,
    /// Places from here on may be overwritten: their old elements are saved, or no checkpoint needs them.
    pub(crate) unsaved: usize,
}

impl<T> ContainerData for VecHeader<T> {
    type Held = T;

    fn drop_all(&mut self) {
        let len = std::mem::take(&mut self.len);
        // SAFETY: the first `len` elements have values, and are forgotten here.
        unsafe { ptr::drop_in_place(ptr::slice_from_raw_parts_mut(self.elems, len)) };
    }
}

/// Initial capacity.
const FIRST: usize = 8;

impl<T> VecHeader<T> {
    const EMPTY: Self =
        VecHeader { elems: ptr::dangling_mut(), len: 0, room: 0, field: ptr::null(), logged: 0, unsaved: 0 };

    /// Creates the header of a field from the slot of its length and all its possible elements, both kept by the heap.
    pub(crate) fn field(len: &'static Slot<usize>, elems: *const [Elem<T>]) -> Self {
        VecHeader { elems: elems.cast_mut().cast(), len: elems.len(), room: elems.len(), field: len, ..Self::EMPTY }
    }
}

impl<T> Vec<T> {
    pub(crate) fn of_field(field: &'static VecHeader<T>) -> Self
    where
        T: 'static,
    {
        note_convertible::<Self>();
        Vec(DataHandle::at(field))
    }

    /// Returns whether the vector is a field, whose elements are slots.
    pub(crate) fn is_field(&self) -> bool {
        !self.0.field.is_null()
    }

    /// Returns another handle to the same vector.
    pub(crate) fn handle(&self) -> Self {
        Vec(self.0)
    }

    /// Creates an empty vector.
    #[inline]
    #[allow(clippy::new_without_default)]
    pub fn new() -> Self {
        Vec(DataHandle::new(VecHeader::EMPTY))
    }

    /// Creates an empty vector with room for `capacity` elements.
    pub fn with_capacity(capacity: usize) -> Self {
        let mut vec = Vec::new();
        vec.make_room(capacity);
        vec
    }

    /// Returns the number of elements that fit before it grows.
    pub fn capacity(&self) -> usize {
        self.len().max(self.0.room)
    }

    /// Does nothing: the container grows on demand.
    pub fn reserve(&mut self, _additional: usize) {}

    /// Creates a vector with these elements. Not `From`, so that each may be coerced to the element type.
    pub fn of<const N: usize>(values: [T; N]) -> Self {
        values.into_iter().collect()
    }

    /// Returns the number of elements. `Slice` has this method, too, but `Vec::len` must exist as a path.
    #[inline]
    pub fn len(&self) -> usize {
        self.as_slice().len()
    }

    /// Returns whether it is empty.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.as_slice().is_empty()
    }

    /// Returns the elements as a slice.
    pub fn as_slice(&self) -> &Slice<T> {
        self
    }

    /// Grows to room for at least `room` elements.
    #[cold]
    #[inline(never)]
    fn make_room(&mut self, room: usize) {
        assert!(self.0.field.is_null(), "[korat internal bug] a predicate writes to a field");
        if room <= self.0.room {
            return;
        }
        let room = room.max(2 * self.0.room).max(FIRST);
        if let Some(work) = self.0.save() {
            // The old place returns with the old header, and is never written again.
            (self.0.logged, self.0.unsaved) = (work.epoch(), 0);
        }
        let elems = DataHandle::<VecHeader<T>>::take::<Elem<T>>(room).as_ptr();
        // SAFETY: the new place is large enough and does not overlap the old one, whose elements are not used again
        // unless the old header is restored.
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
        // SAFETY: there is room for one more; nothing there is needed.
        unsafe { header.elems.add(header.len).write(Elem::own(value)) };
        header.len += 1;
    }

    /// Removes and returns the last element.
    #[inline(always)]
    pub fn pop(&mut self) -> Option<T> {
        assert!(self.0.field.is_null(), "[korat internal bug] a predicate writes to a field");
        let place = self.0.len.checked_sub(1)?;
        self.log_len();
        self.0.len = place;
        // SAFETY: the element has a value, and is no longer among the first `len`.
        Some(unsafe { Elem::take_recent(self.0.elems.add(place)) })
    }

    /// Logs the number of elements, if changes are logged and it was not logged since the last resume point.
    #[inline(always)]
    pub(crate) fn log_len(&mut self) {
        unsafe fn restore<T>(target: *mut (), words: Words) {
            // SAFETY: the target is the header of a vector that had this many elements.
            unsafe {
                let header = &mut *target.cast::<VecHeader<T>>();
                (header.len, header.unsaved) = (words[0].assume_init() as usize, words[1].assume_init() as usize);
            }
        }
        let words = [self.0.len, self.0.unsaved].map(|word| MaybeUninit::new(word as u64));
        // SAFETY: `restore` restores the length. The elements are still there, or are saved before they are
        // overwritten.
        if let Some(now) = unsafe { self.0.note_first(self.0.logged, restore::<T>, words) } {
            (self.0.logged, self.0.unsaved) = (now, self.0.len.max(self.0.unsaved));
        }
    }

    /// Saves the elements from `from` on that are not saved yet.
    #[inline(never)]
    pub(crate) fn save_from(&mut self, from: usize) {
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

    /// Returns a mutable reference to the element at `index`.
    pub fn get_mut(&mut self, index: usize) -> Option<&mut T> {
        (index < self.0.len).then(|| &mut self[index])
    }

    /// Returns a mutable reference to the first element.
    pub fn first_mut(&mut self) -> Option<&mut T> {
        self.get_mut(0)
    }

    /// Returns a mutable reference to the last element.
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
        // SAFETY: the first `len` elements have values, at an address that remains valid.
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

impl<T, I: VecIndex> IndexMut<I> for Vec<T>
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
        // SAFETY: the first `len` elements have values, belong to the predicate, and are borrowed with the vector.
        &mut Slice::of_mut(unsafe { slice::from_raw_parts_mut(self.0.elems, self.0.len) })[index]
    }
}

/// An index into a vector.
pub trait VecIndex {
    /// Returns the position of the element, if the index denotes a single one.
    fn place(&self) -> Option<usize> {
        None
    }
}

impl VecIndex for usize {
    fn place(&self) -> Option<usize> {
        Some(*self)
    }
}

impl VecIndex for Range<usize> {}
impl VecIndex for std::ops::RangeFrom<usize> {}
impl VecIndex for std::ops::RangeTo<usize> {}
impl VecIndex for std::ops::RangeFull {}
impl VecIndex for std::ops::RangeInclusive<usize> {}
impl VecIndex for std::ops::RangeToInclusive<usize> {}

impl<T: 'static> Convertible for Vec<T> {
    fn is_decided(&self) -> bool {
        // SAFETY: the slot is kept by the heap, which is never freed.
        self.0.field.is_null() || unsafe { &*self.0.field }.is_assigned()
    }
}

impl<T> ReadCell for Vec<T> {
    type Out = Vec<T>;
    fn read_cell(&self) -> &Vec<T> {
        self
    }
    fn is_decided(&self) -> bool {
        true
    }
}

sequence_traits!([T] Vec<T>);

// It logs its own changes, so `machine::probe` may treat it as restorable.
impl<T: std::panic::RefUnwindSafe> std::panic::RefUnwindSafe for Vec<T> {}
impl<T: std::panic::UnwindSafe> std::panic::UnwindSafe for Vec<T> {}
