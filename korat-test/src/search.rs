//! The builder behind [`for_each_valid`](crate::for_each_valid) and [`valid`](crate::valid): what to search, and how. Takes
//! the user's words; runs nothing itself.

use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::time::Duration;

use korat_core::__private::{Class, Codec, Field};
use korat_core::{Backtracking, Bounds, FieldOf, Finitize, IntoValue, Pruning, RepOk, SelfCheck, Unread};

use crate::config::{Config, Order, Progress, Sizes};
use crate::env;

/// A search over all valid values of `T` within bounds.
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
    /// What the run must come to.
    pub(crate) expected: Expected,
    /// What of it the environment says, and not the code.
    pub(crate) by_environment: ByEnvironment,
}

/// What the environment says of a search, and not the code.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ByEnvironment {
    /// It wants to be told something.
    pub(crate) asks: bool,
    /// It gives the limit.
    pub(crate) limits: bool,
    /// It gives the value to replay.
    pub(crate) replays: bool,
}

/// What a run must come to.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Expected {
    /// This many values.
    pub(crate) count: Option<u64>,
    /// All values.
    pub(crate) complete: bool,
}

impl<T: Finitize + RepOk> Search<T> {
    /// A search with the default settings.
    pub fn new(bounds: Bounds<T>) -> Self {
        Search {
            bounds,
            config: Config::default(),
            expected: Expected::default(),
            by_environment: ByEnvironment::default(),
        }
    }

    /// Takes all settings from a [`Config`], in place of those made before.
    pub fn config(mut self, config: Config) -> Self {
        self.config = config;
        self
    }

    /// At most `count` objects of class `C`. The root counts as an object of its own class.
    pub fn objects<C: Class>(mut self, count: usize) -> Self {
        self.bounds = self.bounds.objects::<C>(count);
        self
    }

    /// The domain of one field, in place of its `#[finitize(..)]` or default: any iterator of the field's type. For a
    /// vector or an array it is the domain of each element.
    pub fn domain<C: Class, F: Field, I: IntoIterator>(mut self, field: FieldOf<C, F>, domain: I) -> Self
    where
        I::Item: IntoValue<<F::Codec as Codec>::Leaf>,
    {
        self.bounds = self.bounds.domain(field, domain);
        self
    }

    /// The values of a field of any type, in place of its `#[finitize(values = [..])]`.
    pub fn values<C: Class, F: Clone + 'static>(mut self, field: FieldOf<C, F>, values: Vec<F>) -> Self {
        self.bounds = self.bounds.values(field, values);
        self
    }

    /// How the search gets from one candidate to the next. Both ways see the same candidates in the same order.
    pub fn backtracking(mut self, backtracking: Backtracking) -> Self {
        self.config.backtracking = backtracking;
        self
    }

    /// Whether candidates that the types exclude are tried. Both ways generate the same values.
    pub fn pruning(mut self, pruning: Pruning) -> Self {
        self.config.pruning = pruning;
        self
    }

    /// What to do with fields that `rep_ok` never read on an accepted candidate.
    pub fn unread(mut self, unread: Unread) -> Self {
        self.config.unread = unread;
        self
    }

    /// In which order values come. Default: smallest first, so that the first failure is a smallest one.
    pub fn order(mut self, order: Order) -> Self {
        self.config.order = order;
        self
    }

    /// Only values of this many objects; see [`Sizes`] for what is counted.
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

    /// Only values of one size, the scope: with `List::scope(6)` lists of exactly six nodes.
    pub fn exact(mut self) -> Self {
        self.config.sizes = Sizes::Scope;
        self
    }

    /// Stops after `values` values. The report says that the search was not exhaustive.
    pub fn limit(mut self, values: u64) -> Self {
        self.config.limit = Some(values);
        self
    }

    /// Stops after a time, between two candidates. The report says that the search was not exhaustive.
    pub fn time_limit(mut self, time: Duration) -> Self {
        self.config.time_limit = Some(time);
        self
    }

    /// Goes on after a failure until there are `count` of them, from different places: the panics' locations, or the texts of
    /// what the property returned. The smallest value of each is reported.
    pub fn failures(mut self, count: usize) -> Self {
        self.config.failures = count;
        self
    }

    /// Whether failing values are kept in `korat-regressions/`, and are run first the next time. Default: yes.
    pub fn regressions(mut self, keep: bool) -> Self {
        self.config.regressions = keep;
        self
    }

    /// Whether the value that a property runs on is noted in a file, so that the next run can say on which value the process
    /// died; see [`Config::crash_notes`]. Default: yes.
    pub fn crash_notes(mut self, note: bool) -> Self {
        self.config.crash_notes = note;
        self
    }

    /// Writes a page with pictures of the structures when the run is over, and makes its folder if need be:
    /// `.gallery("target/korat/bst.html")`. It has the first thousand, or as many as
    /// [`Config::gallery_most`](crate::Config::gallery_most) says.
    pub fn gallery(mut self, path: impl Into<PathBuf>) -> Self {
        self.config.gallery = Some(path.into());
        self
    }

    /// Whether searches say how far they are. Default: those of more than two seconds do.
    pub fn progress(mut self, progress: Progress) -> Self {
        self.config.progress = progress;
        self
    }

    /// Finding no valid value at all is fine. Otherwise it fails the test, because a property that ran on nothing holds
    /// of nothing.
    pub fn allow_empty(mut self) -> Self {
        self.config.allow_empty = true;
        self
    }

    /// The run fails unless it comes to this many values, and to all there are; see
    /// [`Report::expect_count`](crate::Report::expect_count).
    pub fn expect_count(mut self, valid: u64) -> Self {
        self.expected.count = Some(valid);
        self
    }

    /// The run fails unless it comes to all values; see [`Report::expect_complete`](crate::Report::expect_complete).
    pub fn expect_complete(mut self) -> Self {
        self.expected.complete = true;
        self
    }

    /// How many loop rounds and calls `rep_ok` may take without reading a new field, before korat says that it loops.
    /// Default: ten million.
    pub fn step_limit(mut self, steps: u64) -> Self {
        self.config.step_limit = steps;
        self
    }

    /// How many bytes of stack `rep_ok` may recurse through, before korat says that it recurses without end. Default: one
    /// mebibyte, half of a test thread's stack. With [`Backtracking::Checkpoint`] only what is run as a whole uses the stack:
    /// calls of methods of the `#[rep_ok]` block do not, and have a limit of two million under way.
    pub fn stack_limit(mut self, bytes: usize) -> Self {
        self.config.stack_limit = bytes;
        self
    }

    /// Says how `rep_ok` was run: which statements the search came back to and how often, which of them are replayed as a
    /// whole and why. [`for_each`](Search::for_each) and [`count`](Search::count) print it at their end on standard error,
    /// which `cargo test` shows with `-- --nocapture`, and put it into [`Report::explanation`](crate::Report::explanation);
    /// so does [`Valid::report`](crate::Valid::report). The environment variable `KORAT_EXPLAIN=1` does the same for every
    /// search of a process. Counting makes the search slower. With [`Backtracking::Reexecute`] there is nothing to say.
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

    /// How much of the search is checked: whether `rep_ok` says the same when it is run from the top, and whether the untouched
    /// `rep_ok` accepts the values. What does not agree is a bug in korat, and fails the test. Default: a sample that takes a few per
    /// cent of the time. [`Report::compared`](crate::Report::compared) and [`Report::shown`](crate::Report::shown) say how much it was. The
    /// environment variable `KORAT_SELF_CHECK=all` checks everything in all searches of a process.
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

    /// The search as the environment wants it.
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
