//! A slot: the cell behind one field of one object. Reading it is the only way a predicate learns anything, and its first
//! read is a choice point. Takes indices from the engine, gives references to values; decides nothing.
//!
//! # Why it is sound
//! - **Who owns what.** A heap keeps its slots and their lists of values, at addresses that never change. A heap with slots is never freed, so that
//!   an `Eraser`, the address of a slot, is good forever. A list owns its values. A slot without drop glue in its type has a bitwise copy,
//!   which is only read and never dropped; otherwise it shows the list's own value.
//! - **When a value is there.** An index below `OFFERED`, or one with `OFFERED` added, is written together with the value, and is that of a value of the
//!   list: it is compared with the list's length, or comes from who knows that it is less.
//! - **Who may look.** The index and the value lie in cells, and an eraser sees them as such: writing ends no reference to a slot, only those
//!   to its value. The value is written when the slot gets an index: at its first read, when nobody has seen it; between two
//!   candidates, when all that has read it since it was chosen has been undone or has ended; and when no predicate runs.

mod shared;

use std::cell::{Cell, UnsafeCell};
use std::mem::{MaybeUninit, needs_drop};
use std::ops::Deref;
use std::ptr::{self, NonNull};

use shared::Shape;
pub(crate) use shared::Shared;

use crate::engine::UNASSIGNED;
use crate::ids::{FieldId, HeapId, SlotId};
use crate::{ahead, ambient};

/// One field of one object: unassigned, offered, or a value of its domain.
///
/// The value lies in the slot itself, so that its address is the field's address: different fields of different objects have
/// different ones, as in the user's own value. It is a bitwise copy of the one in the domain, which owns it.
///
/// A value that must be dropped is not copied but looked at where the domain has it: it may change behind a shared reference
/// (a `RefCell` of a `Vec`), and two copies would then own different things.
#[repr(C)]
pub struct Slot<T> {
    head: Head,
    /// The value, if there is an index and the value needs no dropping. Never dropped: the domain owns it.
    value: UnsafeCell<MaybeUninit<T>>,
}

// Its changes are the engine's.
impl<T> std::panic::RefUnwindSafe for Slot<T> {}

/// What all slots have. Aligned as nearly all values are, so that these come right after it. A heap may have millions, so that what the
/// slots of a field share lies elsewhere.
#[repr(C, align(8))]
struct Head {
    /// The index of the value chosen in the running candidate; with `OFFERED` added if nothing has read the slot since it was
    /// moved to this value; `UNASSIGNED`, or an index with `PREPARED` added, while no read has asked for one.
    index: Cell<u32>,
    /// The engine's name for this slot.
    id: SlotId,
    /// What it shares with others of its field.
    shared: &'static Shared,
}

/// Marks an index that the engine has set and nothing has read.
pub(crate) const OFFERED: u32 = 1 << 31;

/// Marks an index that nothing has asked for, if the value lies in the slot already: a repair is going to give it.
const PREPARED: u32 = 3 << 30;

/// More than every index. With `PREPARED` added it is that of an unassigned slot.
pub(crate) const NO_INDEX: u32 = UNASSIGNED - PREPARED;

impl<T: 'static> Slot<T> {
    /// A slot over the values of `shared`.
    ///
    /// # Safety
    /// These must be of its type.
    #[inline]
    pub(crate) unsafe fn new(id: SlotId, shared: &'static Shared) -> Self {
        let head = Head { index: Cell::new(UNASSIGNED), id, shared };
        Slot { head, value: UnsafeCell::new(MaybeUninit::uninit()) }
    }
}

impl<T> Slot<T> {
    /// The value of this field in the running candidate; chooses it when nothing has read it before.
    #[inline(always)]
    pub fn __korat_read(&self) -> &T {
        let index = self.head.index.get();
        if index >= OFFERED {
            if index >= PREPARED {
                ambient::choose(self.eraser());
            } else {
                self.head.index.set(index - OFFERED);
            }
        }
        if needs_drop::<T>() {
            // SAFETY: there is an index, which is within the list, and the list is kept as long as the slot.
            return unsafe { &*self.head.shared.values.cast::<T>().add(self.head.index.get() as usize) };
        }
        // SAFETY: there is an index, so the value was written with it. It is written again only when
        // the search has gone back to before the first read of it, so that nothing borrows it that is used later.
        unsafe { (*self.value.get()).assume_init_ref() }
    }

    /// What the pattern of a field is matched against.
    #[inline(always)]
    pub fn __korat_cell(&self) -> &T {
        self.__korat_read()
    }

    /// Every value of the domain.
    pub fn __korat_domain(&self) -> &[T] {
        // SAFETY: the list has that many values, and lives as long as the slot.
        unsafe { std::slice::from_raw_parts(self.head.shared.values.cast(), self.head.shared.len as usize) }
    }

    /// Puts the value into the slot that a repair is going to give it, with its index.
    ///
    /// # Safety
    /// It must be no other than that of the domain at this index. No predicate may run, and nobody look at the slot's value.
    #[inline(always)]
    pub(crate) unsafe fn prepare(&self, index: u32, value: &T) {
        debug_assert!(self.head.index.get() >= PREPARED, "[korat internal bug] an assigned slot is prepared");
        if !needs_drop::<T>() {
            // SAFETY: values are copied bit by bit, and read only; nobody looks at the place.
            unsafe { ptr::copy_nonoverlapping(value, (*self.value.get()).as_mut_ptr(), 1) };
        }
        self.head.index.set(PREPARED + index);
    }

    /// The index of the current value; the slot must be assigned.
    pub(crate) fn index(&self) -> u32 {
        let index = self.head.index.get();
        assert!(index < PREPARED, "[korat internal bug] the index of an unassigned slot");
        index & !OFFERED
    }
}

impl<T> Deref for Slot<T> {
    type Target = T;

    #[inline(always)]
    fn deref(&self) -> &T {
        self.__korat_read()
    }
}

/// The engine's handle on a slot of any type: it can give it a value of its domain, and make it unassigned again.
#[derive(Clone, Copy)]
pub struct Eraser(NonNull<Head>);

impl Eraser {
    #[inline(always)]
    fn head(self) -> &'static Head {
        // SAFETY: it was made of a slot, which begins with its head and is never freed.
        unsafe { self.0.as_ref() }
    }

    /// Whether both are of one slot.
    #[inline(always)]
    pub(crate) fn is(self, other: Self) -> bool {
        self.0 == other.0
    }

    /// The slot is read or written soon.
    #[inline(always)]
    pub(crate) fn soon(self) {
        ahead::soon(self.0.as_ptr().cast());
    }

    /// Makes the slot unassigned.
    #[inline]
    pub(crate) fn erase(self) {
        self.head().index.set(UNASSIGNED);
    }

    /// Gives the slot a value.
    #[inline(always)]
    pub(crate) fn assign(self, index: u32) {
        let head = self.head();
        assert!(index < head.shared.len, "[korat internal bug] an index outside the domain");
        // SAFETY: the domain has the index.
        unsafe { self.copy_value(index) };
        head.index.set(index);
    }

    /// The index that the slot was prepared for; `NO_INDEX` if it was not. The slot must have no index.
    #[inline(always)]
    pub(crate) fn prepared(self) -> u32 {
        self.head().index.get() - PREPARED
    }

    /// Gives the slot the value that it was prepared for.
    ///
    /// # Safety
    /// The slot must have been prepared for this index, so that the value is there.
    #[inline(always)]
    pub(crate) unsafe fn take_prepared(self, index: u32) {
        self.head().index.set(index);
    }

    /// Makes the slot unassigned, and prepared for the value that it has, whether it was read or not.
    #[inline(always)]
    pub(crate) fn give_back(self) {
        let index = &self.head().index;
        index.set(PREPARED | index.get());
    }

    /// Moves the slot to another value, which is to be read next.
    #[inline]
    pub(crate) fn offer(self, index: u32) {
        self.assign(index);
        self.head().index.set(index | OFFERED);
    }

    /// Moves the slot to the next value, which is to be read next; false if that was not done, because the one it has was not
    /// read, or is not before `until`.
    ///
    /// # Safety
    /// The domain must have `until`, or it must be zero.
    #[inline(always)]
    pub(crate) unsafe fn offer_next(self, until: u32) -> bool {
        let head = self.head();
        let index = head.index.get();
        if index >= until {
            return false;
        }
        // SAFETY: the index after one before `until` is within the list.
        unsafe { self.copy_value(index + 1) };
        head.index.set(index.wrapping_add(1 + OFFERED));
        true
    }

    /// The same where the caller knows the index that the slot has; false if that was not read. What is known need not be
    /// waited for, so that one value follows the other sooner.
    ///
    /// # Safety
    /// The domain must have the index after this one.
    #[inline(always)]
    pub(crate) unsafe fn offer_after(self, index: u32) -> bool {
        let head = self.head();
        if head.index.get() != index {
            return false;
        }
        // SAFETY: the caller promises that the next index is within the list.
        unsafe { self.copy_value(index + 1) };
        head.index.set(index.wrapping_add(1 + OFFERED));
        true
    }

    /// Copies a value of the domain into the slot.
    ///
    /// # Safety
    /// The domain must have the index.
    #[inline(always)]
    unsafe fn copy_value(self, index: u32) {
        let Shared { values, shape, .. } = *self.head().shared;
        // SAFETY: the slot begins with its head, and its value follows, in a cell of that size; the index is within the list that `values`
        // points to, whose elements have that size. The copy is read only, and never dropped.
        unsafe {
            let place = self.0.as_ptr().cast::<u8>().add(size_of::<Head>());
            match shape {
                Shape::WORD => ptr::copy_nonoverlapping(values.add(index as usize * 8), place, 8),
                Shape::TWO_WORDS => ptr::copy_nonoverlapping(values.add(index as usize * 16), place, 16),
                _ => self.copy_any_value(index),
            }
        }
    }

    /// The same for values of any size. Not cold, but out of the way of those of one word or two.
    ///
    /// # Safety
    /// The domain must have the index.
    #[cold]
    #[inline(never)]
    unsafe fn copy_any_value(self, index: u32) {
        let Shared { values, shape, .. } = *self.head().shared;
        let size = shape.size();
        // SAFETY: the value lies at that offset in the slot, in a cell of that size; the index is within the list that `values` points to,
        // whose elements have that size. The copy is read only, and never dropped.
        unsafe {
            let place = self.0.as_ptr().cast::<u8>().add(shape.offset());
            let from = values.add(index as usize * size);
            // The sizes of numbers, characters, flags, and options of numbers take no call.
            match size {
                1 => ptr::copy_nonoverlapping(from, place, 1),
                2 => ptr::copy_nonoverlapping(from, place, 2),
                4 => ptr::copy_nonoverlapping(from, place, 4),
                _ => ptr::copy_nonoverlapping(from, place, size),
            }
        }
    }

    /// Reads the value that the slot was moved to, if there is one that nothing has read.
    pub(crate) fn take_offer(self) -> bool {
        let index = &self.head().index;
        let is_offered = index.get() >= OFFERED && index.get() < PREPARED;
        if is_offered {
            index.set(index.get() - OFFERED);
        }
        is_offered
    }

    /// The index of the slot's value, with `OFFERED` added if nothing has read it.
    #[inline(always)]
    pub(crate) fn index(self) -> u32 {
        self.head().index.get()
    }

    /// The engine's name for the slot.
    #[inline(always)]
    pub(crate) fn id(self) -> SlotId {
        self.head().id
    }

    /// The field of the slot.
    #[inline(always)]
    pub(crate) fn field(self) -> FieldId {
        self.head().shared.field
    }

    /// The heap that the slot belongs to.
    #[inline(always)]
    pub(crate) fn heap(self) -> HeapId {
        self.head().shared.heap
    }
}

/// A slot whose type is forgotten, for walks over all slots of an object.
pub trait AnySlot {
    /// Whether its value is decided, and was read.
    fn is_assigned(&self) -> bool;
    /// Reads the slot, choosing its value when nothing has read it before.
    fn read(&self);
    /// The engine's name for the slot.
    fn id(&self) -> SlotId;
    /// The index of the current value; the slot must be assigned.
    fn index(&self) -> u32;
    /// How many values the domain has.
    fn domain_len(&self) -> u32;
    /// Sets the value without asking the engine.
    fn set_index(&self, index: u32);
    /// The handle that makes it unassigned again.
    fn eraser(&self) -> Eraser;
}

impl<T> AnySlot for Slot<T> {
    fn is_assigned(&self) -> bool {
        self.head.index.get() < OFFERED
    }
    fn read(&self) {
        let _ = self.__korat_read();
    }
    fn id(&self) -> SlotId {
        self.head.id
    }
    fn index(&self) -> u32 {
        Slot::index(self)
    }
    fn domain_len(&self) -> u32 {
        self.head.shared.len
    }

    fn set_index(&self, index: u32) {
        self.eraser().assign(index);
    }
    fn eraser(&self) -> Eraser {
        Eraser(NonNull::from(self).cast())
    }
}

/// What a lifted predicate does at every `x.f`: a slot is read, anything else stays what it is. `Slot` answers with its
/// own method of the same name, which method lookup prefers.
pub trait Read {
    /// The value of the field, decided now if it was not.
    #[inline(always)]
    fn __korat_read(&self) -> &Self {
        self
    }
}

impl<T: ?Sized> Read for T {}

/// What a guard over a cell shows: the value of a slot, or an object itself.
pub trait Shown {
    /// The type a predicate sees.
    type Out;
    /// Reads the cell.
    fn shown(&self) -> &Self::Out;
}

impl<T> Shown for Slot<T> {
    type Out = T;
    #[inline(always)]
    fn shown(&self) -> &T {
        self.__korat_read()
    }
}

/// Stands at the end of what a predicate sees of an object. It has drop glue, so that a slot never copies it but looks at it where
/// it lies; and a size, so that different objects have different addresses.
pub struct Mark(#[allow(dead_code)] u8);

impl Mark {
    /// The mark.
    pub const fn new() -> Self {
        Mark(0)
    }
}

impl Default for Mark {
    fn default() -> Self {
        Mark::new()
    }
}

impl Drop for Mark {
    fn drop(&mut self) {}
}
