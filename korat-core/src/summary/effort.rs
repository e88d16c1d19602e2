//! What finding summaries took.

/// What finding summaries took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct SummaryEffort {
    /// Runs of parts of the predicate.
    pub runs: u64,
    /// Ends of such runs that were known without running: after a call, a run before had gone on with the same locals and the same
    /// answer.
    pub repeated: u64,
    /// Tables: calls on a kind of part with the same arguments.
    pub tables: u64,
    /// Calls that were made again, and answered by a table.
    pub hits: u64,
    /// Bytes of the tables, about.
    pub bytes: usize,
}

impl SummaryEffort {
    /// Returns how much was done, in runs. An end that is known takes about a sixteenth of a run.
    pub(crate) fn work(&self) -> u64 {
        self.runs + self.repeated / 16
    }

    /// Returns whether calls were made again often enough for tables to gain something. A table costs several runs, and most
    /// structures that gain nothing never make a call twice: one hit for every 16 tables tells them apart.
    pub fn has_repeated_calls(&self) -> bool {
        self.hits >= self.tables / 16
    }
}
