//! The choices of a repair, in the order in which they were made. There are as many as the value has slots, so that each is small: many in
//! a row re-enter one statement, which is kept once.

use super::choice::Engine;
use super::stack::Stack;
use crate::ids::{FieldId, SlotId};
use crate::slot::{Eraser, OFFERED};
use crate::undo::{Resume, Workspace};

/// One choice.
#[derive(Clone, Copy)]
pub(super) struct Pick {
    pub(super) slot: Eraser,
    /// The engine's name for the slot.
    pub(super) id: SlotId,
    /// The field of the slot.
    pub(super) field: FieldId,
    /// The index that the slot got when it was chosen; it may have been moved to another one.
    pub(super) as_chosen: u32,
    /// Which of the statements it re-enters.
    resume: u32,
}

impl Pick {
    /// The index that the slot holds, with `OFFERED` added if nothing has read it.
    #[inline(always)]
    fn index_and_offer(&self) -> u32 {
        self.slot.index()
    }

    /// The index that the slot holds, whether it was read or not.
    pub(super) fn index(&self) -> u32 {
        self.index_and_offer() & !OFFERED
    }
}

/// All of them.
pub(super) struct Picks {
    stack: Stack<Pick>,
    /// The statements that they re-enter; no choice re-enters an earlier one than the choice before it.
    resumes: Vec<Resume>,
}

impl Picks {
    /// None, and no room for any.
    pub(super) fn none() -> Self {
        Picks { stack: Stack::with_room(0), resumes: Vec::new() }
    }

    /// Makes room for so many in all, before the first one.
    pub(super) fn make_room(&mut self, room: usize) {
        if self.stack.room() < room {
            self.stack = Stack::with_room(room);
        }
    }

    #[inline(always)]
    pub(super) fn push(&mut self, slot: Eraser, id: SlotId, field: FieldId, index: u32, resume: &Resume) {
        if !self.resumes.last().is_some_and(|last| last.is(resume)) {
            self.push_resume(resume);
        }
        self.push_like_last(slot, id, field, index);
    }

    /// The same, re-entering the same statement as the last one; there must be one.
    #[inline(always)]
    pub(super) fn push_like_last(&mut self, slot: Eraser, id: SlotId, field: FieldId, index: u32) {
        let resume = self.resumes.len() as u32 - 1;
        self.stack.push_with(|| Pick { slot, id, field, as_chosen: index, resume });
    }

    #[inline(never)]
    fn push_resume(&mut self, resume: &Resume) {
        self.resumes.push(*resume);
    }

    /// Drops the last one; gives it.
    pub(super) fn pop(&mut self) -> Option<Pick> {
        let place = self.stack.last_above(0)?;
        // SAFETY: `place` is that of the last choice, which stays as it is until another is pushed.
        let last = unsafe {
            self.stack.drop_last(place);
            *place
        };
        let left = self.stack.last().map_or(0, |last| last.resume as usize + 1);
        self.resumes.truncate(left);
        Some(last)
    }

    #[inline(always)]
    pub(super) fn len(&self) -> usize {
        self.stack.len()
    }

    pub(super) fn as_slice(&self) -> &[Pick] {
        self.stack.as_slice()
    }

    pub(super) fn last(&self) -> Option<&Pick> {
        self.stack.last()
    }

    /// The statement that the last one re-enters.
    fn last_resume(&self) -> Option<&Resume> {
        self.resumes.get(self.last()?.resume as usize)
    }

    /// The slot of the last one, if nothing has read its index.
    pub(super) fn unread_offer(&self) -> Option<SlotId> {
        self.last().filter(|last| last.index_and_offer() >= OFFERED).map(|last| last.id)
    }

    /// Makes all their slots unassigned, and forgets them.
    pub(super) fn clear(&mut self) {
        // Slots lie all over the heap.
        const AHEAD: usize = 16;
        let picks = self.as_slice();
        for (number, pick) in picks.iter().enumerate() {
            if let Some(later) = picks.get(number + AHEAD) {
                later.slot.soon();
            }
            pick.slot.erase();
        }
        self.stack.clear();
        self.resumes.clear();
    }
}

/// The last choice of a repair.
pub(crate) struct LastPick {
    pub(crate) slot: SlotId,
    pub(crate) index: u32,
    /// The block that it re-enters.
    pub(crate) label: u32,
}

impl Engine {
    pub(crate) fn last_pick(&self) -> Option<LastPick> {
        let (last, resume) = self.picks.last().zip(self.picks.last_resume())?;
        Some(LastPick { slot: last.id, index: last.index(), label: resume.label() })
    }

    /// The statement that the last choice re-enters.
    pub(crate) fn last_resume(&self) -> Option<&Resume> {
        self.last().map(|last| &last.resume).or_else(|| self.picks.last_resume())
    }

    /// Goes back to the statement of the last choice. Gives its label; none if there is no choice.
    #[inline]
    pub(crate) fn resume_last(&self, work: &Workspace) -> Option<u32> {
        match self.last() {
            Some(choice) => Some(work.resume(choice)),
            None => Some(work.resume_settled(self.picks.last_resume()?)),
        }
    }
}
