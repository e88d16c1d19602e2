//! Objects as predicates see them.

use super::slot::ReadCell;

/// What a predicate sees of an object: the cells of a struct, or those of an enum's current variant.
pub trait ObjectView: Sized + 'static {
    /// Where the object lies: a struct is its own place, an enum has a slot for its variant.
    type Place: ReadCell<Out = Self> + 'static;
    /// Returns the object at a place. Decides the variant of an enum if it is undecided.
    #[inline(always)]
    fn look(place: &Self::Place) -> &Self {
        place.read_cell()
    }
}
