//! How far a run is whose processes may still be at work: which shards have ended, what they found so far, and what has failed already.

use std::fmt::{Arguments, Write};

use super::combine::{Merged, MergedSearch};
use super::numbers::{ranges, shards_text};
use super::text::{ago, failures, heading, indented, summary};
use crate::report::counted;

/// Where a search is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    Failed,
    /// Some of it is under way, or has not begun.
    Open,
    Passed,
}

/// Returns the progress as text, and whether nothing has failed so far.
pub(super) fn progress(merged: &Merged) -> (String, bool) {
    let mut text = heading(merged);
    let mut put = |line: Arguments<'_>| writeln!(text, "{line}").expect("writing to a string cannot fail");
    for search in &merged.searches {
        let mark = match stage(search) {
            Stage::Failed => "FAILED",
            Stage::Open => "begun ",
            Stage::Passed => "passed",
        };
        put(format_args!("{mark}  {}", search.title()));
        put(format_args!("        {}", summary(search)));
        if let Some(shards) = open_shards(search) {
            put(format_args!("        {shards}"));
        }
        // What is missing or has not ended is no problem yet.
        for problem in search.problems.iter().filter(|problem| !search.open.contains(problem)) {
            put(format_args!("        {}", indented(problem)));
        }
        failures(search, &mut put);
    }
    let count = |wanted| merged.searches.iter().filter(|search| stage(search) == wanted).count() as u64;
    let (failed, open, passed) = (count(Stage::Failed), count(Stage::Open), count(Stage::Passed));
    put(format_args!(
        "{passed} passed, {failed} failed, {open} not done; searches that no process has begun are not known"
    ));
    (text, failed == 0)
}

fn stage(search: &MergedSearch) -> Stage {
    match (search.problems.len() > search.open.len() || !search.failures.is_empty(), search.open.is_empty()) {
        (true, _) => Stage::Failed,
        (false, false) => Stage::Open,
        (false, true) => Stage::Passed,
    }
}

/// Says how many shards have ended, and which have not.
fn open_shards(search: &MergedSearch) -> Option<String> {
    if search.open.is_empty() {
        return None;
    }
    let running: Vec<_> = search.parts.iter().filter(|part| part.result == "running").collect();
    let since = |first: u64| format!("begun {} ago and not ended: under way, or killed", ago(first));
    let first = running.iter().map(|part| part.started).min();
    let Some(of) = search.of else { return first.map(since) };
    let ended = search.parts.len() - running.len();
    let mut said = vec![format!("{ended} of {} have ended", counted(of, "shard"))];
    if let Some(first) = first {
        let numbers = ranges(running.iter().filter_map(|part| Some(part.shard?.0)));
        said.push(format!("{} {}", shards_text(&numbers), since(first)));
    }
    if !search.missing.is_empty() {
        said.push(format!("{} not begun", shards_text(&search.missing)));
    }
    Some(said.join("; "))
}
