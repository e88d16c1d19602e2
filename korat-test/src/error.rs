//! Why a run failed, as data and as the text of a panic.

use std::fmt;
use std::panic::Location;

use korat_core::SearchError;

use crate::panics;
use crate::report::counts;

/// Why a run failed; see [`Search::try_for_each`](crate::Search::try_for_each). `Display` is the message with which
/// [`Search::for_each`](crate::Search::for_each) panics.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// The property failed on some values.
    Property(PropertyFailed),
    /// The bounds are invalid, or `rep_ok` panics, does not end, is not deterministic, or disagrees with the search.
    Search(Box<SearchFailed>),
    /// The run is not what was expected: there is no valid value, or another number of them than
    /// [`Search::expect_count`](crate::Search::expect_count) says; a limit of zero; a value to replay, or a kept
    /// regression, that is not a valid value.
    Expectation(String),
}

/// A failed property. `Display` is the whole report.
#[derive(Debug)]
#[non_exhaustive]
pub struct PropertyFailed {
    /// The failing values, one for each location that failed, smallest first.
    pub failures: Vec<FailedValue>,
    /// The whole report.
    pub(crate) text: String,
    /// Whether the report contains a backtrace of the property.
    pub(crate) has_backtrace: bool,
}

/// A failed search. `Display` has the error and the counts.
#[derive(Debug)]
#[non_exhaustive]
pub struct SearchFailed {
    /// What is wrong.
    pub error: SearchError,
    /// Number of candidates explored before.
    pub explored: u64,
    /// Number of values generated before.
    pub valid: u64,
}

/// A value on which a property failed.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct FailedValue {
    /// The message of the panic, or of the error that the property returned.
    pub message: String,
    /// Where the property panicked, if it did.
    pub location: Option<String>,
    /// The number of objects of the value.
    pub size: usize,
    /// The value as a drawing.
    pub drawing: String,
    /// The value in `Debug` format.
    pub debug: String,
    /// The text with which [`Search::replay`](crate::Search::replay) runs the value again.
    pub replay: String,
    /// What the property let korat [choose](crate::choose), in `Debug` format.
    pub choices: Vec<String>,
    /// The value that was drawn, if this one was found by [shrinking](crate::Search::shrink) it.
    pub shrunk_from: Option<ShrunkFrom>,
}

/// A value of a [sample](crate::Search::sample) that failed, and how far it was shrunk.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ShrunkFrom {
    /// The number of objects of the value that was drawn.
    pub size: usize,
    /// The text with which [`Search::replay`](crate::Search::replay) runs the value that was drawn.
    pub replay: String,
    /// The number of values that were tried.
    pub tried: u64,
    /// Whether no value of a smaller size fails like the one found: all of them were tried. If not, some may.
    pub is_smallest: bool,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Property(failed) => failed.fmt(f),
            Error::Search(failed) => failed.fmt(f),
            Error::Expectation(text) => f.write_str(text),
        }
    }
}

impl fmt::Display for PropertyFailed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl fmt::Display for SearchFailed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let SearchFailed { error, explored, valid } = self;
        if let SearchError::Bounds(_) = error {
            // The search has not begun.
            return error.fmt(f);
        }
        write!(f, "{}\nso far {}", error.to_string().trim_end(), counts(*explored, *valid))
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Error::Search(failed) => Some(&failed.error),
            Error::Property(_) | Error::Expectation(_) => None,
        }
    }
}

impl std::error::Error for PropertyFailed {}

impl std::error::Error for SearchFailed {}

impl Error {
    pub(crate) fn search(error: SearchError, explored: u64, valid: u64) -> Self {
        Error::Search(Box::new(SearchFailed { error, explored, valid }))
    }

    /// Returns whether the panic at the root of the error is already printed, or is part of the text, so that a backtrace of korat
    /// would add nothing.
    fn tells_of_panic(&self) -> bool {
        match self {
            Error::Property(failed) => failed.has_backtrace,
            Error::Search(failed) => matches!(failed.error, SearchError::Panicked { .. }),
            Error::Expectation(_) => false,
        }
    }
}

/// Returns the result of a run, or panics at the caller's line.
#[track_caller]
pub(crate) fn raised<R>(result: Result<R, Error>) -> R {
    match result {
        Ok(result) => result,
        Err(error) if error.tells_of_panic() => panics::raise(Location::caller(), error.to_string()),
        Err(error) => panic!("{error}"),
    }
}
