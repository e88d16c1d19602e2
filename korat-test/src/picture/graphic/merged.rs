//! The page of a merged report: a card for each search, those that failed first.

use super::page::{self, escape_lines};
use super::plot::{Plotted, plot};
use super::svg::escape;
use crate::merge::{Merged, MergedFailure, MergedSearch, cut};
use crate::picture::put;
use crate::report::grouped;

/// Returns the HTML of the page.
pub(crate) fn merged_page(merged: &Merged) -> String {
    let failed = merged.searches.iter().filter(|search| !search.is_passed()).count();
    let (class, word) = match failed {
        0 => ("complete", format!("every search passed{}", cut(merged))),
        failed => ("failed", format!("{failed} of {} searches failed{}", merged.searches.len(), cut(merged))),
    };
    let run = merged.run.as_deref().unwrap_or("without a name");
    let mut page = page::begin(&format!("run {run}: {word}"), include_str!("merged.css"));
    let sum = |name: &str| grouped(merged.searches.iter().filter_map(|search| search.counts.get(name)).sum());
    put(
        &mut page,
        format_args!(
            "<header>\n<div>\n<h1>run <small>{}</small></h1>\n<p class=\"{class}\">{word}</p>\n<dl>\n\
             <div><dt>searches</dt><dd>{}</dd></div>\n<div><dt>reports</dt><dd>{}</dd></div>\n\
             <div><dt>valid</dt><dd>{}</dd></div>\n<div><dt>explored</dt><dd>{}</dd></div>\n</dl>\n</div>\n</header>\n",
            escape(run),
            grouped(merged.searches.len() as u64),
            grouped(merged.files as u64),
            sum("valid"),
            sum("explored")
        ),
    );
    page.push_str("<main class=\"searches\">\n");
    let (passed, failed): (Vec<_>, Vec<_>) = merged.searches.iter().partition(|search| search.is_passed());
    failed.into_iter().chain(passed).for_each(|search| card(&mut page, search));
    page.push_str("</main>\n");
    page::end(page, "")
}

fn card(page: &mut String, search: &MergedSearch) {
    let (class, word) = if search.is_passed() { ("complete", "passed") } else { ("failed", "failed") };
    let shards = search.of.map_or(String::new(), |of| format!(" <small>{of} shards</small>"));
    put(
        page,
        format_args!(
            "<article>\n<h2><span class=\"{class}\">{word}</span> {}{shards}</h2>\n<div class=\"inside\">\n<div>\n<p>{}</p>\n<dl>\n",
            escape(&search.title()),
            escape(&search.ending())
        ),
    );
    let is_exploration = search.text("kind") == "exploration";
    let shown: &[&str] =
        if is_exploration { &["found", "expanded", "executions"] } else { &["valid", "explored", "combinations"] };
    for name in shown {
        let count = search.counts.get(*name).copied().unwrap_or(0);
        put(page, format_args!("<div><dt>{name}</dt><dd>{}</dd></div>\n", grouped(count)));
    }
    put(page, format_args!("<div><dt>seconds</dt><dd>{:.2}</dd></div>\n</dl>\n</div>\n", search.elapsed));
    let plotted = if is_exploration {
        Plotted { what: "states", by: "level" }
    } else {
        Plotted { what: "valid structures", by: "size" }
    };
    put(page, format_args!("{}<div>\n", plot(&plotted, &search.by)));
    if !search.problems.is_empty() {
        page.push_str("<ul>\n");
        search.problems.iter().for_each(|problem| put(page, format_args!("<li>{}</li>\n", escape_lines(problem))));
        page.push_str("</ul>\n");
    }
    for MergedFailure { message, location, size, drawing, command, shard, .. } in &search.failures {
        let location = location.as_ref().map_or(String::new(), |location| format!(" at {location}"));
        let shard = shard.map_or(String::new(), |shard| format!(", shard {shard}"));
        put(
            page,
            format_args!(
                "<p>size {size}{shard}: {} <small>{}</small></p>\n<pre>{}</pre>\n<pre>{}</pre>\n",
                escape(message),
                escape(&location),
                escape_lines(drawing),
                escape_lines(command)
            ),
        );
    }
    page.push_str("</div>\n</div>\n</article>\n");
}
