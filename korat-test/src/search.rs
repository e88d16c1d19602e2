//! The builder behind [`for_each_valid`](crate::for_each_valid) and [`valid`](crate::valid): what to search, and how.

use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::time::Duration;

use korat_core::__private::{Class, Codec, Field};
use korat_core::{Backtracking, Bounds, FieldOf, Finitize, IntoValue, Pruning, RepOk, SelfCheck, Unread};

use crate::config::{Config, Order, Progress, Sizes};
use crate::env;

/// A search for all valid values of `T` within bounds.
///
/// ```
/// use korat::{Finitize, Pruning, Search, rep_ok};
///
/// #[derive(Debug, Finitize)]
/// struct Node {
///     next: Option<Box<Node>>,
/// }
///
/// #[derive(Debug, Finitize)]
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
///         self.len == len
///     }
/// }
///
/// let report = Search::new(List::scope(3)).for_each(|list| assert!(list.len <= 3));
/// assert_eq!(report.valid, 4);
/// ```
#[must_use = "a search does nothing before it is run: call `for_each`, `count` or `iter`"]
pub struct Search<T: Finitize + RepOk> {
    pub(crate) bounds: Bounds<T>,
    pub(crate) config: Config,
    /// Requirements on the result of the run.
    pub(crate) expected: Expected,
    /// Which settings come from the environment.
    pub(crate) by_environment: ByEnvironment,
}

/// Which settings come from the environment, and not from the code.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ByEnvironment {
    /// The environment requests output.
    pub(crate) asks: bool,
    /// The environment sets the limit.
    pub(crate) limits: bool,
    /// The environment sets the value to replay.
    pub(crate) replays: bool,
}

/// Requirements on the result of a run.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Expected {
    /// Expected number of values.
    pub(crate) count: Option<u64>,
    /// Whether all values are required.
    pub(crate) complete: bool,
}

impl<T: Finitize + RepOk> Search<T> {
    /// Creates a search with the default settings.
    pub fn new(bounds: Bounds<T>) -> Self {
        Search {
            bounds,
            config: Config::default(),
            expected: Expected::default(),
            by_environment: ByEnvironment::default(),
        }
    }

    /// Replaces all settings by those in a [`Config`].
    pub fn config(mut self, config: Config) -> Self {
        self.config = config;
        self
    }

    /// Sets the maximum number of objects of class `C`. The root counts as an object of its class.
    pub fn objects<C: Class>(mut self, count: usize) -> Self {
        self.bounds = self.bounds.objects::<C>(count);
        self
    }

    /// Sets the domain of a field, replacing its `#[finitize(..)]` attribute or default: any iterator of values that
    /// fit the field's type. For a vector or an array it is the domain of each element.
    pub fn domain<C: Class, F: Field, I: IntoIterator>(mut self, field: FieldOf<C, F>, domain: I) -> Self
    where
        I::Item: IntoValue<<F::Codec as Codec>::Leaf>,
    {
        self.bounds = self.bounds.domain(field, domain);
        self
    }

    /// Sets the values of a field of any type, replacing its `#[finitize(values = [..])]`.
    pub fn values<C: Class, F: Clone + 'static>(mut self, field: FieldOf<C, F>, values: Vec<F>) -> Self {
        self.bounds = self.bounds.values(field, values);
        self
    }

    /// Sets how the search gets from one candidate to the next. Both ways explore the same candidates in the same order.
    pub fn backtracking(mut self, backtracking: Backtracking) -> Self {
        self.config.backtracking = backtracking;
        self
    }

    /// Sets whether to try candidates that the types exclude. Both ways generate the same values.
    pub fn pruning(mut self, pruning: Pruning) -> Self {
        self.config.pruning = pruning;
        self
    }

    /// Sets how to treat fields that `rep_ok` never read on an accepted candidate.
    pub fn unread(mut self, unread: Unread) -> Self {
        self.config.unread = unread;
        self
    }

    /// Sets the order of the values. Default: smallest first, so that the first failure is a smallest one.
    pub fn order(mut self, order: Order) -> Self {
        self.config.order = order;
        self
    }

    /// Generates only values whose number of objects is in this range; see [`Sizes`] for what is counted.
    ///
    /// ```
    /// # use korat::{Finitize, Search, rep_ok};
    /// # #[derive(Debug, Finitize)]
    /// # struct Node { next: Option<Box<Node>> }
    /// # #[derive(Debug, Finitize)]
    /// # struct List { head: Option<Box<Node>> }
    /// # #[rep_ok]
    /// # impl List { fn rep_ok(&self) -> bool { let mut at = &self.head; while let Some(n) = at { at = &n.next; } true } }
    /// assert_eq!(Search::new(List::scope(6)).sizes(2..=4).count().valid, 3);
    /// ```
    pub fn sizes(mut self, sizes: RangeInclusive<usize>) -> Self {
        self.config.sizes = Sizes::Range(sizes);
        self
    }

    /// Generates only values whose size equals the scope: with `List::scope(6)`, lists of exactly six nodes.
    pub fn exact(mut self) -> Self {
        self.config.sizes = Sizes::Scope;
        self
    }

    /// Stops after this many values. The report then states that the search was not exhaustive.
    pub fn limit(mut self, values: u64) -> Self {
        self.config.limit = Some(values);
        self
    }

    /// Stops after this time, between two candidates. The report then states that the search was not exhaustive.
    pub fn time_limit(mut self, time: Duration) -> Self {
        self.config.time_limit = Some(time);
        self
    }

    /// Continues after a failure until there are `count` failures from different locations, told apart by the location
    /// of the panic or the text of what the property returned. The report contains the smallest value for each.
    pub fn failures(mut self, count: usize) -> Self {
        self.config.failures = count;
        self
    }

    /// Sets whether failing values are stored in `korat-regressions/` and run first the next time. Default: yes.
    pub fn regressions(mut self, keep: bool) -> Self {
        self.config.regressions = keep;
        self
    }

    /// Sets whether to record the current value of the property in a file, so that the next run can report on which
    /// value the process crashed; see [`Config::crash_notes`]. Default: yes.
    pub fn crash_notes(mut self, note: bool) -> Self {
        self.config.crash_notes = note;
        self
    }

    /// Writes a page with pictures of the structures at the end of the run, and creates its folder if necessary:
    /// `.gallery("target/korat/bst.html")`. The page shows the first thousand structures, or the number set by
    /// [`Config::gallery_most`](crate::Config::gallery_most).
    pub fn gallery(mut self, path: impl Into<PathBuf>) -> Self {
        self.config.gallery = Some(path.into());
        self
    }

    /// Sets whether the search reports its progress. Default: only if it takes more than two seconds.
    pub fn progress(mut self, progress: Progress) -> Self {
        self.config.progress = progress;
        self
    }

    /// Accepts a search without any valid value. By default such a search fails the test, because a property that never
    /// ran has not been tested.
    pub fn allow_empty(mut self) -> Self {
        self.config.allow_empty = true;
        self
    }

    /// Makes the run fail unless it generates all values and exactly this many; see
    /// [`Report::expect_count`](crate::Report::expect_count).
    pub fn expect_count(mut self, valid: u64) -> Self {
        self.expected.count = Some(valid);
        self
    }

    /// Makes the run fail unless it generates all values; see
    /// [`Report::expect_complete`](crate::Report::expect_complete).
    pub fn expect_complete(mut self) -> Self {
        self.expected.complete = true;
        self
    }

    /// Sets how many loop iterations and calls `rep_ok` may take without reading a new field before korat reports an
    /// endless loop. Default: ten million.
    pub fn step_limit(mut self, steps: u64) -> Self {
        self.config.step_limit = steps;
        self
    }

    /// Sets how many bytes of stack `rep_ok` may use before korat reports endless recursion. Default: one mebibyte,
    /// half of a test thread's stack. With [`Backtracking::Checkpoint`], only code that runs as a whole uses the stack;
    /// calls of methods of the `#[rep_ok]` block do not, and at most two million of them may be active at once.
    pub fn stack_limit(mut self, bytes: usize) -> Self {
        self.config.stack_limit = bytes;
        self
    }

    /// Reports how `rep_ok` ran: at which statements the search resumed and how often, and which statements are
    /// replayed as a whole and why.
    ///
    /// [`for_each`](Search::for_each) and [`count`](Search::count) print the explanation at their end on standard
    /// error, which `cargo test` shows with `-- --nocapture`, and store it in
    /// [`Report::explanation`](crate::Report::explanation); [`Valid::report`](crate::Valid::report) contains it too.
    /// The environment variable `KORAT_EXPLAIN=1` enables it for every search of a process. Counting slows down the
    /// search. With [`Backtracking::Reexecute`] there is nothing to report.
    ///
    /// ```
    /// use korat::{Finitize, Search, rep_ok};
    ///
    /// #[derive(Debug, Finitize)]
    /// struct Interval {
    ///     low: u8,
    ///     high: u8,
    ///     open: bool,
    /// }
    ///
    /// #[rep_ok]
    /// impl Interval {
    ///     fn rep_ok(&self) -> bool {
    ///         if self.low > self.high {
    ///             return false;
    ///         }
    ///         !self.open || self.is_wide()
    ///     }
    ///
    ///     fn is_wide(&self) -> bool {
    ///         self.low < self.high
    ///     }
    /// }
    ///
    /// let report = Search::new(Interval::scope(3)).explain().count();
    /// let explanation = report.explanation.expect("it was asked for");
    /// // The first candidate begins at the top; every other one begins at one of the statements.
    /// let reentries: u64 = explanation.statements.iter().map(|statement| statement.reentries).sum();
    /// assert_eq!(reentries, report.explored - 1);
    /// // Nothing stands in the way.
    /// assert!(explanation.notes.is_empty());
    /// ```
    pub fn explain(mut self) -> Self {
        self.config.explain = true;
        self
    }

    /// Sets how much of the search is checked: whether `rep_ok` gives the same verdict when it runs from the top, and
    /// whether the original `rep_ok` accepts the values. A disagreement is a bug in korat, and fails the test.
    ///
    /// By default, korat checks a sample that takes a few percent of the time.
    /// [`Report::compared`](crate::Report::compared) and [`Report::shown`](crate::Report::shown) tell how much was
    /// checked. The environment variable `KORAT_SELF_CHECK=all` checks everything in all searches of a process.
    ///
    /// ```
    /// use korat::{Finitize, Search, SelfCheck, rep_ok};
    ///
    /// #[derive(Debug, Finitize)]
    /// struct Interval {
    ///     low: u8,
    ///     high: u8,
    /// }
    ///
    /// #[rep_ok]
    /// impl Interval {
    ///     fn rep_ok(&self) -> bool {
    ///         self.low <= self.high
    ///     }
    /// }
    ///
    /// let report = Search::new(Interval::scope(3)).self_check(SelfCheck::All).count();
    /// assert_eq!((report.compared, report.shown), (report.explored, report.valid));
    /// ```
    pub fn self_check(mut self, self_check: SelfCheck) -> Self {
        self.config.self_check = self_check;
        self
    }

    /// Applies the settings of the environment.
    pub(crate) fn with_environment(mut self) -> Self {
        let asked = |config: &Config| (config.explain, config.profile, config.verbose);
        let before = asked(&self.config);
        let (limit, replay) = (self.config.limit.take(), self.config.replay.take());
        env::apply(&mut self.config);
        self.by_environment = ByEnvironment {
            asks: asked(&self.config) != before,
            limits: self.config.limit.is_some(),
            replays: self.config.replay.is_some(),
        };
        self.config.limit = self.config.limit.or(limit);
        self.config.replay = self.config.replay.take().or(replay);
        if let Some(scope) = self.config.scope {
            self.bounds.set_scope(scope);
        }
        self
    }
}
