//! The result of a run, as data and as text.

use std::fmt;
use std::ops::Range;
use std::time::Duration;

use korat_core::{Explanation, Natural, Profile};

use crate::error::{Error, raised};
use crate::record::Record;
use crate::shard::{Division, Shard};
use crate::stats::Stats;

mod numbers;
mod summaries;

pub(crate) use numbers::{bytes, counted, counts, grouped, share};
pub use summaries::{DescentReport, SummaryReport};

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
    /// Number of combinations with the values beside them, see [`Search::with`](crate::Search::with). Equal to `valid` if there are none.
    pub combinations: u64,
    /// Number of slot initializations. When re-executing, every candidate initializes all slots that it reads; with
    /// checkpoints, only those that it assigns anew. Like `explored`, this counts one pass over all candidates.
    pub field_inits: u64,
    /// Number of undo log entries that were undone; zero when re-executing.
    pub undo_ops: u64,
    /// Number of candidates for which `rep_ok` also ran from the top, as a check; see
    /// [`Search::self_check`](crate::Search::self_check). Like `explored`, this counts one pass over all candidates.
    ///
    /// ```
    /// use korat::{Finitize, Search, SelfCheck, rep_ok};
    ///
    /// #[derive(Debug, Finitize)]
    /// struct Interval {
    ///     low: u8,
    ///     high: u8,
    /// }
    ///
    /// #[rep_ok]
    /// impl Interval {
    ///     fn rep_ok(&self) -> bool {
    ///         self.low <= self.high
    ///     }
    /// }
    ///
    /// let report = Search::new(Interval::scope(3)).self_check(SelfCheck::All).report();
    /// assert_eq!((report.candidates_checked, report.values_checked), (report.explored, report.valid));
    /// ```
    pub candidates_checked: u64,
    /// Number of values on which the original `rep_ok` ran, as a check.
    pub values_checked: u64,
    /// Duration of the run, including the property.
    pub elapsed: Duration,
    /// How the search ended.
    pub ending: Ending,
    /// Number of values that the property saw of each size, as `(size, values)`; sizes without values are absent.
    pub by_size: Vec<(usize, u64)>,
    /// The number of valid values within the bounds that the values of a [sample](crate::Search::sample) were drawn from, each with the same
    /// probability.
    pub sampled_of: Option<Natural>,
    /// The part of the search that this run did; see [`Search::shard`](crate::Search::shard). `None` if it was all of it.
    pub shard: Option<Shard>,
    /// How the search was divided into shards, and so which counts of theirs add up.
    pub division: Option<Division>,
    /// The number of threads that searched, and ran the property; see [`Search::par_for_each`](crate::Search::par_for_each).
    pub threads: usize,
    /// The ranks of the values that were asked for, if not all were, see [`Search::ranks`](crate::Search::ranks); or those of the shard.
    pub ranks: Option<Range<Natural>>,
    /// The number of all valid values of the sizes asked for, if it was found out because the search took long or was for a range of ranks.
    pub total: Option<Natural>,
    /// How the values of a [sample](crate::Search::sample) were drawn where parts of the structure cannot be summarised.
    pub descents: Option<DescentReport>,
    /// The number of values that were to be drawn at random, if they were.
    pub sample: Option<u64>,
    /// How parts of the structure were [summarised](crate::Search::summaries), or why not, if it was tried.
    pub summaries: Option<SummaryReport>,
    /// Number of kept values that ran first; see [`Config::regressions`](crate::Config::regressions).
    pub regressions: usize,
    /// Whether fields that `rep_ok` never reads got only one value.
    pub unread_first: bool,
    /// After a complete search, the fields that `rep_ok` never read on an accepted value, as `Class.field`. Since
    /// `rep_ok` does not constrain them, every combination of their values was generated, or only the first one with
    /// [`Unread::First`](crate::Unread::First). Fields that no value has are not listed.
    pub unread_fields: Vec<String>,
    /// How `rep_ok` ran, if requested with [`Search::explain`](crate::Search::explain).
    ///
    /// ```
    /// use korat::{Finitize, Search, rep_ok};
    ///
    /// #[derive(Debug, Finitize)]
    /// struct Interval {
    ///     low: u8,
    ///     high: u8,
    ///     open: bool,
    /// }
    ///
    /// #[rep_ok]
    /// impl Interval {
    ///     fn rep_ok(&self) -> bool {
    ///         if self.low > self.high {
    ///             return false;
    ///         }
    ///         !self.open || self.is_wide()
    ///     }
    ///
    ///     fn is_wide(&self) -> bool {
    ///         self.low < self.high
    ///     }
    /// }
    ///
    /// let report = Search::new(Interval::scope(3)).explain(true).report();
    /// let explanation = report.explanation.expect("it was asked for");
    /// // The first candidate begins at the top; every other one begins at one of the statements.
    /// let reentries: u64 = explanation.statements.iter().map(|statement| statement.reentries).sum();
    /// assert_eq!(reentries, report.explored - 1);
    /// // Nothing stands in the way.
    /// assert!(explanation.notes.is_empty());
    /// ```
    pub explanation: Option<Explanation>,
    /// Where `rep_ok` rejected, if requested with [`Search::profile`](crate::Search::profile).
    ///
    /// ```
    /// use korat::{Finitize, Search, rep_ok};
    ///
    /// #[derive(Debug, Finitize)]
    /// struct Interval {
    ///     low: u8,
    ///     high: u8,
    /// }
    ///
    /// #[rep_ok]
    /// impl Interval {
    ///     fn rep_ok(&self) -> bool {
    ///         if self.low % 2 == 1 {
    ///             return false;
    ///         }
    ///         self.low <= self.high
    ///     }
    /// }
    ///
    /// let report = Search::new(Interval::scope(3)).profile(true).report();
    /// let profile = report.profile.expect("it was asked for");
    /// // Low 1 and 3 end at the first statement, 2 with 0 and 2 with 1 at the second; 0 with all four, and 2 with 2 and 3 are fine.
    /// assert_eq!((profile.explored, profile.rejected), (10, 4));
    /// let rejected: Vec<u64> = profile.lines.iter().map(|line| line.rejected).collect();
    /// assert_eq!(rejected, [2, 2]);
    /// let last = &profile.lines[1].read_last[0];
    /// assert_eq!((last.field.as_str(), last.candidates), ("Interval.high", 2));
    /// assert!(profile.headline().ends_with("rejects 20 % of 10 candidates; the field read last was Interval.low"));
    /// ```
    pub profile: Option<Profile>,
    /// The values by size and label, if requested with [`Search::stats`](crate::Search::stats).
    ///
    /// ```
    /// use korat::{Finitize, Search, rep_ok};
    ///
    /// #[derive(Debug, Finitize)]
    /// struct Node {
    ///     left: Option<Box<Node>>,
    ///     right: Option<Box<Node>>,
    /// }
    ///
    /// #[derive(Debug, Finitize)]
    /// struct Tree {
    ///     root: Option<Box<Node>>,
    /// }
    ///
    /// #[rep_ok]
    /// impl Tree {
    ///     fn rep_ok(&self) -> bool {
    ///         true
    ///     }
    /// }
    ///
    /// let report = Search::new(Tree::scope(3)).stats(true).report();
    /// let stats = report.stats.expect("they were asked for");
    /// // Trees of 0 to 3 nodes.
    /// let sizes: Vec<(usize, u64)> = stats.sizes().collect();
    /// assert_eq!(sizes, [(0, 1), (1, 1), (2, 2), (3, 5)]);
    /// ```
    pub stats: Option<Stats>,
    /// The file of this report, which knows what is expected of it.
    pub(crate) record: Record,
}

/// How a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Ending {
    /// All values were generated, or all of the [shard](Report::shard).
    Complete,
    /// The limit on the number of values was reached.
    Limit,
    /// The time limit was reached while searching for values of this size.
    TimeLimit {
        /// The smallest size of which some values may be missing.
        size: usize,
    },
    /// The values of arenas or sets that were generated took the memory of [`Search::form_memory`](crate::Search::form_memory): those that come next could not be told from them.
    MemoryLimit {
        /// The smallest size of which some values may be missing.
        size: usize,
        /// The memory.
        bytes: usize,
    },
    /// Values were drawn at random: each with the same probability, and [`Report::sampled_of`] says from how many; or by [`Report::descents`].
    Sampled,
    /// The values of a range of [ranks](crate::Search::ranks) were generated, which are not all: see [`Report::ranks`] and [`Report::total`].
    Ranked,
    /// Only the value of `KORAT_REPLAY` or [`Search::replay`](crate::Search::replay) was run.
    Replayed,
    /// The search has not ended: the iterator still has values, or a property failed.
    Unfinished,
}

impl Report {
    /// Returns whether every candidate within the bounds was explored.
    pub fn is_complete(&self) -> bool {
        self.ending == Ending::Complete
    }

    /// Asserts that the search was complete and generated exactly this many values. Passes if only one value was replayed, so that a failure can be
    /// replayed in a test with this assertion. A [shard](crate::Search::shard) may have fewer values.
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
        raised(self.record.expected(Some(valid), self.check_count(valid)));
        self
    }

    /// Asserts that all values were generated, so neither a limit nor the time ended the search; or that one value was replayed.
    #[track_caller]
    pub fn expect_complete(&self) -> &Self {
        raised(self.record.expected(None, self.check_complete()));
        self
    }

    pub(crate) fn check_count(&self, valid: u64) -> Result<(), Error> {
        self.check_complete()?;
        if self.valid == valid || self.ending == Ending::Replayed {
            return Ok(());
        }
        if let Some(shard) = self.shard.filter(|_| self.valid < valid) {
            shard.leave_to_the_sum(self, valid);
            return Ok(());
        }
        let there_is = if self.valid == 1 { "there is" } else { "there are" };
        Err(Error::Expectation(format!(
            "expected {} of {} at scope {}, but {there_is} {}: {self}",
            counted(valid, "value"),
            self.type_name,
            self.scope,
            grouped(self.valid)
        )))
    }

    pub(crate) fn check_complete(&self) -> Result<(), Error> {
        if self.is_complete() || self.ending == Ending::Replayed {
            return Ok(());
        }
        Err(Error::Expectation(format!("expected a complete search, but {self}")))
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Report { type_name, .. } = self;
        let scope = self.shard.map_or_else(|| self.scope.to_string(), |shard| format!("{}, shard {shard}", self.scope));
        let valid = counted(self.valid, "value");
        match self.ending {
            Ending::Complete => {
                let all = match self.valid {
                    0 => "no value".to_string(),
                    1 => "the only value".to_string(),
                    _ => format!("all {valid}"),
                };
                write!(f, "complete: {all} of {type_name} at scope {scope}")?;
                if self.combinations != self.valid {
                    write!(f, " in {}", counted(self.combinations, "combination"))?;
                }
            }
            Ending::Limit => {
                write!(f, "stopped at the limit of {valid} of {type_name} at scope {scope}; NOT exhaustive")?;
            }
            Ending::TimeLimit { .. } if self.sample.is_some() => write!(
                f,
                "stopped after {:.1?}: drew {valid} of {type_name} at scope {scope}, not {}; NOT exhaustive",
                self.elapsed,
                grouped(self.sample.unwrap_or(0))
            )?,
            Ending::TimeLimit { size } => {
                let part = match &self.total {
                    Some(total) => {
                        format!("{} of {total:#} values ({})", grouped(self.valid), share(self.valid, total))
                    }
                    None => valid,
                };
                write!(
                    f,
                    "stopped after {:.1?} at size {size}: {part} of {type_name} at scope {scope}; NOT exhaustive",
                    self.elapsed
                )?;
            }
            Ending::MemoryLimit { size, bytes: most } => write!(
                f,
                "stopped at size {size}, because the canonical forms of values take more than {}: {valid} of {type_name} at scope {scope}; NOT exhaustive; \
                 values from size {size} on may be missing: raise `.form_memory(bytes)` or KORAT_FORM_MEMORY",
                bytes(most)
            )?,
            Ending::Sampled => match &self.descents {
                Some(DescentReport { why, .. }) => {
                    let drawn = match self.sample {
                        Some(wanted) if wanted > self.valid => format!("{valid}, not {},", grouped(wanted)),
                        _ => valid,
                    };
                    write!(
                        f,
                        "drew {drawn} of {type_name} at scope {scope} by random descents, not uniformly: {why}; NOT exhaustive"
                    )?;
                }
                None => {
                    let (drawn, all) = (grouped(self.valid), self.sampled_of.clone().unwrap_or(Natural::ZERO));
                    write!(f, "sampled {drawn} of {all:#} values of {type_name} at scope {scope}; NOT exhaustive")?;
                }
            },
            Ending::Ranked => {
                let Range { start, end } = self.ranks.clone().unwrap_or(Natural::ZERO..Natural::ZERO);
                let all = self.total.clone().unwrap_or(Natural::ZERO);
                write!(
                    f,
                    "ran {valid} of {type_name} at scope {scope}, ranks {start:#}..{end:#} of {all:#}; NOT exhaustive"
                )?;
            }
            Ending::Replayed => write!(f, "replayed one value of {type_name} at scope {scope}; NOT exhaustive")?,
            Ending::Unfinished => write!(f, "unfinished: {valid} of {type_name} at scope {scope} so far")?,
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
        if self.candidates_checked + self.values_checked > 0 {
            write!(
                f,
                "{} and {} checked, ",
                counted(self.candidates_checked, "candidate"),
                counted(self.values_checked, "value")
            )?;
        }
        if let Some(division) = self.division {
            write!(f, "{division}, ")?;
        }
        if self.threads > 1 {
            write!(f, "{} threads, ", self.threads)?;
        }
        write!(f, "in {:.2?}", self.elapsed)
    }
}
