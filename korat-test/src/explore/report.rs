//! The result of an exploration.

use std::fmt;
use std::time::Duration;

use super::matching::Matching;
use crate::error::{Error, raised};
use crate::record::Record;
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
    /// Only the calls of `KORAT_REPLAY` were run.
    Replayed,
    /// Something failed.
    Failed,
}

impl ExploreEnding {
    /// Returns how it ended in a word, as files have it.
    pub(crate) fn word(self) -> &'static str {
        match self {
            ExploreEnding::Fixpoint => "fixpoint",
            ExploreEnding::Depth(_) => "depth",
            ExploreEnding::Limit => "limit",
            ExploreEnding::TimeLimit => "time limit",
            ExploreEnding::Replayed => "replayed",
            ExploreEnding::Failed => "failed",
        }
    }
}

/// The result of an exploration: how many states were found and expanded, what they were matched by, and what they took. As text it is
/// one line, which says `NOT exhaustive` if states may be missing.
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
    /// How states were matched; `None` if by a key of the test's own.
    pub matching: Option<Matching>,
    /// Memory of the states at the end, in bytes; divided by `found`, the bytes of a state.
    pub bytes: usize,
    /// The time that it took.
    pub elapsed: Duration,
    /// The file of this report, which knows what is expected of it.
    pub(super) record: Record,
}

impl ExploreReport {
    /// Asserts that neither a limit nor the time ended the exploration, and that it found exactly this many states. Passes if only one
    /// sequence was replayed, so that a failure can be replayed in a test with this assertion.
    #[track_caller]
    pub fn expect_states(&self, found: u64) -> &Self {
        raised(self.record.expected(Some(found), self.check_states(found)));
        self
    }

    /// Asserts that neither a limit nor the time ended the exploration.
    #[track_caller]
    pub fn expect_complete(&self) -> &Self {
        raised(self.record.expected(None, self.check_complete()));
        self
    }

    /// Returns whether every state was found that the operations can reach, in as many operations as are allowed. It is not if a
    /// limit ended the exploration, or if states were matched by their shape or by a key.
    pub fn is_exhaustive(&self) -> bool {
        let is_by_state = matches!(self.matching, Some(Matching::Exact | Matching::Hashed));
        is_by_state && self.check_complete().is_ok()
    }

    fn check_complete(&self) -> Result<(), Error> {
        match self.ending {
            ExploreEnding::Fixpoint | ExploreEnding::Depth(_) | ExploreEnding::Replayed => Ok(()),
            ExploreEnding::Limit | ExploreEnding::TimeLimit | ExploreEnding::Failed => {
                Err(Error::Expectation(format!("expected a complete exploration, but {self}")))
            }
        }
    }

    fn check_states(&self, found: u64) -> Result<(), Error> {
        self.check_complete()?;
        if self.found == found || self.ending == ExploreEnding::Replayed {
            return Ok(());
        }
        let expected = counted(found, "state");
        Err(Error::Expectation(format!("expected {expected}, but there are {}: {self}", grouped(self.found))))
    }

    /// Writes what was found of the states that `can_be` reached.
    fn write_reach(&self, can_be: String, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.matching {
            Some(Matching::Exact) => write!(f, "complete: all states that {can_be}"),
            Some(Matching::Hashed) => write!(f, "complete: all states that {can_be}, matched by 128-bit hashes"),
            Some(Matching::Shape) => write!(f, "one state of each shape that was met; NOT exhaustive"),
            None => write!(f, "one state of each key that was met; NOT exhaustive"),
        }
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
            ExploreEnding::Fixpoint => self.write_reach("can be reached".to_string(), f)?,
            ExploreEnding::Depth(depth) => {
                self.write_reach(format!("{} can reach", counted(depth as u64, "operation")), f)?;
            }
            ExploreEnding::Limit => write!(f, "stopped at the limit of states; NOT exhaustive")?,
            ExploreEnding::TimeLimit => write!(f, "stopped after {:.1?}; NOT exhaustive", self.elapsed)?,
            ExploreEnding::Replayed => write!(f, "replayed one sequence; NOT exhaustive")?,
            ExploreEnding::Failed => write!(f, "failed; NOT exhaustive")?,
        }
        let per_state = self.bytes as u64 / self.found.max(1);
        write!(f, "; {}, {} a state, {:.1?}", self.counts(), counted(per_state, "byte"), self.elapsed)
    }
}
