//! The limits in the reference stay few, and each says why it is there and what to write instead.

use super::book::workspace;
use super::chapter::Chapter;

/// The most rows that all tables of limits have together.
const MOST: usize = 10;

/// The rows of all tables below headings that begin with `## Limits`, without their headers.
fn limits(text: &str) -> Vec<Vec<&str>> {
    let sections = text.split("\n## ").filter(|section| section.starts_with("Limits"));
    let tables = sections.flat_map(|section| section.split("\n\n")).filter(|part| part.starts_with('|'));
    tables.flat_map(|table| table.lines().skip(2).map(cells)).collect()
}

/// The cells of a row. A bar within a cell is written `\|`.
fn cells(row: &str) -> Vec<&str> {
    let row = row.trim().trim_start_matches('|').trim_end_matches('|');
    let mut ends: Vec<usize> = row.match_indices('|').map(|(at, _)| at).collect();
    ends.retain(|&at| !row[..at].ends_with('\\'));
    let begins = std::iter::once(0).chain(ends.iter().map(|at| at + 1));
    begins.zip(ends.iter().copied().chain([row.len()])).map(|(begin, end)| row[begin..end].trim()).collect()
}

/// Whether a row has a limit, a reason and a remedy.
fn is_whole(row: &[&str]) -> bool {
    row.len() == 3 && row.iter().all(|cell| cell.chars().any(char::is_alphanumeric))
}

#[test]
fn limits_are_few_and_each_has_a_reason_and_a_remedy() {
    let page = Chapter::read(&workspace().join("docs/src/reference.md"));
    let limits = limits(&page.text);
    assert!((1..=MOST).contains(&limits.len()), "{} limits; {MOST} at most", limits.len());
    for limit in limits {
        assert!(is_whole(&limit), "{limit:?}");
    }
}

#[test]
fn a_limit_without_a_reason_is_seen() {
    let header = "| limit | why | write instead |\n| --- | --- | --- |\n";
    let rows = "| `a \\| b` | it is so | c |\n| d |  | e |\n| f | g |\n";
    let text = format!("# A page\n\n## Limits: one\n\nText.\n\n{header}{rows}\n## Other\n\n{header}| a | b | c |\n");
    let limits = limits(&text);
    assert_eq!(limits, [vec!["`a \\| b`", "it is so", "c"], vec!["d", "", "e"], vec!["f", "g"]]);
    assert_eq!(limits.iter().map(|row| is_whole(row)).collect::<Vec<_>>(), [true, false, false]);
}
