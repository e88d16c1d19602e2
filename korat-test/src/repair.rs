//! Repair: the front door. Takes a value that `rep_ok` rejects and what may change, changes it in place into a valid one near it,
//! and says what was done; or says why not, and leaves it as it was.

use std::fmt;
use std::time::{Duration, Instant};

use korat_core::{
    Attempt, Backtracking, Bounds, BrokenOff, CannotBegin, Change, Effort, FieldOf, Finitize, Fix, Fresh, Limits,
    NotRepaired, NotWritten, Outline, Rejection, RepOk, Repairer, SearchError, Settings, Target,
};

use crate::picture;
use crate::property;
use crate::report::grouped;

/// Repairs a value in place: changes as little as it can until `rep_ok` accepts it, see [`Repair`].
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

/// How a value is repaired: what may change, how far to go, and in which order to try.
///
/// `rep_ok` runs over the value's own fields. Where it rejects, one of the fields read last gets another value, and `rep_ok` goes
/// on from the statement that has read it. A change is kept if `rep_ok` then reads on, so that many faults take one pass, and
/// each costs what lies between the fault and the read that has found it. Where that finds nothing, every combination of
/// changes is tried, fewest first.
pub struct Repair<T> {
    bounds: Option<Bounds<T>>,
    fresh: Fresh,
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
    /// With the objects that the value has, and some more of each class, see [`fresh`](Repair::fresh).
    pub fn new() -> Self {
        Repair {
            bounds: None,
            fresh: Fresh::default(),
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

    /// Within these bounds, and not those that the value itself gives: so many objects, these domains.
    pub fn within(mut self, bounds: Bounds<T>) -> Self {
        self.bounds = Some(bounds);
        self
    }

    /// So many objects of each class may be added. Default: one; where a part has to be made anew, as many as a quarter of
    /// those that the value has, and at most 16. Bounds, if there are any, say it themselves.
    pub fn fresh(mut self, objects: usize) -> Self {
        self.fresh = Fresh::exactly(objects);
        self
    }

    /// At most so many fields change. Default: no limit.
    pub fn max_changes(mut self, changes: usize) -> Self {
        self.max_changes = changes;
        self
    }

    /// `rep_ok` is run, or gone on with, at most so often. Default: a million times.
    pub fn max_tries(mut self, tries: u64) -> Self {
        self.max_tries = tries;
        self
    }

    /// Gives up after this time, or at the end of the run of `rep_ok` that is under way then. A value of a few fields has its first run
    /// all the same, so that one that is valid is found to be.
    pub fn time_limit(mut self, time: Duration) -> Self {
        self.time_limit = Some(time);
        self
    }

    /// A `rep_ok` that takes so many loop rounds and calls without reading a new field is taken to loop, which is the same as to reject:
    /// a list whose nodes it counts, and whose last node leads back to the first, is repaired like any other. Without this, the limit
    /// is ten million, or ten thousand for each field of the value, and a repair that comes to it fails with [`Reason::CannotRun`],
    /// because a `rep_ok` that takes long is not wrong.
    pub fn step_limit(mut self, steps: u64) -> Self {
        self.step_limit = Some(steps);
        self
    }

    /// How many bytes of stack `rep_ok` may recurse through, where it is run as a whole, see
    /// [`Search::stack_limit`](crate::Search::stack_limit).
    pub fn stack_limit(mut self, bytes: usize) -> Self {
        self.stack_limit = bytes;
        self
    }

    /// A field that must not change, in no object: `field!(Node.key)`. What holds it by value stays with it, such as an element of a vector
    /// or a variant; an object that a pointer leads to may still be dropped, unless the pointer cannot be null.
    pub fn keep<C: Finitize, F>(mut self, field: FieldOf<C, F>) -> Self {
        self.kept.push(field.path());
        self
    }

    /// Which objects a reference is changed to first; those not named follow in the order of [`Target::ORDER`]. Where a link is
    /// broken, what was lost is tried before anything else all the same.
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

    /// Finds the fewest changes there are: tries everything within one change, then within two, and so on. For small values.
    pub fn minimal(mut self) -> Self {
        self.minimal = true;
        self
    }

    /// Whether `rep_ok` is gone on with from the statement of a change, or run from the top for each.
    pub fn backtracking(mut self, backtracking: Backtracking) -> Self {
        self.backtracking = backtracking;
        self
    }

    /// Repairs a value in place, or leaves it as it is.
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
        // One that panics has rejected what it was run on, again and again; what it says of the value itself is told in the end.
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

/// Values of more objects are not checked afterwards, in builds with debug assertions: `rep_ok` may recurse, and the stack be too small.
const MOST_CHECKED: usize = 1_000;

/// What a repair has done.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Repaired {
    /// Every field that differs, in the order in which a walk from the root meets the objects.
    pub changes: Vec<Change>,
    /// Where the objects were that the value does not have any more, elements of a vector that is shorter now among them. An element of
    /// an arena that is still there, and that nothing leads to any more, by its index.
    pub dropped: Vec<String>,
    /// The classes of the objects that are new.
    pub added: Vec<&'static str>,
    /// How often `rep_ok` was run, or gone on with.
    pub tries: u64,
    /// Where `rep_ok` has rejected the value as it was, unless it was valid.
    pub rejection: Option<Box<Rejection>>,
    /// How long it took.
    pub elapsed: Duration,
    pictures: Option<(Outline, Outline)>,
}

impl Repaired {
    fn new(fix: Fix, tries: u64, rejection: Option<Box<Rejection>>, elapsed: Duration) -> Self {
        let Fix { changes, dropped, added, pictures } = fix;
        Repaired { changes, dropped, added, tries, rejection, elapsed, pictures }
    }

    /// Whether the value was valid as it was.
    pub fn is_unchanged(&self) -> bool {
        self.changes.is_empty()
    }
}

/// So many changes and lost objects are listed.
const MOST_LISTED: usize = 20;

impl fmt::Display for Repaired {
    /// The counts, the first changes, and the value before and after, if it is small.
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

/// Why a value was not repaired. It is as it was.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Irreparable {
    /// The type.
    pub type_name: &'static str,
    /// What was in the way.
    pub reason: Reason,
    /// How often `rep_ok` was run, or gone on with.
    pub tries: u64,
    /// Where `rep_ok` rejects the value as it is.
    pub rejection: Option<Box<Rejection>>,
}

/// What was in the way of a repair.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reason {
    /// Nothing within the bounds is valid, or nothing that leaves the kept fields alone: everything was tried.
    NoValidValue,
    /// [`Repair::max_changes`] was reached.
    MaxChanges,
    /// [`Repair::max_tries`] was reached.
    MaxTries,
    /// [`Repair::time_limit`] was reached.
    TimeLimit,
    /// The value is not within the bounds.
    OutOfBounds(String),
    /// The bounds are wrong, or name a field that there is not.
    Bounds(String),
    /// A field lies in something that can only be written as a whole, such as a map of boxes.
    CannotWrite(String),
    /// `rep_ok` cannot be run: it does not end.
    CannotRun(String),
}

impl Irreparable {
    fn before(type_name: &'static str, reason: CannotBegin) -> Self {
        let reason = match reason {
            CannotBegin::Bounds(error) => Reason::Bounds(text(&error)),
            CannotBegin::Value(error) => Reason::OutOfBounds(error.to_string()),
            CannotBegin::TimeOver => Reason::TimeLimit,
            CannotBegin::NoField(field) => Reason::Bounds(format!("{field} is no field of the structure")),
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

/// Where a value was rejected, each part on a line of its own.
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
