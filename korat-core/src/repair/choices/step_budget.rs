//! How many steps the predicate may take in a repair without reading a new field. They are given out in portions, so that the deadline is
//! checked between two of them.

use std::time::Instant;

use super::state::State;

/// Steps between two looks at the clock: at some nanoseconds each, about 50 ms.
const PORTION: u64 = 10_000_000;
/// Where the user sets no limit, a predicate seems to loop that takes this many steps for each slot. One that compares all pairs of slots
/// takes as many as there are slots, so that values of 10,000 slots, the largest for which that ends in a second, are not given up.
const STEPS_PER_SLOT: u64 = 10_000;
/// Steps of the last run of a predicate that loops: enough to go around any loop of a few statements, so that the report names one of them.
const STEPS_TO_LOCATE: u64 = 10_000;

/// The steps that a predicate may take, and those that it was given.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StepBudget {
    /// The steps that it may take without reading a new field.
    pub(crate) most: u64,
    /// Whether the user has set the limit, so that a predicate that takes more has rejected.
    pub(crate) may_loop: bool,
    /// Whether the predicate ends on the value as it is, so that whatever makes it loop is wrong.
    pub(crate) has_ended: bool,
    /// When to give up.
    deadline: Option<Instant>,
    /// The steps that it was given since the last field was read, and how many decisions there were then.
    given: (u64, usize),
    /// Whether the repair is given up, and the predicate only run once more to know where it loops.
    is_given_up: bool,
}

impl StepBudget {
    /// Allows `most` steps, or as many as the number of slots suggests.
    pub(crate) fn new(most: Option<u64>, slots: usize, deadline: Option<Instant>) -> Self {
        let (own, may_loop) = (PORTION.max(slots as u64 * STEPS_PER_SLOT), most.is_some());
        StepBudget {
            most: most.unwrap_or(own),
            may_loop,
            has_ended: false,
            deadline,
            given: (0, 0),
            is_given_up: false,
        }
    }

    /// Starts anew, with another deadline.
    pub(crate) fn renew(&mut self, deadline: Option<Instant>) {
        (self.deadline, self.given, self.is_given_up) = (deadline, (0, 0), false);
    }

    /// Starts a run of the predicate.
    pub(crate) fn begin(&mut self) {
        self.given = (0, 0);
    }

    /// Returns the steps that a run is given at first, and again when it has read a new field.
    pub(crate) fn portion(&self) -> u64 {
        self.most.min(PORTION)
    }

    /// Gives the repair up; returns the steps of one more run, which shows where the predicate loops.
    pub(crate) fn give_up(&mut self) -> u64 {
        self.is_given_up = true;
        self.portion().min(STEPS_TO_LOCATE)
    }

    /// Whether the time is over.
    pub(crate) fn is_over(&self) -> bool {
        self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }
}

impl State {
    /// Returns the steps that the predicate may take when those that it was given are used up; none if there are no more. `takes_memory`:
    /// each step does, and only the user can say that it is worth it.
    pub(super) fn more_steps(&mut self, takes_memory: bool) -> Option<u64> {
        let depth = self.decisions.len();
        let budget = &mut self.budget;
        let before = if budget.given.1 == depth { budget.given.0 } else { 0 };
        let given = before.max(budget.portion());
        let more = (budget.most - given).min(budget.portion());
        budget.given = (given + more, depth);
        let is_worth_it = !budget.is_given_up && (budget.may_loop || !takes_memory);
        (more > 0 && is_worth_it && !budget.is_over()).then_some(more)
    }
}
