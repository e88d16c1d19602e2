//! The part of a search that belongs to one process. The first choices of a candidate, up to a depth, are a piece: the last of them
//! takes only indices whose pieces belong to the part. Everything below runs as in any search: the engine leaves `Given::Frontier`
//! when a piece begins, and returns to it when a choice above the piece moves on.

use super::choice::Choice;
use super::choice_stack::Engine;
use super::descent::Given;
use super::rules::SlotRule;
use crate::model::ids::SlotId;
use crate::model::part::{Part, digest};
use crate::slots::slot_handle::SlotHandle;

/// What a search does at the depth of its pieces.
pub(crate) struct Frontier {
    /// The number of choices that make a piece.
    depth: usize,
    /// The part whose pieces are searched; `None` if pieces are only counted.
    part: Option<Part>,
    /// The number of pieces counted so far, and the one at which counting ends.
    pieces: u64,
    most: u64,
    /// Whether a value has a single completion, which belongs to the part that its candidate belongs to.
    is_completed_once: bool,
    /// The value of `Engine::return_at` below the frontier; above, the machine returns at every candidate.
    return_at: u64,
}

/// The index of a choice at the frontier.
pub(super) enum OwnIndex {
    Index(u32),
    /// Every index belongs to another part.
    NotHere,
}

impl Engine {
    /// Restricts the search to a part. Must be called before it begins. `is_completed_once` says whether a candidate has a single value.
    pub(crate) fn set_part(&mut self, part: Part, is_completed_once: bool) {
        self.set_frontier(Frontier {
            depth: part.depth,
            part: Some(part),
            pieces: 0,
            most: u64::MAX,
            is_completed_once,
            return_at: u64::MAX,
        });
    }

    /// Makes the search count the pieces of this depth, up to a number, instead of searching them.
    pub(crate) fn count_pieces(&mut self, depth: usize, most: u64, is_completed_once: bool) {
        let return_at = u64::MAX;
        self.set_frontier(Frontier { depth, part: None, pieces: 0, most, is_completed_once, return_at });
    }

    fn set_frontier(&mut self, frontier: Frontier) {
        assert!(self.depth() == 0, "a search is given its part before it begins");
        self.frontier = Some(frontier);
        self.go_to_frontier();
    }

    /// Returns the number of pieces counted so far.
    pub(crate) fn counted_pieces(&self) -> u64 {
        self.frontier.as_ref().map_or(0, |frontier| frontier.pieces)
    }

    /// Sets the number of explored candidates at which the machine returns to the search.
    pub(crate) fn set_return_at(&mut self, explored: u64) {
        self.return_at = explored;
        let is_at_frontier = self.is_at_frontier();
        if let Some(frontier) = self.frontier.as_mut().filter(|_| is_at_frontier) {
            (frontier.return_at, self.return_at) = (explored, 0);
        }
    }

    /// Stops at every candidate from now on, because some are shorter than a piece.
    fn go_to_frontier(&mut self) {
        self.given = Given::Frontier;
        self.set_return_at(self.return_at);
    }

    pub(super) fn is_at_frontier(&self) -> bool {
        matches!(self.given, Given::Frontier | Given::First { at_frontier: true, .. })
    }

    /// Begins a piece.
    fn leave_frontier(&mut self) {
        match &mut self.given {
            Given::First { at_frontier, .. } => *at_frontier = false,
            given => *given = Given::Nothing,
        }
        if let Some(frontier) = &self.frontier {
            self.return_at = frontier.return_at;
        }
    }

    /// Returns whether the current candidate or value belongs to the part that is searched. One that is shorter than a piece belongs to a part by
    /// all of its choices.
    #[inline]
    pub(crate) fn is_of_part(&self) -> bool {
        !matches!(self.given, Given::Frontier) || self.is_short_one_of_part()
    }

    #[inline(never)]
    fn is_short_one_of_part(&self) -> bool {
        let Some(part) = self.frontier.as_ref().and_then(|frontier| frontier.part) else { return false };
        match self.choices() {
            [] => part.has_piece(0, 0),
            [before @ .., last] => part.has_piece(digest(before.iter().map(Choice::index)), last.index()),
        }
    }

    /// Suspends the restriction to a part. Returns whether there was one, for `resume_part`.
    pub(crate) fn suspend_part(&mut self) -> bool {
        let is_suspended = matches!(self.given, Given::Frontier);
        if is_suspended {
            self.given = Given::Nothing;
        }
        is_suspended
    }

    /// Restores the restriction to a part.
    pub(crate) fn resume_part(&mut self, is_suspended: bool) {
        if is_suspended {
            self.given = Given::Frontier;
        }
    }

    /// Returns the first index from `index` on that the choice after `before` others takes in this part, and begins its piece; `None` if the choice is no
    /// concern of the frontier. `index` is allowed; `rule` and `fresh` say what follows it.
    pub(super) fn own_index(&mut self, slot: SlotId, rule: SlotRule, fresh: u32, index: u32) -> Option<OwnIndex> {
        let frontier = self.frontier.as_ref().filter(|_| self.is_at_frontier())?;
        if self.completing && frontier.is_completed_once {
            return None;
        }
        if self.depth() + 1 < frontier.depth {
            return Some(OwnIndex::Index(index));
        }
        let own = self.own_index_after(self.depth(), slot, rule, fresh, index);
        Some(own.map_or(OwnIndex::NotHere, |own| {
            self.leave_frontier();
            OwnIndex::Index(own)
        }))
    }

    /// Returns the first index from `index` on whose piece belongs to the part, or counts the pieces. `before` is the number of choices before.
    fn own_index_after(&mut self, before: usize, slot: SlotId, rule: SlotRule, fresh: u32, index: u32) -> Option<u32> {
        let prefix = digest(self.choices()[..before].iter().map(Choice::index));
        let mut next = Some(index);
        while let Some(index) = next {
            let frontier = self.frontier.as_mut()?;
            match frontier.part {
                Some(part) if part.has_piece(prefix, index) => return next,
                Some(_) => {}
                None if frontier.pieces >= frontier.most => return None,
                None => frontier.pieces += 1,
            }
            next = self.index_after(slot, rule, fresh, index);
        }
        None
    }

    /// Returns the index after another, within the bound on the size.
    fn index_after(&self, slot: SlotId, rule: SlotRule, fresh: u32, index: u32) -> Option<u32> {
        if rule.is_filtered() {
            return self.filtered_index(slot, index + 1);
        }
        rule.after(index, fresh).filter(|next| *next != fresh || self.links.has_room(rule.class))
    }

    /// Returns the index to which the last choice, made at the frontier, moves on. Other choices that are fixed have none.
    pub(super) fn next_own_index(&mut self, slot: SlotHandle, rule: SlotRule, fresh: u32, index: u32) -> Option<u32> {
        let depth = self.frontier.as_ref()?.depth;
        let before = self.depth() - 1;
        if before + 1 < depth {
            self.go_to_frontier();
            return self.index_after(slot.id(), rule, fresh, index);
        }
        let next = self.index_after(slot.id(), rule, fresh, index)?;
        self.own_index_after(before, slot.id(), rule, fresh, next)
    }
}
