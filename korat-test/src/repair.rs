//! The repair API: changes a value that `rep_ok` rejects in place into a valid one nearby, and reports the changes. If
//! that fails, reports why and leaves the value unchanged.

use std::fmt;
use std::time::{Duration, Instant};

use korat_core::{
    Attempt, Backtracking, Bounds, BrokenOff, CannotBegin, Change, Effort, FieldOf, Finitize, Fix, FreshObjects,
    Limits, NotRepaired, NotWritten, Outline, Rejection, RepOk, Repairer, SearchError, Settings, Target,
};

use crate::picture;
use crate::property;
use crate::report::grouped;

/// Repairs a value in place: changes as little as possible until `rep_ok` accepts it; see [`Repair`].
///
/// ```
/// use korat::{Finitize, rep_ok};
///
/// #[derive(Debug, PartialEq, Finitize)]
/// struct Node {
///     next: Option<Box<Node>>,
/// }
///
/// #[derive(Debug, PartialEq, Finitize)]
/// struct List {
///     head: Option<Box<Node>>,
///     len: usize,
/// }
///
/// #[rep_ok]
/// impl List {
///     fn rep_ok(&self) -> bool {
///         let (mut at, mut len) = (&self.head, 0);
///         while let Some(node) = at {
///             (at, len) = (&node.next, len + 1);
///         }
///         len == self.len
///     }
/// }
///
/// let mut list = List { head: Some(Box::new(Node { next: None })), len: 7 };
/// let repaired = korat::repair(&mut list).unwrap();
/// assert_eq!(list.len, 1);
/// assert_eq!(repaired.changes.len(), 1);
/// assert_eq!(repaired.changes[0].to_string(), "len: 7 -> 1");
/// ```
pub fn repair<T: Finitize + RepOk>(value: &mut T) -> Result<Repaired, Irreparable> {
    Repair::new().repair(value)
}

/// Configures a repair: what may change, how much effort to spend, and what to try first.
///
/// `rep_ok` runs over the fields of the value. When it rejects, one of the fields read last gets another value, and
/// `rep_ok` resumes at the statement that read it. A change is kept if `rep_ok` then reads further. Many faults are
/// thus repaired in one pass, each at the cost of the work between the fault and the read that detected it. If this
/// finds nothing, the repair tries every combination of changes, fewest changes first.
#[must_use = "a repair does nothing before it is run: call `repair`"]
pub struct Repair<T> {
    bounds: Option<Bounds<T>>,
    fresh: FreshObjects,
    max_changes: usize,
    max_tries: u64,
    time_limit: Option<Duration>,
    step_limit: Option<u64>,
    stack_limit: usize,
    kept: Vec<String>,
    order: [Target; 5],
    minimal: bool,
    backtracking: Backtracking,
}

impl<T: Finitize + RepOk> Default for Repair<T> {
    fn default() -> Self {
        Repair::new()
    }
}

impl<T: Finitize + RepOk> Repair<T> {
    /// Creates a repair within the objects of the value and a few more of each class; see [`fresh`](Repair::fresh).
    pub fn new() -> Self {
        Repair {
            bounds: None,
            fresh: FreshObjects::default(),
            max_changes: usize::MAX,
            max_tries: 1_000_000,
            time_limit: None,
            step_limit: None,
            stack_limit: Limits::default().stack,
            kept: Vec::new(),
            order: Target::ORDER,
            minimal: false,
            backtracking: Backtracking::default(),
        }
    }

    /// Uses these bounds on objects and domains, instead of bounds derived from the value.
    pub fn within(mut self, bounds: Bounds<T>) -> Self {
        self.bounds = Some(bounds);
        self
    }

    /// Sets how many objects of each class may be added. By default one; if a part has to be rebuilt, up to a quarter
    /// of the number of objects in the value, and at most 16. Bounds set by [`within`](Repair::within) take precedence.
    pub fn fresh(mut self, objects: usize) -> Self {
        self.fresh = FreshObjects::exactly(objects);
        self
    }

    /// Sets how many fields may change at most. Default: no limit.
    pub fn max_changes(mut self, changes: usize) -> Self {
        self.max_changes = changes;
        self
    }

    /// Sets how often `rep_ok` may run at most, counting resumed runs. Default: one million.
    pub fn max_tries(mut self, tries: u64) -> Self {
        self.max_tries = tries;
        self
    }

    /// Sets the time after which to give up; a run of `rep_ok` in progress is finished first. A value with few fields
    /// always gets its first run, so that a valid one is recognized.
    pub fn time_limit(mut self, time: Duration) -> Self {
        self.time_limit = Some(time);
        self
    }

    /// Treats a `rep_ok` that takes this many loop iterations and calls without reading a new field as looping, which
    /// counts as a rejection. A list whose nodes it counts, and whose last node refers back to the first, is then
    /// repaired like any other value. By default the limit is ten million, or ten thousand per field of the value, and
    /// a repair that reaches it fails with [`Reason::CannotRun`], because a slow `rep_ok` is not wrong.
    pub fn step_limit(mut self, steps: u64) -> Self {
        self.step_limit = Some(steps);
        self
    }

    /// Sets how many bytes of stack `rep_ok` may use for recursion where it runs as a whole; see
    /// [`Search::stack_limit`](crate::Search::stack_limit).
    pub fn stack_limit(mut self, bytes: usize) -> Self {
        self.stack_limit = bytes;
        self
    }

    /// Excludes a field from changes, in all objects: `field!(Node.key)`. Anything that contains the field by value,
    /// such as an element of a vector or a variant, is kept with it. An object behind a pointer may still be dropped,
    /// unless the pointer cannot be null.
    pub fn keep<C: Finitize, F>(mut self, field: FieldOf<C, F>) -> Self {
        self.kept.push(field.path());
        self
    }

    /// Sets which objects to try first as the target of a reference; the others follow in the order of
    /// [`Target::ORDER`]. At a broken link, objects that became unreachable are always tried first.
    pub fn prefer(mut self, targets: impl IntoIterator<Item = Target>) -> Self {
        let mut order: Vec<Target> = Vec::new();
        for target in targets.into_iter().chain(Target::ORDER) {
            if !order.contains(&target) {
                order.push(target);
            }
        }
        for (place, target) in self.order.iter_mut().zip(order) {
            *place = target;
        }
        self
    }

    /// Finds the smallest number of changes: tries everything within one change, then within two, and so on. For small values.
    pub fn minimal(mut self) -> Self {
        self.minimal = true;
        self
    }

    /// Sets whether `rep_ok` resumes at the statement of a change or runs from the top for each change.
    pub fn backtracking(mut self, backtracking: Backtracking) -> Self {
        self.backtracking = backtracking;
        self
    }

    /// Repairs a value in place, or leaves it unchanged.
    pub fn repair(self, value: &mut T) -> Result<Repaired, Irreparable> {
        let begun = Instant::now();
        let effort = Effort {
            changes: self.max_changes,
            tries: self.max_tries,
            deadline: self.time_limit.map(|time| begun + time),
            steps: self.step_limit,
            minimal: self.minimal,
            order: self.order,
        };
        let limits = Limits { stack: self.stack_limit, ..Limits::default() };
        let settings = Settings { backtracking: self.backtracking, limits, ..Settings::default() };
        let repairer = Repairer::new(self.bounds.as_ref(), self.fresh, settings, effort, value, &self.kept)
            .map_err(|reason| Irreparable::before(T::NAME, reason))?;
        // A panic of `rep_ok` is a rejection and may occur in many trials; only the one on the original value is reported.
        let Attempt { fixed, tries, rejection, size } = property::quietly(|| repairer.repair());
        let rejection = rejection.map(Box::new);
        let fix = match fixed {
            Ok(fix) => fix.unwrap_or_default(),
            Err(reason) => return Err(Irreparable::after(T::NAME, reason, tries, rejection)),
        };
        if cfg!(debug_assertions) && size <= MOST_CHECKED && !value.holds() {
            panic!(
                "[korat internal bug] rep_ok rejects the repaired {}, or rep_ok depends on something other than its fields",
                T::NAME
            );
        }
        Ok(Repaired::new(fix, tries, rejection, begun.elapsed()))
    }
}

/// With debug assertions, only values of at most this many objects are checked after a repair: `rep_ok` may recurse,
/// and the stack may be too small for more.
const MOST_CHECKED: usize = 1_000;

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
    /// How often `rep_ok` ran, counting resumed runs.
    pub tries: u64,
    /// Where `rep_ok` rejected the original value, unless that was valid.
    pub rejection: Option<Box<Rejection>>,
    /// Duration of the repair.
    pub elapsed: Duration,
    pictures: Option<(Outline, Outline)>,
}

impl Repaired {
    fn new(fix: Fix, tries: u64, rejection: Option<Box<Rejection>>, elapsed: Duration) -> Self {
        let Fix { changes, dropped, added, pictures } = fix;
        Repaired { changes, dropped, added, tries, rejection, elapsed, pictures }
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
            ", {} dropped, {} added; rep_ok was run or gone on with {}",
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
    /// The limit of [`Repair::max_changes`] was reached.
    MaxChanges,
    /// The limit of [`Repair::max_tries`] was reached.
    MaxTries,
    /// The limit of [`Repair::time_limit`] was reached.
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
    fn before(type_name: &'static str, reason: CannotBegin) -> Self {
        let reason = match reason {
            CannotBegin::Bounds(error) => Reason::Bounds(text(&error)),
            CannotBegin::Value(error) => Reason::OutOfBounds(error.to_string()),
            CannotBegin::TimeOver => Reason::TimeLimit,
            CannotBegin::NoField(field) => Reason::Bounds(format!("{field} is not a field of the structure")),
        };
        Irreparable { type_name, reason, tries: 0, rejection: None }
    }

    fn after(type_name: &'static str, reason: NotRepaired, tries: u64, rejection: Option<Box<Rejection>>) -> Self {
        let reason = match reason {
            NotRepaired::NoValue => Reason::NoValidValue,
            NotRepaired::TooManyChanges => Reason::MaxChanges,
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
            Reason::MaxTries => write!(f, "the limit of tries was reached")?,
            Reason::TimeLimit => write!(f, "the time was over")?,
            Reason::OutOfBounds(what) => write!(f, "it is not within the bounds: {what}")?,
            Reason::Bounds(what) | Reason::CannotWrite(what) | Reason::CannotRun(what) => write!(f, "{what}")?,
        }
        if *tries > 0 {
            write!(f, " (rep_ok was run or gone on with {})", times(*tries))?;
        }
        rejection.as_deref().map_or(Ok(()), |rejection| tell(rejection, f))
    }
}

/// Prints where a value was rejected, each part on a line of its own.
fn tell(rejection: &Rejection, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let Rejection { place, text, last_read, broken_off } = rejection;
    if let Some((file, line)) = place {
        write!(f, "\nrejected at {file}:{line}: {text}")?;
    }
    match broken_off {
        Some(BrokenOff::Panic(message)) => write!(f, "\nby a panic: {message}")?,
        Some(_) => write!(f, "\nwhere it loops")?,
        None => {}
    }
    if let Some(field) = last_read {
        write!(f, "\nthe field read last is {field}")?;
    }
    Ok(())
}

impl std::error::Error for Irreparable {}
