//! The numbers by which searches are compared.

/// What a search did; part of korat's contract with its users.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Candidates: verdicts of the predicate, whether it was run from the top or from a statement on.
    pub explored: u64,
    /// Values generated: candidates that the predicate accepted, times the combinations of the fields it never read.
    pub valid: u64,
    /// Slot initialisations. Re-executing, every candidate initialises all the slots it has assigned; with checkpoints, only
    /// those that it decides anew.
    pub field_inits: u64,
    /// Entries of the undo log taken back; none when re-executing.
    pub undo_ops: u64,
}
