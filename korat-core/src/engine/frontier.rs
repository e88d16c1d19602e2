//! The part of a search that belongs to one process or thread. The first choices of a candidate, up to a depth, are a piece: the last of them
//! takes only indices whose pieces belong to the part. Everything below runs as in any search: the engine leaves `Given::Frontier`
//! when a piece begins, and returns to it when a choice above the piece moves on.

use std::sync::Arc;

use super::choice::Choice;
use super::choice_stack::Engine;
use super::descent::Given;
use super::rules::SlotRule;
use super::sharing::{PieceStart, Sharing};
use crate::model::ids::SlotId;
use crate::model::part::{Part, digest};
use crate::model::turns::Turns;
use crate::slots::slot_handle::SlotHandle;

/// What a search does at the depth of its pieces.
pub(crate) struct Frontier {
    /// The number of choices that make a piece.
    depth: usize,
    /// Which pieces are searched.
    owner: Owner,
    /// Whether a value has a single completion, which belongs to the part that its candidate belongs to.
    is_completed_once: bool,
    /// The value of `Engine::return_at` below the frontier; above, the machine returns at every candidate.
    return_at: u64,
}

/// Whose pieces are searched.
enum Owner {
    /// Nobody's: they are counted, so many so far. Of each choice that ends a piece, only the first candidate is run.
    Counted { pieces: u64 },
    /// Those of a part.
    Part(Part),
    /// Those that this thread takes, among all or those of a part.
    Thread(Option<Part>, Sharing),
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
        self.set_frontier(part.depth, Owner::Part(part), is_completed_once);
    }

    /// Restricts the search to the pieces that this thread takes, among all or those of a part. Must be called before it begins. `uncounted` returns how many
    /// candidates were explored that the engine has not counted yet.
    pub(crate) fn share_pieces(
        &mut self,
        (depth, part): (usize, Option<Part>),
        turns: Arc<Turns>,
        uncounted: fn() -> u64,
        is_completed_once: bool,
    ) {
        self.set_frontier(depth, Owner::Thread(part, Sharing::new(turns, uncounted)), is_completed_once);
    }

    /// Makes the search count the pieces of this depth instead of searching them.
    pub(crate) fn count_pieces(&mut self, depth: usize, is_completed_once: bool) {
        self.set_frontier(depth, Owner::Counted { pieces: 0 }, is_completed_once);
    }

    fn set_frontier(&mut self, depth: usize, owner: Owner, is_completed_once: bool) {
        assert!(self.depth() == 0, "a search is given its part before it begins");
        self.frontier = Some(Frontier { depth, owner, is_completed_once, return_at: u64::MAX });
        self.go_to_frontier();
    }

    /// Returns the number of pieces counted so far.
    pub(crate) fn counted_pieces(&self) -> u64 {
        match &self.frontier {
            Some(Frontier { owner: Owner::Counted { pieces }, .. }) => *pieces,
            _ => 0,
        }
    }

    fn sharing(&self) -> Option<&Sharing> {
        match &self.frontier {
            Some(Frontier { owner: Owner::Thread(_, sharing), .. }) => Some(sharing),
            _ => None,
        }
    }

    /// Returns the pieces that this thread has taken in the search, in their order.
    pub(crate) fn pieces(&self) -> &[PieceStart] {
        self.sharing().map_or(&[], Sharing::starts)
    }

    /// Returns how many pieces the search has met, of all threads, where it is in none of its own; `None` in a piece.
    pub(crate) fn met_between_pieces(&self) -> Option<u64> {
        self.sharing().filter(|_| self.is_at_frontier()).map(Sharing::met)
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

    /// Returns whether the current candidate or value belongs to the part that is searched. One that is shorter than a piece is a piece of its own.
    #[inline]
    pub(crate) fn is_of_part(&mut self) -> bool {
        !matches!(self.given, Given::Frontier) || self.is_short_one_of_part()
    }

    #[inline(never)]
    fn is_short_one_of_part(&mut self) -> bool {
        let choices = self.stack.as_slice();
        let is_of = |part: Part| match choices {
            [] => part.has_piece(0, 0),
            [before @ .., last] => part.has_piece(digest(before.iter().map(Choice::index)), last.index()),
        };
        match self.frontier.as_mut().map(|frontier| &mut frontier.owner) {
            None | Some(Owner::Counted { .. }) => false,
            Some(Owner::Part(part)) => is_of(*part),
            Some(Owner::Thread(part, sharing)) => sharing.known(choices).unwrap_or_else(|| {
                let is_own = part.is_none_or(is_of) && sharing.meet(self.counters.explored);
                sharing.note_short(choices, is_own);
                is_own
            }),
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
        if let Owner::Counted { .. } = frontier.owner {
            // One candidate of each piece is run to its end: that takes less time than to unwind from the middle of it.
            if self.depth() + 1 == frontier.depth {
                self.count_pieces_from(slot, rule, fresh, index);
            }
            return Some(OwnIndex::Index(index));
        }
        let own = self.own_index_after(self.depth(), slot, rule, fresh, index);
        Some(own.map_or(OwnIndex::NotHere, |own| {
            self.leave_frontier();
            OwnIndex::Index(own)
        }))
    }

    /// Returns the first index from `index` on whose piece belongs to the part. `before` is the number of choices before.
    fn own_index_after(&mut self, before: usize, slot: SlotId, rule: SlotRule, fresh: u32, index: u32) -> Option<u32> {
        let prefix = digest(self.choices()[..before].iter().map(Choice::index));
        let mut next = Some(index);
        while let Some(index) = next {
            match &mut self.frontier.as_mut()?.owner {
                Owner::Part(part) if part.has_piece(prefix, index) => return next,
                Owner::Thread(part, sharing) => {
                    if part.is_none_or(|part| part.has_piece(prefix, index)) && sharing.meet(self.counters.explored) {
                        return next;
                    }
                }
                Owner::Part(_) => {}
                Owner::Counted { .. } => return None,
            }
            next = self.index_after(slot, rule, fresh, index);
        }
        None
    }

    /// Counts the pieces of a choice at the frontier, from an index on.
    fn count_pieces_from(&mut self, slot: SlotId, rule: SlotRule, fresh: u32, index: u32) {
        let mut next = Some(index);
        while let Some(index) = next {
            if let Some(Frontier { owner: Owner::Counted { pieces }, .. }) = &mut self.frontier {
                *pieces += 1;
            }
            next = self.index_after(slot, rule, fresh, index);
        }
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
            // Where no piece has begun since, the engine stops at every candidate as it is.
            if !matches!(self.given, Given::Frontier) {
                self.go_to_frontier();
            }
            return self.index_after(slot.id(), rule, fresh, index);
        }
        let next = self.index_after(slot.id(), rule, fresh, index)?;
        self.own_index_after(before, slot.id(), rule, fresh, next)
    }
}
