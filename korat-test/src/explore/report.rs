//! The result of an exploration.

use std::fmt;
use std::time::Duration;

use crate::error::{Error, raised};
use crate::report::{counted, grouped};

/// How an exploration ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ExploreEnding {
    /// Every state that the operations can reach was found and expanded.
    Fixpoint,
    /// Every sequence of this many operations was run.
    Depth(usize),
    /// The limit on the number of states was reached.
    Limit,
    /// The time limit was reached.
    TimeLimit,
    /// Something failed.
    Failed,
}

/// The result of an exploration.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ExploreReport {
    /// The number of different states that were found, including the first.
    pub found: u64,
    /// The number of states on which every operation was run.
    pub expanded: u64,
    /// The number of operations that were run: those whose guard holds, with each of their arguments.
    pub executions: u64,
    /// The number of states by the length of the shortest sequence that leads to them.
    pub levels: Vec<u64>,
    /// How it ended.
    pub ending: ExploreEnding,
    /// Memory of the states, in bytes.
    pub bytes: usize,
    /// The time that it took.
    pub elapsed: Duration,
}

impl ExploreReport {
    /// Asserts that neither a limit nor the time ended the exploration, and that it found exactly this many states.
    #[track_caller]
    pub fn expect_states(&self, found: u64) -> &Self {
        raised(self.check_states(found));
        self
    }

    /// Asserts that neither a limit nor the time ended the exploration.
    #[track_caller]
    pub fn expect_complete(&self) -> &Self {
        raised(self.check_complete());
        self
    }

    fn check_complete(&self) -> Result<(), Error> {
        match self.ending {
            ExploreEnding::Fixpoint | ExploreEnding::Depth(_) => Ok(()),
            ExploreEnding::Limit | ExploreEnding::TimeLimit | ExploreEnding::Failed => {
                Err(Error::Expectation(format!("expected a complete exploration, but {self}")))
            }
        }
    }

    fn check_states(&self, found: u64) -> Result<(), Error> {
        self.check_complete()?;
        if self.found == found {
            return Ok(());
        }
        let expected = counted(found, "state");
        Err(Error::Expectation(format!("expected {expected}, but there are {}: {self}", grouped(self.found))))
    }

    /// Returns the numbers as text.
    pub(super) fn counts(&self) -> String {
        format!(
            "{} found, {} expanded, {}",
            counted(self.found, "state"),
            grouped(self.expanded),
            counted(self.executions, "execution")
        )
    }
}

impl fmt::Display for ExploreReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.ending {
            ExploreEnding::Fixpoint => write!(f, "complete: all states that can be reached")?,
            ExploreEnding::Depth(depth) => {
                write!(f, "complete: all states that {} can reach", counted(depth as u64, "operation"))?;
            }
            ExploreEnding::Limit => write!(f, "stopped at the limit of states; NOT exhaustive")?,
            ExploreEnding::TimeLimit => write!(f, "stopped after {:.1?}; NOT exhaustive", self.elapsed)?,
            ExploreEnding::Failed => write!(f, "failed; NOT exhaustive")?,
        }
        let per_state = self.bytes as u64 / self.found.max(1);
        write!(f, "; {}, {} a state, {:.1?}", self.counts(), counted(per_state, "byte"), self.elapsed)
    }
}
