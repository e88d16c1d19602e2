//! Prints what a search found out about `rep_ok`.

use std::cell::RefCell;
use std::collections::HashSet;

use crate::output::print_requested;
use crate::report::Report;

/// Prints the findings of a finished run, after the report itself unless that was already printed.
pub(crate) fn print_findings(report: &Report, was_said: bool, by_environment: bool) {
    let findings = [
        report.explanation.as_ref().map(ToString::to_string),
        report.summaries.as_ref().filter(|_| report.explanation.is_some()).map(ToString::to_string),
        report.profile.as_ref().map(ToString::to_string),
        report.stats.as_ref().map(ToString::to_string),
    ];
    let findings: String = findings.into_iter().flatten().collect();
    if !findings.is_empty() {
        let head = if was_said { String::new() } else { format!("{report}\n") };
        print_requested(&format!("{head}{findings}"), by_environment);
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
