//! The pieces of a search that several threads share. Each thread goes through the choices above the pieces in the same order and numbers the pieces; it searches
//! those whose turn it took.

use std::sync::Arc;

use super::choice::Choice;
use crate::model::turns::Turns;

/// What one thread knows of the pieces.
pub(super) struct Sharing {
    turns: Arc<Turns>,
    /// The number of the piece that this thread searches now or next; `None` before it asks for its first one.
    own: Option<u64>,
    /// The number of pieces met so far, of all threads.
    met: u64,
    /// The indices of the last candidate or value that was shorter than a piece, and whether it is this thread's.
    short: Option<(Vec<u32>, bool)>,
    /// The pieces of this thread, in their order.
    starts: Vec<PieceStart>,
    /// Returns how many candidates were explored that the engine has not counted yet.
    uncounted: fn() -> u64,
}

/// A piece that a thread has searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PieceStart {
    /// The number of the piece in the order of the search; the first is 0.
    pub number: u64,
    /// How many candidates the thread had explored before it.
    pub explored: u64,
}

impl Sharing {
    pub(super) fn new(turns: Arc<Turns>, uncounted: fn() -> u64) -> Self {
        Sharing { turns, own: None, met: 0, short: None, starts: Vec::new(), uncounted }
    }

    /// Meets the next piece, with `explored` candidates counted. Returns whether it is this thread's.
    pub(super) fn meet(&mut self, explored: u64) -> bool {
        let number = self.met;
        self.met += 1;
        if self.own.is_none_or(|own| own < number) {
            self.own = Some(self.turns.take());
        }
        let is_own = self.own == Some(number);
        if is_own {
            self.starts.push(PieceStart { number, explored: explored + (self.uncounted)() });
        }
        is_own
    }

    /// Returns what is known of a candidate or value that is shorter than a piece, if it was met just now. Both a candidate and its value ask for it.
    pub(super) fn known(&self, choices: &[Choice]) -> Option<bool> {
        let (indices, is_own) = self.short.as_ref()?;
        let is_same =
            indices.len() == choices.len() && indices.iter().zip(choices).all(|(index, it)| *index == it.index());
        is_same.then_some(*is_own)
    }

    /// Notes whose a short candidate or value is.
    pub(super) fn note_short(&mut self, choices: &[Choice], is_own: bool) {
        self.short = Some((choices.iter().map(Choice::index).collect(), is_own));
    }

    /// Returns the number of pieces met so far.
    pub(super) fn met(&self) -> u64 {
        self.met
    }

    /// Returns the pieces of this thread.
    pub(super) fn starts(&self) -> &[PieceStart] {
        &self.starts
    }
}
