//! The repair API: changes a value that `rep_ok` rejects in place into a valid one nearby, and reports the changes. If
//! that fails, reports why and leaves the value unchanged.

mod outcome;

use std::time::{Duration, Instant};

use korat_core::{
    Attempt, Backtracking, Bounds, CannotBegin, Effort, FieldOf, Finitize, FreshObjects, Limits, NamedFields, RepOk,
    Repairer, Settings, Target,
};
pub use outcome::{Irreparable, Reason, Repaired};

use crate::config::Config;
use crate::{env, panics};

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
    max_dropped: usize,
    max_tries: u64,
    time_limit: Option<Duration>,
    step_limit: Option<u64>,
    stack_limit: usize,
    kept: Vec<String>,
    derived: Vec<String>,
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
            max_dropped: usize::MAX,
            max_tries: 1_000_000,
            time_limit: None,
            step_limit: None,
            stack_limit: Limits::default().stack,
            kept: Vec::new(),
            derived: Vec::new(),
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

    /// Sets how many objects and elements of vectors, maps and sets the value may lose at most. Default: no limit. If only values
    /// that lose more were found, the reason is [`Reason::MaxDropped`].
    ///
    /// ```
    /// use korat::{Finitize, Reason, Repair, field, rep_ok};
    ///
    /// #[derive(Debug, Finitize)]
    /// struct Stack { items: Vec<u8>, len: usize }
    ///
    /// #[rep_ok]
    /// impl Stack {
    ///     fn rep_ok(&self) -> bool { self.items.len() == self.len }
    /// }
    ///
    /// let mut stack = Stack { items: vec![7, 8, 9], len: 1 };
    /// let repair = || Repair::new().keep(field!(Stack.len));
    /// let error = repair().max_dropped(1).repair(&mut stack).unwrap_err();
    /// assert_eq!(error.reason, Reason::MaxDropped);
    /// assert_eq!(stack.items, [7, 8, 9]);
    ///
    /// let repaired = repair().max_dropped(2).repair(&mut stack).unwrap();
    /// assert_eq!((repaired.lost, stack.items), (2, vec![7]));
    /// ```
    pub fn max_dropped(mut self, dropped: usize) -> Self {
        self.max_dropped = dropped;
        self
    }

    /// Sets how often `rep_ok` may run at most, counting resumed runs. Default: one million.
    pub fn max_tries(mut self, tries: u64) -> Self {
        self.max_tries = tries;
        self
    }

    /// Sets the time after which to give up; a run of `rep_ok` in progress is finished first. A value with few fields
    /// always gets its first run, so that a valid one is recognized. The environment variable `KORAT_TIME_LIMIT` takes precedence.
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

    /// Declares that a field follows from others, in all objects: a cached length, a sum, a link back. Where `rep_ok` rejects, derived fields
    /// change before any other, so that they are computed again and the others stay. May be called for several fields.
    ///
    /// ```
    /// use korat::{Finitize, Repair, field, rep_ok};
    ///
    /// #[derive(Debug, Finitize)]
    /// struct Order { prices: Vec<u32>, total: u32 }
    ///
    /// #[rep_ok]
    /// impl Order {
    ///     fn rep_ok(&self) -> bool { self.prices.iter().sum::<u32>() == self.total }
    /// }
    ///
    /// let mut order = Order { prices: vec![10, 20, 30], total: 61 };
    /// let repaired = Repair::new().derived(field!(Order.total)).repair(&mut order).unwrap();
    /// assert_eq!(repaired.changes[0].to_string(), "total: 61 -> 60");
    /// ```
    pub fn derived<C: Finitize, F>(mut self, field: FieldOf<C, F>) -> Self {
        self.derived.push(field.path());
        self
    }

    fn fields(&self) -> NamedFields<'_> {
        NamedFields { kept: &self.kept, derived: &self.derived }
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

    /// Finds the nearest valid value: tries everything within one change, then within two, and so on. Each object or element that
    /// the value loses counts as one more change. For small values.
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
        let (begun, effort, settings) = self.begin();
        let repairer = Repairer::new(self.bounds.as_ref(), self.fresh, settings, effort, value, self.fields());
        let (repaired, size) = run(T::NAME, repairer, begun)?;
        if cfg!(debug_assertions) && size <= MOST_CHECKED && !value.holds() {
            panic!(
                "[korat internal bug] rep_ok rejects the repaired {}, or rep_ok depends on something other than its fields",
                T::NAME
            );
        }
        Ok(repaired)
    }

    /// Reports what [`repair`](Repair::repair) would change, and leaves the value unchanged. Only `repair` finds out whether every
    /// change can be written; see [`Reason::CannotWrite`].
    ///
    /// ```
    /// use korat::{Finitize, Repair, rep_ok};
    ///
    /// #[derive(Debug, PartialEq, Finitize)]
    /// struct Stack { items: Vec<u8>, len: usize }
    ///
    /// #[rep_ok]
    /// impl Stack {
    ///     fn rep_ok(&self) -> bool { self.items.len() == self.len }
    /// }
    ///
    /// let stack = Stack { items: vec![7, 8, 9], len: 1 };
    /// let planned = Repair::new().dry_run(&stack).unwrap();
    /// assert_eq!(planned.changes[0].to_string(), "len: 1 -> 3");
    /// assert_eq!(stack, Stack { items: vec![7, 8, 9], len: 1 });
    /// ```
    pub fn dry_run(self, value: &T) -> Result<Repaired, Irreparable> {
        let (begun, effort, settings) = self.begin();
        let repairer = Repairer::dry(self.bounds.as_ref(), self.fresh, settings, effort, value, self.fields());
        run(T::NAME, repairer, begun).map(|(repaired, _)| repaired)
    }

    /// Starts the clock, and returns what the repair itself needs. The environment takes precedence over the code.
    fn begin(&self) -> (Instant, Effort, Settings) {
        let begun = Instant::now();
        let mut config = Config::new().backtracking(self.backtracking);
        config.time_limit = self.time_limit;
        env::apply(&mut config);
        let effort = Effort {
            changes: self.max_changes,
            dropped: self.max_dropped,
            tries: self.max_tries,
            deadline: config.time_limit.map(|time| begun + time),
            steps: self.step_limit,
            minimal: self.minimal,
            order: self.order,
        };
        let limits = Limits { stack: self.stack_limit, ..Limits::default() };
        (begun, effort, Settings { backtracking: config.backtracking, limits, ..Settings::default() })
    }
}

/// Runs a repair. Returns the number of objects of the value as well.
fn run(
    class: &'static str,
    repairer: Result<Repairer<'_>, CannotBegin>,
    begun: Instant,
) -> Result<(Repaired, usize), Irreparable> {
    let repairer = repairer.map_err(|reason| Irreparable::before(class, reason))?;
    // A panic of `rep_ok` is a rejection and may occur in many trials; only the one on the original value is reported.
    let Attempt { fixed, tries, rejection, size } = panics::quietly(|| repairer.repair());
    let rejection = rejection.map(Box::new);
    match fixed {
        Ok(fix) => Ok((Repaired::new(fix.unwrap_or_default(), tries, rejection, begun.elapsed()), size)),
        Err(reason) => Err(Irreparable::after(class, reason, tries, rejection)),
    }
}

/// With debug assertions, only values of at most this many objects are checked after a repair: `rep_ok` may recurse,
/// and the stack may be too small for more.
const MOST_CHECKED: usize = 1_000;
