//! Valid values as a strategy for [proptest](https://docs.rs/proptest), which picks uniformly among all values within
//! bounds and shrinks towards the smallest.

use std::cell::{OnceCell, RefCell};
use std::fmt::{self, Debug};
use std::rc::Rc;

use korat_core::{Finitize, Natural, RepOk};
use proptest::prelude::any;
use proptest::strategy::{NewTree, Strategy, ValueTree};
use proptest::test_runner::TestRunner;

use super::picks::Picks;
use crate::pool::{Searched, Wanted};

/// Number of the smallest values that shrinking tries one by one: half of the runs that proptest spends by default.
const TRIED_ONE_BY_ONE: u64 = 512;

/// Creates a strategy for all valid values within bounds, given as `T::scope(3)` or as a [`Search`](crate::Search).
///
/// Every value is equally likely. Shrinking first bisects towards smaller values, and then tries the 512 smallest ones
/// one by one. If one of those fails, proptest reports the smallest failing value.
///
/// The first value that is picked runs the search, once for the strategy and its clones. Up to 100,000 values are stored as
/// slots: four bytes for every field of every object, and about 50 more for each value, 17 MB for 30 fields. If there are more and parts of the
/// structure can be [summarised](crate::Search::summaries), values are built by their number instead, and none is stored; otherwise all are stored. If all
/// values fit in memory, [`for_each_valid`](crate::for_each_valid) tests all of them in less
/// time; this function is for properties that need other inputs as well.
///
/// # Panics
///
/// The strategy panics when it picks the first value, if there is no valid value within the bounds.
///
/// ```
/// use korat::{Finitize, rep_ok};
/// use proptest::prelude::*;
///
/// #[derive(Debug, Finitize)]
/// struct Interval {
///     low: u8,
///     high: u8,
/// }
///
/// #[rep_ok]
/// impl Interval {
///     fn rep_ok(&self) -> bool {
///         self.low <= self.high
///     }
/// }
///
/// impl Interval {
///     fn clamp(&self, number: i32) -> i32 {
///         number.clamp(self.low.into(), self.high.into())
///     }
/// }
///
/// proptest!(|(interval in korat::interop::proptest::valid(Interval::scope(4)), number in any::<i32>())| {
///     prop_assert!((0..=4).contains(&interval.clamp(number)));
/// });
/// ```
#[track_caller]
pub fn valid<S: Searched>(searched: S) -> ValidStrategy<S::Value> {
    ValidStrategy { shared: Rc::new(Shared { wanted: Wanted::new(searched), picks: OnceCell::new() }) }
}

/// A strategy for valid values; see [`valid`].
pub struct ValidStrategy<T: Finitize + RepOk> {
    shared: Rc<Shared<T>>,
}

/// The state shared by a strategy, its clones and its trees.
struct Shared<T: Finitize + RepOk> {
    wanted: Wanted<T>,
    /// Filled by the first search.
    picks: OnceCell<RefCell<Picks<T>>>,
}

impl<T: Finitize + RepOk> Shared<T> {
    fn picks(&self) -> &RefCell<Picks<T>> {
        self.picks.get_or_init(|| RefCell::new(Picks::new(&self.wanted)))
    }
}

impl<T: Finitize + RepOk> Clone for ValidStrategy<T> {
    fn clone(&self) -> Self {
        ValidStrategy { shared: Rc::clone(&self.shared) }
    }
}

impl<T: Finitize + RepOk> Debug for ValidStrategy<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "valid values of {} at scope {}", T::NAME, self.shared.wanted.bounds.scope())
    }
}

impl<T: Finitize + RepOk + Debug> Strategy for ValidStrategy<T> {
    type Tree = ValidTree<T>;
    type Value = T;

    fn new_tree(&self, runner: &mut TestRunner) -> NewTree<Self> {
        let (listed, len) = {
            let picks = self.shared.picks().borrow();
            (picks.listed(), picks.len())
        };
        let index = match listed {
            Some(values) => Natural::from((0..values).new_tree(runner)?.current() as u64),
            None => {
                let mut failed = None;
                let index = len.below(&mut || match any::<u64>().new_tree(runner) {
                    Ok(word) => word.current(),
                    Err(reason) => {
                        failed = Some(reason);
                        0
                    }
                });
                failed.map_or(Ok(index), Err)?
            }
        };
        Ok(ValidTree { shared: Rc::clone(&self.shared), shrink: Shrink::new(index) })
    }
}

/// One value of [`ValidStrategy`], which can be shrunk.
pub struct ValidTree<T: Finitize + RepOk> {
    shared: Rc<Shared<T>>,
    shrink: Shrink,
}

impl<T: Finitize + RepOk> Debug for ValidTree<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut number = self.shrink.current.clone();
        number += &Natural::ONE;
        write!(f, "valid value #{number} of {}", T::NAME)
    }
}

impl<T: Finitize + RepOk + Debug> ValueTree for ValidTree<T> {
    type Value = T;

    fn current(&self) -> T {
        self.shared.picks().borrow_mut().build(&self.shrink.current)
    }

    fn simplify(&mut self) -> bool {
        self.shrink.simplify()
    }

    fn complicate(&mut self) -> bool {
        self.shrink.complicate()
    }
}

/// Finds the smallest failing index. proptest calls `simplify` when the current value fails, and `complicate` when it passes.
#[derive(Debug)]
struct Shrink {
    current: Natural,
    /// The smallest index known to fail, or the first one.
    failing: Natural,
    stage: Stage,
}

#[derive(Debug)]
enum Stage {
    /// Bisects between `low` and `failing`: fast, but finds the smallest only if all values above a failing one fail.
    Halving { low: Natural },
    /// Tries indices from zero upwards; the first failing one is the smallest.
    OneByOne,
    /// Stays at `failing`.
    Done,
}

impl Shrink {
    fn new(index: Natural) -> Self {
        Shrink { current: index.clone(), failing: index, stage: Stage::Halving { low: Natural::ZERO } }
    }

    fn simplify(&mut self) -> bool {
        self.failing = self.current.clone();
        match &self.stage {
            Stage::Halving { low } => self.halve(low.clone()),
            Stage::OneByOne => {
                self.stage = Stage::Done;
                false
            }
            Stage::Done => false,
        }
    }

    fn complicate(&mut self) -> bool {
        let mut next = self.current.clone();
        next += &Natural::ONE;
        match self.stage {
            Stage::Halving { .. } => self.halve(next),
            Stage::OneByOne if next < self.failing && next < TRIED_ONE_BY_ONE => {
                self.current = next;
                true
            }
            // proptest runs the failing value again, calls `simplify`, and then shrinks the other inputs.
            Stage::OneByOne => {
                (self.current, self.stage) = (self.failing.clone(), Stage::Done);
                true
            }
            Stage::Done => false,
        }
    }

    /// Moves to the middle, or to the next stage if there is none.
    fn halve(&mut self, low: Natural) -> bool {
        if low < self.failing {
            let (mut middle, _) = (self.failing.clone() - &low).divided(&Natural::from(2));
            middle += &low;
            (self.current, self.stage) = (middle, Stage::Halving { low });
            return true;
        }
        let is_first = self.failing.is_zero();
        self.current = Natural::ZERO;
        self.stage = if is_first { Stage::Done } else { Stage::OneByOne };
        !is_first
    }
}

#[cfg(test)]
mod tests {
    use super::{Shrink, TRIED_ONE_BY_ONE};

    fn index(shrink: &Shrink) -> u64 {
        shrink.current.to_u64().unwrap()
    }

    /// Shrinks as proptest does; returns the final index and the number of runs.
    fn shrunk(from: u64, fails: impl Fn(u64) -> bool) -> (u64, u64) {
        let mut shrink = Shrink::new(from.into());
        let mut runs = 0;
        let mut more = shrink.simplify();
        while more {
            runs += 1;
            more = if fails(index(&shrink)) { shrink.simplify() } else { shrink.complicate() };
        }
        (index(&shrink), runs)
    }

    #[test]
    fn the_smallest_of_the_first_values_is_found_whatever_fails() {
        for smallest in 0..20 {
            for from in smallest..40 {
                let even =
                    |index: u64| index >= smallest && (index == smallest || index == from || index.is_multiple_of(2));
                let expected = (0..=from).find(|&index| even(index)).unwrap();
                assert_eq!(shrunk(from, even).0, expected, "from {from}");
            }
        }
    }

    #[test]
    fn halves_find_the_threshold_far_away() {
        let (found, runs) = shrunk(900_000, |index| index >= 123_456);
        assert_eq!(found, 123_456);
        assert!(runs < TRIED_ONE_BY_ONE + 30, "{runs}");
    }

    #[test]
    fn giving_up_leaves_the_failing_value() {
        // This is what proptest does when its runs are used up.
        for runs in 0..30 {
            let mut shrink = Shrink::new(1000.into());
            let fails = |index: u64| index >= 100;
            let mut more = shrink.simplify();
            for _ in 0..runs {
                if more {
                    more = if fails(index(&shrink)) { shrink.simplify() } else { shrink.complicate() };
                }
            }
            while shrink.complicate() {}
            assert!(fails(index(&shrink)), "after {runs} runs");
        }
    }
}
