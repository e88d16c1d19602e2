//! A choice on the stack: its slot, and the indices that it goes through.

use super::rules::SlotRule;
use crate::engine::resume_point::ResumePoint;
use crate::model::ids::SlotId;
use crate::slots::slot::OFFERED;
use crate::slots::slot_handle::SlotHandle;

/// A choice: the index that a slot holds, and what follows it. It fills a cache line.
#[derive(Clone, Copy)]
#[repr(align(64))]
pub(crate) struct Choice {
    /// The handle of the slot, which holds the current index.
    pub(crate) slot: SlotHandle,
    /// The rule for the indices that the slot may hold.
    pub(super) rule: *const SlotRule,
    /// Below this index, the next index is the next number, and nothing else changes.
    pub(crate) plain_until: u32,
    /// The index that stands for a fresh object; `NEVER` if the slot is filtered.
    pub(super) fresh: u32,
    /// The number of earlier choices that hold an object.
    pub(super) objects_before: u32,
    /// The id of the slot.
    pub(super) id: SlotId,
    /// Whether the choice keeps its first index, as one does that it is given, or asks the frontier for the next.
    pub(super) fixed: bool,
    /// The statement that made the choice.
    pub(crate) resume: ResumePoint,
}

const _: () = assert!(size_of::<Choice>() == 64, "a choice fills one line");

impl Choice {
    #[inline(always)]
    pub(super) fn rule(&self) -> &SlotRule {
        // SAFETY: it points to one of the engine's rules, which exist before the first choice and do not change until
        // the last one is gone.
        unsafe { &*self.rule }
    }

    /// Returns the index that the slot holds, whether it was read or not.
    #[inline(always)]
    pub(crate) fn index(&self) -> u32 {
        self.index_and_offer() & !OFFERED
    }

    pub(super) fn slot(&self) -> SlotHandle {
        self.slot
    }

    pub(crate) fn slot_id(&self) -> SlotId {
        self.id()
    }

    /// Returns the index that the slot holds, plus `OFFERED` if no read has taken it.
    #[inline(always)]
    pub(super) fn index_and_offer(&self) -> u32 {
        self.slot.index()
    }

    #[inline(always)]
    pub(super) fn id(&self) -> SlotId {
        self.id
    }

    /// Offers an index that the rule allows.
    #[inline(always)]
    pub(super) fn offer(&self, index: u32) {
        self.slot.offer(index);
    }

    /// Moves on to the next number, if that is the next index and nothing else changes, as in nearly all cases. Returns
    /// whether it did.
    #[inline(always)]
    pub(super) fn advance_plainly(&self) -> bool {
        // SAFETY: `plain_until` is an index that the rule allows, or zero, and the domain has every index that a rule allows.
        unsafe { self.slot.offer_next(self.plain_until) }
    }
}
