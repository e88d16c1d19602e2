//! All valid values within bounds, smallest first, each of which can be built as often as it is wanted. Takes a `Search`,
//! keeps slots and not values; what the environment says about searches does not matter here.

use korat_core::{Bounds, Finitize, RepOk, SearchError, Searcher, SlotVector};

use crate::search::Search;

/// What can be searched: [`Bounds`] as `T::scope(n)` gives them, or a [`Search`] with more to say.
pub trait Searched: sealed::Sealed {
    /// What is generated.
    type Value: Finitize + RepOk;
    /// The search itself.
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

/// Steps to every value that the search allows, in its own order; gives whether that were all of them. `visit` says whether
/// to go on.
#[track_caller]
pub(crate) fn visit_valid<T: Finitize + RepOk>(
    search: &Search<T>,
    mut visit: impl FnMut(&mut Searcher<T>) -> bool,
) -> bool {
    let mut searcher = unwrap(Searcher::new(&search.bounds, search.config.settings()));
    searcher.set_sizes(search.config.sizes.range(search.bounds.scope()));
    loop {
        if search.config.limit.is_some_and(|limit| searcher.counters().valid >= limit) {
            return false;
        }
        if !unwrap(searcher.advance()) {
            return true;
        }
        if !visit(&mut searcher) {
            return false;
        }
    }
}

/// Valid values, kept as slots.
pub(crate) struct Pool<T: Finitize + RepOk> {
    /// Of every value, its size and its slots; by size, those of one size in the order of the search.
    values: Vec<(usize, SlotVector)>,
    /// Whether these are all.
    #[cfg_attr(not(feature = "insta"), expect(dead_code, reason = "only snapshots ask"))]
    complete: bool,
    /// Never searches.
    builder: Searcher<T>,
}

impl<T: Finitize + RepOk> Pool<T> {
    /// Searches; gives up after `most` values, and is not complete then.
    #[track_caller]
    pub(crate) fn new(search: &Search<T>, most: usize) -> Self {
        let mut values = Vec::new();
        let complete = visit_valid(search, |searcher| {
            let room = values.len() < most;
            if room {
                values.push((searcher.size(), searcher.slot_vector()));
            }
            room
        });
        values.sort_by_key(|&(size, _)| size);
        Pool { values, complete, builder: unwrap(Searcher::new(&search.bounds, search.config.settings())) }
    }

    /// Searches to the end (or the limit); panics if there is nothing to pick from.
    #[cfg(any(feature = "arbitrary", feature = "proptest"))]
    pub(crate) fn of_some(search: &Search<T>) -> Self {
        let pool = Pool::new(search, usize::MAX);
        let scope = search.bounds.scope();
        assert!(pool.len() > 0, "no valid value of {} at scope {scope}: there is nothing to pick from", T::NAME);
        pool
    }

    pub(crate) fn len(&self) -> usize {
        self.values.len()
    }

    #[cfg(feature = "insta")]
    pub(crate) fn is_complete(&self) -> bool {
        self.complete
    }

    #[cfg(feature = "insta")]
    pub(crate) fn size(&self, index: usize) -> usize {
        self.values[index].0
    }

    /// The builder, standing at a value.
    fn at(&mut self, index: usize) -> &mut Searcher<T> {
        let restored = self.builder.restore(&self.values[index].1);
        restored.unwrap_or_else(|error| panic!("[korat internal bug] a value of the search is none: {error}"));
        &mut self.builder
    }

    /// Builds a value anew.
    pub(crate) fn build(&mut self, index: usize) -> T {
        // Values given before are gone, unless somebody kept them.
        self.builder.free_cycles();
        self.at(index).value()
    }

    #[cfg(feature = "insta")]
    pub(crate) fn outline(&mut self, index: usize) -> korat_core::Outline {
        self.at(index).outline()
    }
}

#[track_caller]
fn unwrap<R>(result: Result<R, SearchError>) -> R {
    result.unwrap_or_else(|error| panic!("{}", error.to_string().trim_end()))
}
