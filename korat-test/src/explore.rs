//! Exploration: every state that operations can reach, level by level, on the user's own values.

use std::any::type_name;
use std::fmt::Debug;
use std::hash::Hash;
use std::panic::Location;
use std::thread;
use std::time::Duration;

use korat_core::__private::Field;
use korat_core::join_thread;

use crate::config::Config;
use crate::env;
use crate::error::{Error, raised};
use crate::property::Outcome;
use crate::threads::number;

mod again;
mod against;
mod beside;
mod call_sequence;
mod drawing;
mod execution;
mod failure;
mod graph;
mod graph_json;
mod matching;
mod operations;
mod recorded;
mod replay;
mod report;
mod report_json;
mod run;
mod sequence;
mod states;
mod steps;
mod threads;
mod underway;
mod waiting;

pub use against::Comparison;
pub(crate) use call_sequence::is_sequence;
pub use failure::{ExploreFailed, FailedSequence};
pub use graph::{FailedPath, GraphState, StateGraph, StatePath, Transition};
use matching::MatchedBy;
pub use matching::Matching;
use operations::Operations;
pub use report::{ExploreEnding, ExploreReport};
use run::Run;
use threads::Team;

/// A check of a state, which tells what is wrong.
type Check<S> = Box<dyn Fn(&S) -> Result<(), String>>;

/// A type whose values an exploration can store: one that derives [`Finitize`](crate::Finitize), a plain type, or a tuple or
/// container of such types, that implements `Debug`. It is the bound of helpers that are generic over states.
pub trait State: Field + Debug {}

impl<S: Field + Debug> State for S {}

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
    matched_by: MatchedBy<S>,
    config: Config,
    /// The type name of the last closure, which contains that of the enclosing function.
    inside: Option<&'static str>,
}

impl<S: State> From<S> for Explore<S> {
    /// Begins in this state.
    fn from(first: S) -> Self {
        Explore {
            firsts: vec![first],
            operations: Operations::default(),
            checks: Vec::new(),
            matched_by: MatchedBy::Matching(Matching::default()),
            config: Config::default(),
            inside: None,
        }
    }
}

impl<S: State> Explore<S> {
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
        self.note_place(&run);
        self.operations.add(name, None, arguments, move |state, argument| {
            run(state, argument);
            Ok(())
        });
        self
    }

    /// Adds an operation without arguments that is run on the states for which `guard` holds.
    pub fn operation_if<R>(
        mut self,
        name: &str,
        guard: impl Fn(&S) -> bool + 'static,
        run: impl Fn(&mut S) -> R + 'static,
    ) -> Self {
        self.note_place(&run);
        self.operations.add(name, Some(Box::new(move |state, ()| guard(state))), [()], move |state, ()| {
            run(state);
            Ok(())
        });
        self
    }

    /// Adds an operation that is run with each of these arguments on the states for which `guard` holds with the argument.
    ///
    /// ```
    /// use korat::Explore;
    ///
    /// // Numbers that are divided by what divides them.
    /// let report = Explore::from(60_u8)
    ///     .operation_when("divide", [2, 3, 5], |number, by| number % by == 0, |number, by| *number /= by)
    ///     .run();
    /// report.expect_states(12);
    /// ```
    pub fn operation_when<A: Clone + Debug + 'static, R>(
        mut self,
        name: &str,
        arguments: impl IntoIterator<Item = A>,
        guard: impl Fn(&S, A) -> bool + 'static,
        run: impl Fn(&mut S, A) -> R + 'static,
    ) -> Self {
        self.note_place(&run);
        self.operations.add(name, Some(Box::new(guard)), arguments, move |state, argument| {
            run(state, argument);
            Ok(())
        });
        self
    }

    /// Checks each state, the first ones included, before it is explored further. A check panics, returns a `bool`, or returns
    /// a `Result`.
    pub fn check<O: Outcome>(mut self, check: impl Fn(&S) -> O + 'static) -> Self {
        self.note_place(&check);
        self.checks.push(Box::new(move |state| check(state).into_verdict()));
        self
    }

    /// Runs sequences of at most this many operations. `KORAT_DEPTH` takes precedence. Default: all, until nothing new is found.
    pub fn depth(mut self, operations: usize) -> Self {
        self.config = self.config.depth(operations);
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

    /// Sets how many threads [`par_run`](Explore::par_run) takes. `KORAT_THREADS` takes precedence. Default: as many as the machine has
    /// cores for.
    pub fn threads(mut self, threads: usize) -> Self {
        self.config = self.config.threads(threads);
        self
    }

    /// Sets what two states must have in common to count as the same. Default: [`Matching::Exact`].
    ///
    /// ```
    /// use korat::{Explore, Finitize, Matching};
    ///
    /// #[derive(Debug, Default, Finitize)]
    /// struct Stack {
    ///     items: Vec<u8>,
    /// }
    ///
    /// let stacks = || Explore::from(Stack::default()).operation("push", 1..=3, |stack, item| stack.items.push(item)).depth(4);
    /// stacks().matching(Matching::Hashed).run().expect_states(1 + 3 + 9 + 27 + 81);
    /// // One stack of each length.
    /// stacks().matching(Matching::Shape).run().expect_states(5);
    /// ```
    pub fn matching(mut self, matching: Matching) -> Self {
        self.matched_by = MatchedBy::Matching(matching);
        self
    }

    /// Counts states as the same if they have the same key. Such an exploration is not exhaustive: of all states with a key, the
    /// first one is explored.
    ///
    /// ```
    /// use korat::Explore;
    ///
    /// let counter = Explore::from(0_u64).operation("add", [1, 5], |sum, more| *sum += more);
    /// // It would not end otherwise.
    /// counter.matching_by(|sum| sum % 12).run().expect_states(12);
    /// ```
    pub fn matching_by<K: Hash + Eq + 'static>(mut self, key: impl Fn(&S) -> K + 'static) -> Self {
        self.matched_by = MatchedBy::key(key);
        self
    }

    /// Ends the process if one operation, with the checks after it, runs longer than this. The calls that lead to it are printed before,
    /// and kept as a regression: nothing can stop an operation that does not end, but it is named. Default: no limit.
    pub fn execution_limit(mut self, limit: Duration) -> Self {
        self.config = self.config.execution_limit(limit);
        self
    }

    /// Collects up to this many failures of different origin. Default: 1.
    pub fn failures(mut self, count: usize) -> Self {
        self.config = self.config.failures(count);
        self
    }

    /// Sets whether failing sequences are stored in `korat-regressions/` and run first the next time. Default: yes.
    pub fn regressions(mut self, keep: bool) -> Self {
        self.config = self.config.regressions(keep);
        self
    }

    /// Runs the exploration. Panics with the shortest sequence of operations after which something is wrong.
    #[track_caller]
    pub fn run(self) -> ExploreReport {
        raised(self.try_run().map_err(|failed| Error::Expectation(failed.to_string())))
    }

    /// Runs the exploration, and returns what is wrong as data.
    #[track_caller]
    pub fn try_run(mut self) -> Result<ExploreReport, ExploreFailed> {
        env::apply(&mut self.config);
        let location = Location::caller();
        let recording = self.recorded(location);
        recording.explored(Run::new(self, location).explore())
    }

    /// Runs the exploration that `make` returns on several [`threads`](Explore::threads); `KORAT_THREADS` takes precedence. Each thread
    /// makes it for itself, so that operations and states need not be `Send`; they must be the same each time. What is found, reported
    /// and kept is the same as with [`run`](Explore::run), the order included. With another [`Matching`](crate::Matching) than the exact
    /// one, a single thread runs it.
    ///
    /// ```
    /// use korat::Explore;
    ///
    /// let report = Explore::par_run(|| {
    ///     Explore::from(Vec::new())
    ///         .operation("push", 1..=3, |stack: &mut Vec<u8>, item| stack.push(item))
    ///         .operation_if("pop", |stack| !stack.is_empty(), |stack| stack.pop())
    ///         .depth(5)
    ///         .threads(2)
    /// });
    /// report.expect_states(1 + 3 + 9 + 27 + 81 + 243);
    /// ```
    #[track_caller]
    pub fn par_run(make: impl Fn() -> Explore<S> + Sync) -> ExploreReport {
        raised(Explore::par_try_run(make).map_err(|failed| Error::Expectation(failed.to_string())))
    }

    /// Runs it as [`par_run`](Explore::par_run) does, and returns what is wrong as data.
    #[track_caller]
    pub fn par_try_run(make: impl Fn() -> Explore<S> + Sync) -> Result<ExploreReport, ExploreFailed> {
        let location = Location::caller();
        let mut explore = make();
        env::apply(&mut explore.config);
        let threads = if explore.matched_by.is_exact() { number(explore.config.threads) } else { 1 };
        let recording = explore.recorded(location);
        let run = Run::new(explore, location);
        let operations = run.executor.explore.operations.fingerprint();
        recording.explored(thread::scope(|scope| {
            // The other threads end when the team is dropped, also by a panic; the scope waits for them.
            let mut run = run;
            let team = (threads > 1).then(|| Team::begin(scope, threads, &make, &run.again, operations));
            let (team, workers) = team.unzip();
            run.team = team;
            let explored = run.explore();
            run.team = None;
            // The end of a scope does not wait for what threads keep until they end.
            workers.into_iter().flatten().for_each(|thread| _ = join_thread(thread));
            explored
        }))
    }

    /// Runs these calls, as a failure prints them, and nothing else. Panics if something is wrong after one of them, or if they are
    /// none of this exploration.
    ///
    /// ```
    /// use korat::Explore;
    ///
    /// Explore::from(Vec::new())
    ///     .operation("push", 1..=3, |stack: &mut Vec<u8>, item| stack.push(item))
    ///     .operation_if("pop", |stack| !stack.is_empty(), |stack| stack.pop())
    ///     .replay("push(3); push(1); pop()");
    /// ```
    #[track_caller]
    pub fn replay(mut self, calls: &str) {
        env::apply(&mut self.config);
        self.config.regressions = false;
        let replayed = Run::new(self, Location::caller()).replay(calls);
        let failed = replayed.and_then(|done| done.map_err(|failed| failed.to_string()));
        raised(failed.map_err(Error::Expectation));
    }
}

impl<S> Explore<S> {
    /// Notes which function an exploration stands in.
    fn note_place<F>(&mut self, _: &F) {
        let (name, is_closure) = (type_name::<F>(), |name: &str| name.ends_with("}}"));
        if self.inside.is_none_or(|known| is_closure(name) || !is_closure(known)) {
            self.inside = Some(name);
        }
    }
}
