//! What needs no choice in a repair: elements that lie in their vectors are the objects that they were. Takes slots and elements, which
//! have their values until the repair is over.

use crate::ids::SlotId;
use crate::slot::Eraser;
use crate::twin::Settleable;

/// Slots that have their value without a choice, and elements that are what lies beside them, for as long as this lives.
#[derive(Default)]
pub(crate) struct Settled {
    slots: Vec<Eraser>,
    elems: Vec<Settleable>,
}

impl Settled {
    /// Gives a slot its value; the element that it says the object of, if that lies beside it, is that object.
    ///
    /// # Safety
    /// Both must be alive for as long as this is: slots and elements live as long as the heap that holds them. No predicate may run
    /// when this is called, or when this is dropped.
    #[inline]
    pub(crate) unsafe fn settle(&mut self, slot: Eraser, index: u32, elem: Option<Settleable>) {
        // SAFETY: as the caller says.
        unsafe { slot.assign(index) };
        self.slots.push(slot);
        if let Some(elem) = elem {
            // SAFETY: as the caller says; the objects of a heap are there before anything is taken apart.
            unsafe { elem.settle(true) };
            self.elems.push(elem);
        }
    }

    /// The slots with their indices.
    pub(crate) fn indices(&self) -> impl Iterator<Item = (SlotId, u32)> + '_ {
        // SAFETY: as `settle` was told.
        self.slots.iter().map(|slot| unsafe { (slot.id(), slot.index()) })
    }
}

impl Drop for Settled {
    fn drop(&mut self) {
        for slot in &self.slots {
            // SAFETY: as `settle` was told.
            unsafe { slot.erase() };
        }
        for elem in &self.elems {
            // SAFETY: as `settle` was told.
            unsafe { elem.settle(false) };
        }
    }
}
