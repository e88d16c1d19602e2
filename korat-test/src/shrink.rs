//! Looks for a simpler failing value, once one that was drawn at random has failed: first near it, then among all values of smaller sizes,
//! smallest first. Takes verdicts on the values that it proposes, and runs no property itself.

use std::collections::HashSet;

use korat_core::{Descended, SearchError, Simpler, SlotVector, UntypedSearcher};

use crate::property::Violation;
use crate::report::counted;
use crate::values::{Next, Values};

/// The number of candidates after which a change of the failing value is given up. The predicate decides fields that follow from others last,
/// such as a length, so that a few candidates mend them.
const CANDIDATES_PER_CHANGE: u64 = 100;

/// The number of candidates, for each value of the budget, after which the search near the failing value or among smaller sizes ends: about as
/// many as one value takes in the searches of `examples`.
const CANDIDATES_PER_VALUE: u64 = 200;

/// A failing value.
#[derive(Clone, Debug)]
pub(crate) struct FailingValue {
    pub(crate) size: usize,
    pub(crate) slots: SlotVector,
    pub(crate) violation: Violation,
}

/// What is known about values that are smaller than the one found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Smaller {
    /// All of them were tried, and none fails like it.
    Pass,
    /// Some may fail like it: why not all were tried.
    Unknown(String),
}

enum Stage {
    /// Tries the changes of the failing value from a number on.
    Near {
        searcher: Box<UntypedSearcher>,
        simpler: Simpler,
        next: usize,
    },
    /// Tries all values of smaller sizes.
    Sizes(Box<Values>),
    Over(Smaller),
}

/// What comes next.
pub(crate) enum Step {
    /// A value, at which the searcher stands.
    Value,
    /// It is time to check the clock.
    Paused,
    Over,
}

/// Makes the values of some sizes, smallest first.
pub(crate) type MakeValues = Box<dyn Fn(usize, usize) -> Result<Values, SearchError>>;

/// The search for a simpler failing value.
pub(crate) struct Shrinking {
    best: FailingValue,
    /// The least size that values may have.
    least: usize,
    make_values: MakeValues,
    stage: Stage,
    /// The values on which the property ran.
    seen: HashSet<SlotVector>,
    /// The value that was proposed last.
    current: (usize, SlotVector),
    /// How many values may be tried, and how many were.
    budget: u64,
    tried: u64,
}

impl Shrinking {
    /// Begins near a failing value. Fails if that is no value of the searcher's.
    pub(crate) fn new(
        failing: FailingValue,
        least: usize,
        budget: u64,
        mut searcher: UntypedSearcher,
        make_values: MakeValues,
    ) -> Option<Self> {
        let simpler = searcher.simpler(&failing.slots).ok()?;
        Some(Shrinking {
            seen: HashSet::from([failing.slots.clone()]),
            current: (failing.size, failing.slots.clone()),
            best: failing,
            least,
            make_values,
            stage: Stage::Near { searcher: Box::new(searcher), simpler, next: 0 },
            budget,
            tried: 0,
        })
    }

    /// Goes to the next value on which to run the property.
    pub(crate) fn next(&mut self) -> Step {
        self.step().unwrap_or_else(|error| {
            // The failure of the property is what the user has to see.
            let what = error.to_string();
            self.end(format!("the search ended with an error: {}", what.lines().next().unwrap_or_default()));
            Step::Over
        })
    }

    fn step(&mut self) -> Result<Step, SearchError> {
        let candidates = self.budget.saturating_mul(CANDIDATES_PER_VALUE);
        let (least, best) = (self.least, (self.best.size, &self.best.slots));
        match &mut self.stage {
            Stage::Over(_) => Ok(Step::Over),
            Stage::Near { .. } | Stage::Sizes(_) if self.tried >= self.budget => {
                self.end(format!("the budget of {} is used up", counted(self.budget, "value")));
                Ok(Step::Over)
            }
            Stage::Near { searcher, simpler, next } => {
                while *next < simpler.len() && searcher.counters().explored < candidates {
                    *next += 1;
                    match searcher.descend_to_simpler(simpler, *next - 1, CANDIDATES_PER_CHANGE)? {
                        Descended::Nowhere | Descended::GaveUp => return Ok(Step::Paused),
                        Descended::Value => {}
                    }
                    let (size, slots) = (searcher.size(), searcher.slot_vector());
                    if size >= least && (size, &slots) < best && self.seen.insert(slots.clone()) {
                        self.current = (size, slots);
                        return Ok(Step::Value);
                    }
                }
                self.stage = if self.best.size > least {
                    Stage::Sizes(Box::new((self.make_values)(least, self.best.size - 1)?))
                } else {
                    Stage::Over(Smaller::Pass)
                };
                Ok(Step::Paused)
            }
            Stage::Sizes(values) => match values.next()? {
                Next::Done => {
                    self.stage = Stage::Over(Smaller::Pass);
                    Ok(Step::Over)
                }
                Next::Paused if values.counters().explored < candidates => Ok(Step::Paused),
                Next::Paused => {
                    self.end(format!("{} of smaller sizes were tried", counted(candidates, "candidate")));
                    Ok(Step::Over)
                }
                Next::Value => {
                    let (size, slots) = (values.size(), values.searcher_mut().slot_vector());
                    if !self.seen.insert(slots.clone()) {
                        return Ok(Step::Paused);
                    }
                    self.current = (size, slots);
                    Ok(Step::Value)
                }
            },
        }
    }

    /// Ends the search before all smaller values were tried.
    pub(crate) fn end(&mut self, why: String) {
        if !matches!(self.stage, Stage::Over(_)) {
            self.stage = Stage::Over(Smaller::Unknown(why));
        }
    }

    /// Returns the searcher that stands at the proposed value.
    pub(crate) fn searcher(&mut self) -> Option<&mut UntypedSearcher> {
        match &mut self.stage {
            Stage::Near { searcher, .. } => Some(searcher),
            Stage::Sizes(values) => Some(values.searcher_mut()),
            Stage::Over(_) => None,
        }
    }

    /// Returns the slots of the proposed value.
    pub(crate) fn current(&self) -> &SlotVector {
        &self.current.1
    }

    /// Takes the verdict on the proposed value.
    pub(crate) fn judge(&mut self, verdict: Result<(), Violation>) {
        self.tried += 1;
        let Err(violation) = verdict else { return };
        // A value that fails in another way is another failure.
        if !violation.is_like(&self.best.violation) {
            return;
        }
        let (size, slots) = self.current.clone();
        self.best = FailingValue { size, slots, violation };
        match &mut self.stage {
            Stage::Near { searcher, simpler, next } => {
                searcher.free_cycles();
                if let Ok(changes) = searcher.simpler(&self.best.slots) {
                    (*simpler, *next) = (changes, 0);
                }
            }
            Stage::Sizes(values) if values.is_smallest_first() => self.stage = Stage::Over(Smaller::Pass),
            Stage::Sizes(_) => self.end("values of these sizes do not come smallest first".to_string()),
            Stage::Over(_) => {}
        }
    }

    /// Returns the simplest failing value that was found, what is known about smaller ones, and how many values were tried.
    pub(crate) fn finish(self) -> (FailingValue, Smaller, u64) {
        let smaller = match self.stage {
            Stage::Over(smaller) => smaller,
            Stage::Near { .. } | Stage::Sizes(_) => Smaller::Unknown("the search has not ended".to_string()),
        };
        (self.best, smaller, self.tried)
    }
}
