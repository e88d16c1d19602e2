//! Slots that need no choice in a repair: elements stored by value keep the objects that they hold. They stay assigned
//! until the heap is used for something else, so that consecutive values of the same size share them.
//!
//! # Safety argument
//! Elements are known by address. They lie in a heap and are never freed. Only their tag is written: it says whether an
//! element is the object stored beside it, and that object exists before any value is abstracted. No predicate looks at
//! an element meanwhile: the contract of `fix` covers `fix`, `end` and `drop`, and nothing searches the heap
//! while a value is abstracted on it.

use crate::model::ids::SlotId;
use crate::predicate::twin::ErasedElem;
use crate::slots::slot_handle::SlotHandle;

/// Slots that are assigned without a choice, and elements that are the objects stored beside them. Dropping this resets
/// both.
#[derive(Default)]
pub(crate) struct FixedSlots {
    slots: Vec<FixedSlot>,
    /// How many of `slots` the value that is being abstracted has.
    had: usize,
}

struct FixedSlot {
    slot: SlotHandle,
    id: SlotId,
    index: u32,
    elem: Option<ErasedElem>,
}

impl FixedSlots {
    /// Begins with another value, which may have the same slots.
    pub(crate) fn begin(&mut self) {
        self.had = 0;
    }

    /// Assigns an index to a slot. If the slot's element is stored beside the object of that index, the element becomes
    /// that object.
    ///
    /// # Safety
    /// The objects of the heap must exist, and no predicate may run during this call, during `end`, or when this is
    /// dropped.
    #[inline]
    pub(crate) unsafe fn fix(&mut self, slot: SlotHandle, index: u32, elem: impl FnOnce() -> Option<ErasedElem>) {
        let known = self.slots.get(self.had);
        if !known.is_some_and(|known| known.slot.is(slot) && known.index == index) {
            self.end();
            slot.assign(index);
            let elem = elem();
            if let Some(elem) = &elem {
                // SAFETY: the caller guarantees that the object exists and that no predicate runs; elements are never
                // freed.
                unsafe { elem.set_is_object(true) };
            }
            self.slots.push(FixedSlot { slot, id: slot.id(), index, elem });
        }
        self.had += 1;
    }

    /// Resets the slots that an earlier value had and this one does not have.
    pub(crate) fn end(&mut self) {
        for FixedSlot { slot, elem, .. } in self.slots.drain(self.had..) {
            slot.erase();
            if let Some(elem) = elem {
                // SAFETY: the callers of `fix` guaranteed that no predicate runs now; elements are never freed.
                unsafe { elem.set_is_object(false) };
            }
        }
    }

    /// Returns the slots with their indices.
    pub(crate) fn indices(&self) -> impl Iterator<Item = (SlotId, u32)> + '_ {
        self.slots.iter().map(|fixed| (fixed.id, fixed.index))
    }
}

impl Drop for FixedSlots {
    fn drop(&mut self) {
        self.begin();
        self.end();
    }
}
