//! The stack of decisions of a repair, in the order in which they were made. There is one for each slot that was read, so that each is small:
//! many in a row re-enter one statement, which is stored once.

use crate::engine::resume_point::ResumePoint;
use crate::memory::stack::Stack;
use crate::model::ids::{FieldId, SlotId};
use crate::slots::slot::OFFERED;
use crate::slots::slot_handle::SlotHandle;

/// One slot and the index that it got.
#[derive(Clone, Copy)]
pub(super) struct Decision {
    pub(super) slot: SlotHandle,
    /// The number of the slot in the layout.
    pub(super) id: SlotId,
    /// The field of the slot.
    pub(super) field: FieldId,
    /// The index that the slot got at first; it may have been moved on to another one.
    pub(super) first_index: u32,
    /// The statement that it re-enters, by its position in `Decisions::resumes`.
    resume: u32,
}

impl Decision {
    /// Returns the index that the slot holds, with `OFFERED` added if nothing has read it.
    #[inline(always)]
    fn index_and_offer(&self) -> u32 {
        self.slot.index()
    }

    /// Returns the index that the slot holds, whether it was read or not.
    pub(super) fn index(&self) -> u32 {
        self.index_and_offer() & !OFFERED
    }
}

/// All decisions of a repair.
pub(crate) struct Decisions {
    stack: Stack<Decision>,
    /// The statements that they re-enter; no decision re-enters an earlier one than the decision before it.
    resumes: Vec<ResumePoint>,
}

impl Default for Decisions {
    fn default() -> Self {
        Decisions { stack: Stack::with_capacity(0), resumes: Vec::new() }
    }
}

impl Decisions {
    /// Makes room for `room` decisions in all, before the first one.
    pub(super) fn make_room(&mut self, room: usize) {
        if self.stack.room() < room {
            self.stack = Stack::with_capacity(room);
        }
    }

    /// Adds a decision that re-enters a statement.
    #[inline(always)]
    pub(super) fn push(&mut self, slot: SlotHandle, id: SlotId, field: FieldId, index: u32, resume: &ResumePoint) {
        if !self.resumes.last().is_some_and(|last| last.is(resume)) {
            self.push_resume(resume);
        }
        self.push_like_last(slot, id, field, index);
    }

    /// Adds a decision that re-enters the statement of the last one; there must be one.
    #[inline(always)]
    pub(super) fn push_like_last(&mut self, slot: SlotHandle, id: SlotId, field: FieldId, index: u32) {
        let resume = self.resumes.len() as u32 - 1;
        self.stack.push_with(|| Decision { slot, id, field, first_index: index, resume });
    }

    #[inline(never)]
    fn push_resume(&mut self, resume: &ResumePoint) {
        self.resumes.push(*resume);
    }

    /// Drops the last decision and returns it.
    pub(super) fn pop(&mut self) -> Option<Decision> {
        let place = self.stack.last_above(0)?;
        // SAFETY: `place` is that of the last decision, which stays as it is until another is pushed.
        let last = unsafe {
            self.stack.drop_last(place);
            *place
        };
        let left = self.stack.last().map_or(0, |last| last.resume as usize + 1);
        self.resumes.truncate(left);
        Some(last)
    }

    #[inline(always)]
    pub(crate) fn len(&self) -> usize {
        self.stack.len()
    }

    pub(super) fn as_slice(&self) -> &[Decision] {
        self.stack.as_slice()
    }

    pub(super) fn last(&self) -> Option<&Decision> {
        self.stack.last()
    }

    /// Returns the statement that the last decision re-enters.
    pub(crate) fn last_resume(&self) -> Option<&ResumePoint> {
        self.resumes.get(self.last()?.resume as usize)
    }

    /// Returns the slot of the last decision, if nothing has read its index.
    pub(crate) fn unread_offer(&self) -> Option<SlotId> {
        self.last().filter(|last| last.index_and_offer() >= OFFERED).map(|last| last.id)
    }

    /// Makes all slots unassigned and drops all decisions.
    pub(crate) fn clear(&mut self) {
        // Slots lie all over the heap: those of the decisions after the next 16 are prefetched, about one memory latency ahead.
        const AHEAD: usize = 16;
        let decisions = self.as_slice();
        for (number, decision) in decisions.iter().enumerate() {
            if let Some(later) = decisions.get(number + AHEAD) {
                later.slot.prefetch();
            }
            decision.slot.erase();
        }
        self.stack.clear();
        self.resumes.clear();
    }
}

/// The last decision of a repair.
pub(crate) struct LastDecision {
    pub(crate) slot: SlotId,
    pub(crate) index: u32,
    /// The block that it re-enters.
    pub(crate) label: u32,
}

impl Decisions {
    /// Returns the last decision with the block that it re-enters.
    pub(crate) fn last_with_label(&self) -> Option<LastDecision> {
        let (last, resume) = self.last().zip(self.last_resume())?;
        Some(LastDecision { slot: last.id, index: last.index(), label: resume.label() })
    }
}
