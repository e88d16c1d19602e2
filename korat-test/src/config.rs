//! The settings of a search: every option that users can change, with its default, and the precedence of code and environment.

use std::ops::Range;
use std::path::PathBuf;
use std::time::Duration;

use korat_core::{Backtracking, Finitize, Limits, Natural, Pruning, RepOk, SelfCheck, Settings, Unread};

use crate::progress::Progress;
use crate::search::Search;
use crate::shard::Shard;

mod sizes;

pub use sizes::Sizes;

/// Declares the settings: for each its type, its default and its method, which [`Config`] and [`Search`] both have. Settings in the
/// second list belong to `Config` only.
macro_rules! settings {
    (
        $(#[$struct_doc:meta])*
        pub struct Config;
        both { $($(#[$doc:meta])* $name:ident: $type:ty = $default:expr; ($given:ident: $takes:ty) => $value:expr;)* }
        config { $($(#[$only_doc:meta])* $only:ident: $only_type:ty; ($only_given:ident: $only_takes:ty) => $only_value:expr;)* }
    ) => {
        $(#[$struct_doc])*
        #[derive(Clone, Debug, PartialEq)]
        pub struct Config {
            $(pub(crate) $name: $type,)*
            $(pub(crate) $only: $only_type,)*
        }

        impl Default for Config {
            fn default() -> Self {
                Config { $($name: $default,)* $($only: None,)* }
            }
        }

        impl Config {
            /// Returns the default settings.
            pub fn new() -> Self {
                Config::default()
            }

            $(
                $(#[$doc])*
                #[must_use]
                pub fn $name(mut self, $given: $takes) -> Self {
                    self.$name = $value;
                    self
                }
            )*

            $(
                $(#[$only_doc])*
                #[must_use]
                pub fn $only(mut self, $only_given: $only_takes) -> Self {
                    self.$only = $only_value;
                    self
                }
            )*
        }

        impl<T: Finitize + RepOk> Search<T> {
            $(
                $(#[$doc])*
                pub fn $name(mut self, $given: $takes) -> Self {
                    self.config.$name = $value;
                    self
                }
            )*
        }
    };
}

settings! {
    /// The settings of a search.
    ///
    /// **The environment takes precedence over the code, and the code over the default.** A run can thus be repeated with
    /// other settings without editing a file:
    ///
    /// | setting | in code | in the environment |
    /// | --- | --- | --- |
    /// | the scope | `T::scope(n)` | `KORAT_SCOPE=6` |
    /// | operations in a row, in an exploration | [`Explore::depth`](crate::Explore::depth) | `KORAT_DEPTH=5` |
    /// | time of one operation, in an exploration | [`Explore::execution_limit`](crate::Explore::execution_limit) | `KORAT_EXECUTION_LIMIT=10s` |
    /// | stop after a number of values | [`limit`](Config::limit) | `KORAT_LIMIT=1000` |
    /// | draw values at random | [`sample`](Config::sample), [`seed`](Config::seed) | `KORAT_SAMPLE=1000`, `KORAT_SEED=7` |
    /// | shrink a failing value of these | [`shrink`](Config::shrink) | `KORAT_SHRINK=10000` |
    /// | stop after a time | [`time_limit`](Config::time_limit) | `KORAT_TIME_LIMIT=30s` (`500ms`, `2m`, or a number of seconds) |
    /// | memory to recognise values of arenas and sets | [`form_memory`](Config::form_memory) | `KORAT_FORM_MEMORY=4GiB` (`512MiB`, `64KiB`, or a number of bytes) |
    /// | do one of several parts | [`shard`](Config::shard) | `KORAT_SHARD=2/8`, `auto`, `off`; `KORAT_SHARDS=8` |
    /// | run the property on several threads | [`threads`](Config::threads) | `KORAT_THREADS=4`, `auto` |
    /// | do all of it in every part, without a report | [`standalone`](Config::standalone) | |
    /// | run a single value | [`Search::replay`](crate::Search::replay) | `KORAT_REPLAY=..`, as printed by a failure |
    /// | print how each search ended | [`verbose`](Config::verbose) | `KORAT_VERBOSE=1` |
    /// | progress of long searches | [`progress`](Config::progress) | `KORAT_PROGRESS=auto`, `always`, `never` |
    /// | explain how `rep_ok` ran | [`explain`](Config::explain) | `KORAT_EXPLAIN=1` |
    /// | profile where `rep_ok` rejects | [`profile`](Config::profile) | `KORAT_PROFILE=1` |
    /// | how the search backtracks | [`backtracking`](Config::backtracking) | `KORAT_BACKTRACKING=checkpoint`, `reexecute` |
    /// | whether parts are summarised | [`summaries`](Config::summaries) | `KORAT_SUMMARIES=auto`, `always`, `never` |
    /// | how much of the search is checked | [`self_check`](Config::self_check) | `KORAT_SELF_CHECK=sample`, `all`, `off` |
    /// | keep failing values | [`regressions`](Config::regressions) | `KORAT_REGRESSIONS=0` |
    /// | keep reports to add up, as files | [`reports`](Config::reports), [`run_name`](Config::run_name) | `KORAT_REPORT=folder`, `KORAT_RUN=..` |
    /// | keep where searches stand, and go on from there | [`checkpoints`](Config::checkpoints), [`checkpoint_every`](Config::checkpoint_every) | `KORAT_CHECKPOINT=folder`, `KORAT_CHECKPOINT_EVERY=5s` |
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
    /// let report = Search::new(Interval::scope(3)).config(config).report();
    /// assert_eq!((report.valid, report.is_complete()), (4, false));
    /// ```
    pub struct Config;

    both {
        /// Stops after this many values, at least one. The report then states that the search was not exhaustive. Default: no limit.
        limit: Option<u64> = None; (values: u64) => Some(values);

        /// Stops after this time, which must not be zero. The search checks the clock between candidates and between values, many times
        /// per second. The report then states that the search was not exhaustive. Default: no limit.
        time_limit: Option<Duration> = None; (time: Duration) => Some(time);

        /// Generates only values whose number of objects is in this range: `sizes(2..=4)`; see [`Sizes`] for what is counted. Default:
        /// all sizes.
        sizes: Sizes = Sizes::All; (sizes: impl Into<Sizes>) => sizes.into();

        /// Sets the order of the values. Default: smallest first, so that the first failure is a smallest one.
        order: Order = Order::SmallestFirst; (order: Order) => order;

        /// Sets how the search gets from one candidate to the next. Both ways explore the same candidates in the same order.
        backtracking: Backtracking = Backtracking::default(); (backtracking: Backtracking) => backtracking;

        /// Sets whether to try candidates that the types exclude. Both ways generate the same values.
        pruning: Pruning = Pruning::default(); (pruning: Pruning) => pruning;

        /// Sets whether parts of the structure are summarised: what a method of `rep_ok` says about a part is found out once, and not
        /// for each place where such a part may stand. Default: where a search gets long.
        summaries: Summaries = Summaries::default(); (summaries: Summaries) => summaries;

        /// Sets how many bytes the tables of summaries may take; beyond that, the search goes on without them. Default: one gibibyte.
        summary_memory: usize = Settings::default().table_bytes; (bytes: usize) => bytes;

        /// Sets how many bytes the canonical forms may take by which a search recognises values that it reaches in several orders: those with an arena, and with
        /// some sets. Each thread and each shard has its own. The search ends where they take more, with [`Ending::MemoryLimit`](crate::Ending::MemoryLimit). Default: two gibibytes.
        form_memory: usize = Settings::default().form_bytes; (bytes: usize) => bytes;

        /// Runs the property on this many values that are drawn at random, each valid value within the bounds with the same probability,
        /// instead of on all of them. If the structure cannot be [summarised](Config::summaries), values are drawn by random descents through the search,
        /// which are not uniform; the report says so, and why. A failing value is [shrunk](Config::shrink). Default: all values.
        sample: Option<u64> = None; (values: u64) => Some(values);

        /// Sets the seed of [`sample`](Config::sample): the same seed draws the same values. Default: 0.
        seed: u64 = 0; (seed: u64) => seed;

        /// Generates only the values with these ranks, the numbers that [`Search::nth`](crate::Search::nth) takes: `ranks(0..1000)` are the first
        /// thousand. Ranges that together have every rank up to [`Search::count`](crate::Search::count) split one search, as evenly as the ranges are
        /// long. Counts are of all values. Fails if the structure cannot be [summarised](Config::summaries). Default: all values.
        ///
        /// ```
        /// use korat::{Finitize, Search, rep_ok};
        ///
        /// #[derive(Debug, Finitize)]
        /// struct Node {
        ///     #[finitize(0..=scope)]
        ///     key: usize,
        ///     next: Option<Box<Node>>,
        /// }
        ///
        /// #[derive(Debug, Finitize)]
        /// struct Sorted {
        ///     head: Option<Box<Node>>,
        /// }
        ///
        /// #[rep_ok]
        /// impl Sorted {
        ///     fn rep_ok(&self) -> bool {
        ///         Self::is_sorted(&self.head, 0)
        ///     }
        ///
        ///     fn is_sorted(node: &Option<Box<Node>>, least: usize) -> bool {
        ///         node.as_ref().is_none_or(|node| node.key >= least && Self::is_sorted(&node.next, node.key + 1))
        ///     }
        /// }
        ///
        /// // Two halves of the 1,023 sets of at most 9 of the numbers 0..=9.
        /// let search = || Search::new(Sorted::scope(9));
        /// assert_eq!(search().count(), 1_023);
        /// assert_eq!(search().ranks(0..512).for_each(|list| list.rep_ok()).valid, 512);
        /// assert_eq!(search().ranks(512..1_023).for_each(|list| list.rep_ok()).valid, 511);
        /// ```
        ranks: Option<Range<Natural>> = None; (ranks: Range<impl Into<Natural>>) => Some(ranks.start.into()..ranks.end.into());

        /// Does only this part of the search: the second of eight is `Shard::new(2, 8)`. The parts take about the same work, and together have every value
        /// once; what is said about all values is left to their sum. Default: the whole search.
        shard: Option<Shard> = None; (shard: Shard) => Some(shard);

        /// Sets on how many threads [`Search::par_for_each`](crate::Search::par_for_each) searches and runs the property, and
        /// [`Explore::par_run`](crate::Explore::par_run) explores. [`Search::report`](crate::Search::report) counts on as many, if this is set. What runs in another way takes one. Default: as many as the machine has cores
        /// for; in a property one.
        threads: Option<usize> = None; (threads: usize) => Some(threads);

        /// Keeps the search to its test: every [shard](Config::shard) does all of it, and it leaves no [report](Config::reports). For a search that is to fail,
        /// and for one whose values the test compares or counts. Default: no.
        standalone: bool = false; (alone: bool) => alone;

        /// Sets on how many values the property may run to shrink a failing value of a [`sample`](Config::sample): first on simpler values near it,
        /// then on all values of smaller sizes, smallest first. The report says whether all of them were tried. With 0, nothing is shrunk. Default:
        /// ten thousand.
        ///
        /// Values of smaller sizes than [`sizes`](Config::sizes) says are not tried; after [`Search::exact`](crate::Search::exact) all smaller sizes are.
        shrink: u64 = 10_000; (values: u64) => values;

        /// Sets how to treat fields that `rep_ok` never read on an accepted candidate.
        unread: Unread = Unread::default(); (unread: Unread) => unread;

        /// Sets whether a search may end without any valid value. Default: no, it fails the test, because a property that never ran has
        /// not been tested.
        allow_empty: bool = false; (allow: bool) => allow;

        /// Continues after a failure until there are this many failures from different locations, told apart by the location of the
        /// panic or the text of what the property returned. The report contains the smallest value for each. Default: one.
        failures: usize = 1; (count: usize) => count;

        /// Sets whether failing values are stored in `korat-regressions/` and run first the next time. Default: yes.
        regressions: bool = true; (keep: bool) => keep;

        /// Sets whether to record the current value of the property in a file next to the test executable, so that the next run can
        /// report on which value the process crashed. The file is removed when the run ends. Default: yes.
        crash_notes: bool = true; (note: bool) => note;

        /// Sets whether to print the result of every search on standard error. Default: no.
        verbose: bool = false; (print: bool) => print;

        /// Sets whether searches report their progress. Default: only searches of more than two seconds.
        progress: Progress = Progress::Auto; (progress: Progress) => progress;

        /// Sets whether to report how `rep_ok` ran: at which statements the search resumed and how often, and which statements are
        /// replayed as a whole and why. Default: no.
        ///
        /// The explanation is printed at the end of the run on standard error, which `cargo test` shows with `-- --nocapture`, and stored
        /// in [`Report::explanation`](crate::Report::explanation). Counting slows down the search. With [`Backtracking::Reexecute`] there
        /// is nothing to report.
        explain: bool = false; (explain: bool) => explain;

        /// Sets whether to profile where `rep_ok` rejects. Default: no.
        ///
        /// For every line the profile has the number of candidates that ended there, of reads that decided a field, and of resumed runs;
        /// for every field, how often it was the last one read. If a line rejects nearly everything after a field that is read late, the
        /// search gets faster when that field is read earlier or has fewer values.
        ///
        /// The profile is printed at the end of the run on standard error, which `cargo test` shows with `-- --nocapture`, and stored in
        /// [`Report::profile`](crate::Report::profile). Profiling slows down the search. If `rep_ok` runs from the top
        /// ([`Backtracking::Reexecute`], `#[rep_ok(reexecute)]`, or a local that backtracking cannot restore), the lines are unknown, and
        /// only fields are counted.
        profile: bool = false; (profile: bool) => profile;

        /// Sets whether to count the values by size, and by the labels that the property attaches with [`label!`](crate::label!).
        /// Default: no. A property that holds for all values says little if nearly all of them are alike.
        ///
        /// A bar chart is printed at the end of the run on standard error, which `cargo test` shows with `-- --nocapture`, and the counts
        /// are stored in [`Report::stats`](crate::Report::stats). Only runs of a property have labels.
        stats: bool = false; (count: bool) => count;

        /// Writes a page with pictures of the structures at the end of the run, and creates its folder if necessary:
        /// `.gallery("target/korat/bst.html")`. The page shows the first thousand structures, or as many as `gallery_most` says.
        #[cfg(feature = "pictures")]
        gallery: Option<PathBuf> = None; (path: impl Into<PathBuf>) => Some(path.into());

        /// Sets the maximum number of structures in the gallery. Default: one thousand.
        #[cfg(feature = "pictures")]
        gallery_most: usize = 1000; (structures: usize) => structures;

        /// Sets how much of the search is checked: whether `rep_ok` gives the same verdict when it runs from the top, and whether the
        /// original `rep_ok` accepts the values. A disagreement is a bug in korat, and fails the test.
        ///
        /// By default, korat checks a sample that takes a few percent of the time.
        /// [`Report::candidates_checked`](crate::Report::candidates_checked) and
        /// [`Report::values_checked`](crate::Report::values_checked) tell how much was checked.
        self_check: SelfCheck = SelfCheck::default(); (self_check: SelfCheck) => self_check;

        /// Sets how many loop iterations and calls `rep_ok` may take without reading a new field before korat reports an endless loop.
        /// Default: ten million.
        step_limit: u64 = Limits::default().steps; (steps: u64) => steps;

        /// Sets how many bytes of stack `rep_ok` may use before korat reports endless recursion. Default: one mebibyte, half of a test
        /// thread's stack. With [`Backtracking::Checkpoint`], only code that runs as a whole uses the stack; calls of methods of the
        /// `#[rep_ok]` block do not, and at most two million of them may be active at once.
        stack_limit: usize = Limits::default().stack; (bytes: usize) => bytes;
    }

    config {
        /// Sets how many operations an exploration runs in a row at most; see [`Explore::depth`](crate::Explore::depth).
        depth: Option<usize>; (operations: usize) => Some(operations);

        /// Sets how long one operation of an exploration may run; see [`Explore::execution_limit`](crate::Explore::execution_limit).
        execution_limit: Option<Duration>; (limit: Duration) => Some(limit);

        /// Replaces the scope of the bounds.
        scope: Option<usize>; (scope: usize) => Some(scope);

        /// Keeps a report of every search and exploration in this folder, as a file, which `korat merge` adds up.
        reports: Option<PathBuf>; (folder: impl Into<PathBuf>) => Some(folder.into());

        /// Keeps where every search stands in this folder, as a file, and goes on from there the next time.
        checkpoints: Option<PathBuf>; (folder: impl Into<PathBuf>) => Some(folder.into());
        /// Sets how often these files are written. Default: five seconds.
        checkpoint_every: Option<Duration>; (every: Duration) => Some(every);

        /// Names the run in these reports, so that those of another run are not added to it.
        run_name: Option<String>; (name: impl Into<String>) => Some(name.into());

        /// Runs the property only on this value, as printed by a failure. Applies to searches of its type that run a property, and not
        /// to counts or iterators. [`Search::replay`] runs one value of one search.
        replay: Option<String>; (value: impl Into<String>) => Some(value.into());
    }
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

/// Whether parts of the structure are summarised. The values are the same, smallest first; those of equal size may come in
/// another order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Summaries {
    /// When a search gets long: sizes that are searched after the first thousand candidates are summarised if that takes no more
    /// runs of parts of `rep_ok` than candidates were tried before. Searches for values of a single size, and counts, try it at once.
    #[default]
    Auto,
    /// From the first value on, wherever it is possible.
    Always,
    /// Never.
    Never,
}

impl Config {
    /// Returns whether a report of the search is asked for.
    pub(crate) fn tells(&self) -> bool {
        self.verbose || self.explain || self.profile || self.stats
    }

    /// Returns the settings of the search engine.
    pub(crate) fn settings(&self) -> Settings {
        Settings {
            table_bytes: self.summary_memory,
            form_bytes: self.form_memory,
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
