//! Valid values as a strategy for [proptest](https://docs.rs/proptest), which picks uniformly among all values within
//! bounds and shrinks towards the smallest.

use std::cell::{OnceCell, RefCell};
use std::fmt::{self, Debug};
use std::rc::Rc;

use korat_core::{Finitize, RepOk};
use proptest::strategy::{NewTree, Strategy, ValueTree};
use proptest::test_runner::TestRunner;

use crate::pool::{Pool, Searched, Wanted};

/// Number of the smallest values that shrinking tries one by one: half of the runs that proptest spends by default.
const TRIED_ONE_BY_ONE: usize = 512;

/// Creates a strategy for all valid values within bounds, given as `T::scope(3)` or as a [`Search`](crate::Search).
///
/// Every value is equally likely. Shrinking first bisects towards smaller values, and then tries the 512 smallest ones
/// one by one. If one of those fails, proptest reports the smallest failing value.
///
/// The first value that is picked runs the whole search, once for the strategy and its clones. All values are stored as
/// slots: four bytes for every field of every object, and about 50 more for each value; a million values of 30 fields
/// take about 170 MB. If all values fit in memory, [`for_each_valid`](crate::for_each_valid) tests all of them in less
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
    ValidStrategy { shared: Rc::new(Shared { wanted: Wanted::new(searched), pool: OnceCell::new() }) }
}

/// A strategy for valid values; see [`valid`].
pub struct ValidStrategy<T: Finitize + RepOk> {
    shared: Rc<Shared<T>>,
}

/// The state shared by a strategy, its clones and its trees.
struct Shared<T: Finitize + RepOk> {
    wanted: Wanted<T>,
    /// Filled by the first search.
    pool: OnceCell<RefCell<Pool<T>>>,
}

impl<T: Finitize + RepOk> Shared<T> {
    fn pool(&self) -> &RefCell<Pool<T>> {
        self.pool.get_or_init(|| RefCell::new(Pool::of_some(&self.wanted)))
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
        let values = self.shared.pool().borrow().len();
        let index = (0..values).new_tree(runner)?.current();
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
        write!(f, "valid value #{} of {}", self.shrink.current + 1, T::NAME)
    }
}

impl<T: Finitize + RepOk + Debug> ValueTree for ValidTree<T> {
    type Value = T;

    fn current(&self) -> T {
        self.shared.pool().borrow_mut().build(self.shrink.current)
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
    current: usize,
    /// The smallest index known to fail, or the first one.
    failing: usize,
    stage: Stage,
}

#[derive(Debug)]
enum Stage {
    /// Bisects between `low` and `failing`: fast, but finds the smallest only if all values above a failing one fail.
    Halving { low: usize },
    /// Tries indices from zero upwards; the first failing one is the smallest.
    OneByOne,
    /// Stays at `failing`.
    Done,
}

impl Shrink {
    fn new(index: usize) -> Self {
        Shrink { current: index, failing: index, stage: Stage::Halving { low: 0 } }
    }

    fn simplify(&mut self) -> bool {
        self.failing = self.current;
        match self.stage {
            Stage::Halving { low } => self.halve(low),
            Stage::OneByOne => {
                self.stage = Stage::Done;
                false
            }
            Stage::Done => false,
        }
    }

    fn complicate(&mut self) -> bool {
        match self.stage {
            Stage::Halving { .. } => self.halve(self.current + 1),
            Stage::OneByOne if self.current + 1 < self.failing.min(TRIED_ONE_BY_ONE) => {
                self.current += 1;
                true
            }
            // proptest runs the failing value again, calls `simplify`, and then shrinks the other inputs.
            Stage::OneByOne => {
                (self.current, self.stage) = (self.failing, Stage::Done);
                true
            }
            Stage::Done => false,
        }
    }

    /// Moves to the middle, or to the next stage if there is none.
    fn halve(&mut self, low: usize) -> bool {
        if low < self.failing {
            self.current = low + (self.failing - low) / 2;
            self.stage = Stage::Halving { low };
            true
        } else if self.failing > 0 {
            (self.current, self.stage) = (0, Stage::OneByOne);
            true
        } else {
            (self.current, self.stage) = (0, Stage::Done);
            false
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Shrink, TRIED_ONE_BY_ONE};

    /// Shrinks as proptest does; returns the final index and the number of runs.
    fn shrunk(from: usize, fails: impl Fn(usize) -> bool) -> (usize, usize) {
        let mut shrink = Shrink::new(from);
        let mut runs = 0;
        let mut more = shrink.simplify();
        while more {
            runs += 1;
            more = if fails(shrink.current) { shrink.simplify() } else { shrink.complicate() };
        }
        (shrink.current, runs)
    }

    #[test]
    fn the_smallest_of_the_first_values_is_found_whatever_fails() {
        for smallest in 0..20 {
            for from in smallest..40 {
                let even =
                    |index: usize| index >= smallest && (index == smallest || index == from || index.is_multiple_of(2));
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
            let mut shrink = Shrink::new(1000);
            let fails = |index: usize| index >= 100;
            let mut more = shrink.simplify();
            for _ in 0..runs {
                if more {
                    more = if fails(shrink.current) { shrink.simplify() } else { shrink.complicate() };
                }
            }
            while shrink.complicate() {}
            assert!(fails(shrink.current), "after {runs} runs");
        }
    }
}
