//! Where values stand in the order of one thread.

/// A place in the order in which one thread runs a property. Places are compared field by field.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Place {
    /// The number of the pass over sizes.
    pub(crate) pass: u32,
    /// Whether the number of the value in the whole search is known. In a pass that is divided by pieces, those that are given at once have none yet, and come
    /// before those that wait for its end.
    pub(crate) is_numbered: bool,
    /// The number of the piece, if the value has no number.
    pub(crate) piece: u64,
    /// The number of the value in the search, or in its piece; the first is 1.
    pub(crate) number: u64,
    /// How often the property has run on the value before, with other answers to what it lets korat choose.
    pub(crate) run: u64,
}

impl Place {
    /// Returns the place after this value and before the next.
    pub(crate) fn after(self) -> Place {
        Place { run: u64::MAX, ..self }
    }

    /// Returns the place before all values of a pass that have a number.
    pub(crate) fn at_end_of_search(pass: u32) -> Place {
        Place { pass, is_numbered: true, ..Place::default() }
    }
}
