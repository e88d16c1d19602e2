//! The predicate of a search on the root of its heap, in all its forms. Hides the type of the root from the search.

use crate::class::cycles::AnyWeak;
use crate::class::traits::{RepOk, View};
use crate::heap::bounded::Heap;
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
}

/// The unmodified predicate, with the value that it runs on.
pub(crate) type PlainPredicate = Box<dyn Fn() -> bool>;

/// Returns the predicate of a type on the root of a heap, which must generate this type.
pub(super) fn on_root<T: RepOk>(heap: &Heap) -> Box<dyn RootPredicate> {
    Box::new(OnRoot::<T> { root: heap.root::<T>() })
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
}
