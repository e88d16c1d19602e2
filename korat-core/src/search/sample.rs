//! Selects the candidates and values of a search to check. The selection is the same in every run, since it depends on
//! counted work and not on time.
//!
//! The first ones are all checked, as far as that takes less than a millisecond. After that, each of four checks has a
//! budget in proportion to the work of the search: comparing rejected candidates, comparing accepted ones, running the
//! unmodified predicate on values, and running it on what rejected candidates complete to. A unit of work is a field
//! that is decided, or the start of a statement that may decide one: 80 to 200 instructions in the subjects of
//! `examples`.

use super::bookmark::Numbers;
use crate::model::settings::SelfCheck;

/// The budget of the first comparisons, in units of work: 2,500 comparisons of eight fields, or 3,600 of three.
const FIRST: u64 = 40_000;
/// The budget of the first values, in units of work.
const FIRST_VALUES: u64 = 8_000;
/// The budget of the first rejected candidates that are completed to values, in units of work.
const FIRST_COMPLETED: u64 = 4_000;

/// The cost of a check up to which these budgets apply in full. If each check costs more, the budget shrinks in
/// proportion: a search whose candidates have hundreds of fields still gets from one to the next in a hundred
/// instructions, and comparing a few dozen of them would take as long as the whole search.
const TYPICAL: u64 = 32;

/// Units of the search's work per unit of a later budget: four budgets of 0.4 % each.
const SHARE: u64 = 256;

/// The cost of a run from the top: a fixed part, a part per field that it reads, and a part per loop iteration and
/// call. Measured in instructions on the subjects of `examples`, where a unit is 35 to 105 of them; the unmodified
/// predicate costs less.
const RERUN: u64 = 8;
const PER_READ: u64 = 1;
const PER_STEP: u64 = 1;

/// The cost of building and dropping a value, per slot.
const PER_BUILT_SLOT: u64 = 4;

/// Candidates between two looks at rejected ones, and the number of comparisons that the budget must allow before a
/// look. The machine goes through rejected candidates in its own loop, and only those at which it returns can be
/// compared. A return takes about as long as a candidate, so it happens seldom, and then for several candidates in a
/// row: the machine reached the first of them in its own loop, and would otherwise not have returned at the others.
const LOOK_EVERY: u64 = 1024;
const IN_A_ROW: u64 = 16;

/// Candidates, or values, to wait after the budget did not allow a check of an accepted candidate, or of a value.
const ASK_EVERY: u64 = 16;

/// The most slots of a value on which to run the unmodified predicate in passing: dropping a long list of boxes takes
/// native stack, as does the unmodified predicate, and a test's thread has two mebibytes, 200 bytes for each of these
/// slots.
const MOST_COMPARED_SLOTS: usize = 10_000;

/// How much of a search was checked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Checked {
    /// Candidates on which the machine was compared with the predicate run from the top.
    pub compared: u64,
    /// Values on which the unmodified predicate ran, and which it must accept.
    pub shown: u64,
    /// Values to which rejected candidates were completed, on which the unmodified predicate ran, and which it must reject.
    pub completed: u64,
}

/// What the checks of one kind have cost: the first ones, and those after them.
#[derive(Clone, Copy, Default)]
struct Spent {
    first: u64,
    later: u64,
}

impl Spent {
    /// Returns whether the budget allows one more check, and spends its cost if so. `most` is the budget of the first ones.
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

/// The checks done so far, and the ones to do next.
pub(super) struct Sample {
    which: SelfCheck,
    pub(super) checked: Checked,
    /// The number of candidates from which on a rejected one may be compared; 0 if the next one is. Does not count
    /// candidates at which the machine did not return.
    pub(super) rejected_at: u64,
    /// The number of candidates from which on an accepted one may be compared; 0 if the next one is.
    pub(super) accepted_at: u64,
    /// The number of values from which on one may be checked; 0 if the next one is.
    value_at: u64,
    /// The cost of the first comparisons, and of those of rejected and of accepted candidates after them.
    first: u64,
    rejected: u64,
    accepted: u64,
    /// The cost of checking values, and of completing rejected candidates.
    values: Spent,
    completed: Spent,
    /// The cost of the last comparison.
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

    /// Restarts the sample for another search, whose candidates are counted from zero. What the new search checks does
    /// not depend on when the last one was abandoned, which a clock may have decided; only the budget of the first
    /// values is shared by all.
    pub(super) fn restart(&mut self) {
        let Sample { which, checked, values, .. } = *self;
        let checked = Checked { compared: 0, completed: 0, ..checked };
        *self = Sample { checked, values: Spent { later: 0, ..values }, ..Sample::new(which) };
    }

    /// Returns what was done about values.
    pub(super) fn value_checks(&self) -> [u64; 4] {
        [self.checked.shown, self.value_at, self.values.first, self.values.later]
    }

    /// Sets what `value_checks` returns.
    pub(super) fn set_value_checks(&mut self, checks: [u64; 4]) {
        [self.checked.shown, self.value_at, self.values.first, self.values.later] = checks;
    }

    /// Writes what was done as numbers.
    pub(super) fn save(&self, to: &mut Vec<u64>) {
        let Sample {
            checked,
            rejected_at,
            accepted_at,
            value_at,
            first,
            rejected,
            accepted,
            values,
            completed,
            last,
            ..
        } = *self;
        to.extend([checked.compared, checked.shown, checked.completed, rejected_at, accepted_at, value_at, first]);
        to.extend([rejected, accepted, values.first, values.later, completed.first, completed.later, last]);
    }

    /// Reads what `save` has written.
    pub(super) fn load(&mut self, from: &mut Numbers<'_>) -> Option<()> {
        let Checked { compared, shown, completed } = &mut self.checked;
        let checked = [compared, shown, completed];
        let next = [&mut self.rejected_at, &mut self.accepted_at, &mut self.value_at];
        let spent = [&mut self.first, &mut self.rejected, &mut self.accepted, &mut self.values.first];
        let later = [&mut self.values.later, &mut self.completed.first, &mut self.completed.later, &mut self.last];
        for number in checked.into_iter().chain(next).chain(spent).chain(later) {
            *number = from.next()?;
        }
        Some(())
    }

    /// Returns whether to compare a rejected candidate, the one after `seen` others. Called only if `seen` is at least
    /// `rejected_at`.
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

    /// Returns whether to compare an accepted candidate, the one after `seen` others. Called only if `seen` is at least
    /// `accepted_at`.
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

    /// Returns whether to run the unmodified predicate on a value of this many slots, the one after `valid` others.
    /// With `built`, the value exists anyway.
    pub(super) fn takes_value(&mut self, valid: u64, slots: usize, built: bool, work: u64) -> bool {
        match self.which {
            SelfCheck::All => return true,
            SelfCheck::Off => return false,
            SelfCheck::Sample => {}
        }
        // Debug builds serve to find mistakes, and are slow in any case.
        if built && cfg!(debug_assertions) {
            return true;
        }
        if valid < self.value_at || slots > MOST_COMPARED_SLOTS {
            return false;
        }
        let takes = self.values.takes(cost_of_value(slots, built), FIRST_VALUES, work);
        self.value_at = if takes { 0 } else { valid + ASK_EVERY };
        takes
    }

    /// Returns whether to complete a rejected candidate to a value of this many slots and to run the unmodified
    /// predicate on it. Called after `takes_rejected`, or without it if there is no machine to compare.
    pub(super) fn takes_completed(&mut self, seen: u64, slots: usize, is_compared: bool, work: u64) -> bool {
        if slots > MOST_COMPARED_SLOTS {
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

    /// Records the comparison of a candidate, with the number of fields read and of steps.
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

/// Returns the cost of running the unmodified predicate on a value, and of building it if it does not exist.
fn cost_of_value(slots: usize, built: bool) -> u64 {
    RERUN + slots as u64 * if built { PER_READ } else { PER_READ + PER_BUILT_SLOT }
}

/// Returns whether the work done allows one more check of this cost.
fn affords(spent: u64, cost: u64, work: u64) -> bool {
    spent + cost <= work / SHARE
}

/// Returns whether a check of this cost is still within the budget `most` of the first ones, of which `spent` is used.
fn is_first(spent: u64, cost: u64, most: u64) -> bool {
    spent + cost <= most * TYPICAL / cost.max(TYPICAL)
}
