//! Shows the merged report as text.

use std::fmt::{Arguments, Write};
use std::time::SystemTime;

use super::combine::{Merged, MergedFailure, MergedSearch};
use crate::report::{counted, grouped};

/// Returns the report: a line for each search, and below it what is wrong.
pub(super) fn text(merged: &Merged) -> String {
    let mut text = heading(merged);
    let mut put = |line: Arguments<'_>| writeln!(text, "{line}").expect("writing to a string cannot fail");
    let searches = &merged.searches;
    for search in searches {
        let mark = if search.is_passed() { "passed" } else { "FAILED" };
        put(format_args!("{mark}  {}", search.title()));
        put(format_args!("        {}", summary(search)));
        for problem in &search.problems {
            put(format_args!("        {}", indented(problem)));
        }
        failures(search, &mut put);
    }
    let failed = searches.iter().filter(|search| !search.is_passed()).count() as u64;
    let found = if failed == 0 { "all passed".to_string() } else { format!("{} failed", grouped(failed)) };
    put(format_args!("{}: {found}{}", searches_of(searches.len() as u64), cut(merged)));
    text
}

/// Says how many searches passed though they left values out.
pub(crate) fn cut(merged: &Merged) -> String {
    match merged.searches.iter().filter(|search| search.is_cut()).count() as u64 {
        0 => String::new(),
        number => format!(", {} NOT exhaustive", grouped(number)),
    }
}

/// Returns the first line: the files, the run, and when it began.
pub(super) fn heading(merged: &Merged) -> String {
    format!("{} of {}{}\n", counted(merged.files as u64, "report"), run(merged), age(merged))
}

/// Puts the failures of a search.
pub(super) fn failures(search: &MergedSearch, put: &mut impl FnMut(Arguments<'_>)) {
    for failure in &search.failures {
        let MergedFailure { message, location, size, drawing, command, shard, .. } = failure;
        let shard = shard.map_or(String::new(), |shard| format!(" (shard {shard})"));
        put(format_args!("        property failed on size {size}{shard}: {}", indented(message)));
        if let Some(location) = location {
            put(format_args!("          at {location}"));
        }
        drawing.lines().for_each(|line| put(format_args!("          {line}")));
        put(format_args!("          replay: {command}"));
    }
}

fn searches_of(number: u64) -> String {
    if number == 1 { "1 search".to_string() } else { format!("{} searches", grouped(number)) }
}

fn run(merged: &Merged) -> String {
    merged.run.as_ref().map_or_else(|| "a run without a name".to_string(), |run| format!("run {run}"))
}

/// Says how long ago the reports were begun: what is older than the run does not belong to it.
fn age(merged: &Merged) -> String {
    let (first, last) = merged.started;
    format!(", begun {} to {} ago", ago(first), ago(last))
}

/// Returns how long ago something was; `then` is in seconds since 1970.
pub(super) fn ago(then: u64) -> String {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(0, |since| since.as_secs());
    let seconds = now.saturating_sub(then);
    match seconds {
        0..120 => format!("{seconds} s"),
        120..7200 => format!("{} min", seconds / 60),
        7200..172_800 => format!("{} h", seconds / 3600),
        _ => format!("{} days", seconds / 86_400),
    }
}

/// Returns a search in one line.
pub(super) fn summary(search: &MergedSearch) -> String {
    let count = |name: &str| search.counts.get(name).copied().unwrap_or(0);
    let shards = search.of.map_or(String::new(), |of| format!("{}, ", counted(of, "shard")));
    let counts = match search.text("kind") {
        "exploration" => format!(
            "{}, {} expanded, {}",
            counted(count("found"), "state"),
            grouped(count("expanded")),
            counted(count("executions"), "execution")
        ),
        _ => format!("{}, {} explored", counted(count("valid"), "value"), counted(count("explored"), "candidate")),
    };
    format!("{shards}{}: {counts}", search.ending())
}

/// Returns a text whose lines after the first stand below the first.
pub(super) fn indented(text: &str) -> String {
    text.trim_end().replace('\n', "\n          ")
}
