//! The merged report as JUnit's XML, with a test case for each search.

use super::combine::{Merged, MergedSearch};
use super::text::summary;
use crate::record::{TestCase, Trouble, junit as xml};

/// Returns the report.
pub(super) fn junit(merged: &Merged) -> String {
    xml("korat", merged.searches.iter().map(case))
}

fn case(search: &MergedSearch) -> TestCase {
    let mut text = search.problems.join("\n");
    for failure in &search.failures {
        text += &format!("{}\n\n{}\n{}\n", failure.message, failure.drawing, failure.command);
    }
    let kind = if search.failures.is_empty() { Trouble::Error } else { Trouble::Failure };
    let first = search.failures.first().map(|failure| &failure.message).or(search.problems.first());
    TestCase {
        suite: search.program(),
        name: search.title(),
        seconds: search.elapsed,
        file: search.text("file").to_string(),
        line: search.field("line").as_u64().and_then(|line| u32::try_from(line).ok()).unwrap_or(0),
        trouble: first.map(|first| (kind, first.clone(), format!("{}\n{text}", summary(search)))),
    }
}
