//! The settings of a search: every option that users can change, with its default, and the precedence of code and environment.

use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::time::Duration;

use korat_core::{Backtracking, Limits, Pruning, SelfCheck, Settings, Unread};

/// The settings of a search.
///
/// **The environment takes precedence over the code, and the code over the default.** A run can thus be repeated with
/// other settings without editing a file:
///
/// | setting | in code | in the environment |
/// | --- | --- | --- |
/// | the scope | `T::scope(n)` | `KORAT_SCOPE=6` |
/// | stop after a number of values | [`limit`](Config::limit) | `KORAT_LIMIT=1000` |
/// | stop after a time | [`time_limit`](Config::time_limit) | `KORAT_TIME_LIMIT=30s` (`500ms`, `2m`, or a number of seconds) |
/// | run a single value | [`Search::replay`](crate::Search::replay) | `KORAT_REPLAY=..`, as printed by a failure |
/// | print how each search ended | [`verbose`](Config::verbose) | `KORAT_VERBOSE=1` |
/// | progress of long searches | [`progress`](Config::progress) | `KORAT_PROGRESS=auto`, `always`, `never` |
/// | explain how `rep_ok` ran | [`explain`](Config::explain) | `KORAT_EXPLAIN=1` |
/// | profile where `rep_ok` rejects | [`profile`](Config::profile) | `KORAT_PROFILE=1` |
/// | how the search backtracks | [`backtracking`](Config::backtracking) | `KORAT_BACKTRACKING=checkpoint`, `reexecute` |
/// | how much of the search is checked | [`self_check`](Config::self_check) | `KORAT_SELF_CHECK=sample`, `all`, `off` |
/// | keep failing values | [`regressions`](Config::regressions) | `KORAT_REGRESSIONS=0` |
/// | record the value on which a run crashes | [`crash_notes`](Config::crash_notes) | `KORAT_CRASH_NOTES=0` |
///
/// An unknown variable whose name starts with `KORAT_`, or a value that cannot be parsed, causes a warning on standard error.
///
/// ```
/// use korat::{Config, Finitize, Search, rep_ok};
/// use std::time::Duration;
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
/// let config = Config::new().limit(4).time_limit(Duration::from_secs(60));
/// let report = Search::new(Interval::scope(3)).config(config).count();
/// assert_eq!((report.valid, report.complete), (4, false));
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Config {
    /// The scope, which replaces the scope of the bounds. Default: none.
    pub scope: Option<usize>,
    /// Maximum number of values, after which the search stops. Default: none.
    pub limit: Option<u64>,
    /// Maximum time, after which the search stops. The search checks the clock between candidates and between values,
    /// many times per second. Default: none.
    pub time_limit: Option<Duration>,
    /// The only value on which to run the property. Applies to searches of its type that run a property, and not to
    /// counts or iterators. Default: none.
    pub replay: Option<String>,
    /// Number of failures from different locations to collect before the run ends. Default: one.
    pub failures: usize,
    /// Whether to store failing values in `korat-regressions/`, and to run them first the next time. Default: yes.
    pub regressions: bool,
    /// Whether to record the current value of the property in a file next to the test executable, so that the next run
    /// can report on which value the process crashed. The file is removed when the run ends. Default: yes.
    pub crash_notes: bool,
    /// Whether to print the result of every search on standard error. Default: no.
    pub verbose: bool,
    /// Whether searches report their progress. Default: only searches of more than two seconds.
    pub progress: Progress,
    /// Whether to report how `rep_ok` ran. Default: no.
    pub explain: bool,
    /// Whether to report where `rep_ok` rejects. Default: no.
    pub profile: bool,
    /// Whether to count values by size and label. Default: no.
    pub stats: bool,
    /// Path of a page with pictures of the structures, which is written at the end of the run. Default: none.
    pub gallery: Option<PathBuf>,
    /// Maximum number of structures in the gallery. Default: one thousand.
    pub gallery_most: usize,
    /// Order in which values are generated. Default: smallest first.
    pub order: Order,
    /// Sizes of the generated values. Default: all.
    pub sizes: Sizes,
    /// How the search gets from one candidate to the next.
    pub backtracking: Backtracking,
    /// Whether to try candidates that the types exclude.
    pub pruning: Pruning,
    /// How to treat fields that `rep_ok` never reads.
    pub unread: Unread,
    /// Whether a search may end without any value. Default: no.
    pub allow_empty: bool,
    /// How much of the search to check against `rep_ok` run from the top, and against the original `rep_ok`. Default: a sample.
    pub self_check: SelfCheck,
    /// Maximum number of loop iterations and calls of `rep_ok` without reading a new field. Default: ten million.
    pub step_limit: u64,
    /// Maximum number of bytes of stack for recursion in `rep_ok`. Default: one mebibyte.
    pub stack_limit: usize,
}

/// The order in which values are generated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Order {
    /// By size, which is the number of objects; values of equal size in the order of the search. The search runs over
    /// small sizes first and explores some candidates in several passes, but generates each value once. If the first
    /// hundred thousand candidates of small sizes contain no value, for example because a field fixes the number of
    /// nodes, the remaining values are generated in the order of the search.
    #[default]
    SmallestFirst,
    /// In the order of the search, in one pass.
    AsFound,
}

/// The sizes of generated values. The size of a value is the number of its objects. The root counts only if other
/// objects can be of its class, so a `List { head: Option<Box<Node>> }` with two nodes has size 2.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Sizes {
    /// All sizes within the bounds.
    #[default]
    All,
    /// Only the size that equals the scope.
    Scope,
    /// Only the sizes in a range.
    Range(RangeInclusive<usize>),
}

impl Sizes {
    /// Returns the sizes at the given scope.
    pub(crate) fn range(&self, scope: usize) -> RangeInclusive<usize> {
        match self {
            Sizes::All => 0..=usize::MAX,
            Sizes::Scope => scope..=scope,
            Sizes::Range(range) => range.clone(),
        }
    }
}

/// Whether searches report their progress on standard error.
///
/// The percentage and the remaining time are estimates, based on the weighted position in the stack of choices: they assume
/// that every choice splits the remaining candidates evenly. They refer only to the sizes of the current pass and only to
/// searching them. Values that wait for the end of the pass are counted; the time for them is estimated once they run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Progress {
    /// Searches of more than two seconds report: on a terminal one line that is updated, elsewhere an occasional line.
    #[default]
    Auto,
    /// All searches report, from the start.
    Always,
    /// No search reports.
    Never,
}

impl Default for Config {
    fn default() -> Self {
        let Limits { steps, stack } = Limits::default();
        Config {
            scope: None,
            limit: None,
            time_limit: None,
            replay: None,
            failures: 1,
            regressions: true,
            crash_notes: true,
            verbose: false,
            progress: Progress::Auto,
            explain: false,
            profile: false,
            stats: false,
            gallery: None,
            gallery_most: 1000,
            order: Order::SmallestFirst,
            sizes: Sizes::All,
            backtracking: Backtracking::default(),
            pruning: Pruning::default(),
            unread: Unread::default(),
            allow_empty: false,
            self_check: SelfCheck::default(),
            step_limit: steps,
            stack_limit: stack,
        }
    }
}

/// Generates one method for each setting that takes a value.
macro_rules! setters {
    ($($(#[$doc:meta])* $name:ident: $type:ty => $value:expr;)*) => {
        impl Config {
            /// Returns the default settings.
            pub fn new() -> Self {
                Config::default()
            }

            $(
                $(#[$doc])*
                #[must_use]
                pub fn $name(mut self, $name: $type) -> Self {
                    self.$name = $value;
                    self
                }
            )*
        }
    };
}

setters! {
    /// Replaces the scope of the bounds.
    scope: usize => Some(scope);
    /// Stops after this many values; must be at least one.
    limit: u64 => Some(limit);
    /// Stops after this time; must not be zero.
    time_limit: Duration => Some(time_limit);
    /// Runs the property only on this value, as printed by a failure.
    replay: impl Into<String> => Some(replay.into());
    /// Collects this many failures from different locations.
    failures: usize => failures;
    /// Sets whether failing values are kept.
    regressions: bool => regressions;
    /// Sets whether to record the current value of the property, for the next run if this one crashes.
    crash_notes: bool => crash_notes;
    /// Sets whether to print the result of every search.
    verbose: bool => verbose;
    /// Sets whether searches report their progress.
    progress: Progress => progress;
    /// Sets whether to report how `rep_ok` ran.
    explain: bool => explain;
    /// Sets whether to report where `rep_ok` rejects.
    profile: bool => profile;
    /// Sets whether to count values by size and label.
    stats: bool => stats;
    /// Writes a page with pictures of the structures to this path.
    gallery: impl Into<PathBuf> => Some(gallery.into());
    /// Sets the maximum number of structures in the gallery.
    gallery_most: usize => gallery_most;
    /// Sets the order in which values are generated.
    order: Order => order;
    /// Sets the sizes of the generated values.
    sizes: Sizes => sizes;
    /// Sets how the search gets from one candidate to the next.
    backtracking: Backtracking => backtracking;
    /// Sets whether to try candidates that the types exclude.
    pruning: Pruning => pruning;
    /// Sets how to treat fields that `rep_ok` never reads.
    unread: Unread => unread;
    /// Sets whether a search may end without any value.
    allow_empty: bool => allow_empty;
    /// Sets how much of the search is checked.
    self_check: SelfCheck => self_check;
    /// Sets the maximum number of loop iterations and calls of `rep_ok` without reading a new field.
    step_limit: u64 => step_limit;
    /// Sets the maximum number of bytes of stack for recursion in `rep_ok`.
    stack_limit: usize => stack_limit;
}

impl Config {
    /// Returns the settings of the search engine.
    pub(crate) fn settings(&self) -> Settings {
        Settings {
            pruning: self.pruning,
            backtracking: self.backtracking,
            unread: self.unread,
            explain: self.explain,
            profile: self.profile,
            self_check: self.self_check,
            limits: Limits { steps: self.step_limit, stack: self.stack_limit },
        }
    }
}
