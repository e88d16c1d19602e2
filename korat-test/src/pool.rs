//! Stores all valid values of a search, smallest first, as slots from which each value can be built repeatedly. Ignores
//! the environment.

use korat_core::{Bounds, Finitize, RepOk, SearchError, Searcher, SlotVector, UntypedSearcher};

use crate::config::{Config, Order};
use crate::search::Search;
use crate::values::{Next, Values};

/// A source of values: [`Bounds`], as returned by `T::scope(n)`, or a configured [`Search`].
pub trait Searched: sealed::Sealed {
    /// The type of the values.
    type Value: Finitize + RepOk;
    /// Converts into a search.
    #[doc(hidden)]
    fn into_search(self) -> Search<Self::Value>;
}

mod sealed {
    pub trait Sealed {}
    impl<T> Sealed for korat_core::Bounds<T> {}
    impl<T: korat_core::Finitize + korat_core::RepOk> Sealed for crate::Search<T> {}
}

impl<T: Finitize + RepOk> Searched for Bounds<T> {
    type Value = T;
    fn into_search(self) -> Search<T> {
        Search::new(self)
    }
}

impl<T: Finitize + RepOk> Searched for Search<T> {
    type Value = T;
    fn into_search(self) -> Search<T> {
        self
    }
}

/// A search that has to produce the same values in every run.
pub(crate) struct Wanted<T> {
    pub(crate) bounds: Bounds<T>,
    pub(crate) config: Config,
}

impl<T: Finitize + RepOk> Wanted<T> {
    #[track_caller]
    pub(crate) fn new(searched: impl Searched<Value = T>) -> Self {
        let Search { mut bounds, config, .. } = searched.into_search();
        if let Some(scope) = config.scope {
            bounds.set_scope(scope);
        }
        assert!(
            config.time_limit.is_none(),
            "with a time limit there are other values in every run; give a limit of values"
        );
        assert!(config.limit != Some(0), "a limit of 0 values leaves nothing; a limit is at least 1");
        Wanted { bounds, config }
    }

    /// Visits every value: passes its size and the result of `take` to `visit`, which returns whether to continue.
    /// Returns whether all values were visited. They come in the configured order only if there is a limit; otherwise
    /// sorting them is up to the caller.
    #[track_caller]
    pub(crate) fn each<K>(
        &self,
        mut take: impl FnMut(&mut UntypedSearcher) -> K,
        mut visit: impl FnMut(usize, K) -> bool,
    ) -> bool {
        let Config { limit, order, sizes, .. } = &self.config;
        let order = if limit.is_some() { *order } else { Order::AsFound };
        let sizes = sizes.range(self.bounds.scope());
        let searcher = unwrap(Searcher::new(&self.bounds, self.config.settings())).into_untyped();
        let mut values = Values::new(searcher, self.config.settings(), order, sizes);
        // No clock is checked, so pause rarely.
        values.pause_every(1 << 20);
        loop {
            if limit.is_some_and(|limit| values.counters().valid >= limit) {
                return false;
            }
            match unwrap(values.next()) {
                Next::Paused => {}
                Next::Done => return true,
                Next::Value => {
                    let size = values.size();
                    unwrap(values.searcher_mut().check_value());
                    if !visit(size, take(values.searcher_mut())) {
                        return false;
                    }
                }
            }
        }
    }
}

#[track_caller]
pub(crate) fn unwrap<R>(result: Result<R, SearchError>) -> R {
    result.unwrap_or_else(|error| panic!("{}", error.to_string().trim_end()))
}

/// Valid values, stored as slots.
pub(crate) struct Pool<T: Finitize + RepOk> {
    /// Size and slots of each value, sorted by size; values of equal size in the order of the search.
    values: Vec<(usize, SlotVector)>,
    /// Whether these are all values.
    #[cfg_attr(
        not(any(feature = "arbitrary", feature = "insta", feature = "proptest")),
        expect(dead_code, reason = "only snapshots and other tools ask")
    )]
    complete: bool,
    /// Builds values, and never searches.
    builder: Searcher<T>,
}

impl<T: Finitize + RepOk> Pool<T> {
    /// Runs the search. Stops after `most` values, and is not complete then.
    #[track_caller]
    pub(crate) fn new(wanted: &Wanted<T>, most: usize) -> Self {
        let mut values = Vec::new();
        let complete = wanted.each(UntypedSearcher::slot_vector, |size, slots| {
            let room = values.len() < most;
            if room {
                values.push((size, slots));
            }
            room
        });
        values.sort_by_key(|&(size, _)| size);
        Pool { values, complete, builder: unwrap(Searcher::new(&wanted.bounds, wanted.config.settings())) }
    }

    pub(crate) fn len(&self) -> usize {
        self.values.len()
    }

    /// Returns the bounds as text, which is equal for equal bounds.
    pub(crate) fn bounds_text(&self) -> String {
        self.builder.bounds_text()
    }

    #[cfg(any(feature = "arbitrary", feature = "insta", feature = "proptest"))]
    pub(crate) fn is_complete(&self) -> bool {
        self.complete
    }

    #[cfg(feature = "insta")]
    pub(crate) fn size(&self, index: usize) -> usize {
        self.values[index].0
    }

    /// Builds a new instance of a value.
    pub(crate) fn build(&mut self, index: usize) -> T {
        // Earlier instances are dropped, unless the user kept them.
        self.builder.free_cycles();
        unwrap(self.go_to(index).checked_value())
    }

    pub(crate) fn slots(&self, index: usize) -> &SlotVector {
        &self.values[index].1
    }

    pub(crate) fn outline(&mut self, index: usize) -> korat_core::Outline {
        self.go_to(index).outline()
    }

    fn go_to(&mut self, index: usize) -> &mut Searcher<T> {
        if let Err(error) = self.builder.restore(&self.values[index].1) {
            panic!("[korat internal bug] the slots of a value are none: {error}");
        }
        &mut self.builder
    }
}
