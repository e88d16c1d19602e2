//! The type whose values a search generates, without naming it: what runs a search does not depend on it, and is compiled once.

use std::rc::Rc;

use korat_core::{Bounds, Finitize, RepOk, SearchError, Searcher, Settings, UntypedSearcher};

use crate::type_text::type_text;

/// A type with the bounds of its values.
pub(crate) struct Subject {
    pub(crate) type_name: &'static str,
    /// The name in replays, with type arguments.
    pub(crate) replay_name: String,
    pub(crate) scope: usize,
    /// A hash of the invariant as it is written.
    pub(crate) invariant: u64,
    make: Rc<dyn Fn(usize, Settings) -> Result<UntypedSearcher, SearchError>>,
}

/// Creates another search like the one of a subject.
pub(crate) type MakeSearcher = Rc<dyn Fn() -> Result<UntypedSearcher, SearchError>>;

impl Subject {
    pub(crate) fn new<T: Finitize + RepOk>(bounds: Bounds<T>) -> Self {
        let scope = bounds.scope();
        let make = move |scope, settings| Searcher::at_scope(&bounds, scope, settings).map(Searcher::into_untyped);
        let replay_name = type_text::<T>();
        Subject { type_name: T::NAME, replay_name, scope, invariant: T::DIGEST, make: Rc::new(make) }
    }

    /// Creates a search.
    pub(crate) fn searcher(&self, settings: Settings) -> Result<UntypedSearcher, SearchError> {
        (self.make)(self.scope, settings)
    }

    /// Returns what creates a search.
    pub(crate) fn maker(&self, settings: Settings) -> MakeSearcher {
        let (make, scope) = (Rc::clone(&self.make), self.scope);
        Rc::new(move || make(scope, settings))
    }

    /// Creates a search at another scope.
    pub(crate) fn searcher_at(&self, scope: usize, settings: Settings) -> Result<UntypedSearcher, SearchError> {
        (self.make)(scope, settings)
    }
}
