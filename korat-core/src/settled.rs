//! What needs no choice in a repair: elements that lie in their vectors are the objects that they were. Takes slots and elements as a value
//! is taken apart; they have their values until the heap is used for something else. Values of one size have the same, one after the other.

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
    /// Both must be alive for as long as this is: slots and elements live as long as the heap that holds them. No predicate may run
    /// when this is called, or `end`, or when this is dropped.
    #[inline]
    pub(crate) unsafe fn settle(&mut self, slot: Eraser, index: u32, elem: impl FnOnce() -> Option<Settleable>) {
        let known = self.slots.get(self.had);
        if !known.is_some_and(|known| known.slot.is(slot) && known.index == index) {
            self.end();
            // SAFETY: as the caller says; the objects of a heap are there before anything is taken apart.
            unsafe { self.settle_another(slot, index, elem()) };
        }
        self.had += 1;
    }

    /// # Safety
    /// As for `settle`.
    unsafe fn settle_another(&mut self, slot: Eraser, index: u32, elem: Option<Settleable>) {
        // SAFETY: as the caller says.
        let id = unsafe {
            slot.assign(index);
            slot.id()
        };
        if let Some(elem) = &elem {
            // SAFETY: as the caller says.
            unsafe { elem.settle(true) };
        }
        self.slots.push(SettledSlot { slot, id, index, elem });
    }

    /// What a value before this one had, and this one has not, has no value any more.
    pub(crate) fn end(&mut self) {
        for SettledSlot { slot, elem, .. } in self.slots.drain(self.had..) {
            // SAFETY: as `settle` was told.
            unsafe { slot.erase() };
            if let Some(elem) = elem {
                // SAFETY: as `settle` was told.
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
