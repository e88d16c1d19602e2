//! The `profile` setting, and printing of what a search found out about `rep_ok`.

use std::cell::RefCell;
use std::collections::HashSet;

use korat_core::{Finitize, RepOk};

use crate::report::Report;
use crate::say::tell;
use crate::search::Search;

impl<T: Finitize + RepOk> Search<T> {
    /// Profiles where `rep_ok` rejects. For every line it counts how many candidates ended there, how many reads
    /// decided a field, and how often the search resumed there; for every field, how often it was the last one read. If
    /// a line rejects nearly everything after a field that is read late, the search gets faster when that field is read
    /// earlier or has fewer values.
    ///
    /// [`for_each`](Search::for_each) and [`count`](Search::count) print the profile at their end on standard error,
    /// which `cargo test` shows with `-- --nocapture`, and store it in [`Report::profile`](crate::Report::profile);
    /// [`Valid::report`](crate::Valid::report) contains it too. The environment variable `KORAT_PROFILE=1` enables it
    /// for every search of a process. Profiling slows down the search. If `rep_ok` runs from the top
    /// ([`Backtracking::Reexecute`](crate::Backtracking::Reexecute), `#[rep_ok(reexecute)]`, or a local that
    /// backtracking cannot restore), the lines are unknown, and only fields are counted.
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

/// Prints the findings of a finished run, after the report itself unless that was already printed.
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

/// Returns one note for each field that `rep_ok` never reads.
fn unread_notes(report: &Report) -> impl Iterator<Item = String> + '_ {
    let generated =
        if report.unread_first { "only its first value was" } else { "every combination of its values was" };
    let note = move |field| format!("note: rep_ok never reads {field} on any valid value: {generated} generated");
    report.unread_fields.iter().map(note)
}

/// Returns whether the note is new on this thread, so that a test with several scopes prints it once.
fn is_news(note: &str) -> bool {
    thread_local! {
        static TOLD: RefCell<HashSet<String>> = RefCell::default();
    }
    TOLD.with_borrow_mut(|told| told.insert(note.to_string()))
}
