//! Which candidates and values of a search are checked. Takes the work that was done, gives the next ones to check; the same
//! ones in every run, since work is counted and not timed.
//!
//! The first ones are all checked. After that, comparing rejected candidates, comparing accepted ones and showing values each
//! have a budget in proportion to the work of the search. One unit of work is a field that was decided, or a statement that was
//! begun: the least that a machine does.

use crate::settings::SelfCheck;

/// So many candidates are all compared, and so many values that are only counted are all built: about a millisecond.
const FIRST: u64 = 2048;
const FIRST_VALUES: u64 = 512;

/// One unit of the work of a check for so many of the search.
const SHARE: u64 = 64;

/// What a comparison costs, in units of work: to prepare it, for each field that it reads, and for each step.
const RERUN: u64 = 64;
const PER_READ: u64 = 8;
const PER_STEP: u64 = 2;

/// What it costs to build a value and drop it, for each slot; about two of three have an object of their own.
const PER_BUILT_SLOT: u64 = 32;

/// The machine goes over rejected candidates by itself, and only those at which it comes out can be compared. Coming out takes
/// about as long as a candidate, so that it does so seldom, and then for several candidates in a row: the first of them is one
/// that it has come to by itself, and the others are those which it would have passed over.
const LOOK_EVERY: u64 = 1024;
const BURST: u64 = 16;

/// How often it is asked whether an accepted candidate, or a value, can be paid for.
const ASK_EVERY: u64 = 16;

/// Values with more slots are not built if they are only counted: dropping a long list of boxes takes native stack, as does
/// the plain predicate, and a test's thread has two mebibytes, 200 bytes for each of these.
const MOST_BUILT: usize = 10_000;

/// How much of a search was checked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Checked {
    /// Candidates on which the machine was compared with the predicate run from the top.
    pub compared: u64,
    /// Values that the plain predicate was run on.
    pub shown: u64,
}

/// What is checked next, and what was.
pub(super) struct Sample {
    which: SelfCheck,
    pub(super) checked: Checked,
    /// The number of candidates from which on a rejected one may be compared; 0 if the next one is.
    pub(super) rejected_at: u64,
    /// The same for accepted ones, and for values.
    pub(super) accepted_at: u64,
    value_at: u64,
    /// What rejected candidates, accepted ones, and values have cost, the first of them left out.
    rejected: u64,
    accepted: u64,
    values: u64,
    /// What the last comparison has cost.
    last: u64,
    /// How many rejected candidates are compared in a row.
    burst: u64,
    /// Work of earlier searches on the same heap.
    before: u64,
}

impl Sample {
    pub(super) fn new(which: SelfCheck) -> Self {
        Sample {
            which,
            checked: Checked::default(),
            rejected_at: if which == SelfCheck::Off { u64::MAX } else { 0 },
            accepted_at: 0,
            value_at: 0,
            rejected: 0,
            accepted: 0,
            values: 0,
            last: RERUN,
            burst: 0,
            before: 0,
        }
    }

    /// Another search begins, after so much work; its candidates are counted from zero.
    pub(super) fn restart(&mut self, work: u64) {
        self.before += work;
        (self.accepted_at, self.value_at) = (0, 0);
        if self.which != SelfCheck::Off {
            self.rejected_at = 0;
        }
    }

    /// Nothing can be compared any more, since there is no machine.
    pub(super) fn without_machine(&mut self) {
        self.rejected_at = u64::MAX;
    }

    fn affords(&self, spent: u64, cost: u64, work: u64) -> bool {
        spent + cost <= (self.before + work) / SHARE
    }

    /// Whether a rejected candidate is compared, the one after `explored` others; asked if there are at least `rejected_at`.
    pub(super) fn takes_rejected(&mut self, explored: u64, work: u64) -> bool {
        match self.which {
            SelfCheck::All => return true,
            SelfCheck::Off => return false,
            SelfCheck::Sample => {}
        }
        if self.checked.compared < FIRST {
            return true;
        }
        if self.burst == 0 && self.affords(self.rejected, BURST * self.last, work) {
            (self.burst, self.rejected_at) = (BURST, 0);
        }
        let takes = self.burst > 0;
        self.burst = self.burst.saturating_sub(1);
        if self.burst == 0 {
            self.rejected_at = explored + LOOK_EVERY;
        }
        takes
    }

    /// Whether an accepted candidate is compared, the one after `explored` others; asked if there are at least `accepted_at`.
    pub(super) fn takes_accepted(&mut self, explored: u64, work: u64) -> bool {
        match self.which {
            SelfCheck::All => return true,
            SelfCheck::Off => return false,
            SelfCheck::Sample => {}
        }
        if self.checked.compared < FIRST {
            return true;
        }
        self.accepted_at = explored + ASK_EVERY;
        self.affords(self.accepted, self.last, work)
    }

    /// Whether a value of so many slots is shown to the plain predicate, the one after `valid` others. `built`: it is there anyway.
    pub(super) fn takes_value(&mut self, valid: u64, slots: usize, built: bool, work: u64) -> bool {
        match self.which {
            SelfCheck::All => return true,
            SelfCheck::Off => return false,
            SelfCheck::Sample => {}
        }
        // Somebody waits for the tests of a debug build in any case, and looks for bugs.
        if built && cfg!(debug_assertions) {
            return true;
        }
        if slots > MOST_BUILT {
            return false;
        }
        if self.checked.shown < FIRST_VALUES {
            return true;
        }
        if valid < self.value_at {
            return false;
        }
        self.value_at = valid + ASK_EVERY;
        let cost = self.last + if built { 0 } else { slots as u64 * PER_BUILT_SLOT };
        let takes = self.affords(self.values, cost, work);
        if takes {
            self.values += cost;
        }
        takes
    }

    /// A candidate was compared: so many fields were read, in so many steps.
    pub(super) fn note_compared(&mut self, accepted: bool, reads: usize, steps: u64) {
        self.last = RERUN + PER_READ * reads as u64 + PER_STEP * steps;
        if self.checked.compared >= FIRST {
            *(if accepted { &mut self.accepted } else { &mut self.rejected }) += self.last;
        }
        self.checked.compared += 1;
    }
}
