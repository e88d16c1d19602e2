//! Resume points: the statements that choices re-enter. The engine stores them and never looks inside;
//! `predicate::undo` creates and follows them.

use std::ptr;

use crate::memory::bump::MemoryMark;
use crate::memory::store_forwarding::read_recent;

/// A checkpoint: a mark in the memory and a length of the undo log.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Checkpoint {
    pub(crate) memory: MemoryMark,
    pub(crate) entries: u32,
}

/// A statement to re-enter: its label, its activation record, and the checkpoint before it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ResumePoint {
    pub(crate) frame: *mut (),
    pub(crate) memory: MemoryMark,
    /// The label, and the number of entries of the undo log. One word, since it is written and read as one.
    label_and_entries: u64,
}

impl ResumePoint {
    #[inline(always)]
    pub(crate) fn new(frame: *mut (), checkpoint: Checkpoint, label: u32) -> Self {
        let label_and_entries = u64::from(label) << 32 | u64::from(checkpoint.entries);
        ResumePoint { frame, memory: checkpoint.memory, label_and_entries }
    }

    /// Returns the resume point at the beginning of a search, whose memory is still empty.
    pub(crate) fn at_top(memory: MemoryMark) -> Self {
        ResumePoint { frame: ptr::null_mut(), memory, label_and_entries: 0 }
    }

    /// Copies the resume point, which may have been written recently.
    #[inline(always)]
    pub(crate) fn copied(&self) -> Self {
        // SAFETY: the reference points to a resume point, which may be copied any number of times.
        unsafe { read_recent(self) }
    }

    /// Returns whether both are the same statement at the same checkpoint.
    #[inline]
    pub(crate) fn is(&self, other: &ResumePoint) -> bool {
        (self.label_and_entries, self.frame, self.memory) == (other.label_and_entries, other.frame, other.memory)
    }

    /// Returns the label of the block to re-enter.
    pub(crate) fn label(&self) -> u32 {
        (self.label_and_entries >> 32) as u32
    }

    #[inline(always)]
    pub(crate) fn checkpoint(&self) -> Checkpoint {
        Checkpoint { memory: self.memory, entries: self.label_and_entries as u32 }
    }
}
