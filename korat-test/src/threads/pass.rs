//! One pass over sizes that threads divide by pieces: what each has found, and what that is together.

use std::collections::BTreeMap;
use std::ops::Range;

use korat_core::{Counters, KeptValues, PieceStart, Turns};

use super::dealt;
use super::ledger::{DonePiece, PassCounts};

/// A piece, and the values of it that were given at once, by size.
pub(crate) struct PieceOfPass {
    pub(crate) number: u64,
    pub(crate) values: Vec<(usize, u64)>,
}

/// Where the values of a piece begin among those that a thread keeps.
#[derive(Clone, Copy, Debug)]
pub(crate) struct KeptPiece {
    pub(crate) number: u64,
    pub(crate) first: usize,
}

/// What a thread has found in a pass, as far as it came.
#[derive(Default)]
pub(crate) struct Deposit {
    pub(crate) counters: Counters,
    pub(crate) compared: u64,
    pub(crate) hit_size_bound: bool,
    pub(crate) starts: Vec<PieceStart>,
    pub(crate) pieces: Vec<PieceOfPass>,
    /// The values that wait, by size, with the pieces that they are of.
    pub(crate) kept: BTreeMap<usize, (KeptValues, Vec<KeptPiece>)>,
}

impl Deposit {
    /// Returns what an earlier run has found in these pieces.
    pub(super) fn of_before(pieces: &[DonePiece], counts: PassCounts) -> Self {
        let mut deposit = Deposit {
            counters: Counters { field_inits: counts.field_inits, undo_ops: counts.undo_ops, ..Counters::default() },
            compared: counts.compared,
            hit_size_bound: counts.hit_size_bound,
            ..Deposit::default()
        };
        for DonePiece { numbers, explored, values } in pieces {
            let number = numbers.end - 1;
            deposit.starts.push(PieceStart { number, explored: deposit.counters.explored });
            deposit.pieces.push(PieceOfPass { number, values: values.clone() });
            deposit.counters.explored += explored;
        }
        deposit
    }

    /// Returns how many candidates were explored before a piece.
    fn explored_before(&self, piece: u64) -> u64 {
        let ends = self.starts.iter().skip(1).map(|start| start.explored).chain([self.counters.explored]);
        let explored = self.starts.iter().zip(ends).take_while(|(start, _)| start.number < piece);
        explored.map(|(start, end)| end - start.explored).sum()
    }

    fn values(&self) -> impl Iterator<Item = (u64, usize, u64)> {
        self.pieces.iter().flat_map(|piece| piece.values.iter().map(|(size, values)| (piece.number, *size, *values)))
    }
}

/// Values of one size that one thread found.
pub(crate) struct KeptList {
    pub(crate) size: usize,
    pub(crate) finder: usize,
    values: KeptValues,
    /// For each piece, where its values begin, and how many of all values come before them.
    pieces: Vec<(usize, u64)>,
    /// Which of them are dealt with.
    pub(crate) turns: Turns,
}

impl KeptList {
    pub(crate) fn values(&self) -> &KeptValues {
        &self.values
    }

    /// Returns the number of a value in the whole search; the first is 1.
    pub(crate) fn number(&self, at: usize) -> u64 {
        let piece = self.pieces.partition_point(|(first, _)| *first <= at) - 1;
        let (first, before) = self.pieces[piece];
        before + (at - first) as u64 + 1
    }

    /// Takes some of the values. Returns the first of them and the one after them, `None` if all are taken.
    pub(crate) fn take(&self) -> Option<(usize, usize)> {
        let Range { start, end } = dealt(self.turns.take());
        let first = usize::try_from(start).ok().filter(|first| *first < self.values.len())?;
        Some((first, self.values.len().min(end as usize)))
    }
}

/// What all threads have found in a pass.
pub(crate) struct Merged {
    pub(crate) counters: Counters,
    pub(crate) compared: u64,
    pub(crate) hit_size_bound: bool,
    /// The values of all passes so far, by size, and without those that wait in this one.
    pub(crate) given_at_once: BTreeMap<usize, u64>,
    /// The values that wait, smallest first.
    pub(crate) lists: Vec<KeptList>,
    /// The values of all passes up to the end of this one.
    pub(crate) given: BTreeMap<usize, u64>,
}

impl Merged {
    /// Returns the values up to the one with a number, which waited, by size.
    pub(crate) fn up_to(&self, number: u64) -> BTreeMap<usize, u64> {
        let mut by_size = self.given_at_once.clone();
        let mut left = number - by_size.values().sum::<u64>();
        for (size, all) in &self.given {
            let of_size = by_size.entry(*size).or_default();
            let waited = left.min(all - *of_size);
            *of_size += waited;
            left -= waited;
        }
        by_size.retain(|_, values| *values > 0);
        by_size
    }

    /// Puts together what threads have found in a pass up to a size, where these values were given before.
    pub(super) fn of(deposits: &mut [Option<Deposit>], upto: usize, before: &BTreeMap<usize, u64>) -> Self {
        let mut given = before.clone();
        let (mut counters, mut compared, mut hit_size_bound) = (Counters::default(), 0, false);
        // By size and piece, the thread, where its values begin, and how many there are.
        let mut waiting: BTreeMap<(usize, u64), (usize, usize, u64)> = BTreeMap::new();
        let mut lists = Vec::new();
        for (finder, deposit) in deposits.iter_mut().enumerate() {
            let Some(deposit) = deposit else { continue };
            counters = sum(counters, deposit.counters);
            compared += deposit.compared;
            hit_size_bound |= deposit.hit_size_bound;
            for (_, size, values) in deposit.values() {
                *given.entry(size).or_default() += values;
            }
            for (size, (values, pieces)) in std::mem::take(&mut deposit.kept) {
                if size > upto {
                    continue;
                }
                let ends = pieces.iter().skip(1).map(|piece| piece.first).chain([values.len()]);
                for (piece, end) in pieces.iter().zip(ends) {
                    waiting.insert((size, piece.number), (finder, piece.first, (end - piece.first) as u64));
                }
                lists.push(KeptList { size, finder, values, pieces: Vec::new(), turns: Turns::default() });
            }
        }
        lists.sort_by_key(|list| (list.size, list.finder));
        let given_at_once = given.clone();
        let mut number: u64 = given.values().sum();
        for ((size, _), (finder, first, values)) in waiting {
            let list = lists.iter_mut().find(|list| (list.size, list.finder) == (size, finder));
            list.into_iter().for_each(|list| list.pieces.push((first, number)));
            number += values;
            *given.entry(size).or_default() += values;
        }
        Merged { counters, compared, hit_size_bound, given_at_once, lists, given }
    }
}

/// Adds what two threads have counted.
pub(crate) fn sum(one: Counters, other: Counters) -> Counters {
    Counters {
        explored: one.explored + other.explored,
        valid: one.valid + other.valid,
        field_inits: one.field_inits + other.field_inits,
        undo_ops: one.undo_ops + other.undo_ops,
    }
}

/// What happened in a pass before a piece of it: candidates, and values that were given at once, by size.
pub(super) fn before_piece(deposits: &[Option<Deposit>], piece: u64) -> (u64, BTreeMap<usize, u64>) {
    let mut given = BTreeMap::new();
    let mut explored = 0;
    for deposit in deposits.iter().flatten() {
        explored += deposit.explored_before(piece);
        for (_, size, values) in deposit.values().filter(|(number, ..)| *number < piece) {
            *given.entry(size).or_default() += values;
        }
    }
    (explored, given)
}
