//! The predicate of a search on the root of its heap, in all its forms. Hides the type of the root from the search.

use crate::class::bounds::Overrides;
use crate::class::cycles::AnyWeak;
use crate::class::traits::{RepOk, View};
use crate::heap::bounded::Heap;
use crate::model::error::SearchError;
use crate::model::settings::Settings;
use crate::predicate::machine::Machine;

/// The predicate of a search, on the root of its heap.
pub(crate) trait RootPredicate {
    /// Runs the lifted predicate.
    fn lifted(&self) -> bool;
    /// Returns the lowered predicate.
    fn machine(&self) -> Machine;
    /// Builds the current value. Returns the unmodified predicate on it, and weak pointers to the objects of the value, if
    /// they may form a cycle.
    fn build(&self, heap: &Heap) -> (PlainPredicate, Vec<Box<dyn AnyWeak>>);
    /// Returns what builds the current value and returns the filter on it, like [`build`](RootPredicate::build), if the
    /// type has a filter.
    fn filter(&self) -> Option<BuildFilter>;
}

/// The unmodified predicate, with the value that it runs on.
pub(crate) type PlainPredicate = Box<dyn Fn() -> bool>;

/// Builds the current value of a heap. Returns a filter on it, and weak pointers to its objects.
pub(crate) type BuildFilter = fn(&Heap) -> (PlainPredicate, Vec<Box<dyn AnyWeak>>);

/// A heap, and the predicate on its root.
pub(super) type HeapAndPredicate = (Box<Heap>, Box<dyn RootPredicate>);

/// Makes a heap at a scope.
pub(super) type MakeHeap = fn(&Overrides, usize, &Settings) -> Result<HeapAndPredicate, SearchError>;

/// Makes a heap for values of a type.
pub(super) fn make_heap<T: RepOk>(
    overrides: &Overrides,
    scope: usize,
    settings: &Settings,
) -> Result<HeapAndPredicate, SearchError> {
    let heap = Heap::new::<T>(overrides, scope, settings.pruning, settings.limits).map_err(SearchError::Bounds)?;
    Ok(with_predicate::<T>(heap))
}

/// Returns a heap, which must generate values of the type, with the predicate on its root.
pub(super) fn with_predicate<T: RepOk>(heap: Box<Heap>) -> HeapAndPredicate {
    let root = heap.root::<T>();
    (heap, Box::new(OnRoot::<T> { root }))
}

struct OnRoot<T: RepOk> {
    root: &'static View<T>,
}

impl<T: RepOk> RootPredicate for OnRoot<T> {
    fn lifted(&self) -> bool {
        T::lifted(self.root)
    }

    fn machine(&self) -> Machine {
        T::machine(self.root)
    }

    fn build(&self, heap: &Heap) -> (PlainPredicate, Vec<Box<dyn AnyWeak>>) {
        let (value, watched) = heap.materialise::<T>();
        (Box::new(move || value.holds()), watched)
    }

    fn filter(&self) -> Option<BuildFilter> {
        if const { !T::FILTERS } {
            return None;
        }
        Some(|heap| {
            let (value, watched) = heap.materialise::<T>();
            (Box::new(move || value.filter()), watched)
        })
    }
}
