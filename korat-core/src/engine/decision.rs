//! One choice on the stack: which slot, and which indices it goes through.

use super::rules::Rule;
use crate::ids::SlotId;
use crate::slot::{Eraser, OFFERED};
use crate::undo::Resume;

/// One decision. As large as a line of the cache.
#[derive(Clone, Copy)]
#[repr(align(64))]
pub(crate) struct Choice {
    pub(crate) slot: Eraser,
    /// What the slot may hold.
    pub(super) rule: *const Rule,
    /// Up to here each index is followed by the next number, and nothing else changes.
    pub(crate) plain_until: u32,
    /// The index that stands for a fresh object; `NEVER` if it is filtered.
    pub(super) fresh: u32,
    /// How many choices before it hold an object.
    pub(super) objects_before: u32,
    /// The engine's name for the slot.
    pub(super) id: SlotId,
    /// Whether it keeps its first index.
    pub(super) fixed: bool,
    /// The statement that made it.
    pub(crate) resume: Resume,
}

const _: () = assert!(size_of::<Choice>() == 64, "a choice fills one line");

impl Choice {
    #[inline(always)]
    pub(super) fn rule(&self) -> &Rule {
        // SAFETY: it is one of the engine's rules, which are made before the first choice and stay where they are until the last is gone;
        // what changes of a rule is in a cell.
        unsafe { &*self.rule }
    }

    /// The index that the slot holds, whether it was read or not.
    #[inline(always)]
    pub(crate) fn index(&self) -> u32 {
        self.index_and_offer() & !OFFERED
    }

    pub(super) fn slot(&self) -> Eraser {
        self.slot
    }

    pub(crate) fn slot_id(&self) -> SlotId {
        self.id()
    }

    /// The index with `OFFERED` added if nothing has read it.
    #[inline(always)]
    pub(super) fn index_and_offer(&self) -> u32 {
        self.slot.index()
    }

    #[inline(always)]
    pub(super) fn id(&self) -> SlotId {
        self.id
    }

    /// Offers an index of the rule.
    #[inline(always)]
    pub(super) fn offer(&self, index: u32) {
        self.slot.offer(index);
    }

    /// Moves on to the index that follows, if that is the next number and nothing else changes, as nearly always.
    #[inline(always)]
    pub(super) fn advance_plainly(&self) -> bool {
        // SAFETY: `plain_until` is an index of the choice's rule, or zero, and every index of a rule is one of the domain.
        unsafe { self.slot.offer_next(self.plain_until) }
    }
}
