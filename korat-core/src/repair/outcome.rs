//! How far a repair may go, and what came of it. Plain data for those who call it.

use std::time::Instant;

use super::choices::alternatives::Target;
use super::choices::state::BrokenOff;
use super::describe::Fix;
use super::write::NotWritten;
use crate::class::abstraction::OutOfBounds;
use crate::model::error::SearchError;

/// How far a repair may go.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// How many slots may change.
    pub changes: usize,
    /// How often the predicate may be run or gone on with.
    pub tries: u64,
    /// When to give up.
    pub deadline: Option<Instant>,
    /// After how many steps without reading a new field the predicate is taken to loop, which is the same as to reject. None: it may take
    /// as many as the value is large, and one that takes more cannot be run.
    pub steps: Option<u64>,
    /// Whether the fewest changes are wanted.
    pub minimal: bool,
    /// Which objects a reference is changed to first.
    pub order: [Target; 5],
}

/// Why a value was not repaired.
#[derive(Debug)]
pub enum NotRepaired {
    /// Everything within the bounds and the allowed changes was tried.
    NoValue,
    /// The limit on changes was reached.
    TooManyChanges,
    /// The limit on tries was reached.
    TooManyTries,
    /// The time was over.
    TimeOver,
    /// A value was found, but cannot be written.
    NotWritten(NotWritten),
    /// The predicate seems to loop: it has taken so many steps without reading a new field.
    Endless {
        /// The limit.
        steps: u64,
    },
    /// The predicate cannot be run.
    Search(SearchError),
}

impl From<SearchError> for NotRepaired {
    fn from(error: SearchError) -> Self {
        NotRepaired::Search(error)
    }
}

/// Why a repair cannot begin.
#[derive(Debug)]
pub enum CannotBegin {
    /// The bounds are wrong.
    Bounds(SearchError),
    /// The value is not within them.
    Value(OutOfBounds),
    /// There is no such field.
    NoField(String),
    /// The time was over before the first run.
    TimeOver,
}

impl From<OutOfBounds> for CannotBegin {
    fn from(error: OutOfBounds) -> Self {
        if error.is_time_over() { CannotBegin::TimeOver } else { CannotBegin::Value(error) }
    }
}

/// What came of a repair.
pub struct Attempt {
    /// How the value was changed; none if the predicate accepts it as it was.
    pub fixed: Result<Option<Fix>, NotRepaired>,
    /// How often the predicate was run or gone on with.
    pub tries: u64,
    /// Where the value was rejected as it was.
    pub rejection: Option<Rejection>,
    /// How many objects it has had.
    pub size: usize,
}

/// Where the predicate rejects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rejection {
    /// The file and the line of the statement, if it is known.
    pub place: Option<(&'static str, u32)>,
    /// The beginning of its text.
    pub text: &'static str,
    /// The field that was read last, `Node.key`.
    pub last_read: Option<String>,
    /// Why it has not come to its end, if it has not; that is the same as to reject.
    pub broken_off: Option<BrokenOff>,
}
