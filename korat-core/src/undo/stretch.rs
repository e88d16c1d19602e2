//! Stretches: choices that are nearly never gone back to, one after the other, which re-enter one statement. Less is saved of what they
//! change, and going back to one of them runs over those before it again. The last stretches can be gone over once more, so that each
//! choice of them has a statement of its own.

use super::{Resume, Workspace};
use crate::compared;

/// So many choices share a statement in the first stretches of a run.
pub(crate) const STRETCH: u32 = 64;
/// After so many stretches they are twice as long, and then again, so often: going over the last ones once more takes a small part of the run.
const OF_ONE_LENGTH: u32 = 32;
const DOUBLINGS: u32 = 3;
/// No choice shares its statement.
const NEVER: u32 = u32::MAX;

/// Where a stretch begins.
#[derive(Clone, Copy)]
pub(crate) struct Stretch {
    /// The statement that its choices re-enter.
    resume: Resume,
    /// How many choices there were before it.
    pub(crate) depth: usize,
    /// How many statements had begun.
    statements: u64,
}

/// The stretch that a run is in, if it is in one.
pub(super) struct Stretches {
    /// So many choices until the stretch ends, or one begins.
    left: u32,
    /// Whether the run is in one: `Workspace::stays` has one more then.
    is_within: bool,
    /// How many the run has made.
    made: u32,
    /// The last ones, the newest first.
    last: [Option<Stretch>; 2],
    /// Statements that have begun while the one to re-enter stayed the same, and were not counted in `epoch`; less those that were, and run
    /// once more. So it may be less than zero, and wraps.
    statements: u64,
}

impl Stretches {
    #[inline(always)]
    pub(super) fn count_statement(&mut self) {
        self.statements = self.statements.wrapping_add(1);
    }
}

impl Default for Stretches {
    fn default() -> Self {
        Stretches { left: NEVER, is_within: false, made: 0, last: [None; 2], statements: 0 }
    }
}

impl Workspace {
    /// A run begins, at the top or with a choice: it makes stretches after so many choices, or none.
    pub(crate) fn begin_stretches(&mut self, after: Option<usize>) {
        self.end_stretches();
        let after = after.and_then(|after| u32::try_from(after).ok());
        self.stretches.left = after.map_or(NEVER, |after| after.saturating_add(1));
    }

    /// The run is over, or goes on without stretches. Gives where the last two begin, or the one that there is.
    pub(crate) fn end_stretches(&mut self) -> Option<Stretch> {
        if self.stretches.is_within {
            self.leave_stretch();
        }
        (self.stretches.left, self.stretches.made) = (NEVER, 0);
        let [newest, before] = std::mem::take(&mut self.stretches.last);
        before.or(newest)
    }

    /// A choice is made that is as it was before, after `depth` others. Gives what it re-enters; none if that is not the statement that `now` is.
    #[inline(always)]
    pub(crate) fn choose_as_it_was(&mut self, depth: impl FnOnce() -> usize) -> Option<&Resume> {
        if self.is_beyond_now() || self.quick {
            return None;
        }
        self.stretches.left -= 1;
        if self.stretches.left == 0 {
            self.change_stretch(depth());
        } else if !self.stretches.is_within {
            self.memory.settle();
        }
        Some(&self.now)
    }

    /// Whether a choice made now, if it is as it was before, is one in the middle of a stretch.
    #[inline(always)]
    pub(crate) fn is_in_stretch(&self) -> bool {
        self.stretches.is_within && self.stretches.left > 1 && !self.is_beyond_now()
    }

    /// It is made.
    #[inline(always)]
    pub(crate) fn choose_in_stretch(&mut self) {
        self.stretches.left -= 1;
    }

    /// A stretch begins with the choice that is made now, or ends with it.
    #[cold]
    #[inline(never)]
    fn change_stretch(&mut self, depth: usize) {
        // What was made up to now is saved from now on, so that the next statement can be re-entered.
        self.memory.settle();
        if self.stretches.is_within {
            self.leave_stretch();
            self.stretches.left = 1;
            return;
        }
        // Who wants to know what is compared has said how far.
        compared::end_noting();
        let stretch = Stretch { resume: self.now, depth, statements: self.statements() };
        self.stretches.last = [Some(stretch), self.stretches.last[0]];
        let len = STRETCH << (self.stretches.made / OF_ONE_LENGTH).min(DOUBLINGS);
        (self.stretches.left, self.stretches.is_within) = (len, true);
        self.stretches.made += 1;
        self.stays += 1;
    }

    fn leave_stretch(&mut self) {
        self.stretches.is_within = false;
        self.stays -= 1;
    }

    /// Goes back to where a stretch begins; gives the label of the statement.
    pub(crate) fn resume_stretch(&mut self, stretch: &Stretch) -> u32 {
        let label = self.resume_at(&stretch.resume);
        // What runs again is counted once.
        self.stretches.statements = stretch.statements.wrapping_sub(self.epoch());
        label
    }

    /// How many statements that may be re-entered have begun so far.
    pub(crate) fn statements(&self) -> u64 {
        self.epoch().wrapping_add(self.stretches.statements)
    }
}
