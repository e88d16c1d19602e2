//! Passes that threads divide by pieces: the values that wait for their end, and what each thread hands in.

use std::collections::BTreeMap;
use std::time::Instant;

use super::{Member, Stage, Values};
use crate::threads::{Deposit, KeptPiece, Kind, Place};
use crate::values::Next;

/// How many bytes of values a thread keeps before it asks whether there is room for more.
const UNREPORTED: usize = 256 << 10;

impl Values {
    /// Keeps the current value until all threads are done with the pass, if it is divided by pieces. Returns whether it is.
    pub(crate) fn keep_shared(&mut self, size: usize) -> bool {
        let (end, most) = (*self.pass.end(), self.most_waiting);
        let Some(member) = self.member.as_mut().filter(|member| matches!(member.stage, Stage::Pieces)) else {
            return false;
        };
        if size > member.upto || self.leaves_waiting {
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
            member.report_waiting(end, most);
        }
        true
    }

    /// Hands in what this thread has found in a pass that is divided by pieces, once it is done with it or if it leaves it. Returns whether it is one.
    pub(crate) fn deposit(&mut self, is_done: bool) -> bool {
        self.hand_in(is_done);
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
    pub(crate) fn wait_for_others(&mut self) -> Option<Next> {
        let member = self.member.as_mut().filter(|member| matches!(member.stage, Stage::Arrived))?;
        let Some((merged, upto)) = member.shared.merged(member.pass) else { return Some(Next::Paused) };
        let mut order: Vec<usize> = (0..merged.lists.len()).collect();
        // Its own values of a size come first: it has them at hand.
        order.sort_by_key(|at| (merged.lists[*at].size, merged.lists[*at].finder != member.index));
        let (counters, compared) = (merged.counters, merged.compared);
        self.ran_out = upto < *self.pass.end();
        self.has_met &= !merged.given.is_empty();
        self.was_cut |= merged.hit_size_bound || self.ran_out || self.leaves_waiting;
        self.planned = *self.planned.start()..=upto;
        self.pass = *self.pass.start()..=if self.leaves_waiting { *self.pass.start() } else { upto };
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
        self.enter(Kind::Waiting);
        None
    }

    /// Takes the next value that waited, of those that all threads have found. Returns whether there is one; `None` if this pass is not divided by pieces.
    pub(crate) fn take_shared_waiting(&mut self) -> Option<bool> {
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
            if member.resumed.as_ref().is_some_and(|resumed| resumed.numbers.contains(number)) {
                continue;
            }
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
}

impl Member {
    /// Tells the others how many bytes are kept; drops values that do not fit.
    fn report_waiting(&mut self, end: usize, most: usize) {
        // What waited in an earlier run has room.
        let most = if self.gave_at_once() { usize::MAX } else { most };
        self.upto = self.shared.report_waiting(self.pass, end, &self.unreported, most);
        self.unreported.clear();
        self.unreported_bytes = 0;
        let upto = self.upto;
        self.kept.retain(|size, _| *size <= upto);
    }
}
