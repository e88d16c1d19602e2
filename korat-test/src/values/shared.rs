//! The values of a search that several threads share. Each thread has `Values` of its own, which decide alike: by what all have found together. A pass is divided
//! by pieces where the search is; elsewhere every thread generates the same values, and they are dealt by number.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use korat_core::{Counters, FieldUse, KeptValues, SearchError};

use super::standing::SharedStanding;
use super::{Next, Selection, Values};
use crate::config::Order;
use crate::shard::depth;
use crate::threads::{Before, KeptPiece, Kind, Merged, PieceOfPass, Place, Shared, dealt};
use keeping::Keeping;

mod keeping;
mod passes;
mod standing;

/// The number of pieces of a pass, at least and at most. The largest of them is what threads may have to wait for; a choice that ends pieces of other threads only
/// takes a thread about ten microseconds, because it unwinds from there.
const PIECES: (u64, u64) = (64, 4_096);

/// The candidates of the pass before for each piece of the next one, which has about twelve times as many: then passing over a piece takes a few percent of what
/// searching it does.
const CANDIDATES: u64 = 128;

/// The number of shorter candidates that may be run at one depth to count its pieces: a few milliseconds.
const SHORTER: u64 = 1 << 14;

/// How many values of other threads are passed over between two looks at the clock.
const PASSED_OVER: u32 = 256;

/// What one of several threads knows.
pub(crate) struct Member {
    shared: Arc<Shared>,
    index: usize,
    /// Whether passes are divided by pieces.
    is_by_pieces: bool,
    /// How many values are wanted of all threads together, if that is limited.
    limit: Option<u64>,
    /// The number of the current pass, and of the choices that make a piece of it.
    pass: u32,
    depth: usize,
    stage: Stage,
    /// Where the current value stands.
    place: Place,
    /// The values given so far, of all threads, by size; in a pass that is divided by pieces, those before it.
    given: BTreeMap<usize, u64>,
    /// The values that are dealt to this thread, by their numbers from the first dealt one on, and how many were given before that.
    dealt: Range<u64>,
    dealt_after: Option<u64>,
    /// Its own pieces with values in this pass.
    pieces: Vec<PieceOfPass>,
    kept: BTreeMap<usize, (KeptValues, Vec<KeptPiece>)>,
    /// The bytes of kept values by size of which the others do not know, and their sum.
    unreported: BTreeMap<usize, usize>,
    unreported_bytes: usize,
    /// The largest size of which values are kept.
    upto: usize,
    /// On how many values this thread ran the property.
    run: u64,
    /// Where an error ended the search, and what one thread has up to there.
    error_at: Option<(Place, Before)>,
    /// The candidates of all threads, once all have ended.
    explored: Option<u64>,
    /// What other threads found out about fields, and how many values they have checked.
    other_uses: FieldUse,
    other_checks: u64,
    /// What this thread keeps of its work, and where an earlier run stood, if that is kept.
    keeping: Option<Box<Keeping>>,
    resumed: Option<Arc<SharedStanding>>,
}

/// How values are shared at the moment.
enum Stage {
    /// All threads generate all of them.
    Dealt,
    /// By the pieces that find them.
    Pieces,
    /// The pieces are done; others may be at theirs.
    Arrived,
    /// The values that waited are taken from lists, in this order; the one at hand, and what is left of it.
    Waiting { merged: Arc<Merged>, order: Vec<usize>, at: usize, left: Range<usize> },
}

impl Member {
    pub(crate) fn new(shared: Arc<Shared>, index: usize, is_by_pieces: bool, limit: Option<u64>) -> Self {
        Member {
            shared,
            index,
            is_by_pieces,
            limit,
            pass: 0,
            depth: 1,
            stage: Stage::Dealt,
            place: Place::default(),
            given: BTreeMap::new(),
            dealt: 0..0,
            dealt_after: None,
            pieces: Vec::new(),
            kept: BTreeMap::new(),
            unreported: BTreeMap::new(),
            unreported_bytes: 0,
            upto: usize::MAX,
            run: 0,
            error_at: None,
            explored: None,
            other_uses: FieldUse::default(),
            other_checks: 0,
            keeping: None,
            resumed: None,
        }
    }

    /// Keeps what this thread has done, from where an earlier run stood, if there was one.
    pub(crate) fn keeping(self, resumed: Option<Arc<SharedStanding>>) -> Self {
        Member { keeping: Some(Box::default()), resumed, ..self }
    }

    /// Returns whether a value is dealt to this thread; `number` is its number, from 1.
    fn is_dealt(&mut self, number: u64) -> bool {
        let after = *self.dealt_after.get_or_insert(number - 1);
        if number <= after {
            return false;
        }
        let at = number - 1 - after;
        if at >= self.dealt.end {
            self.dealt = dealt(self.shared.numbers.take());
        }
        self.dealt.contains(&at) && !self.was_done(number)
    }
}

impl Values {
    /// Shares the values with other threads. Returns false if an earlier run cannot have stood where it says.
    pub(crate) fn share(&mut self, member: Member) -> Result<bool, SearchError> {
        self.member = Some(Box::new(member));
        self.go_on_shared().map(|goes_on| goes_on.is_some())
    }

    /// Begins the search anew, on one thread.
    pub(crate) fn unshare(&mut self) {
        (self.member, self.given, self.most) = (None, 0, Counters::default());
        self.searcher.restart();
        self.begin_pass();
    }

    /// Returns whether the pass is divided by pieces once a value is known. Before that, all threads look for the first value: if it comes late, sizes are
    /// given up.
    pub(super) fn divides_passes(&self) -> bool {
        let knows_order = self.order == Order::AsFound || self.has_met || self.given > 0;
        knows_order && self.member.as_ref().is_some_and(|member| member.is_by_pieces)
    }

    /// Begins a pass. Returns whether it is divided by pieces.
    pub(super) fn begin_shared(&mut self) -> bool {
        let divides = self.divides_passes();
        let Some(member) = &mut self.member else { return false };
        member.pass += 1;
        member.stage = if divides { Stage::Pieces } else { Stage::Dealt };
        if !divides {
            self.enter(Kind::Numbered);
            return false;
        }
        let resumed = member.resumed().filter(|_| member.pass == 1);
        let resumed_depth = resumed.and_then(|it| usize::try_from(it.depth).ok());
        let part = match self.selection {
            Selection::Part(part) => Some(part),
            Selection::All | Selection::Sample { .. } | Selection::Ranks(_) => None,
        };
        member.depth = match (resumed_depth, part) {
            (Some(depth), _) => depth,
            (None, Some(part)) => part.depth,
            (None, None) => {
                let (least, most) = PIECES;
                let wanted = if self.pass_explored == 0 { most } else { self.pass_explored / CANDIDATES };
                // A later pass has more pieces at each depth.
                depth(&mut self.searcher, (wanted.clamp(least, most), SHORTER), member.depth, &self.pass)
            }
        };
        self.searcher.restart();
        self.searcher.set_sizes(self.pass.clone());
        self.searcher.pause_every(self.pause);
        self.searcher.share_pieces(member.depth, part, member.shared.turns(member.pass));
        (member.pieces, member.kept, member.unreported) = Default::default();
        (member.unreported_bytes, member.upto) = (0, *self.pass.end());
        self.enter(Kind::Pieces);
        true
    }

    /// Advances to the next value of this thread.
    #[inline(never)]
    pub(super) fn next_own(&mut self) -> Result<Next, SearchError> {
        for _ in 0..PASSED_OVER {
            if self.is_over() {
                self.leave();
                return Ok(Next::Done);
            }
            // The caller ends the search there.
            if self.is_at_limit() {
                return Ok(Next::Paused);
            }
            let next = match self.next_of_all() {
                Ok(next) => next,
                Err(error) => {
                    let at = self.at_error();
                    self.leave();
                    self.member.iter_mut().for_each(|member| member.error_at.clone_from(&at));
                    return Err(error);
                }
            };
            self.hand_in_some();
            if !matches!(next, Next::Value) {
                return Ok(next);
            }
            if self.is_own() {
                if let Some(member) = &mut self.member {
                    member.run += 1;
                }
                // Nothing after what was found counts.
                if !self.member.as_ref().is_some_and(|member| member.shared.is_beyond(member.place)) {
                    self.note_running();
                    return Ok(Next::Value);
                }
            }
        }
        Ok(Next::Paused)
    }

    /// Hands in what this thread has found of a pass that it does not end.
    pub(crate) fn leave(&mut self) {
        self.deposit(false);
    }

    pub(super) fn is_at_limit(&self) -> bool {
        self.member.as_ref().is_some_and(|member| member.limit.is_some_and(|limit| self.given >= limit))
    }

    /// Returns whether nothing that this thread may still find counts.
    fn is_over(&self) -> bool {
        let Some(member) = self.member.as_ref().filter(|member| member.shared.may_be_over()) else { return false };
        let next = match member.stage {
            Stage::Pieces => self.place_in_search(),
            Stage::Arrived => Place::at_end_of_search(member.pass),
            Stage::Dealt | Stage::Waiting { .. } => member.place,
        };
        member.shared.is_stopped() || member.shared.is_beyond(next)
    }

    /// Returns where the search of a pass stands that is divided by pieces: in a piece after its last value, or before a piece.
    fn place_in_search(&self) -> Place {
        let Some(member) = &self.member else { return Place::default() };
        match self.searcher.met_between_pieces() {
            Some(piece) => Place { pass: member.pass, piece, ..Place::default() },
            None => self.place_in_piece(),
        }
    }

    /// Returns the place of the last value of the piece at hand.
    fn place_in_piece(&self) -> Place {
        let Some(member) = &self.member else { return Place::default() };
        let piece = self.searcher.pieces().last().map_or(0, |start| start.number);
        let number = member.values_of(piece).map(|(_, values)| values).sum();
        Place { pass: member.pass, piece, number, ..Place::default() }
    }

    /// Returns whether the current value is this thread's, and notes where it stands if it is known by its number.
    fn is_own(&mut self) -> bool {
        let number = self.given;
        let is_divided = self.is_divided();
        let Some(member) = &mut self.member else { return true };
        if is_divided {
            return !(matches!(member.stage, Stage::Pieces) && member.gave_at_once());
        }
        member.place = Place { pass: member.pass, is_numbered: true, number, ..Place::default() };
        member.is_dealt(number)
    }

    /// Returns whether each thread has values of its own at the moment.
    pub(super) fn is_divided(&self) -> bool {
        let is_dealt = self.member.as_ref().is_none_or(|member| matches!(member.stage, Stage::Dealt));
        !is_dealt && self.summarised.is_none()
    }

    /// Returns whether the value with a number, from 1, is this thread's.
    pub(super) fn is_dealt(&mut self, number: u64) -> bool {
        self.member.as_mut().is_none_or(|member| member.is_dealt(number))
    }

    /// Passes over values of summaries that are dealt to other threads.
    pub(super) fn skip_dealt(&mut self) {
        let (Some(member), Some(summarised)) = (&mut self.member, &mut self.summarised) else { return };
        let Some(after) = member.dealt_after else { return };
        let first = (after + member.dealt.start).min(member.limit.unwrap_or(u64::MAX));
        let to_skip = first.saturating_sub(self.given);
        if to_skip > 0 {
            let (skipped, size) = summarised.skip(to_skip);
            self.given += skipped;
            if skipped > 0 {
                *member.given.entry(size).or_default() += skipped;
            }
        }
    }

    /// Notes that a value was given. Returns whether its number is known, so that it counts for all threads.
    pub(super) fn give_shared(&mut self, size: usize) -> bool {
        let is_divided = self.is_divided();
        let Some(member) = &mut self.member else { return true };
        if !is_divided {
            *member.given.entry(size).or_default() += 1;
            return true;
        }
        if let Stage::Pieces = member.stage {
            let number = self.searcher.pieces().last().map_or(0, |start| start.number);
            if member.pieces.last().is_none_or(|piece| piece.number != number) {
                member.pieces.push(PieceOfPass { number, values: Vec::new() });
            }
            let values = member.pieces.last_mut().map(|piece| &mut piece.values);
            let Some(values) = values else { return false };
            match values.iter_mut().find(|(of, _)| *of == size) {
                Some((_, values)) => *values += 1,
                None => values.push((size, 1)),
            }
            let place = self.place_in_piece();
            self.member.iter_mut().for_each(|member| member.place = place);
        }
        false
    }
}

impl Member {
    /// Returns the values of an own piece that were given at once, by size.
    fn values_of(&self, piece: u64) -> impl Iterator<Item = (usize, u64)> {
        let last = self.pieces.last().filter(|last| last.number == piece);
        last.into_iter().flat_map(|last| last.values.iter().copied())
    }

    /// Returns the values given so far, by size, with those of a piece.
    fn by_size_with(&self, piece: u64) -> BTreeMap<usize, u64> {
        let mut by_size = self.given.clone();
        for (size, values) in self.values_of(piece) {
            *by_size.entry(size).or_default() += values;
        }
        by_size
    }
}
