//! Which candidates and values of a search are checked. Takes the work that was done, gives the next ones to check; the same
//! ones in every run, since work is counted and not timed.
//!
//! The first ones are all checked, as far as that takes less than a millisecond. After that, comparing rejected candidates, comparing
//! accepted ones, showing values and showing what rejected candidates are completed to have a budget each, in proportion to the work that
//! the search does. A unit of work is a field that is
//! decided, or a statement that may decide one and begins: 80 to 200 instructions in the subjects of `examples`.

use crate::settings::SelfCheck;

/// What the first comparisons may cost together, in units of work, the first values, and the first rejected candidates that are
/// completed to values: 2,500 comparisons of eight fields, or 3,600 of three.
const FIRST: u64 = 40_000;
const FIRST_VALUES: u64 = 8_000;
const FIRST_COMPLETED: u64 = 4_000;

/// The cost up to which that is so. Where each costs more, they may cost less together: a search whose candidates have hundreds of fields
/// still goes from one to the next in a hundred instructions, and comparing a few dozen of them would take as long as all of it.
const TYPICAL: u64 = 32;

/// Later, one unit for so many of the search: four times 0.4 %.
const SHARE: u64 = 256;

/// What a run from the top costs: by itself, for each field that it reads, and for each loop round and call. Measured in instructions
/// on the subjects of `examples`, where a unit of this is 35 to 105 of them; the plain predicate costs less.
const RERUN: u64 = 8;
const PER_READ: u64 = 1;
const PER_STEP: u64 = 1;

/// What it costs to build a value and to drop it, for each of its slots.
const PER_BUILT_SLOT: u64 = 4;

/// The machine goes over rejected candidates by itself, and only those at which it comes out can be compared. To come out takes
/// about as long as a candidate does, so that it is done seldom, and then for several candidates in a row: the first of them is one
/// that it has come to by itself, and the others are such as it would have passed over.
const LOOK_EVERY: u64 = 1024;
const IN_A_ROW: u64 = 16;

/// How often it is asked whether an accepted candidate, or a value, can be paid for.
const ASK_EVERY: u64 = 16;

/// Values with more slots are not shown by the way: dropping a long list of boxes takes native stack, as does the plain predicate, and
/// a test's thread has two mebibytes, 200 bytes for each of these.
const MOST_SHOWN: usize = 10_000;

/// How much of a search was checked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Checked {
    /// Candidates on which the machine was compared with the predicate run from the top.
    pub compared: u64,
    /// Values that the plain predicate was run on, and which it must accept.
    pub shown: u64,
    /// Values that rejected candidates were completed to, on which the plain predicate was run, and which it must reject.
    pub completed: u64,
}

/// What showing values of one kind has cost: the first ones, and those after them.
#[derive(Clone, Copy, Default)]
struct Spent {
    first: u64,
    later: u64,
}

impl Spent {
    /// Whether one more is shown, and spends what it costs. `most`: what the first ones may cost.
    fn takes(&mut self, cost: u64, most: u64, work: u64) -> bool {
        let (is_first, is_later) = (is_first(self.first, cost, most), affords(self.later, cost, work));
        if is_first {
            self.first += cost;
        } else if is_later {
            self.later += cost;
        }
        is_first || is_later
    }
}

/// What is checked next, and what was.
pub(super) struct Sample {
    which: SelfCheck,
    pub(super) checked: Checked,
    /// The number of candidates from which on a rejected one may be compared; 0 if the next one is. Those that the machine has gone over
    /// by itself do not count.
    pub(super) rejected_at: u64,
    /// The same for accepted ones.
    pub(super) accepted_at: u64,
    /// The same for values, by the number of values.
    value_at: u64,
    /// What the first comparisons have cost, and those of rejected and of accepted candidates after them.
    first: u64,
    rejected: u64,
    accepted: u64,
    /// What values have cost, and what rejected candidates were completed to.
    values: Spent,
    completed: Spent,
    /// What the last comparison has cost.
    last: u64,
}

impl Sample {
    pub(super) fn new(which: SelfCheck) -> Self {
        let rejected_at = if which == SelfCheck::Off { u64::MAX } else { 0 };
        Sample {
            which,
            checked: Checked::default(),
            rejected_at,
            accepted_at: 0,
            value_at: 0,
            first: 0,
            rejected: 0,
            accepted: 0,
            values: Spent::default(),
            completed: Spent::default(),
            last: RERUN,
        }
    }

    /// Another search begins, whose candidates are counted from zero. What it checks does not depend on when the last one was given up, which
    /// a clock may have decided; the first values are those of all together.
    pub(super) fn restart(&mut self) {
        let Sample { which, checked, values, .. } = *self;
        let checked = Checked { compared: 0, completed: 0, ..checked };
        *self = Sample { checked, values: Spent { later: 0, ..values }, ..Sample::new(which) };
    }

    /// Whether a rejected candidate is compared, the one after `seen` others; asked if these are at least `rejected_at`.
    pub(super) fn takes_rejected(&mut self, seen: u64, work: u64) -> bool {
        match self.which {
            SelfCheck::All => return true,
            SelfCheck::Off => return false,
            SelfCheck::Sample => {}
        }
        if is_first(self.first, self.last, FIRST) {
            return true;
        }
        let in_a_row = if self.rejected_at == 0 { 1 } else { IN_A_ROW };
        let takes = affords(self.rejected, in_a_row * self.last, work);
        self.rejected_at = if takes { 0 } else { seen + LOOK_EVERY };
        takes
    }

    /// Whether an accepted candidate is compared, the one after `seen` others; asked if these are at least `accepted_at`.
    pub(super) fn takes_accepted(&mut self, seen: u64, work: u64) -> bool {
        match self.which {
            SelfCheck::All => return true,
            SelfCheck::Off => return false,
            SelfCheck::Sample => {}
        }
        let takes = is_first(self.first, self.last, FIRST) || affords(self.accepted, self.last, work);
        self.accepted_at = if takes { 0 } else { seen + ASK_EVERY };
        takes
    }

    /// Whether a value of so many slots is shown to the plain predicate, the one after `valid` others. `built`: it is there anyway.
    pub(super) fn takes_value(&mut self, valid: u64, slots: usize, built: bool, work: u64) -> bool {
        match self.which {
            SelfCheck::All => return true,
            SelfCheck::Off => return false,
            SelfCheck::Sample => {}
        }
        // Debug builds are for looking for mistakes, and slow in any case.
        if built && cfg!(debug_assertions) {
            return true;
        }
        if valid < self.value_at || slots > MOST_SHOWN {
            return false;
        }
        let takes = self.values.takes(cost_of_value(slots, built), FIRST_VALUES, work);
        self.value_at = if takes { 0 } else { valid + ASK_EVERY };
        takes
    }

    /// Whether a rejected candidate is completed to a value of so many slots, which is shown to the plain predicate; asked after
    /// `takes_rejected`, or without it if there is no machine to compare.
    pub(super) fn takes_completed(&mut self, seen: u64, slots: usize, is_compared: bool, work: u64) -> bool {
        if slots > MOST_SHOWN {
            return false;
        }
        match self.which {
            SelfCheck::All => return true,
            SelfCheck::Off => return false,
            SelfCheck::Sample => {}
        }
        let takes = self.completed.takes(cost_of_value(slots, false), FIRST_COMPLETED, work);
        if !is_compared {
            self.rejected_at = if takes { 0 } else { seen + LOOK_EVERY };
        }
        takes
    }

    /// A candidate was compared: so many fields were read, in so many steps.
    pub(super) fn note_compared(&mut self, accepted: bool, reads: usize, steps: u64) {
        self.checked.compared += 1;
        self.last = RERUN + PER_READ * reads as u64 + PER_STEP * steps;
        *(if is_first(self.first, self.last, FIRST) {
            &mut self.first
        } else if accepted {
            &mut self.accepted
        } else {
            &mut self.rejected
        }) += self.last;
    }
}

/// What it costs to run the plain predicate on a value, and to build it if it is not there.
fn cost_of_value(slots: usize, built: bool) -> u64 {
    RERUN + slots as u64 * if built { PER_READ } else { PER_READ + PER_BUILT_SLOT }
}

/// Whether the work that was done allows one more of this cost.
fn affords(spent: u64, cost: u64, work: u64) -> bool {
    spent + cost <= work / SHARE
}

/// Whether something of this cost is one of the first, of which so much was `spent` on those before it.
fn is_first(spent: u64, cost: u64, most: u64) -> bool {
    spent + cost <= most * TYPICAL / cost.max(TYPICAL)
}
