//! What a run did, as data and as text.

use std::fmt;
use std::time::Duration;

use korat_core::Explanation;

/// The result of a search.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Report {
    /// The root's class.
    pub type_name: &'static str,
    /// The scope.
    pub scope: usize,
    /// Candidates: verdicts of `rep_ok`, whether it was run from the top or from a statement on.
    pub explored: u64,
    /// Values generated.
    pub valid: u64,
    /// Slot initialisations. Re-executing, every candidate initialises all the slots it has read; with checkpoints, only
    /// those that it decides anew.
    pub field_inits: u64,
    /// Entries of the undo log taken back; none when re-executing.
    pub undo_ops: u64,
    /// How long it took, the property included.
    pub elapsed: Duration,
    /// Whether every candidate within the bounds was explored.
    pub complete: bool,
    /// Whether fields that `rep_ok` never reads got one value only.
    pub unread_first: bool,
    /// How `rep_ok` was run, if the search was to explain it, see [`Search::explain`](crate::Search::explain).
    pub explanation: Option<Explanation>,
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Report { type_name, scope, .. } = self;
        let valid = grouped(self.valid);
        if self.complete {
            write!(f, "complete: all {valid} values of {type_name} at scope {scope}")?;
        } else {
            write!(f, "stopped: {valid} values of {type_name} at scope {scope}, NOT exhaustive")?;
        }
        if self.unread_first {
            write!(f, " (one representative for the fields that rep_ok never reads)")?;
        }
        write!(
            f,
            "; {} candidates explored, {} field initialisations, {} undone, in {:.2?}",
            grouped(self.explored),
            grouped(self.field_inits),
            grouped(self.undo_ops),
            self.elapsed
        )
    }
}

/// `1234567` as `1,234,567`.
pub(crate) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::grouped;

    #[test]
    fn digits_are_grouped_from_the_right() {
        let texts = [0, 12, 123, 1234, 123_456, 1_234_567].map(grouped);
        assert_eq!(texts, ["0", "12", "123", "1,234", "123,456", "1,234,567"]);
    }
}
