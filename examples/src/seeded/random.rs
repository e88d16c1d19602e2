//! Random sequences of the same operations, run and shrunk by proptest's state machines.

use std::cell::Cell;
use std::marker::PhantomData;

use proptest::sample::select;
use proptest::strategy::{BoxedStrategy, Just, Strategy, Union};
use proptest::test_runner::{Config, RngAlgorithm, TestError, TestRng, TestRunner};
use proptest_state_machine::{ReferenceStateMachine, StateMachineTest};

use super::machine::{Call, Machine, Version};

/// More cases than any of the bugs needs.
const MOST_CASES: u32 = 1_000_000;

/// More steps than any shrinking takes.
const MOST_SHRINKING: u32 = 1_000_000;

/// How calls are drawn.
type Calls<M> = BoxedStrategy<Call<<M as Machine>::State>>;

/// A structure as a state machine of proptest. What is expected of it is part of its state.
struct Random<M>(PhantomData<M>);

impl<M: Machine> ReferenceStateMachine for Random<M> {
    /// How the next call is drawn.
    type State = Calls<M>;
    type Transition = Call<M::State>;

    /// Each operation is as likely as any other, and so is each of its arguments.
    fn init_state() -> BoxedStrategy<Self::State> {
        let operations = M::operations(Version::Seeded).into_iter().map(|operation| select(operation.calls));
        Just(Union::new(operations).boxed()).boxed()
    }

    fn transitions(calls: &Self::State) -> BoxedStrategy<Self::Transition> {
        calls.clone()
    }

    fn apply(calls: Self::State, _: &Self::Transition) -> Self::State {
        calls
    }
}

impl<M: Machine> StateMachineTest for Random<M> {
    type SystemUnderTest = M::State;
    type Reference = Self;

    fn init_test(_: &Calls<M>) -> M::State {
        M::first()
    }

    fn apply(mut state: M::State, _: &Calls<M>, call: Call<M::State>) -> M::State {
        call.run(&mut state);
        state
    }

    fn check_invariants(state: &M::State, _: &Calls<M>) {
        M::check(state);
    }
}

/// A bug that a random test has found.
#[derive(Debug)]
pub(super) struct Found {
    /// How many sequences were run until one failed.
    pub(super) cases: usize,
    /// The length of the sequence that it was shrunk to.
    pub(super) operations: usize,
}

/// Runs random sequences of up to 20 operations until one fails, and shrinks it.
pub(super) fn found<M: Machine>(seed: u8) -> Found {
    let config =
        Config { cases: MOST_CASES, max_shrink_iters: MOST_SHRINKING, failure_persistence: None, ..Config::default() };
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &[seed; 32]);
    let mut runner = TestRunner::new_with_rng(config.clone(), rng);
    let (cases, has_failed) = (Cell::new(0), Cell::new(false));
    let result = runner.run(&Random::<M>::sequential_strategy(1..=20), |(first, calls, seen)| {
        let is_shrinking = has_failed.replace(true);
        cases.set(cases.get() + usize::from(!is_shrinking));
        Random::<M>::test_sequential(config.clone(), first, calls, seen);
        has_failed.set(is_shrinking);
        Ok(())
    });
    match result {
        Err(TestError::Fail(_, (_, calls, _))) => Found { cases: cases.get(), operations: calls.len() },
        other => panic!("{MOST_CASES} cases do not find it: {other:?}"),
    }
}
