//! How long the predicate may go on in a repair without reading a new field: so many steps, given out in portions, so that somebody looks
//! at the clock between two of them.

use std::time::Instant;

use super::choice::Engine;

/// So many steps take a fraction of a second.
const PORTION: u64 = 10_000_000;
/// Where nobody says how many are too many, a predicate that takes so many for each slot of a large value seems to loop.
const OF_A_SLOT: u64 = 10_000;
/// After so many it is known where a predicate loops.
const TO_KNOW_WHERE: u64 = 10_000;

/// What a predicate may use up, and what it has.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Patience {
    /// The steps that it may take in all.
    pub(crate) most: u64,
    /// Whether to take more is the same as to reject.
    pub(crate) may_loop: bool,
    /// The same, because the predicate has come to an end with the value as it is: what makes it loop is wrong.
    pub(crate) has_ended: bool,
    /// When to give up.
    deadline: Option<Instant>,
    /// How many steps it has been given since a field was read, after so many choices.
    given: (u64, usize),
    /// Whether it is only run once more to know where it loops.
    is_lost: bool,
}

impl Patience {
    /// `most`: the user says so; otherwise it depends on how many slots there are.
    pub(crate) fn new(most: Option<u64>, slots: usize, deadline: Option<Instant>) -> Self {
        let (own, may_loop) = (PORTION.max(slots as u64 * OF_A_SLOT), most.is_some());
        Patience { most: most.unwrap_or(own), may_loop, has_ended: false, deadline, given: (0, 0), is_lost: false }
    }

    /// It is as at the beginning, with another deadline.
    pub(crate) fn renew(&mut self, deadline: Option<Instant>) {
        (self.deadline, self.given, self.is_lost) = (deadline, (0, 0), false);
    }

    /// A run begins.
    pub(crate) fn begin(&mut self) {
        self.given = (0, 0);
    }

    /// The steps that it is given at first, and again when it has read a new field.
    pub(crate) fn portion(&self) -> u64 {
        self.most.min(PORTION)
    }

    /// The repair is given up, and it is only to be known where the predicate loops. Gives the steps for that.
    pub(crate) fn lose(&mut self) -> u64 {
        self.is_lost = true;
        self.portion().min(TO_KNOW_WHERE)
    }

    /// Whether the time is over.
    pub(crate) fn is_over(&self) -> bool {
        self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }
}

impl Engine {
    /// The steps that the predicate may take when those are used up that it was given; none if there are no more. `takes_memory`: each
    /// step does, and only the user can say that it is worth it.
    pub(crate) fn more_steps(&mut self, takes_memory: bool) -> Option<u64> {
        let depth = self.depth();
        let patience = &mut self.repairing.as_mut()?.patience;
        let before = if patience.given.1 == depth { patience.given.0 } else { 0 };
        let given = before.max(patience.portion());
        let more = (patience.most - given).min(patience.portion());
        patience.given = (given + more, depth);
        let is_worth_it = !patience.is_lost && (patience.may_loop || !takes_memory);
        (more > 0 && is_worth_it && !patience.is_over()).then_some(more)
    }
}
