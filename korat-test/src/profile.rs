//! What a search finds out about `rep_ok`: the setting that asks where it rejects, and the printing of what was found. Takes a
//! finished `Report`, writes to standard error.

use std::cell::RefCell;
use std::collections::HashSet;

use korat_core::{Finitize, RepOk};

use crate::report::Report;
use crate::say::tell;
use crate::search::Search;

impl<T: Finitize + RepOk> Search<T> {
    /// Says where `rep_ok` rejects: for every line how many candidates ended there, how many reads decided a field and how
    /// often the search came back, and for every field how often it was the last one read. A line that rejects nearly
    /// everything after a field that is read late is where a search gets faster: read that field earlier, or give it fewer
    /// values.
    ///
    /// [`for_each`](Search::for_each) and [`count`](Search::count) print it at their end on standard error, which `cargo test`
    /// shows with `-- --nocapture`, and put it into [`Report::profile`](crate::Report::profile); so does
    /// [`Valid::report`](crate::Valid::report). The environment variable `KORAT_PROFILE=1` does the same for every search of a
    /// process. Counting makes the search slower. Where `rep_ok` is run from the top
    /// ([`Backtracking::Reexecute`](crate::Backtracking::Reexecute), `#[rep_ok(reexecute)]`, or a local that going back cannot
    /// restore), lines are not known, and fields are counted only.
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
    /// let report = Search::new(Interval::scope(3)).profile().count();
    /// let profile = report.profile.expect("it was asked for");
    /// // Low 1 and 3 end at the first statement, 2 with 0 and 2 with 1 at the second; 0 with all four, and 2 with 2 and 3 are fine.
    /// assert_eq!((profile.explored, profile.rejected), (10, 4));
    /// let rejected: Vec<u64> = profile.lines.iter().map(|line| line.rejected).collect();
    /// assert_eq!(rejected, [2, 2]);
    /// let last = &profile.lines[1].read_last[0];
    /// assert_eq!((last.field.as_str(), last.candidates), ("Interval.high", 2));
    /// assert!(profile.headline().ends_with("rejects 20 % of 10 candidates; the field read last was Interval.low"));
    /// ```
    pub fn profile(mut self) -> Self {
        self.config.profile = true;
        self
    }
}

/// Prints what a finished run has found, under the report itself unless that was said already.
pub(crate) fn print_findings(report: &Report, was_said: bool, by_environment: bool) {
    let findings = [
        report.explanation.as_ref().map(ToString::to_string),
        report.profile.as_ref().map(ToString::to_string),
        report.stats.as_ref().map(ToString::to_string),
    ];
    let findings: String = findings.into_iter().flatten().collect();
    if !findings.is_empty() {
        let head = if was_said { String::new() } else { format!("{report}\n") };
        tell(&format!("{head}{findings}"), by_environment);
    }
    for note in unread_notes(report) {
        if is_news(&note) {
            eprintln!("{note}");
        }
    }
}

/// One line for each field that `rep_ok` says nothing about.
fn unread_notes(report: &Report) -> impl Iterator<Item = String> + '_ {
    let generated =
        if report.unread_first { "only its first value was" } else { "every combination of its values was" };
    let note = move |field| format!("note: rep_ok never reads {field} on any valid value: {generated} generated");
    report.unread_fields.iter().map(note)
}

/// Whether nothing on this thread has printed the note yet: a test that goes through several scopes says it once.
fn is_news(note: &str) -> bool {
    thread_local! {
        static TOLD: RefCell<HashSet<String>> = RefCell::default();
    }
    TOLD.with_borrow_mut(|told| told.insert(note.to_string()))
}
