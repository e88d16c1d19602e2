//! The part of a search that belongs to one of several processes or threads.

use std::sync::Arc;

use super::untyped::{Phase, StepResult, UntypedSearcher};
use crate::engine::sharing::PieceStart;
use crate::model::part::Part;
use crate::model::settings::Unread;
use crate::model::turns::Turns;
use crate::predicate::caught_panics::caught;
use crate::predicate::context;

/// The number of candidates between two looks at how many pieces were counted.
const LOOK_EVERY: u64 = 1_024;

impl UntypedSearcher {
    /// Searches only a part: the parts together have every candidate and every value of the search once. If the search
    /// [remembers values](Self::remembers_values), every part has every candidate, and its own values. Panics in the middle of a search; a restart ends it.
    pub fn take_part(&mut self, part: Part) {
        assert!(self.phase == Phase::Candidate && !self.used, "a search is given its part before it begins");
        if self.remembers_values() {
            self.heap.engine.keep_forms_of(part);
        } else {
            self.heap.engine.set_part(part, self.settings.unread == Unread::First);
        }
    }

    /// Searches only the pieces that this thread takes, of those of a part, if there is one: threads with the same turns, and searches with the same bounds and
    /// sizes, together have every candidate and every value once. The first `depth` choices make a piece. Panics if the search
    /// [remembers values](Self::remembers_values), and in the middle of a search; a restart ends it.
    pub fn share_pieces(&mut self, depth: usize, part: Option<Part>, turns: Arc<Turns>) {
        assert!(self.phase == Phase::Candidate && !self.used, "a search is shared before it begins");
        assert!(!self.remembers_values(), "a search that remembers values is not shared");
        let is_completed_once = self.settings.unread == Unread::First;
        self.heap.engine.share_pieces((depth, part), turns, context::passed, is_completed_once);
        self.shares_pieces = true;
    }

    /// Returns the pieces that this thread has taken in the search, in their order. The last one is that of the current value.
    pub fn pieces(&self) -> &[PieceStart] {
        self.heap.engine.pieces()
    }

    /// Returns how many pieces the search has met, of all threads, where it is in none of its own; `None` in a piece.
    pub fn met_between_pieces(&self) -> Option<u64> {
        self.heap.engine.met_between_pieces()
    }

    /// Counts what the machine has skipped, so that each piece knows how many candidates were explored before it.
    pub(super) fn count_passed_in_pieces(&mut self) {
        if self.shares_pieces {
            let passed = self.heap.work.take_passed();
            self.heap.engine.counters.explored += passed;
            self.passed += passed;
            self.let_machine_run();
        }
    }

    /// Returns whether the search may reach one value in several ways, up to the order of elements that have none, so that it remembers which values it
    /// has yielded.
    pub fn remembers_values(&self) -> bool {
        self.heap.engine.may_have_duplicates()
    }

    /// Counts the pieces of a depth: the candidates that have so many choices count once for all that begin alike. Counts up to about `most`, and gives up
    /// after about so many candidates that are shorter. Returns `None` if it gave up, or if the predicate fails: the search will find that, too.
    pub fn count_pieces(&mut self, depth: usize, most: u64, shorter: u64) -> Option<u64> {
        assert!(self.phase == Phase::Candidate && !self.used, "pieces are counted before a search begins");
        self.heap.engine.count_pieces(depth, self.settings.unread == Unread::First);
        self.pause_every(LOOK_EVERY);
        let mut run = 0;
        while run < shorter + self.heap.engine.counted_pieces() {
            let is_over = caught(|| self.step()).ok()?.ok()? == StepResult::Done;
            let pieces = self.heap.engine.counted_pieces();
            if is_over || pieces >= most {
                return Some(pieces);
            }
            run += LOOK_EVERY;
        }
        None
    }
}
