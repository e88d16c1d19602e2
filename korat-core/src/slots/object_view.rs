//! What predicates see of objects, and of plain values behind pointers.

use super::slot::ReadCell;

/// A type that a pointer of the structure may lead to, as a predicate sees it.
pub trait Located: Sized + 'static {
    /// Where the value lies: a struct is its own place, an enum has a slot for its variant, a plain value its slot.
    type Place: ReadCell<Out = Self> + 'static;
    /// Returns the value at a place. Decides it, or the variant of an enum, if it is undecided.
    #[inline(always)]
    fn look(place: &Self::Place) -> &Self {
        place.read_cell()
    }
}

/// What a predicate sees of an object: the cells of a struct, or those of an enum's current variant.
pub trait ObjectView: Located {}
