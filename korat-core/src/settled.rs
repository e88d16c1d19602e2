//! What needs no choice in a repair: elements that lie in their vectors are the objects that they were. Takes slots and elements as a value
//! is taken apart; they have their values until the heap is used for something else. Values of one size have the same, one after the other.
//!
//! # Why it is sound
//! Elements are known by their addresses, which lie in a heap and are never freed, and what is written to them is their tag: it says whether
//! they are the object beside them, which is there before anything is taken apart. No predicate looks at an element meanwhile: `settle` says
//! so for itself and for `end` and `drop`, and the heap that this belongs to is not searched while a value is taken apart.

use crate::ids::SlotId;
use crate::slot::Eraser;
use crate::twin::Settleable;

/// Slots that have their value without a choice, and elements that are what lies beside them, for as long as this lives.
#[derive(Default)]
pub(crate) struct Settled {
    slots: Vec<SettledSlot>,
    /// How many of them the value has that is being taken apart.
    had: usize,
}

struct SettledSlot {
    slot: Eraser,
    id: SlotId,
    index: u32,
    elem: Option<Settleable>,
}

impl Settled {
    /// Begins with another value, which may have the same.
    pub(crate) fn begin(&mut self) {
        self.had = 0;
    }

    /// Gives a slot its value; the element that it says the object of, if that lies beside it, is that object.
    ///
    /// # Safety
    /// The objects of the heap must be there, and no predicate run when this is called, or `end`, or when this is dropped.
    #[inline]
    pub(crate) unsafe fn settle(&mut self, slot: Eraser, index: u32, elem: impl FnOnce() -> Option<Settleable>) {
        let known = self.slots.get(self.had);
        if !known.is_some_and(|known| known.slot.is(slot) && known.index == index) {
            self.end();
            slot.assign(index);
            let elem = elem();
            if let Some(elem) = &elem {
                // SAFETY: the caller promises that the object is there and that no predicate runs; elements are never freed.
                unsafe { elem.settle(true) };
            }
            self.slots.push(SettledSlot { slot, id: slot.id(), index, elem });
        }
        self.had += 1;
    }

    /// What a value before this one had, and this one has not, has no value any more.
    pub(crate) fn end(&mut self) {
        for SettledSlot { slot, elem, .. } in self.slots.drain(self.had..) {
            slot.erase();
            if let Some(elem) = elem {
                // SAFETY: `settle` was promised that no predicate runs now; elements are never freed.
                unsafe { elem.settle(false) };
            }
        }
    }

    /// The slots with their indices.
    pub(crate) fn indices(&self) -> impl Iterator<Item = (SlotId, u32)> + '_ {
        self.slots.iter().map(|settled| (settled.id, settled.index))
    }
}

impl Drop for Settled {
    fn drop(&mut self) {
        self.begin();
        self.end();
    }
}
