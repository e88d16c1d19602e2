//! A structure, the operations that one of its seeded bugs is in, and a check: what an exploration and a random test both run.

use std::fmt::{self, Debug};
use std::sync::Arc;

use korat::{Explore, State};

/// Asserts that an exploration fails after these calls, and that every shorter sequence of calls passes. Returns the message.
pub(crate) fn assert_shortest<S: State>(exploration: impl Fn() -> Explore<S>, calls: &[&str]) -> String {
    let failed = exploration().regressions(false).try_run().unwrap_err();
    let shortest = &failed.failures[0];
    assert_eq!(shortest.calls, calls, "{failed}");
    let shorter = exploration().depth(calls.len() - 1).run();
    shorter.expect_complete();
    // Both have found the same states on each level before the failing call.
    assert_eq!(shorter.levels.len(), calls.len());
    assert_eq!(shorter.levels, failed.report.levels[..calls.len()]);
    shortest.message.clone()
}

/// Which version of an operation runs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Version {
    Right,
    Seeded,
}

impl Version {
    /// Returns one of two versions of an operation.
    pub(crate) fn of<T>(self, right: T, seeded: T) -> T {
        match self {
            Version::Right => right,
            Version::Seeded => seeded,
        }
    }
}

/// A structure with a seeded bug.
pub(crate) trait Machine: 'static {
    /// The structure, often beside a model.
    type State: State;

    /// The structure, and what is wrong, as the guide has it.
    const BUG: &str;

    /// Returns the empty structure.
    fn first() -> Self::State;

    /// Returns the operations. They panic if something is wrong.
    fn operations(version: Version) -> Vec<Operation<Self::State>>;

    /// Panics if something is wrong with a state.
    fn check(state: &Self::State);

    /// Returns the exploration of a version.
    fn exploration(version: Version) -> Explore<Self::State> {
        let first = Explore::from(Self::first());
        let with_operations = Self::operations(version).into_iter().fold(first, |explore, operation| {
            explore.operation(operation.name, operation.calls, |state, call| call.run(state))
        });
        with_operations.check(Self::check)
    }
}

/// An operation with all of its arguments.
#[derive(Debug)]
pub(crate) struct Operation<S> {
    name: &'static str,
    pub(crate) calls: Vec<Call<S>>,
}

/// An operation with one of its arguments, which it prints as.
pub(crate) struct Call<S> {
    argument: Arc<str>,
    run: Arc<dyn Fn(&mut S)>,
}

impl<S> Call<S> {
    pub(crate) fn run(&self, state: &mut S) {
        (self.run)(state);
    }
}

impl<S> Clone for Call<S> {
    fn clone(&self) -> Self {
        Call { argument: self.argument.clone(), run: self.run.clone() }
    }
}

impl<S> Debug for Call<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.argument)
    }
}

/// Returns an operation with these arguments. Several arguments are a tuple, and none is `[()]`.
pub(crate) fn operation<S, A: Clone + Debug + 'static, R>(
    name: &'static str,
    arguments: impl IntoIterator<Item = A>,
    run: impl Fn(&mut S, A) -> R + Clone + 'static,
) -> Operation<S> {
    let call = |argument: A| {
        let run = run.clone();
        Call {
            argument: format!("{argument:?}").into(),
            run: Arc::new(move |state: &mut S| drop(run(state, argument.clone()))),
        }
    };
    Operation { name, calls: arguments.into_iter().map(call).collect() }
}
