//! Explains a search that found no value: runs it again, up to a limit, and counts what `rep_ok` read last.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use korat_core::SearchError;

use crate::config::{Config, Sizes};
use crate::report::grouped;
use crate::subject::Subject;

/// Returns why a search found no value: what `rep_ok` rejected, with the fields read last, most frequent first, or who else
/// rejected what it accepted. Searches again, up to a limit, because the original search does not record it.
pub(crate) fn why_none(subject: &Subject, config: &Config, explored: u64, has_filter: bool) -> String {
    const CANDIDATES: u64 = 100_000;
    let candidates = grouped(explored);
    let rejected = format!("rep_ok rejected every candidate ({candidates} of them)");
    let Ok(mut searcher) = subject.searcher(config.settings()) else { return rejected };
    let mut counts: BTreeMap<String, u64> = BTreeMap::new();
    let (mut seen, mut has_accepted) = (0, false);
    let ended: Result<bool, SearchError> = searcher.advance_observed(&mut |candidate| {
        seen += 1;
        has_accepted |= candidate.accepted();
        *counts.entry(candidate.last_read().unwrap_or_else(|| "no field at all".to_string())).or_default() += 1;
        if seen < CANDIDATES && !has_accepted { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    match (has_accepted, has_filter) {
        (true, true) => {
            return format!("the filter rejected everything that rep_ok accepted ({candidates} candidates)");
        }
        (true, false) if config.sizes != Sizes::All => {
            return format!("rep_ok accepted values, but none of the sizes asked for ({candidates} candidates)");
        }
        // Only weak references lead to some object of each.
        (true, false) => return format!("rep_ok accepted only what no value can hold ({candidates} candidates)"),
        (false, _) if ended.is_err() => return rejected,
        (false, _) => {}
    }
    let mut counts: Vec<(String, u64)> = counts.into_iter().collect();
    counts.sort_by(|(name, count), (other_name, other)| other.cmp(count).then(name.cmp(other_name)));
    let shares = counts.iter().take(3).map(|(name, count)| format!("{name} ({} %)", count * 100 / seen));
    format!("{rejected}; read last before the rejection: {}", shares.collect::<Vec<_>>().join(", "))
}
