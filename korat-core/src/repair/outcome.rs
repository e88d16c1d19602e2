//! The limits of a repair and its result, as plain data for the caller.

use std::time::Instant;

use super::choices::alternatives::Target;
use super::choices::state::Interruption;
use super::describe::Fix;
use super::write::NotWritten;
use crate::class::abstraction::OutOfBounds;
use crate::model::error::SearchError;

/// The limits of a repair.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// Maximum number of changed slots.
    pub changes: usize,
    /// Maximum number of objects and elements that the value may lose.
    pub dropped: usize,
    /// Maximum number of runs of the predicate, counting resumed ones.
    pub tries: u64,
    /// When to give up.
    pub deadline: Option<Instant>,
    /// Number of steps without a first read after which the predicate is assumed to loop, and so rejects. `None`: a limit by the size of the value,
    /// and a predicate that exceeds it cannot run.
    pub steps: Option<u64>,
    /// Whether to find the nearest value.
    pub minimal: bool,
    /// The order in which kinds of targets are tried for a reference.
    pub order: [Target; 5],
}

/// Fields with a part of their own in a repair, by names such as `Node.key`.
#[derive(Clone, Copy, Debug)]
pub struct NamedFields<'n> {
    /// Fields that may not change.
    pub kept: &'n [String],
    /// Fields that follow from others, and change first.
    pub derived: &'n [String],
}

/// Why a value was not repaired.
#[derive(Debug)]
pub enum NotRepaired {
    /// Everything within the bounds and the allowed changes was tried.
    NoValue,
    /// The limit on changes was reached.
    TooManyChanges,
    /// Only values were found that lose more objects and elements than allowed.
    TooManyDropped,
    /// The limit on tries was reached.
    TooManyTries,
    /// The time was over.
    TimeOver,
    /// A value was found, but cannot be written.
    NotWritten(NotWritten),
    /// The predicate seems to loop: it has reached the limit of steps without a first read.
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
    /// The type has a filter, which sees only whole values and so says nothing about what to change.
    HasFilter,
    /// The time was over before the first run.
    TimeOver,
}

impl From<OutOfBounds> for CannotBegin {
    fn from(error: OutOfBounds) -> Self {
        if error.is_time_over() { CannotBegin::TimeOver } else { CannotBegin::Value(error) }
    }
}

/// The result of a repair.
pub struct Attempt {
    /// The changes; `None` if the predicate accepts the original value.
    pub fixed: Result<Option<Fix>, NotRepaired>,
    /// How often the predicate ran, counting resumed runs.
    pub tries: u64,
    /// Where the predicate rejected the original value.
    pub rejection: Option<Rejection>,
    /// Number of objects of the original value.
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
    /// Why it ended early, if it did; that counts as a rejection.
    pub interruption: Option<Interruption>,
}
