//! Stretches: runs of consecutive choices that share one resume point, because the search hardly ever backtracks to
//! them. Fewer changes are saved, but backtracking into a stretch replays its earlier choices; the last stretches can
//! be run once more so that each of their choices gets its own resume point.

use std::cell::Cell;

use super::Workspace;
use crate::engine::resume::Resume;
use crate::predicate::compared;

/// Number of choices in each of the first stretches of a run.
pub(crate) const STRETCH: u32 = 64;
/// Number of stretches after which their length doubles, up to `DOUBLINGS` times. So running the last ones once more
/// takes a small part of the whole run.
const OF_ONE_LENGTH: u32 = 32;
const DOUBLINGS: u32 = 3;
/// Value of `left` if no choices share a resume point.
const NEVER: u32 = u32::MAX;

/// The start of a stretch.
#[derive(Clone, Copy)]
pub(crate) struct Stretch {
    /// The resume point of its choices.
    resume: Resume,
    /// Number of choices before it.
    pub(crate) depth: usize,
    /// Number of statements begun before it.
    statements: u64,
}

/// The stretches of a run.
pub(super) struct Stretches {
    /// Number of choices until the current stretch ends, or the next one begins.
    left: Cell<u32>,
    /// Whether the run is inside a stretch; `Workspace::stays` then counts one more.
    is_within: Cell<bool>,
    /// Number of stretches so far.
    made: Cell<u32>,
    /// The last two stretches, the newest first.
    last: Cell<[Option<Stretch>; 2]>,
    /// Statements begun while the resume point stayed the same, which `epoch` does not count, minus the ones it counts
    /// that run once more. The difference may be negative, so it wraps.
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
    /// Starts a run, from the top or at a choice. The run makes stretches after `after` choices, or none at all.
    pub(crate) fn begin_stretches(&self, after: Option<usize>) {
        self.end_stretches();
        let after = after.and_then(|after| u32::try_from(after).ok());
        self.stretches.left.set(after.map_or(NEVER, |after| after.saturating_add(1)));
    }

    /// Ends the stretches, because the run is over or continues without them. Returns the second to last one, or the
    /// only one.
    pub(crate) fn end_stretches(&self) -> Option<Stretch> {
        if self.stretches.is_within.get() {
            self.leave_stretch();
        }
        self.stretches.left.set(NEVER);
        self.stretches.made.set(0);
        let [newest, before] = self.stretches.last.take();
        before.or(newest)
    }

    /// Makes a choice that keeps the value a slot had before the repair; `depth` is the number of earlier choices.
    /// Returns its resume point, or `None` if that cannot be `now`.
    #[inline(always)]
    pub(crate) fn choose_in_order(&self, depth: impl FnOnce() -> usize) -> Option<Resume> {
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

    /// Returns whether a choice made now, if it keeps the slot's value, lies in the middle of a stretch.
    #[inline(always)]
    pub(crate) fn is_in_stretch(&self) -> bool {
        self.stretches.is_within.get() && self.stretches.left.get() > 1 && !self.is_beyond_now()
    }

    /// Counts a choice of the current stretch.
    #[inline(always)]
    pub(crate) fn choose_in_stretch(&self) {
        self.stretches.left.set(self.stretches.left.get() - 1);
    }

    /// Begins a stretch with the choice made now, or ends one with it.
    #[cold]
    #[inline(never)]
    fn change_stretch(&self, depth: usize) {
        // Changes to anything allocated so far are saved from now on, so that the next statement can be re-entered.
        self.memory.settle();
        if self.stretches.is_within.get() {
            self.leave_stretch();
            self.stretches.left.set(1);
            return;
        }
        // Comparisons are recorded only up to here: stretches begin where the repair no longer wants them.
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

    /// Backtracks to the start of a stretch. Returns the label of the statement.
    pub(crate) fn resume_stretch(&self, stretch: &Stretch) -> u32 {
        let label = self.resume_at(&stretch.resume);
        // Statements that run again count once.
        self.stretches.statements.set(stretch.statements.wrapping_sub(self.epoch()));
        label
    }

    /// Returns how many statements that may be re-entered have begun so far.
    pub(crate) fn statements(&self) -> u64 {
        self.epoch().wrapping_add(self.stretches.statements.get())
    }
}
