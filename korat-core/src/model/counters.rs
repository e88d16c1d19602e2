//! Counters for comparing searches.

/// The work that a search did. These numbers are part of korat's contract with its users.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Candidates: verdicts of the predicate, whether it ran from the top or resumed at a statement.
    pub explored: u64,
    /// Generated values: accepted candidates, times the combinations of the fields that the predicate never read.
    pub valid: u64,
    /// Slot initialisations. When re-executing, every candidate initialises all slots that it has assigned; with
    /// checkpoints, only those that it decides anew.
    pub field_inits: u64,
    /// Undone entries of the undo log; zero when re-executing.
    pub undo_ops: u64,
}
