//! Reasons why a run of a predicate ends before its verdict.

use crate::model::ids::SlotId;

/// The reason why a predicate cannot resume at its last choice, and runs from the top instead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NotResumable {
    /// The type of a local.
    pub(crate) type_name: &'static str,
    /// The problem with it, as a clause about the type.
    pub(crate) why: &'static str,
}

/// The reason why a run was ended from inside. Travels to the searcher as an unwinding payload.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stop {
    /// No value is left for a reference that cannot be null.
    DeadEnd,
    /// No value is left for a slot in the part of the search that is searched.
    Elsewhere,
    /// The predicate read a value that is not initialised: it has no meaning here, so it accepts nothing.
    Uninitialised,
    /// The step limit was used up since the last new field.
    OutOfSteps,
    /// The stack limit was reached.
    TooDeep,
    /// Too many calls of a machine are in progress.
    TooManyCalls { calls: u32 },
    /// The predicate read another slot than when it last got the same values.
    NotDeterministic { expected: SlotId, found: SlotId },
    /// The prefix has an index at a choice where no candidate has it.
    NoSuchPrefix { choice: usize, index: u32 },
    /// A run from the top has read another slot than the candidate that it repeats.
    ReadOther,
    /// The predicate cannot run as a machine, because one of its locals holds something that must be dropped.
    NotResumable(NotResumable),
}
