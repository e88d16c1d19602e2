//! Checkpoint intervals: runs of consecutive choices that share one resume point, because the search hardly ever backtracks to
//! them. Fewer changes are saved, but backtracking into an interval replays its earlier choices; the last intervals can
//! be run once more so that each of their choices gets its own resume point.

use std::cell::Cell;

use super::Workspace;
use crate::engine::resume_point::ResumePoint;
use crate::predicate::compared;

/// Number of choices in each of the first intervals of a run.
pub(crate) const CHOICES_PER_INTERVAL: u32 = 64;
/// Number of intervals after which their length doubles, up to `DOUBLINGS` times. So running the last ones once more
/// takes a small part of the whole run.
const OF_ONE_LENGTH: u32 = 32;
const DOUBLINGS: u32 = 3;
/// Value of `left` if no choices share a resume point.
const NEVER: u32 = u32::MAX;

/// The start of an interval.
#[derive(Clone, Copy)]
pub(crate) struct CheckpointInterval {
    /// The resume point of its choices.
    resume: ResumePoint,
    /// Number of choices before it.
    pub(crate) depth: usize,
    /// Number of statements begun before it.
    statements: u64,
}

/// The intervals of a run.
pub(super) struct CheckpointIntervals {
    /// Number of choices until the current interval ends, or the next one begins.
    left: Cell<u32>,
    /// Whether the run is inside an interval; `Workspace::pins` then counts one more.
    is_within: Cell<bool>,
    /// Number of intervals so far.
    made: Cell<u32>,
    /// The last two intervals, the newest first.
    last: Cell<[Option<CheckpointInterval>; 2]>,
    /// Statements begun while the resume point stayed the same, which `epoch` does not count, minus the ones it counts
    /// that run once more. The difference may be negative, so it wraps.
    statements: Cell<u64>,
}

impl CheckpointIntervals {
    #[inline(always)]
    pub(super) fn count_statement(&self) {
        self.statements.set(self.statements.get().wrapping_add(1));
    }
}

impl Default for CheckpointIntervals {
    fn default() -> Self {
        CheckpointIntervals {
            left: Cell::new(NEVER),
            is_within: Cell::new(false),
            made: Cell::new(0),
            last: Cell::default(),
            statements: Cell::new(0),
        }
    }
}

impl Workspace {
    /// Starts a run, from the top or at a choice. The run makes intervals after `after` choices, or none at all.
    pub(crate) fn begin_intervals(&self, after: Option<usize>) {
        self.end_intervals();
        let after = after.and_then(|after| u32::try_from(after).ok());
        self.intervals.left.set(after.map_or(NEVER, |after| after.saturating_add(1)));
    }

    /// Ends the intervals, because the run is over or continues without them. Returns the second to last one, or the
    /// only one.
    pub(crate) fn end_intervals(&self) -> Option<CheckpointInterval> {
        if self.intervals.is_within.get() {
            self.leave_interval();
        }
        self.intervals.left.set(NEVER);
        self.intervals.made.set(0);
        let [newest, before] = self.intervals.last.take();
        before.or(newest)
    }

    /// Makes a choice that keeps the value a slot had before the repair; `depth` is the number of earlier choices.
    /// Returns its resume point, or `None` if that cannot be `resume_point`.
    #[inline(always)]
    pub(crate) fn choose_in_order(&self, depth: impl FnOnce() -> usize) -> Option<ResumePoint> {
        if self.is_beyond_resume_point() || self.quick.get() {
            return None;
        }
        self.choose_in_interval();
        if self.intervals.left.get() == 0 {
            self.change_interval(depth());
        } else if !self.intervals.is_within.get() {
            self.memory.mark_old();
        }
        Some(self.resume_point.get())
    }

    /// Returns whether a choice made now, if it keeps the slot's value, lies in the middle of an interval.
    #[inline(always)]
    pub(crate) fn is_in_interval(&self) -> bool {
        self.intervals.is_within.get() && self.intervals.left.get() > 1 && !self.is_beyond_resume_point()
    }

    /// Counts a choice of the current interval.
    #[inline(always)]
    pub(crate) fn choose_in_interval(&self) {
        self.intervals.left.set(self.intervals.left.get() - 1);
    }

    /// Begins an interval with the choice made now, or ends one with it.
    #[cold]
    #[inline(never)]
    fn change_interval(&self, depth: usize) {
        // Changes to anything allocated so far are saved from now on, so that the next statement can be re-entered.
        self.memory.mark_old();
        if self.intervals.is_within.get() {
            self.leave_interval();
            self.intervals.left.set(1);
            return;
        }
        // Comparisons are recorded only up to here: intervals begin where the repair no longer wants them.
        compared::end_recording();
        let interval = CheckpointInterval { resume: self.resume_point.get(), depth, statements: self.statements() };
        let [newest, _] = self.intervals.last.get();
        self.intervals.last.set([Some(interval), newest]);
        let made = self.intervals.made.get();
        self.intervals.left.set(CHOICES_PER_INTERVAL << (made / OF_ONE_LENGTH).min(DOUBLINGS));
        self.intervals.is_within.set(true);
        self.intervals.made.set(made + 1);
        self.pins.set(self.pins.get() + 1);
    }

    fn leave_interval(&self) {
        self.intervals.is_within.set(false);
        self.pins.set(self.pins.get() - 1);
    }

    /// Backtracks to the start of an interval. Returns the label of the statement.
    pub(crate) fn resume_interval(&self, interval: &CheckpointInterval) -> u32 {
        let label = self.resume_at(&interval.resume);
        // Statements that run again count once.
        self.intervals.statements.set(interval.statements.wrapping_sub(self.epoch()));
        label
    }

    /// Returns how many statements that may be re-entered have begun so far.
    pub(crate) fn statements(&self) -> u64 {
        self.epoch().wrapping_add(self.intervals.statements.get())
    }
}
