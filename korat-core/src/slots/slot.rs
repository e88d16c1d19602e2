//! A slot is the cell behind one field of one object: the only source from which a predicate learns anything. Its first
//! read is a choice point; the engine supplies the index, and the slot returns a reference to the value.
//!
//! # Safety argument
//! - **Ownership.** A heap keeps its slots and their lists of values at fixed addresses. A heap with slots is never
//!   freed, so a `SlotHandle`, the address of a slot, stays valid forever. A list owns its values. A slot whose type has
//!   no drop glue holds a bitwise copy, which is only read and never dropped; any other slot shows the list's own
//!   value.
//! - **Initialisation.** An index below `OFFERED`, or such an index plus `OFFERED`, is stored together with its value,
//!   and is an index of the list: it was compared with the list's length, or the caller guarantees that it is less.
//! - **Aliasing.** The index and the value lie in cells, and a handle sees them as such: a write invalidates no
//!   reference to a slot, only references to its value. The value is written when the slot gets an index: at its first
//!   read, before anything has seen it; between two candidates, when everything that has read it since its choice has
//!   been undone or has ended; and when no predicate runs.

use std::cell::{Cell, UnsafeCell};
use std::mem::{MaybeUninit, needs_drop};
use std::ops::Deref;
use std::ptr;
use std::ptr::NonNull;

use super::chooser;
use super::shared::SharedSlotData;
use crate::model::ids::SlotId;
use crate::slots::slot_handle::SlotHandle;

/// The index of a slot that no read has asked for.
pub(crate) const UNASSIGNED: u32 = u32::MAX;

/// One field of one object: unassigned, offered, or a value of its domain.
///
/// The value lies in the slot itself, so its address is the field's address: as in the user's own value, different
/// fields of different objects have different addresses. It is a bitwise copy of the value in the domain, which owns
/// the original.
///
/// A value with drop glue is not copied but read in place in the domain: it may change behind a shared reference (a
/// `RefCell` of a `Vec`), and two copies would then own different things.
#[repr(C)]
pub struct Slot<T> {
    head: SlotHeader,
    /// The value, if the slot has an index and the type has no drop glue. Never dropped: the domain owns it.
    pub(crate) value: UnsafeCell<MaybeUninit<T>>,
}

// A slot changes only through the engine, never through the code of the user that unwinds.
impl<T> std::panic::RefUnwindSafe for Slot<T> {}

/// The common part of all slots. Its alignment suffices for nearly all values, which then follow it directly. Since a
/// heap may have millions of slots, what the slots of a field share lies elsewhere.
#[repr(C, align(8))]
pub(crate) struct SlotHeader {
    /// The index of the value in the current candidate; plus `OFFERED` if no read has taken the value since the slot
    /// was moved to it. While no read has asked for a value: `UNASSIGNED`, or an index plus `PREPARED`.
    pub(crate) index: Cell<u32>,
    /// The id of this slot.
    pub(crate) id: SlotId,
    /// What the slots of the field share.
    pub(crate) shared: &'static SharedSlotData,
}

/// Flags an index that the engine has set and no read has taken.
pub(crate) const OFFERED: u32 = 1 << 31;

/// Flags an index that no read has asked for, but whose value lies in the slot already: a repair, or a rerun of a
/// candidate, is going to choose it.
pub(super) const PREPARED: u32 = 3 << 30;

/// Greater than every index. `NO_INDEX + PREPARED` is `UNASSIGNED`.
pub(crate) const NO_INDEX: u32 = UNASSIGNED - PREPARED;

impl<T: 'static> Slot<T> {
    /// Creates a slot over the values of `shared`.
    ///
    /// # Safety
    /// The values must have the type `T`.
    #[inline]
    pub(crate) unsafe fn new(id: SlotId, shared: &'static SharedSlotData) -> Self {
        let head = SlotHeader { index: Cell::new(UNASSIGNED), id, shared };
        Slot { head, value: UnsafeCell::new(MaybeUninit::uninit()) }
    }
}

impl<T> Slot<T> {
    /// Returns the value of this field in the current candidate; the first read chooses it.
    #[inline(always)]
    pub fn __korat_read(&self) -> &T {
        let index = self.head.index.get();
        if index >= OFFERED {
            if index >= PREPARED {
                chooser::choose(self.slot_handle());
            } else {
                self.head.index.set(index - OFFERED);
            }
        }
        if const { needs_drop::<T>() } {
            // SAFETY: the slot has an index, which is within the list, and the list lives as long as the slot.
            return unsafe { &*self.head.shared.values.cast::<T>().add(self.head.index.get() as usize) };
        }
        // SAFETY: the slot has an index, so the value was written with it. It is written again only after the search
        // has backtracked to before its first read, so no borrow of it is used later.
        unsafe { (*self.value.get()).assume_init_ref() }
    }

    /// Returns the value that the pattern of a field is matched against.
    #[inline(always)]
    pub fn __korat_cell(&self) -> &T {
        self.__korat_read()
    }

    /// Returns every value of the domain.
    pub fn __korat_domain(&self) -> &[T] {
        // SAFETY: the list has that many values, and lives as long as the slot.
        unsafe { std::slice::from_raw_parts(self.head.shared.values.cast(), self.head.shared.len as usize) }
    }

    /// Returns the value of an assigned slot, and leaves the slot as it is.
    #[inline(always)]
    pub(crate) fn assigned(&self) -> &T {
        let index = self.head.index.get();
        assert!(index < PREPARED, "[korat internal bug] the value of an unassigned slot");
        if const { needs_drop::<T>() } {
            return &self.__korat_domain()[(index & !OFFERED) as usize];
        }
        // SAFETY: the slot has an index, so the value was written with it. It is written again only when no reference to it is used
        // any more.
        unsafe { (*self.value.get()).assume_init_ref() }
    }

    /// Stores a value with its index, without assigning the slot: a repair is going to choose it.
    ///
    /// # Safety
    /// `value` must be the domain's value at this index. No predicate may run, and no reference to the slot's value may exist.
    #[inline(always)]
    pub(crate) unsafe fn prepare(&self, index: u32, value: &T) {
        debug_assert!(self.head.index.get() >= PREPARED, "[korat internal bug] an assigned slot is prepared");
        if const { !needs_drop::<T>() } {
            // SAFETY: the value is copied bitwise and only read, and no reference to the place exists.
            unsafe { ptr::copy_nonoverlapping(value, (*self.value.get()).as_mut_ptr(), 1) };
        }
        self.head.index.set(PREPARED + index);
    }

    /// Returns the index of the current value; the slot must be assigned.
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

/// A type-erased slot, for walks over all slots of an object.
pub trait AnySlot {
    /// Returns whether its value is decided and was read.
    fn is_assigned(&self) -> bool;
    /// Reads the slot; the first read chooses its value.
    fn read(&self);
    /// Returns the id of the slot.
    fn id(&self) -> SlotId;
    /// Returns the index of the current value; the slot must be assigned.
    fn index(&self) -> u32;
    /// Returns the number of values in the domain.
    fn domain_len(&self) -> u32;
    /// Sets the value without asking the engine.
    fn set_index(&self, index: u32);
    /// Returns the handle that can make the slot unassigned again.
    fn slot_handle(&self) -> SlotHandle;
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
        self.slot_handle().assign(index);
    }
    fn slot_handle(&self) -> SlotHandle {
        SlotHandle(NonNull::from(self).cast())
    }
}

/// What a lifted predicate calls at every `x.f`: a slot is read, and anything else is returned unchanged. `Slot` has an
/// inherent method of this name, which method lookup prefers.
pub trait Read {
    /// Returns the value of the field, choosing it at the first read.
    #[inline(always)]
    fn __korat_read(&self) -> &Self {
        self
    }
}

impl<T: ?Sized> Read for T {}

/// What a guard over a cell shows: the value of a slot, or an object itself.
pub trait ReadCell {
    /// The type that a predicate sees.
    type Out;
    /// Reads the cell.
    fn read_cell(&self) -> &Self::Out;
    /// Returns whether reading the cell makes no choice.
    fn is_decided(&self) -> bool;
}

impl<T> ReadCell for Slot<T> {
    type Out = T;
    #[inline(always)]
    fn read_cell(&self) -> &T {
        self.__korat_read()
    }
    fn is_decided(&self) -> bool {
        self.is_assigned()
    }
}

/// The last field of an object's view. It has drop glue, so that a slot never copies the view but reads it in place;
/// and it has a size, so that different objects have different addresses.
pub struct ViewMarker(#[allow(dead_code)] u8);

impl ViewMarker {
    /// Creates a mark.
    pub const fn new() -> Self {
        ViewMarker(0)
    }
}

impl Default for ViewMarker {
    fn default() -> Self {
        ViewMarker::new()
    }
}

impl Drop for ViewMarker {
    fn drop(&mut self) {}
}
