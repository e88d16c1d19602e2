//! The result of a run, as data and as text.

use std::fmt;
use std::time::Duration;

use korat_core::{Explanation, Profile};

use crate::stats::Stats;

/// The result of a search.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Report {
    /// Class of the root.
    pub type_name: &'static str,
    /// The scope.
    pub scope: usize,
    /// Number of candidates, that is, verdicts of `rep_ok`, from runs from the top and resumed runs. A candidate that
    /// is explored in several passes, because small values come first, counts once.
    pub explored: u64,
    /// Number of values generated.
    pub valid: u64,
    /// Number of slot initializations. When re-executing, every candidate initializes all slots that it reads; with
    /// checkpoints, only those that it assigns anew. Like `explored`, this counts one pass over all candidates.
    pub field_inits: u64,
    /// Number of undo log entries that were undone; zero when re-executing.
    pub undo_ops: u64,
    /// Number of candidates for which `rep_ok` also ran from the top, as a check; see
    /// [`Search::self_check`](crate::Search::self_check). Like `explored`, this counts one pass over all candidates.
    pub compared: u64,
    /// Number of values on which the original `rep_ok` ran, as a check.
    pub shown: u64,
    /// Duration of the run, including the property.
    pub elapsed: Duration,
    /// Whether every candidate within the bounds was explored.
    pub complete: bool,
    /// How the search ended.
    pub ending: Ending,
    /// Number of values that the property saw of each size, as `(size, values)`; sizes without values are absent.
    pub by_size: Vec<(usize, u64)>,
    /// Number of kept values that ran first; see [`Config::regressions`](crate::Config::regressions).
    pub regressions: usize,
    /// Whether fields that `rep_ok` never reads got only one value.
    pub unread_first: bool,
    /// After a complete search, the fields that `rep_ok` never read on an accepted value, as `Class.field`. Since
    /// `rep_ok` does not constrain them, every combination of their values was generated, or only the first one with
    /// [`Unread::First`](crate::Unread::First). Fields that no value has are not listed.
    pub unread_fields: Vec<String>,
    /// How `rep_ok` ran, if requested with [`Search::explain`](crate::Search::explain).
    pub explanation: Option<Explanation>,
    /// Where `rep_ok` rejected, if requested with [`Search::profile`](crate::Search::profile).
    pub profile: Option<Profile>,
    /// The values by size and label, if requested with [`Search::stats`](crate::Search::stats).
    pub stats: Option<Stats>,
}

/// How a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Ending {
    /// All values were generated.
    Complete,
    /// The limit on the number of values was reached.
    Limit,
    /// The time limit was reached while searching for values of this size.
    TimeLimit {
        /// The smallest size of which some values may be missing.
        size: usize,
    },
    /// Only the value of `KORAT_REPLAY` or [`Search::replay`](crate::Search::replay) was run.
    Replayed,
    /// The search has not ended: the iterator still has values, or a property failed.
    UnderWay,
}

impl Report {
    /// Asserts that the search was complete and generated exactly this many values.
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

    /// Asserts that all values were generated, so neither a limit nor the time ended the search.
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

/// Formats a count with its noun: `1 value`, `1,234 values`.
pub(crate) fn counted(number: u64, one: &str) -> String {
    format!("{} {one}{}", grouped(number), if number == 1 { "" } else { "s" })
}

/// Formats `1234567` as `1,234,567`.
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
