//! The builder behind [`for_each_valid`](crate::for_each_valid) and [`valid`](crate::valid): what to search, and how.

use korat_core::{Bounds, Finitize, RepOk};

use crate::config::{Config, Sizes};
use crate::env;
use crate::panics;
use crate::record::{Identity, Record};
use crate::shard::{Asked, asked};

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
#[must_use = "a search does nothing before it is run: call `for_each`, `report` or `into_iter`"]
pub struct Search<T: Finitize + RepOk> {
    pub(crate) bounds: Bounds<T>,
    pub(crate) config: Config,
    /// Requirements on the result of the run.
    pub(crate) expected: Expected,
    /// Which settings come from the environment.
    pub(crate) by_environment: ByEnvironment,
    /// Whether every shard does the whole search, because what asks for it needs all values.
    is_whole: bool,
    /// Whether the search is divided only where the code says so, because what becomes of its values is unknown.
    is_undivided: bool,
    /// The file of its report.
    pub(crate) record: Record,
    /// Which search it is among those of the run, if files are kept of it.
    pub(crate) identity: Option<Identity>,
    /// Whether threads share the search, even if there is only one of them.
    pub(crate) shares: bool,
}

/// Which settings come from the environment, and not from the code.
#[derive(Clone, Debug, Default)]
pub(crate) struct ByEnvironment {
    /// What is wrong with the shard that it asks for.
    pub(crate) wrong_shard: Option<String>,
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

impl Expected {
    /// Returns whether anything is required.
    pub(crate) fn is_any(&self) -> bool {
        self.count.is_some() || self.complete
    }
}

impl<T: Finitize + RepOk> Search<T> {
    /// Creates a search with the default settings.
    pub fn new(bounds: Bounds<T>) -> Self {
        Search {
            bounds,
            config: Config::default(),
            expected: Expected::default(),
            by_environment: ByEnvironment::default(),
            is_whole: false,
            is_undivided: false,
            record: Record::default(),
            identity: None,
            shares: false,
        }
    }

    /// Replaces all settings by those in a [`Config`].
    pub fn config(mut self, config: Config) -> Self {
        self.config = config;
        self
    }

    /// Generates only values whose size equals the scope: with `List::scope(6)`, lists of exactly six nodes. Shorthand for
    /// `sizes(Sizes::Scope)`. With [`Unread::First`](crate::Unread::First), the one combination of unread fields is the same for
    /// all sizes: it is left out if it has another size.
    pub fn exact(self) -> Self {
        self.sizes(Sizes::Scope)
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

    /// Does the whole search in every shard.
    pub(crate) fn whole(self) -> Self {
        Search { is_whole: true, ..self }
    }

    /// Does the whole search in every shard that the environment asks for.
    pub(crate) fn undivided(self) -> Self {
        Search { is_undivided: true, ..self }
    }

    /// Applies the settings of the environment.
    pub(crate) fn with_environment(mut self) -> Self {
        self.by_environment = apply_environment(&mut self.config, self.is_whole, self.is_undivided);
        if let Some(scope) = self.config.scope {
            self.bounds.set_scope(scope);
        }
        self
    }
}

/// Applies the settings of the environment to those of a search, which is whole in every shard, or divided only where the code says so.
fn apply_environment(config: &mut Config, is_whole: bool, is_undivided: bool) -> ByEnvironment {
    let mut alone = Config::default();
    env::apply(&mut alone);
    let shard = if is_whole || config.standalone { Ok(Asked::Whole) } else { asked() };
    let shard = match shard {
        // In a property, the values of the enclosing search are divided: each of them is to meet all values of this one.
        Ok(Asked::Part(_)) if is_undivided || panics::is_in_property() => Ok(Asked::Nothing),
        shard => shard,
    };
    let threads = config.threads;
    env::apply(config);
    // The threads that the environment asks for run the enclosing search.
    if panics::is_in_property() {
        config.threads = threads;
    }
    match shard {
        Ok(Asked::Part(shard)) => config.shard = Some(shard),
        Ok(Asked::Whole) => config.shard = None,
        Ok(Asked::Nothing) | Err(_) => {}
    }
    ByEnvironment {
        wrong_shard: shard.err(),
        asks: alone.explain || alone.profile || alone.verbose,
        limits: alone.limit.is_some(),
        replays: alone.replay.is_some(),
    }
}
