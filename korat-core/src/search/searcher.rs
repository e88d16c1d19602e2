//! The search of one type: builds its values, and takes values of the user's.

use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};

use super::current_value::CanonicalValue;
use super::root_predicate::{make_heap, with_predicate};
use super::untyped::UntypedSearcher;
use crate::class::abstraction::OutOfBounds;
use crate::class::bounds::Bounds;
use crate::class::patch::Patch;
use crate::class::traits::RepOk;
use crate::heap::bounded::Heap;
use crate::model::error::SearchError;
use crate::model::settings::Settings;

/// A search for values of one type, step by step. It dereferences to the [search without the type](UntypedSearcher).
pub struct Searcher<T: RepOk> {
    untyped: UntypedSearcher,
    of: PhantomData<fn() -> T>,
}

/// A value that is patched from each value of a search into the next.
pub struct PatchedValue<T> {
    value: Option<T>,
    patch: Patch,
}

impl<T> Default for PatchedValue<T> {
    fn default() -> Self {
        PatchedValue { value: None, patch: Patch::default() }
    }
}

impl UntypedSearcher {
    /// Builds the current value. Panics if the search is for values of another type.
    pub fn value<T: RepOk>(&mut self) -> T {
        self.assert_at_value();
        let (value, watched) = self.heap.materialise();
        self.watch(watched);
        value
    }

    /// Returns the current value. Runs the unmodified predicate on it first, if the value belongs to the sample. Panics if the
    /// search is for values of another type.
    pub fn checked_value<T: RepOk>(&mut self) -> Result<T, SearchError> {
        let value: T = self.value();
        self.check_built_value(&|| value.holds())?;
        Ok(value)
    }

    /// Returns the current value, for which `patched` is changed where it differs. Runs the unmodified predicate on it first, if the
    /// value belongs to the sample. Returns `None` if the value must be [built](UntypedSearcher::checked_value), because somebody
    /// could tell. Panics if the search is for values of another type.
    pub fn checked_patched<'v, T: RepOk>(
        &mut self,
        patched: &'v mut PatchedValue<T>,
    ) -> Result<Option<&'v T>, SearchError> {
        self.assert_at_value();
        if !self.heap.patches() {
            *patched = PatchedValue::default();
            return Ok(None);
        }
        let PatchedValue { value, patch } = patched;
        match value {
            Some(value) => self.heap.patch(value, patch),
            None => *value = Some(self.heap.materialise().0),
        }
        if let Some(value) = value {
            self.check_built_value(&|| value.holds())?;
        }
        Ok(value.as_ref())
    }
}

impl<T: RepOk> Deref for Searcher<T> {
    type Target = UntypedSearcher;

    fn deref(&self) -> &UntypedSearcher {
        &self.untyped
    }
}

impl<T: RepOk> DerefMut for Searcher<T> {
    fn deref_mut(&mut self) -> &mut UntypedSearcher {
        &mut self.untyped
    }
}

impl<T: RepOk> Searcher<T> {
    /// Creates a search within `bounds`, and lays out its heap.
    pub fn new(bounds: &Bounds<T>, settings: Settings) -> Result<Self, SearchError> {
        Searcher::at_scope(bounds, bounds.scope(), settings)
    }

    /// Creates a search at another scope than that of `bounds`; overrides of the call site still apply.
    pub fn at_scope(bounds: &Bounds<T>, scope: usize, settings: Settings) -> Result<Self, SearchError> {
        let untyped = UntypedSearcher::new(make_heap::<T>, bounds.overrides(), scope, settings)?;
        Ok(Searcher { untyped, of: PhantomData })
    }

    /// Creates a search on the heap made from the last repaired value, if the next value is likely to lead to the same bounds.
    pub(crate) fn on_heap_of_last_value(settings: Settings) -> Option<Self> {
        let heap = Heap::of_last_value::<T>(settings.pruning, settings.limits)?;
        let scope = heap.derived_bounds.as_ref().map_or(0, |last| last.bounds_size.scope);
        let untyped = UntypedSearcher::on(with_predicate::<T>(heap), scope, settings);
        Some(Searcher { untyped, of: PhantomData })
    }

    /// Returns the search without the type of its values.
    pub fn into_untyped(self) -> UntypedSearcher {
        self.untyped
    }

    /// Builds the current value.
    pub fn value(&mut self) -> T {
        self.untyped.value()
    }

    /// Returns the current value. Runs the unmodified predicate on it first, if the value belongs to the sample.
    pub fn checked_value(&mut self) -> Result<T, SearchError> {
        self.untyped.checked_value()
    }

    /// Returns the slots of a value, its objects numbered canonically: two values are isomorphic exactly if their slots
    /// are equal. The elements of arenas and sets, and names, stay as they are in the value.
    pub fn abstract_value(&self, value: &T) -> Result<CanonicalValue, OutOfBounds> {
        self.heap.abstract_value(value).map(CanonicalValue)
    }

    /// Builds a value from its slots. Panics in the middle of a search.
    pub fn build(&mut self, slots: &CanonicalValue) -> T {
        self.go_to_abstract(slots);
        let value = self.value();
        self.leave_abstract();
        value
    }
}
