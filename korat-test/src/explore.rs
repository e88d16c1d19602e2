//! Exploration: every state that operations can reach, level by level, on the user's own values.

use std::fmt::Debug;
use std::time::Duration;

use korat_core::__private::Field;

use crate::config::Config;
use crate::env;
use crate::error::{Error, raised};
use crate::property::Outcome;

mod against;
mod failure;
mod operations;
mod report;
mod run;
mod sequence;
mod states;
mod steps;

pub use against::Comparison;
pub use failure::{ExploreFailed, FailedSequence};
use operations::Operations;
pub use report::{ExploreEnding, ExploreReport};
use run::Run;

/// A check of a state, which tells what is wrong.
type Check<S> = Box<dyn Fn(&S) -> Result<(), String>>;

/// Runs every operation with every argument on every state that they lead to, the shortest sequences first.
///
/// A state is a value of a type that derives [`Finitize`](crate::Finitize), or a tuple or container of such and of plain
/// values. It needs no bounds and no `Clone`: korat stores its canonical form, and builds it anew for each operation. Two states are
/// the same if they are isomorphic; the addresses of their objects do not count, nor do skipped fields.
///
/// ```
/// use korat::{Explore, Finitize};
///
/// #[derive(Debug, Default, Finitize)]
/// struct Stack {
///     items: Vec<u8>,
/// }
///
/// let report = Explore::from(Stack::default())
///     .operation("push", 1..=3, |stack, item| stack.items.push(item))
///     .operation_if("pop", |stack| !stack.items.is_empty(), |stack| stack.items.pop())
///     .check(|stack| stack.items.len() <= 4)
///     .depth(4)
///     .run();
/// // Stacks of up to four items out of three.
/// report.expect_states(1 + 3 + 9 + 27 + 81);
/// ```
#[must_use = "an exploration does nothing before it is run"]
pub struct Explore<S> {
    firsts: Vec<S>,
    operations: Operations<S>,
    checks: Vec<Check<S>>,
    depth: Option<usize>,
    config: Config,
}

impl<S: Field + Debug> From<S> for Explore<S> {
    /// Begins in this state.
    fn from(first: S) -> Self {
        Explore {
            firsts: vec![first],
            operations: Operations::default(),
            checks: Vec::new(),
            depth: None,
            config: Config::default(),
        }
    }
}

impl<S: Field + Debug> Explore<S> {
    /// Begins in another state, too.
    pub fn and_from(mut self, first: S) -> Self {
        self.firsts.push(first);
        self
    }

    /// Adds an operation that is run with each of these arguments. What it returns does not matter; it panics if something is
    /// wrong. Several arguments are a tuple.
    pub fn operation<A: Clone + Debug + 'static, R>(
        mut self,
        name: &str,
        arguments: impl IntoIterator<Item = A>,
        run: impl Fn(&mut S, A) -> R + 'static,
    ) -> Self {
        self.operations.add(name, None, arguments, run);
        self
    }

    /// Adds an operation without arguments that is run on the states for which `guard` holds.
    pub fn operation_if<R>(
        mut self,
        name: &str,
        guard: impl Fn(&S) -> bool + 'static,
        run: impl Fn(&mut S) -> R + 'static,
    ) -> Self {
        self.operations.add(name, Some(Box::new(guard)), [()], move |state, ()| run(state));
        self
    }

    /// Checks each state, the first ones included, before it is explored further. A check panics, returns a `bool`, or returns
    /// a `Result`.
    pub fn check<O: Outcome>(mut self, check: impl Fn(&S) -> O + 'static) -> Self {
        self.checks.push(Box::new(move |state| check(state).into_verdict()));
        self
    }

    /// Runs sequences of at most this many operations. `KORAT_DEPTH` takes precedence. Default: all, until nothing new is found.
    pub fn depth(mut self, operations: usize) -> Self {
        self.depth = Some(operations);
        self
    }

    /// Stops when there are more states than this. The report then states that the exploration was not exhaustive.
    pub fn limit(mut self, states: u64) -> Self {
        self.config = self.config.limit(states);
        self
    }

    /// Stops after this time. The report then states that the exploration was not exhaustive.
    pub fn time_limit(mut self, time: Duration) -> Self {
        self.config = self.config.time_limit(time);
        self
    }

    /// Collects up to this many failures of different origin. Default: 1.
    pub fn failures(mut self, count: usize) -> Self {
        self.config = self.config.failures(count);
        self
    }

    /// Runs the exploration. Panics with the shortest sequence of operations after which something is wrong.
    #[track_caller]
    pub fn run(self) -> ExploreReport {
        raised(self.try_run().map_err(|failed| Error::Expectation(failed.to_string())))
    }

    /// Runs the exploration, and returns what is wrong as data.
    pub fn try_run(mut self) -> Result<ExploreReport, ExploreFailed> {
        self.apply_environment();
        Run::new(self).explore()
    }

    fn apply_environment(&mut self) {
        env::apply(&mut self.config);
        self.depth = self.config.depth.or(self.depth);
    }
}
