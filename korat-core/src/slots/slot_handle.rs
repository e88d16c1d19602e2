//! Type-erased handles of slots, through which the engine reads, assigns and erases indices.
//!
//! # Safety argument
//! A handle is the address of a slot, which begins with its head and is never freed (see `slot`). It sees the head and
//! the value as cells, so a write through it invalidates no reference to a slot. A value is a bitwise copy from the
//! slot's list, which owns the original.

use std::ops::Range;
use std::ptr;
use std::ptr::NonNull;

use super::shared::{Shape, SharedSlotData};
use super::slot::PREPARED;
use crate::memory::prefetch;
use crate::model::ids::{FieldId, HeapId, SlotId};
use crate::slots::slot::{OFFERED, SlotHeader, UNASSIGNED};

/// A type-erased handle of a slot. It can assign a value of the slot's domain, and make the slot unassigned again.
#[derive(Clone, Copy)]
pub struct SlotHandle(pub(super) NonNull<SlotHeader>);

impl SlotHandle {
    #[inline(always)]
    fn head(self) -> &'static SlotHeader {
        // SAFETY: the pointer comes from a slot, which begins with its head and is never freed.
        unsafe { self.0.as_ref() }
    }

    /// Returns whether both are handles of the same slot.
    #[inline(always)]
    pub(crate) fn is(self, other: Self) -> bool {
        self.0 == other.0
    }

    /// Returns whether an address lies in the value of the slot.
    pub(crate) fn holds(self, address: usize) -> bool {
        let shape = self.head().shared.shape;
        address.wrapping_sub(self.0.as_ptr().addr() + shape.offset()) < shape.size()
    }

    /// Returns the addresses of the slot.
    pub(crate) fn addresses(self) -> Range<usize> {
        let (start, shape) = (self.0.as_ptr().addr(), self.head().shared.shape);
        start..start + shape.offset() + shape.size()
    }

    /// Prefetches the slot.
    #[inline(always)]
    pub(crate) fn prefetch(self) {
        prefetch::prefetch(self.0.as_ptr().cast());
    }

    /// Makes the slot unassigned.
    #[inline]
    pub(crate) fn erase(self) {
        self.head().index.set(UNASSIGNED);
    }

    /// Assigns the value at an index; panics if it is outside the domain.
    #[inline(always)]
    pub(crate) fn assign(self, index: u32) {
        let head = self.head();
        assert!(index < head.shared.len, "[korat internal bug] an index outside the domain");
        // SAFETY: the domain has the index.
        unsafe { self.copy_value(index) };
        head.index.set(index);
    }

    /// Returns the index that the slot was prepared for, or `NO_INDEX` if it was not. The slot must not be assigned.
    #[inline(always)]
    pub(crate) fn prepared(self) -> u32 {
        self.head().index.get() - PREPARED
    }

    /// Assigns the value that the slot was prepared for.
    ///
    /// # Safety
    /// The slot must have been prepared for this index, so that the value is there.
    #[inline(always)]
    pub(crate) unsafe fn take_prepared(self, index: u32) {
        self.head().index.set(index);
    }

    /// Makes the slot unassigned, and prepared for the value that it holds, whether that was read or not.
    #[inline(always)]
    pub(crate) fn give_back(self) {
        let index = &self.head().index;
        index.set(PREPARED | index.get());
    }

    /// Moves the slot to another value, which no read has taken yet.
    #[inline]
    pub(crate) fn offer(self, index: u32) {
        self.assign(index);
        self.head().index.set(index | OFFERED);
    }

    /// Moves the slot to the next value, which no read has taken yet. Returns false, and does nothing, if the current
    /// value was not read, or its index is not below `until`.
    ///
    /// # Safety
    /// `until` must be an index of the domain, or zero.
    #[inline(always)]
    pub(crate) unsafe fn offer_next(self, until: u32) -> bool {
        let head = self.head();
        let index = head.index.get();
        if index >= until {
            return false;
        }
        // SAFETY: the index is below `until`, so the next one is within the list.
        unsafe { self.copy_value(index + 1) };
        head.index.set(index.wrapping_add(1 + OFFERED));
        true
    }

    /// Moves the slot from the known `index` to the next value, which no read has taken yet. Returns false, and does
    /// nothing, if the slot holds another index, or one that was not read. Since the new index does not depend on a
    /// load of the old one, one value follows the other sooner.
    ///
    /// # Safety
    /// The domain must have the index after `index`.
    #[inline(always)]
    pub(crate) unsafe fn offer_after(self, index: u32) -> bool {
        let head = self.head();
        if head.index.get() != index {
            return false;
        }
        // SAFETY: the caller guarantees that the next index is within the list.
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
        let SharedSlotData { values, shape, .. } = *self.head().shared;
        // SAFETY: the slot begins with its head, and its value follows in a cell of that size; the index is within the
        // list at `values`, whose elements have that size. The copy is only read, and never dropped.
        unsafe {
            let place = self.0.as_ptr().cast::<u8>().add(size_of::<SlotHeader>());
            match shape {
                Shape::WORD => ptr::copy_nonoverlapping(values.add(index as usize * 8), place, 8),
                Shape::TWO_WORDS => ptr::copy_nonoverlapping(values.add(index as usize * 16), place, 16),
                _ => self.copy_any_value(index),
            }
        }
    }

    /// Copies a value of any size into the slot. Marked cold only to keep it out of the path of values of one word or two.
    ///
    /// # Safety
    /// The domain must have the index.
    #[cold]
    #[inline(never)]
    unsafe fn copy_any_value(self, index: u32) {
        let SharedSlotData { values, shape, .. } = *self.head().shared;
        let size = shape.size();
        // SAFETY: the value lies at that offset in the slot, in a cell of that size; the index is within the list at
        // `values`, whose elements have that size. The copy is only read, and never dropped.
        unsafe {
            let place = self.0.as_ptr().cast::<u8>().add(shape.offset());
            let from = values.add(index as usize * size);
            // Copies of constant size compile to no call: numbers, characters, booleans, options of numbers.
            match size {
                1 => ptr::copy_nonoverlapping(from, place, 1),
                2 => ptr::copy_nonoverlapping(from, place, 2),
                4 => ptr::copy_nonoverlapping(from, place, 4),
                _ => ptr::copy_nonoverlapping(from, place, size),
            }
        }
    }

    /// Marks the value that the slot was moved to as read, if no read has taken it. Returns whether it did.
    pub(crate) fn take_offer(self) -> bool {
        let index = &self.head().index;
        let is_offered = index.get() >= OFFERED && index.get() < PREPARED;
        if is_offered {
            index.set(index.get() - OFFERED);
        }
        is_offered
    }

    /// Returns the index of the slot's value, plus `OFFERED` if no read has taken it.
    #[inline(always)]
    pub(crate) fn index(self) -> u32 {
        self.head().index.get()
    }

    /// Returns the id of the slot.
    #[inline(always)]
    pub(crate) fn id(self) -> SlotId {
        self.head().id
    }

    /// Returns the field of the slot.
    #[inline(always)]
    pub(crate) fn field(self) -> FieldId {
        self.head().shared.field
    }

    /// Returns the heap that the slot belongs to.
    #[inline(always)]
    pub(crate) fn heap(self) -> HeapId {
        self.head().shared.heap
    }
}
