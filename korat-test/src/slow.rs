//! Finds out why a search is slow, if `rep_ok` reruns from further up: watches some candidates of a search that has printed
//! its first line of progress, and prints one note for each part that reruns. Ordinary searches are not watched.

use korat_core::UntypedSearcher;

use crate::output::print_line;

/// Number of candidates to watch. They show which statements are resumed, and take milliseconds.
const WATCHED: u64 = 20_000;

/// The state of the observation.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) enum SlowParts {
    /// The search is not known to be slow.
    #[default]
    Waiting,
    /// It is watched since this many candidates.
    Watching(u64),
    Told,
}

impl SlowParts {
    /// Takes a look at a search; `is_slow` says that it has printed a line of progress.
    pub(crate) fn look(&mut self, searcher: &mut UntypedSearcher, is_slow: bool) {
        match *self {
            SlowParts::Waiting if is_slow => {
                searcher.count_reentries(true);
                *self = SlowParts::Watching(searcher.counters().explored);
            }
            // A new pass counts from zero.
            SlowParts::Watching(since) if searcher.counters().explored.abs_diff(since) >= WATCHED => {
                for note in searcher.slow_parts() {
                    print_line(&format!("korat: note: {note}"));
                }
                searcher.count_reentries(false);
                *self = SlowParts::Told;
            }
            SlowParts::Waiting | SlowParts::Watching(_) | SlowParts::Told => {}
        }
    }
}
