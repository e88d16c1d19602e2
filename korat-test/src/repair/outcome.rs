//! The outcome of a repair for its user: what changed, or why nothing did, as data and as text.

use std::fmt;
use std::time::Duration;

use korat_core::{CannotBegin, Change, Fix, Interruption, NotRepaired, NotWritten, Outline, Rejection, SearchError};

use crate::picture;
use crate::report::grouped;

/// The result of a repair.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Repaired {
    /// Every field that changed, ordered as a walk from the root visits the objects.
    pub changes: Vec<Change>,
    /// Paths of the objects that were dropped, including elements of vectors that got shorter. An element that remains
    /// in its arena but became unreachable is listed by its index.
    pub dropped: Vec<String>,
    /// Classes of the objects that were added.
    pub added: Vec<&'static str>,
    /// Number of objects and elements that the value lost, as [`Repair::max_dropped`](crate::Repair::max_dropped) counts them: those of `dropped`, and
    /// other elements by which vectors, maps and sets got shorter.
    pub lost: usize,
    /// How often `rep_ok` ran, counting resumed runs.
    pub tries: u64,
    /// Where `rep_ok` rejected the original value, unless that was valid.
    pub rejection: Option<Box<Rejection>>,
    /// Duration of the repair.
    pub elapsed: Duration,
    pictures: Option<(Outline, Outline)>,
}

impl Repaired {
    pub(super) fn new(fix: Fix, tries: u64, rejection: Option<Box<Rejection>>, elapsed: Duration) -> Self {
        let Fix { changes, dropped, added, lost, pictures } = fix;
        Repaired { changes, dropped, added, lost, tries, rejection, elapsed, pictures }
    }

    /// Returns whether the value was already valid.
    pub fn is_unchanged(&self) -> bool {
        self.changes.is_empty()
    }
}

/// Maximum number of changes and dropped objects to list.
const MOST_LISTED: usize = 20;

impl fmt::Display for Repaired {
    /// Prints the counts, the first changes, and drawings of the value before and after if it is small.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_unchanged() {
            return writeln!(f, "valid as it was: nothing was changed");
        }
        let Repaired { changes, dropped, added, tries, .. } = self;
        write!(f, "repaired by {}", count(changes.len() as u64, "change"))?;
        write!(
            f,
            ", {} dropped, {} added; rep_ok ran {}, counting resumed runs",
            count(dropped.len() as u64, "object"),
            added.len(),
            times(*tries)
        )?;
        if let Some(rejection) = &self.rejection {
            tell(rejection, f)?;
        }
        writeln!(f)?;
        for change in changes.iter().take(MOST_LISTED) {
            writeln!(f, "  {change}")?;
        }
        more(f, changes.len())?;
        for dropped in dropped.iter().take(MOST_LISTED) {
            writeln!(f, "  dropped: {dropped}")?;
        }
        more(f, dropped.len())?;
        if let Some((before, after)) = &self.pictures {
            writeln!(f, "before:\n{}", picture::text(before))?;
            writeln!(f, "after:\n{}", picture::text(after))?;
        }
        Ok(())
    }
}

fn count(count: u64, one: &str) -> String {
    format!("{} {one}{}", grouped(count), if count == 1 { "" } else { "s" })
}

fn times(tries: u64) -> String {
    count(tries, "time")
}

fn more(f: &mut fmt::Formatter<'_>, count: usize) -> fmt::Result {
    if count > MOST_LISTED {
        writeln!(f, "  and {} more", grouped((count - MOST_LISTED) as u64))?;
    }
    Ok(())
}

/// Why a value was not repaired. The value is unchanged.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Irreparable {
    /// Name of the type.
    pub type_name: &'static str,
    /// The reason.
    pub reason: Reason,
    /// How often `rep_ok` ran, counting resumed runs.
    pub tries: u64,
    /// Where `rep_ok` rejects the value.
    pub rejection: Option<Box<Rejection>>,
}

/// The reason why a repair failed.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reason {
    /// No value within the bounds that leaves the kept fields unchanged is valid; everything was tried.
    NoValidValue,
    /// The limit of [`Repair::max_changes`](crate::Repair::max_changes) was reached.
    MaxChanges,
    /// Only values were found that lose more than [`Repair::max_dropped`](crate::Repair::max_dropped) allows.
    MaxDropped,
    /// The limit of [`Repair::max_tries`](crate::Repair::max_tries) was reached.
    MaxTries,
    /// The limit of [`Repair::time_limit`](crate::Repair::time_limit) was reached.
    TimeLimit,
    /// The value is not within the bounds.
    OutOfBounds(String),
    /// The bounds are invalid, or name a field that does not exist.
    Bounds(String),
    /// A field is inside something that can only be written as a whole, such as a map of boxes.
    CannotWrite(String),
    /// `rep_ok` cannot run, because it does not terminate.
    CannotRun(String),
}

impl Irreparable {
    pub(super) fn before(type_name: &'static str, reason: CannotBegin) -> Self {
        let reason = match reason {
            CannotBegin::Bounds(error) => Reason::Bounds(text(&error)),
            CannotBegin::Value(error) => Reason::OutOfBounds(error.to_string()),
            CannotBegin::TimeOver => Reason::TimeLimit,
            CannotBegin::NoField(field) => Reason::Bounds(format!("{field} is no field of the structure")),
            CannotBegin::HasFilter => Reason::Bounds(
                "a type with `#[rep_ok(filter = ..)]` cannot be repaired: a filter does not say what is wrong"
                    .to_string(),
            ),
        };
        Irreparable { type_name, reason, tries: 0, rejection: None }
    }

    pub(super) fn after(
        type_name: &'static str,
        reason: NotRepaired,
        tries: u64,
        rejection: Option<Box<Rejection>>,
    ) -> Self {
        let reason = match reason {
            NotRepaired::NoValue => Reason::NoValidValue,
            NotRepaired::TooManyChanges => Reason::MaxChanges,
            NotRepaired::TooManyDropped => Reason::MaxDropped,
            NotRepaired::TooManyTries => Reason::MaxTries,
            NotRepaired::TimeOver => Reason::TimeLimit,
            NotRepaired::NotWritten(NotWritten::Field(field)) => {
                Reason::CannotWrite(format!("{field} lies in something that is only written as a whole"))
            }
            NotRepaired::NotWritten(NotWritten::Shared(class)) => Reason::CannotWrite(format!(
                "a {class} is shared with others than the value, and in use or without a cell"
            )),
            NotRepaired::Endless { steps } => Reason::CannotRun(format!(
                "rep_ok took {} steps without reading a new field: it loops, or takes long; with `.step_limit(n)` one that takes more \
                 than n is taken to loop, and repaired",
                grouped(steps)
            )),
            NotRepaired::Search(error) => Reason::CannotRun(text(&error)),
        };
        Irreparable { type_name, reason, tries, rejection }
    }
}

fn text(error: &SearchError) -> String {
    error.to_string().trim_end().to_string()
}

impl fmt::Display for Irreparable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Irreparable { type_name, reason, tries, rejection } = self;
        write!(f, "this {type_name} was not repaired, and is as it was: ")?;
        match reason {
            Reason::NoValidValue => write!(f, "nothing that may be changed makes it valid")?,
            Reason::MaxChanges => write!(f, "more changes than allowed are needed, or other ones")?,
            Reason::MaxDropped => write!(f, "every valid value that was found loses more than allowed")?,
            Reason::MaxTries => write!(f, "the limit of tries was reached")?,
            Reason::TimeLimit => write!(f, "the time was over")?,
            Reason::OutOfBounds(what) => write!(f, "it is not within the bounds: {what}")?,
            Reason::Bounds(what) | Reason::CannotWrite(what) | Reason::CannotRun(what) => write!(f, "{what}")?,
        }
        if *tries > 0 {
            write!(f, " (rep_ok ran {}, counting resumed runs)", times(*tries))?;
        }
        rejection.as_deref().map_or(Ok(()), |rejection| tell(rejection, f))
    }
}

/// Prints where a value was rejected, each part on a line of its own.
fn tell(rejection: &Rejection, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let Rejection { place, text, last_read, interruption } = rejection;
    if let Some((file, line)) = place {
        write!(f, "\nrejected at {file}:{line}: {text}")?;
    }
    match interruption {
        Some(Interruption::Panic(message)) => write!(f, "\nby a panic: {message}")?,
        Some(_) => write!(f, "\nwhere it loops")?,
        None => {}
    }
    if let Some(field) = last_read {
        write!(f, "\nthe field read last is {field}")?;
    }
    Ok(())
}

impl std::error::Error for Irreparable {}
