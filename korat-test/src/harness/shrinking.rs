//! Runs the property on simpler values, once one that was drawn at random has failed, and reports the simplest that fails.

use korat_core::UntypedSearcher;

use super::Harness;
use crate::config::Sizes;
use crate::failure::{Drawn, Origin, Shrunk};
use crate::property::Violation;
use crate::replay::Replay;
use crate::shrink::{FailingValue, Shrinking, Step};

impl Harness {
    /// Returns whether the current value is to be shrunk if it fails.
    pub(super) fn shrinks(&self) -> bool {
        self.run.config.sample.is_some() && self.run.config.shrink > 0 && matches!(self.origin, Origin::Search { .. })
    }

    /// Begins to shrink the current value, which failed. Returns the failure if that is impossible.
    pub(super) fn begin_shrinking(&mut self, violation: Violation) -> Result<(), Violation> {
        let Origin::Search { number, .. } = self.origin else { return Err(violation) };
        let (scope, shrink) = (self.run.subject().scope, self.run.config.shrink);
        // Threads leave the value to the caller's, which restores it.
        let searcher = match &mut self.restored {
            Some(searcher) => searcher,
            None => self.run.searcher(),
        };
        let (size, slots) = (searcher.size(), searcher.slot_vector());
        let answers = violation.answers.indices.clone();
        let replay = Replay { answers, ..self.replay_of(scope, slots.clone()) };
        let least = match &self.run.config.sizes {
            // With one size, there would be nothing to shrink to.
            Sizes::All | Sizes::Scope => 0,
            Sizes::Range(sizes) => *sizes.start(),
        };
        let Ok(searcher) = self.run.subject().searcher(self.run.config.settings()) else { return Err(violation) };
        let failing = FailingValue { size, slots, violation: violation.clone() };
        let shrinking =
            Shrinking::new(failing, least, shrink, searcher, self.run.maker_of_values()).ok_or(violation)?;
        self.shrinking = Some((shrinking, Drawn { number, size, replay }));
        Ok(())
    }

    /// Advances to the next value on the way to a simpler failing one; adds the failure and returns false if there is none.
    pub(super) fn advance_shrinking(&mut self) -> bool {
        while let Some((shrinking, _)) = &mut self.shrinking {
            shrinking.searcher().into_iter().for_each(UntypedSearcher::free_cycles);
            let step = shrinking.next();
            if let Step::Over = step {
                self.end_shrinking();
            } else if self.run.look() {
                shrinking.end("the time limit was reached".to_string());
            } else if let Step::Value = step {
                let slots = shrinking.current().clone();
                let replay = self.replay_of(self.run.subject().scope, slots);
                self.note.at_restored(&replay);
                return true;
            }
        }
        false
    }

    /// Adds the failure that shrinking found.
    fn end_shrinking(&mut self) {
        let Some((shrinking, drawn)) = self.shrinking.take() else { return };
        let (FailingValue { slots, violation, .. }, smaller, tried) = shrinking.finish();
        let searcher = self.run.subject().searcher(self.run.config.settings());
        let restored = searcher.ok().and_then(|mut searcher| searcher.restore(&slots).ok().map(|()| searcher));
        assert!(restored.is_some(), "[korat internal bug] the slots of a value are none");
        self.restored = restored;
        let origin = Origin::Shrunk(Box::new(Shrunk { drawn, tried, smaller }));
        let before = std::mem::replace(&mut self.origin, origin);
        let failure = self.failure(violation);
        self.failures.push(failure);
        (self.origin, self.restored) = (before, None);
    }
}
