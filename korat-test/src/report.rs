//! What a run did, as data and as text.

use std::fmt;
use std::time::Duration;

use korat_core::{Explanation, Profile};

use crate::stats::Stats;

/// The result of a search.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Report {
    /// The root's class.
    pub type_name: &'static str,
    /// The scope.
    pub scope: usize,
    /// Candidates: verdicts of `rep_ok`, whether it was run from the top or from a statement on. A candidate that is looked at
    /// in several passes, because small values come first, counts once.
    pub explored: u64,
    /// Values generated.
    pub valid: u64,
    /// Slot initialisations. Re-executing, every candidate initialises all the slots it has read; with checkpoints, only
    /// those that it decides anew. Like `explored`, of one pass over all candidates.
    pub field_inits: u64,
    /// Entries of the undo log taken back; none when re-executing.
    pub undo_ops: u64,
    /// Candidates on which `rep_ok` was also run from the top, to check the search, see
    /// [`Search::self_check`](crate::Search::self_check). Like `explored`, of one pass over all candidates.
    pub compared: u64,
    /// Values that the untouched `rep_ok` was run on, to check the search.
    pub shown: u64,
    /// How long it took, the property included.
    pub elapsed: Duration,
    /// Whether every candidate within the bounds was explored.
    pub complete: bool,
    /// How it ended.
    pub ending: Ending,
    /// How many values the property has seen of each size that there is, as `(size, values)`.
    pub by_size: Vec<(usize, u64)>,
    /// How many kept values were run first, see [`Config::regressions`](crate::Config::regressions).
    pub regressions: usize,
    /// Whether fields that `rep_ok` never reads got one value only.
    pub unread_first: bool,
    /// After a complete search, the fields that `rep_ok` read on no value that it accepted, as `Class.field`: it says nothing
    /// about them, so that every combination of their values was generated, or the first with
    /// [`Unread::First`](crate::Unread::First). A field that no value has is not among them.
    pub unread_fields: Vec<String>,
    /// How `rep_ok` was run, if the search was to explain it, see [`Search::explain`](crate::Search::explain).
    pub explanation: Option<Explanation>,
    /// Where `rep_ok` rejected, if the search was to say so, see [`Search::profile`](crate::Search::profile).
    pub profile: Option<Profile>,
    /// The values by size and label, if the search was to count them, see [`Search::stats`](crate::Search::stats).
    pub stats: Option<Stats>,
}

/// How a search has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Ending {
    /// All values were generated.
    Complete,
    /// As many values were generated as were wanted.
    Limit,
    /// The time was over, while values of this size were searched for.
    TimeLimit {
        /// The smallest size of which some values may not have been generated.
        size: usize,
    },
    /// Only one value was run, that of `KORAT_REPLAY`.
    Replayed,
    /// It is not over: the iterator still has values, or a property failed.
    UnderWay,
}

impl Report {
    /// Asserts that all values were generated, and that there were so many.
    ///
    /// ```
    /// # use korat::{Finitize, rep_ok};
    /// # #[derive(Debug, Finitize)]
    /// # struct Interval { low: u8, high: u8 }
    /// # #[rep_ok]
    /// # impl Interval { fn rep_ok(&self) -> bool { self.low <= self.high } }
    /// korat::for_each_valid(Interval::scope(3), |interval| interval.low <= interval.high).expect_count(10);
    /// ```
    #[track_caller]
    pub fn expect_count(&self, valid: u64) -> &Self {
        self.expect_complete();
        let there_is = if self.valid == 1 { "there is" } else { "there are" };
        assert!(
            self.valid == valid,
            "expected {} of {} at scope {}, but {there_is} {}: {self}",
            counted(valid, "value"),
            self.type_name,
            self.scope,
            grouped(self.valid)
        );
        self
    }

    /// Asserts that all values were generated: that neither a limit nor the time has ended the search.
    #[track_caller]
    pub fn expect_complete(&self) -> &Self {
        assert!(self.complete, "expected a complete search, but {self}");
        self
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Report { type_name, scope, .. } = self;
        let valid = counted(self.valid, "value");
        match self.ending {
            Ending::Complete => {
                let all = match self.valid {
                    0 => "no value".to_string(),
                    1 => "the only value".to_string(),
                    _ => format!("all {valid}"),
                };
                write!(f, "complete: {all} of {type_name} at scope {scope}")?;
            }
            Ending::Limit => {
                write!(f, "stopped at the limit of {valid} of {type_name} at scope {scope}; NOT exhaustive")?;
            }
            Ending::TimeLimit { size } => write!(
                f,
                "stopped after {:.1?} at size {size}: {valid} of {type_name} at scope {scope}; NOT exhaustive",
                self.elapsed
            )?,
            Ending::Replayed => write!(f, "replayed one value of {type_name} at scope {scope}; NOT exhaustive")?,
            Ending::UnderWay => write!(f, "not over: {valid} of {type_name} at scope {scope} so far")?,
        }
        if self.unread_first {
            write!(f, " (one representative for the fields that rep_ok never reads)")?;
        }
        write!(
            f,
            "; {} explored, {}, {} undone, ",
            counted(self.explored, "candidate"),
            counted(self.field_inits, "field initialisation"),
            grouped(self.undo_ops),
        )?;
        if self.compared + self.shown > 0 {
            write!(f, "{} and {} checked, ", counted(self.compared, "candidate"), counted(self.shown, "value"))?;
        }
        write!(f, "in {:.2?}", self.elapsed)
    }
}

/// `1 value`, `1,234 values`.
pub(crate) fn counted(number: u64, one: &str) -> String {
    format!("{} {one}{}", grouped(number), if number == 1 { "" } else { "s" })
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
    use super::{counted, grouped};

    #[test]
    fn one_is_not_many() {
        assert_eq!([0, 1, 2000].map(|number| counted(number, "value")), ["0 values", "1 value", "2,000 values"]);
    }

    #[test]
    fn digits_are_grouped_from_the_right() {
        let texts = [0, 12, 123, 1234, 123_456, 1_234_567].map(grouped);
        assert_eq!(texts, ["0", "12", "123", "1,234", "123,456", "1,234,567"]);
    }
}
