//! How a search is to be run: every setting that users can turn, its default, and the order in which code and environment
//! are asked. Runs nothing itself.

use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::time::Duration;

use korat_core::{Backtracking, Limits, Pruning, SelfCheck, Settings, Unread};

/// The settings of a search.
///
/// One rule says which value counts: **the environment comes before the code, and the code before the default.** So a run
/// can be repeated with more or less of everything without touching a file:
///
/// | setting | in code | in the environment |
/// | --- | --- | --- |
/// | the scope | `T::scope(n)` | `KORAT_SCOPE=6` |
/// | stop after so many values | [`limit`](Config::limit) | `KORAT_LIMIT=1000` |
/// | stop after a time | [`time_limit`](Config::time_limit) | `KORAT_TIME_LIMIT=30s` (`500ms`, `2m`, or a number of seconds) |
/// | one value only | [`Search::replay`](crate::Search::replay) | `KORAT_REPLAY=..`, as a failure prints it |
/// | say how each search has ended | [`verbose`](Config::verbose) | `KORAT_VERBOSE=1` |
/// | progress of long searches | [`progress`](Config::progress) | `KORAT_PROGRESS=auto`, `always`, `never` |
/// | how `rep_ok` was run | [`explain`](Config::explain) | `KORAT_EXPLAIN=1` |
/// | where `rep_ok` rejects | [`profile`](Config::profile) | `KORAT_PROFILE=1` |
/// | how the search goes on | [`backtracking`](Config::backtracking) | `KORAT_BACKTRACKING=checkpoint`, `reexecute` |
/// | how much of the search is checked | [`self_check`](Config::self_check) | `KORAT_SELF_CHECK=sample`, `all`, `off` |
/// | failures that are kept | [`regressions`](Config::regressions) | `KORAT_REGRESSIONS=0` |
/// | notes of what a run died on | [`crash_notes`](Config::crash_notes) | `KORAT_CRASH_NOTES=0` |
///
/// A variable that begins with `KORAT_` and is not one of these, and a value that cannot be understood, are warned about on
/// standard error.
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
    /// The scope, in place of the one that the bounds were made with. Default: none.
    pub scope: Option<usize>,
    /// Stop after this many values. Default: none.
    pub limit: Option<u64>,
    /// Stop after this time. The clock is looked at between candidates and between values, many times a second. Default: none.
    pub time_limit: Option<Duration>,
    /// The value to run the property on, in place of all. Only searches of its type that run a property heed it: counts and
    /// iterators do not. Default: none.
    pub replay: Option<String>,
    /// How many failures are collected before the run ends, if they come from different places. Default: one.
    pub failures: usize,
    /// Whether failing values are kept in `korat-regressions/`, and are run first the next time. Default: yes.
    pub regressions: bool,
    /// Whether the value that a property runs on is noted in a file beside the test program, so that the next run can say on
    /// which value the process died. Nothing is left of it when the run ends. Default: yes.
    pub crash_notes: bool,
    /// Whether the end of every search is said on standard error. Default: no.
    pub verbose: bool,
    /// Whether searches say how far they are. Default: those of more than two seconds do.
    pub progress: Progress,
    /// Whether it is said how `rep_ok` was run. Default: no.
    pub explain: bool,
    /// Whether it is said where `rep_ok` rejects. Default: no.
    pub profile: bool,
    /// Whether values are counted by size and label. Default: no.
    pub stats: bool,
    /// A page with pictures of the structures, written when the run is over. Default: none.
    pub gallery: Option<PathBuf>,
    /// How many structures it shows. Default: a thousand.
    pub gallery_most: usize,
    /// In which order values come. Default: smallest first.
    pub order: Order,
    /// Which sizes values have. Default: all.
    pub sizes: Sizes,
    /// From one candidate to the next.
    pub backtracking: Backtracking,
    /// What the types exclude.
    pub pruning: Pruning,
    /// Fields that `rep_ok` never reads.
    pub unread: Unread,
    /// Whether it is fine to find no value at all. Default: no.
    pub allow_empty: bool,
    /// How much of the search is checked against `rep_ok` run from the top, and against the untouched one. Default: a sample.
    pub self_check: SelfCheck,
    /// How many loop rounds and calls `rep_ok` may take without reading a new field. Default: ten million.
    pub step_limit: u64,
    /// How many bytes of stack `rep_ok` may recurse through. Default: one mebibyte.
    pub stack_limit: usize,
}

/// In which order values are generated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Order {
    /// By their size, which is the number of their objects; values of one size as the search finds them. The search is run
    /// over small sizes first, so that some candidates are looked at in several passes; each value is given once. If the first
    /// hundred thousand candidates of small sizes have no value among them, as where a field says how many nodes there are, the
    /// rest comes as it is found.
    #[default]
    SmallestFirst,
    /// As the search finds them, in one pass.
    AsFound,
}

/// Which sizes values may have. The size of a value is the number of its objects; its root counts if other objects can be of
/// the root's class, so that a `List { head: Option<Box<Node>> }` of two nodes has size 2.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Sizes {
    /// All that the bounds allow.
    #[default]
    All,
    /// As many objects as the scope says.
    Scope,
    /// Some of them.
    Range(RangeInclusive<usize>),
}

impl Sizes {
    /// From the least to the greatest, at a scope.
    pub(crate) fn range(&self, scope: usize) -> RangeInclusive<usize> {
        match self {
            Sizes::All => 0..=usize::MAX,
            Sizes::Scope => scope..=scope,
            Sizes::Range(range) => range.clone(),
        }
    }
}

/// Whether searches say how far they are, on standard error.
///
/// The percentage and the time left are estimates, by the weighted position in the stack of choices: if every choice splits what
/// is left evenly, so much of the pass lies behind the current candidate. They are of the sizes that are searched at the time, and
/// of the search alone: values that wait for its end are counted, and the time for them is estimated once they are run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Progress {
    /// Those that take more than two seconds: one line that changes on a terminal, a line now and then elsewhere.
    #[default]
    Auto,
    /// All of them, from the beginning.
    Always,
    /// None.
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

/// One method for each setting that takes a value.
macro_rules! setters {
    ($($(#[$doc:meta])* $name:ident: $type:ty => $value:expr;)*) => {
        impl Config {
            /// The defaults.
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
    /// Another scope than the one that the bounds were made with.
    scope: usize => Some(scope);
    /// Stop after this many values; at least one.
    limit: u64 => Some(limit);
    /// Stop after this time; not zero.
    time_limit: Duration => Some(time_limit);
    /// Only this value, as a failure prints it.
    replay: impl Into<String> => Some(replay.into());
    /// Collect so many failures from different places.
    failures: usize => failures;
    /// Whether failing values are kept.
    regressions: bool => regressions;
    /// Whether the value that a property runs on is noted, for the next run if this one dies.
    crash_notes: bool => crash_notes;
    /// Whether the end of every search is said.
    verbose: bool => verbose;
    /// Whether searches say how far they are.
    progress: Progress => progress;
    /// Whether it is said how `rep_ok` was run.
    explain: bool => explain;
    /// Whether it is said where `rep_ok` rejects.
    profile: bool => profile;
    /// Whether values are counted by size and label.
    stats: bool => stats;
    /// A page with pictures of the structures.
    gallery: impl Into<PathBuf> => Some(gallery.into());
    /// How many structures it shows.
    gallery_most: usize => gallery_most;
    /// In which order values come.
    order: Order => order;
    /// Which sizes values have.
    sizes: Sizes => sizes;
    /// From one candidate to the next.
    backtracking: Backtracking => backtracking;
    /// What the types exclude.
    pruning: Pruning => pruning;
    /// Fields that `rep_ok` never reads.
    unread: Unread => unread;
    /// Whether it is fine to find no value at all.
    allow_empty: bool => allow_empty;
    /// How much of the search is checked.
    self_check: SelfCheck => self_check;
    /// How many loop rounds and calls `rep_ok` may take without reading a new field.
    step_limit: u64 => step_limit;
    /// How many bytes of stack `rep_ok` may recurse through.
    stack_limit: usize => stack_limit;
}

impl Config {
    /// What the engine has to know of it.
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
