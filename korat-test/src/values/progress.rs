//! How far the values of a search are.

use std::time::Duration;

use korat_core::Natural;

use super::Values;

/// The progress of the current pass.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum PassProgress {
    /// The pass is being searched: the part that is done and the time it took, if that can be estimated, and the number
    /// of values that wait for the end of the pass.
    Searching { done: Option<(f64, Duration)>, waiting: u64 },
    /// The search of the pass is over, and the waiting values are yielded: how many so far, in which time, and how many
    /// are left.
    Giving { given: u64, since: Duration, left: u64 },
    /// Some of the values are taken from summaries, or drawn by descents: how many so far and in all. `None` before that.
    Selecting { given: u64, of: Option<Natural> },
}

impl Values {
    /// Returns the progress of the current pass.
    pub(crate) fn stage(&self) -> PassProgress {
        if let Some(selecting) = self.selecting() {
            return selecting;
        }
        if let Some((given, left)) = self.shared_waiting() {
            return PassProgress::Giving { given, since: self.since.elapsed(), left };
        }
        let waiting: u64 = self.waiting.values().map(|kept| kept.len() as u64).sum();
        if self.draining {
            let (given, left) = (self.given - self.given_before, waiting - self.drained as u64);
            return PassProgress::Giving { given, since: self.since.elapsed(), left };
        }
        let done = self.estimator.part(self.since.elapsed().as_secs_f64(), self.searcher.position());
        PassProgress::Searching { done: done.map(|(part, took)| (part, Duration::from_secs_f64(took))), waiting }
    }
}
