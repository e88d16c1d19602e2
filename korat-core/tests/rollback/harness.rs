//! Random operations, marks and ways back over anything that can be tried.

use korat_core::__private::TestWorkspace;
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};

pub const SEEDS: u64 = 150;
const OPERATIONS: usize = 150;

/// A container of the predicate's beside the std container that does the same.
pub trait Trial {
    /// Both empty.
    fn new() -> Self;
    /// Does one thing to both, and compares the answers.
    fn step(&mut self, rng: &mut SmallRng);
    /// Compares both.
    fn check(&self);
    /// A copy of the handle, as the locals of a predicate are copied, beside a clone of the std container.
    fn snapshot(&self) -> Self;
}

pub fn run<T: Trial>() {
    for seed in 0..SEEDS {
        let mut rng = SmallRng::seed_from_u64(seed);
        let mut bench = TestWorkspace::new();
        let mut trial = T::new();
        let mut marks: Vec<T> = Vec::new();
        // Often and seldom: within a statement, and across many.
        let (mark, back) = [(0.3, 0.1), (0.1, 0.05), (0.02, 0.02)][seed as usize % 3];
        for _ in 0..OPERATIONS {
            if marks.is_empty() || rng.random_bool(mark) {
                assert_eq!(bench.mark(), marks.len());
                marks.push(trial.snapshot());
            }
            if rng.random_bool(back) {
                let to = rng.random_range(0..marks.len());
                bench.back(to);
                marks.truncate(to + 1);
                trial = marks[to].snapshot();
                trial.check();
            }
            trial.step(&mut rng);
            trial.check();
        }
        while let Some(last) = marks.pop() {
            bench.back(marks.len());
            last.check();
        }
    }
}

/// `$name`: `$ours` beside `$theirs`.
macro_rules! pair {
    ($name:ident: $ours:ty, $theirs:ty) => {
        pub struct $name {
            ours: $ours,
            theirs: $theirs,
        }

        impl $name {
            /// Does the same to both, and compares what it gives.
            #[allow(dead_code)]
            fn both<R: PartialEq + std::fmt::Debug>(
                &mut self,
                ours: impl FnOnce(&mut $ours) -> R,
                theirs: impl FnOnce(&mut $theirs) -> R,
            ) {
                assert_eq!(ours(&mut self.ours), theirs(&mut self.theirs));
            }

            /// Applies a change to a copy of the handle after a move: the copy of the handle is the container from now on.
            #[allow(dead_code)]
            fn moved<R: PartialEq + std::fmt::Debug>(
                &mut self,
                ours: impl FnOnce(&mut $ours) -> R,
                theirs: impl FnOnce(&mut $theirs) -> R,
            ) {
                let mut copies = (self.ours, std::mem::take(&mut self.theirs));
                assert_eq!(ours(&mut copies.0), theirs(&mut copies.1));
                (self.ours, self.theirs) = copies;
            }
        }
    };
}
pub(crate) use pair;

/// Does the same to both fields of `self`.
macro_rules! both {
    ($self:ident, |$it:ident| $body:expr) => {
        $self.both(|$it| $body, |$it| $body)
    };
}
pub(crate) use both;

/// Moves both fields of `self`, and does the same to them.
macro_rules! moved {
    ($self:ident, |$it:ident| $body:expr) => {
        $self.moved(|$it| $body, |$it| $body)
    };
}
pub(crate) use moved;

/// Both begin empty; a snapshot is a copy of the handle beside a clone.
macro_rules! common {
    () => {
        fn new() -> Self {
            Self { ours: Default::default(), theirs: Default::default() }
        }
        fn snapshot(&self) -> Self {
            Self { ours: self.ours, theirs: self.theirs.clone() }
        }
    };
}
pub(crate) use common;
