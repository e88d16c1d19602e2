//! Stretches: choices that are nearly never gone back to, one after the other, which re-enter one statement. Less is saved of what they
//! change, and going back to one of them runs over those before it again. The last stretches can be gone over once more, so that each
//! choice of them has a statement of its own.

use std::cell::Cell;

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
    left: Cell<u32>,
    /// Whether the run is in one: `Workspace::stays` has one more then.
    is_within: Cell<bool>,
    /// How many the run has made.
    made: Cell<u32>,
    /// The last ones, the newest first.
    last: Cell<[Option<Stretch>; 2]>,
    /// Statements that have begun while the one to re-enter stayed the same, and were not counted in `epoch`; less those that were, and run
    /// once more. So it may be less than zero, and wraps.
    statements: Cell<u64>,
}

impl Stretches {
    #[inline(always)]
    pub(super) fn count_statement(&self) {
        self.statements.set(self.statements.get().wrapping_add(1));
    }
}

impl Default for Stretches {
    fn default() -> Self {
        Stretches {
            left: Cell::new(NEVER),
            is_within: Cell::new(false),
            made: Cell::new(0),
            last: Cell::default(),
            statements: Cell::new(0),
        }
    }
}

impl Workspace {
    /// A run begins, at the top or with a choice: it makes stretches after so many choices, or none.
    pub(crate) fn begin_stretches(&self, after: Option<usize>) {
        self.end_stretches();
        let after = after.and_then(|after| u32::try_from(after).ok());
        self.stretches.left.set(after.map_or(NEVER, |after| after.saturating_add(1)));
    }

    /// The run is over, or goes on without stretches. Gives where the last two begin, or the one that there is.
    pub(crate) fn end_stretches(&self) -> Option<Stretch> {
        if self.stretches.is_within.get() {
            self.leave_stretch();
        }
        self.stretches.left.set(NEVER);
        self.stretches.made.set(0);
        let [newest, before] = self.stretches.last.take();
        before.or(newest)
    }

    /// A choice is made that is as it was before, after `depth` others. Gives what it re-enters; none if that is not the statement that `now` is.
    #[inline(always)]
    pub(crate) fn choose_as_it_was(&self, depth: impl FnOnce() -> usize) -> Option<Resume> {
        if self.is_beyond_now() || self.quick.get() {
            return None;
        }
        self.choose_in_stretch();
        if self.stretches.left.get() == 0 {
            self.change_stretch(depth());
        } else if !self.stretches.is_within.get() {
            self.memory.settle();
        }
        Some(self.now.get())
    }

    /// Whether a choice made now, if it is as it was before, is one in the middle of a stretch.
    #[inline(always)]
    pub(crate) fn is_in_stretch(&self) -> bool {
        self.stretches.is_within.get() && self.stretches.left.get() > 1 && !self.is_beyond_now()
    }

    /// It is made.
    #[inline(always)]
    pub(crate) fn choose_in_stretch(&self) {
        self.stretches.left.set(self.stretches.left.get() - 1);
    }

    /// A stretch begins with the choice that is made now, or ends with it.
    #[cold]
    #[inline(never)]
    fn change_stretch(&self, depth: usize) {
        // What was made up to now is saved from now on, so that the next statement can be re-entered.
        self.memory.settle();
        if self.stretches.is_within.get() {
            self.leave_stretch();
            self.stretches.left.set(1);
            return;
        }
        // Who wants to know what is compared has said how far.
        compared::end_noting();
        let stretch = Stretch { resume: self.now.get(), depth, statements: self.statements() };
        let [newest, _] = self.stretches.last.get();
        self.stretches.last.set([Some(stretch), newest]);
        let made = self.stretches.made.get();
        self.stretches.left.set(STRETCH << (made / OF_ONE_LENGTH).min(DOUBLINGS));
        self.stretches.is_within.set(true);
        self.stretches.made.set(made + 1);
        self.stays.set(self.stays.get() + 1);
    }

    fn leave_stretch(&self) {
        self.stretches.is_within.set(false);
        self.stays.set(self.stays.get() - 1);
    }

    /// Goes back to where a stretch begins; gives the label of the statement.
    pub(crate) fn resume_stretch(&self, stretch: &Stretch) -> u32 {
        let label = self.resume_at(&stretch.resume);
        // What runs again is counted once.
        self.stretches.statements.set(stretch.statements.wrapping_sub(self.epoch()));
        label
    }

    /// How many statements that may be re-entered have begun so far.
    pub(crate) fn statements(&self) -> u64 {
        self.epoch().wrapping_add(self.stretches.statements.get())
    }
}
