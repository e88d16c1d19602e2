//! The values of a search that several threads share. Each thread has `Values` of its own, which decide alike: by what all have found together. A pass is divided
//! by pieces where the search is; elsewhere every thread generates the same values, and they are dealt by number.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;
use std::time::Instant;

use korat_core::{FieldUse, KeptValues, SearchError};

use super::{Next, Selection, Values};
use crate::config::Order;
use crate::shard::depth;
use crate::threads::{Before, DEALT, Deposit, KeptPiece, Merged, PieceOfPass, Place, Shared};

/// The number of pieces of a pass. Each takes a thread about a microsecond if another one does it; the largest of them is what threads may have to wait for.
const PIECES: u64 = 4_096;

/// How many bytes of values a thread keeps before it asks whether there is room for more.
const UNREPORTED: usize = 256 << 10;

/// How many values of other threads are passed over between two looks at the clock.
const PASSED_OVER: u32 = 256;

/// What one of several threads knows.
pub(crate) struct Member {
    shared: Arc<Shared>,
    index: usize,
    /// Whether passes are divided by pieces.
    is_by_pieces: bool,
    /// The number of the current pass.
    pass: u32,
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
    /// The candidates of all threads, once all have ended.
    explored: Option<u64>,
    /// What other threads found out about fields, and how many values they have checked.
    other_uses: FieldUse,
    other_checks: u64,
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
    pub(crate) fn new(shared: Arc<Shared>, index: usize, is_by_pieces: bool) -> Self {
        Member {
            shared,
            index,
            is_by_pieces,
            pass: 0,
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
            explored: None,
            other_uses: FieldUse::default(),
            other_checks: 0,
        }
    }

    /// Returns whether a value is dealt to this thread; `number` is its number, from 1.
    fn is_dealt(&mut self, number: u64) -> bool {
        let at = number - 1 - *self.dealt_after.get_or_insert(number - 1);
        if at >= self.dealt.end {
            let first = self.shared.numbers.take() * DEALT;
            self.dealt = first..first + DEALT;
        }
        self.dealt.contains(&at)
    }
}

impl Values {
    /// Shares the values with other threads.
    pub(crate) fn share(&mut self, member: Member) {
        self.member = Some(Box::new(member));
        self.begin_search();
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
            return false;
        }
        let part = match self.selection {
            Selection::Part(part) => Some(part),
            Selection::All | Selection::Sample { .. } | Selection::Ranks(_) => None,
        };
        let depth = part.map_or_else(|| depth(&mut self.searcher, PIECES, &self.pass), |part| part.depth);
        self.searcher.restart();
        self.searcher.set_sizes(self.pass.clone());
        self.searcher.pause_every(self.pause);
        self.searcher.share_pieces(depth, part, member.shared.turns(member.pass));
        (member.pieces, member.kept, member.unreported) = Default::default();
        (member.unreported_bytes, member.upto) = (0, *self.pass.end());
        true
    }

    /// Advances to the next value of this thread.
    #[inline(never)]
    pub(super) fn next_own(&mut self) -> Result<Next, SearchError> {
        for _ in 0..PASSED_OVER {
            if self.is_over() {
                self.deposit(false);
                return Ok(Next::Done);
            }
            let next = self.next_of_all()?;
            if !matches!(next, Next::Value) {
                return Ok(next);
            }
            if self.is_own() {
                if let Some(member) = &mut self.member {
                    member.run += 1;
                }
                // Nothing after what was found counts.
                if !self.member.as_ref().is_some_and(|member| member.shared.is_beyond(member.place)) {
                    return Ok(Next::Value);
                }
            }
        }
        Ok(Next::Paused)
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
            return true;
        }
        member.place = Place { pass: member.pass, is_numbered: true, number, ..Place::default() };
        member.is_dealt(number)
    }

    fn is_divided(&self) -> bool {
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
        let to_skip = member.dealt.start.saturating_sub(self.given - after);
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

    /// Keeps the current value until all threads are done with the pass, if it is divided by pieces. Returns whether it is.
    pub(super) fn keep_shared(&mut self, size: usize) -> bool {
        let end = *self.pass.end();
        let Some(member) = self.member.as_mut().filter(|member| matches!(member.stage, Stage::Pieces)) else {
            return false;
        };
        if size > member.upto {
            return true;
        }
        let number = self.searcher.pieces().last().map_or(0, |start| start.number);
        let (kept, pieces) = member.kept.entry(size).or_default();
        if pieces.last().is_none_or(|piece| piece.number != number) {
            pieces.push(KeptPiece { number, first: kept.len() });
        }
        let before = kept.bytes();
        self.searcher.keep(kept);
        let bytes = kept.bytes() - before;
        *member.unreported.entry(size).or_default() += bytes;
        member.unreported_bytes += bytes;
        if member.unreported_bytes > UNREPORTED {
            member.report_waiting(end, self.most_waiting);
        }
        true
    }

    /// Hands in what this thread has found in a pass that is divided by pieces, once it is done with it or if it leaves it. Returns whether it is one.
    pub(super) fn deposit(&mut self, is_done: bool) -> bool {
        let (counters, compared) = (self.searcher.counters(), self.searcher.checked().compared);
        let (end, most) = (*self.pass.end(), self.most_waiting);
        let Some(member) = self.member.as_mut().filter(|member| matches!(member.stage, Stage::Pieces)) else {
            return false;
        };
        member.report_waiting(end, most);
        let deposit = Deposit {
            counters,
            compared,
            hit_size_bound: self.searcher.hit_size_bound(),
            starts: self.searcher.pieces().to_vec(),
            pieces: std::mem::take(&mut member.pieces),
            kept: if is_done { std::mem::take(&mut member.kept) } else { BTreeMap::new() },
        };
        member.shared.deposit(member.pass, member.index, deposit, (&member.given, end), is_done);
        member.stage = Stage::Arrived;
        true
    }

    /// Waits for the others at the end of a pass that is divided by pieces. Returns what the caller is to do meanwhile.
    pub(super) fn wait_for_others(&mut self) -> Option<Next> {
        let member = self.member.as_mut().filter(|member| matches!(member.stage, Stage::Arrived))?;
        let Some((merged, upto)) = member.shared.merged(member.pass) else { return Some(Next::Paused) };
        let mut order: Vec<usize> = (0..merged.lists.len()).collect();
        // Its own values of a size come first: it has them at hand.
        order.sort_by_key(|at| (merged.lists[*at].size, merged.lists[*at].finder != member.index));
        let (counters, compared) = (merged.counters, merged.compared);
        self.ran_out = upto < *self.pass.end();
        self.was_cut |= merged.hit_size_bound || self.ran_out;
        self.pass = *self.pass.start()..=upto;
        member.stage = Stage::Waiting { merged, order, at: 0, left: 0..0 };
        if !self.ran_out {
            self.pass_explored = counters.explored;
        }
        if counters.explored >= self.most.explored {
            self.most = counters;
            self.found.compared = compared;
        }
        self.draining = true;
        (self.since, self.given_before) = (Instant::now(), self.given);
        None
    }

    /// Takes the next value that waited, of those that all threads have found. Returns whether there is one; `None` if this pass is not divided by pieces.
    pub(super) fn take_shared_waiting(&mut self) -> Option<bool> {
        let member = self.member.as_mut()?;
        let Stage::Waiting { merged, order, at, left } = &mut member.stage else { return None };
        while let Some(list) = order.get(*at).map(|list| &merged.lists[*list]) {
            let taken = left.next().or_else(|| {
                let (first, end) = list.take()?;
                *left = first + 1..end;
                Some(first)
            });
            let Some(taken) = taken else {
                *at += 1;
                continue;
            };
            let number = list.number(taken);
            member.place = Place { pass: member.pass, is_numbered: true, number, ..Place::default() };
            if member.shared.is_beyond(member.place) {
                *left = 0..0;
                *at += 1;
                continue;
            }
            self.searcher.go_to(list.values(), taken);
            self.size = list.size;
            return Some(true);
        }
        member.given.clone_from(&merged.given);
        self.given = merged.given.values().sum();
        Some(false)
    }

    /// Returns where the current value stands, and what one thread has up to there.
    pub(crate) fn at_value(&self) -> (Place, Before) {
        let Some(member) = &self.member else { return Default::default() };
        let place = member.place;
        let by_size = match &member.stage {
            Stage::Waiting { merged, .. } if self.summarised.is_none() => merged.up_to(place.number),
            Stage::Pieces => member.by_size_with(place.piece),
            Stage::Dealt | Stage::Arrived | Stage::Waiting { .. } => member.by_size_with(u64::MAX),
        };
        let explored = match member.stage {
            Stage::Pieces => self.explored_in_piece(),
            Stage::Dealt | Stage::Arrived | Stage::Waiting { .. } => self.counters().explored,
        };
        (place, Before { explored, most: self.most.explored, by_size })
    }

    /// Returns where the search stands that has ended with an error, and what one thread has up to there.
    pub(crate) fn at_error(&self) -> (Place, Before) {
        let Some(member) = &self.member else { return Default::default() };
        let (place, explored) = match member.stage {
            Stage::Pieces if self.searcher.met_between_pieces().is_some() => (self.place_in_search(), 0),
            Stage::Pieces => (self.place_in_piece(), self.explored_in_piece()),
            Stage::Dealt | Stage::Arrived | Stage::Waiting { .. } => {
                let place = Place { pass: member.pass, is_numbered: true, number: self.given, ..Place::default() };
                (place, self.counters().explored)
            }
        };
        let by_size = member.by_size_with(if place.is_numbered { u64::MAX } else { place.piece });
        (place.after(), Before { explored, most: self.most.explored, by_size })
    }

    fn explored_in_piece(&self) -> u64 {
        let start = self.searcher.pieces().last();
        start.map_or(0, |start| self.searcher.counters().explored - start.explored)
    }

    /// Notes how far this thread is. Returns the candidates and values of all threads so far; `None` if there are no others.
    pub(crate) fn progress_of_all(&self) -> Option<(u64, u64)> {
        let member = self.member.as_ref()?;
        let now = self.searcher.counters().explored;
        // Where every thread tries all candidates, those of one count.
        let explored = if self.is_divided() || member.index == 0 { now } else { 0 };
        member.shared.note_progress(member.index, explored, member.run);
        let (explored, values) = member.shared.progress();
        Some((explored.max(self.most.explored), values))
    }

    /// Returns the candidates that all threads have tried when the search was stopped.
    pub(crate) fn explored_when_stopped(&self) -> u64 {
        let explored = self.member.as_ref().map_or(0, |member| member.shared.explored_in(member.pass));
        explored.max(self.counters().explored)
    }

    /// Sets how many values and candidates all threads have found.
    pub(crate) fn set_total(&mut self, given: u64, explored: u64) {
        self.given = given;
        self.member.iter_mut().for_each(|member| member.explored = Some(explored));
    }

    /// Returns how many candidates all threads have tried, once that is known.
    pub(super) fn explored_by_all(&self) -> Option<u64> {
        self.member.as_ref()?.explored
    }

    /// Returns what other threads have found out about fields, and how many values they have checked.
    pub(crate) fn findings_of_others(&self) -> (FieldUse, u64) {
        self.member.as_ref().map_or_else(Default::default, |member| (member.other_uses.clone(), member.other_checks))
    }

    /// Returns how much is left of values that waited, and how much is done.
    pub(super) fn shared_waiting(&self) -> Option<(u64, u64)> {
        let member = self.member.as_ref()?;
        let Stage::Waiting { merged, .. } = &member.stage else { return None };
        let (first, last) = (merged.given_at_once.values().sum::<u64>(), merged.given.values().sum::<u64>());
        let at = member.place.number.clamp(first, last);
        Some((at - first, last - at))
    }

    /// Adds what another thread has found out about fields, and the values that it has checked.
    pub(crate) fn add_findings(&mut self, uses: FieldUse, checked: u64) {
        if let Some(member) = &mut self.member {
            member.other_uses.merge(uses);
            member.other_checks += checked;
        }
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

    /// Tells the others how many bytes are kept; drops values that do not fit.
    fn report_waiting(&mut self, end: usize, most: usize) {
        self.upto = self.shared.report_waiting(self.pass, end, &self.unreported, most);
        self.unreported.clear();
        self.unreported_bytes = 0;
        let upto = self.upto;
        self.kept.retain(|size, _| *size <= upto);
    }
}
