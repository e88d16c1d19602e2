//! What the threads of a search have completely dealt with, so that a checkpoint can leave it out. Each thread hands in what it has done since the last time; what
//! is under way is in nobody's account.

use std::collections::BTreeMap;
use std::ops::Range;

use korat_core::FieldUse;

use super::ranges::Ranges;
use crate::stats::Stats;

/// How the values of a stretch of the search are known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    /// By the pieces that they are found in.
    Pieces,
    /// By their numbers: they waited for the end of a pass.
    Waiting,
    /// By their numbers: summaries have them.
    Summaries,
    /// By their numbers, from the first value of the search on.
    #[default]
    Numbered,
}

/// A stretch of the search; stretches follow each other in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Stretch {
    pub(crate) pass: u32,
    pub(crate) kind: Kind,
}

impl Stretch {
    /// What earlier runs have done comes before everything else.
    const BEFORE: Stretch = Stretch { pass: 0, kind: Kind::Pieces };
}

/// One piece of a pass that is done, or several in a row.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct DonePiece {
    pub(crate) numbers: Range<u64>,
    pub(crate) explored: u64,
    /// The values that were given at once, by size.
    pub(crate) values: Vec<(usize, u64)>,
}

/// What was counted in a pass beside its pieces, up to the end of the last piece of each thread.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct PassCounts {
    pub(crate) field_inits: u64,
    pub(crate) undo_ops: u64,
    pub(crate) compared: u64,
    pub(crate) hit_size_bound: bool,
}

/// What a thread has done since it handed in something.
#[derive(Default)]
pub(crate) struct Done {
    /// The numbers of values, and how many there are of each size.
    pub(crate) numbers: Vec<u64>,
    pub(crate) by_size: BTreeMap<usize, u64>,
    pub(crate) pieces: Vec<DonePiece>,
    pub(crate) counts: PassCounts,
    pub(crate) stats: Stats,
    pub(crate) uses: FieldUse,
    /// How many values were checked.
    pub(crate) checked: u64,
}

/// What all threads have done.
#[derive(Default)]
pub(crate) struct Ledger {
    numbers: BTreeMap<Stretch, Ranges>,
    by_size: BTreeMap<Stretch, BTreeMap<usize, u64>>,
    stats: BTreeMap<Stretch, Stats>,
    passes: BTreeMap<u32, (BTreeMap<u64, DonePiece>, PassCounts)>,
    pub(crate) uses: FieldUse,
    pub(crate) checked: u64,
}

impl Ledger {
    /// Goes on with what earlier runs have done.
    pub(crate) fn of_before(done: Done, numbers: Ranges) -> Self {
        let mut ledger = Ledger::default();
        ledger.numbers.insert(Stretch::BEFORE, numbers);
        let pieces = done.pieces.into_iter().map(|piece| (piece.numbers.start, piece)).collect();
        ledger.passes.insert(1, (pieces, done.counts));
        ledger.add(Stretch::BEFORE, Done { pieces: Vec::new(), counts: PassCounts::default(), ..done });
        ledger
    }

    pub(crate) fn add(&mut self, stretch: Stretch, done: Done) {
        let numbers = self.numbers.entry(stretch).or_default();
        done.numbers.into_iter().for_each(|number| numbers.add(number..number + 1));
        let by_size = self.by_size.entry(stretch).or_default();
        for (size, values) in done.by_size {
            *by_size.entry(size).or_default() += values;
        }
        if stretch.kind == Kind::Pieces {
            let (pieces, counts) = self.passes.entry(stretch.pass).or_default();
            pieces.extend(done.pieces.into_iter().map(|piece| (piece.numbers.start, piece)));
            counts.field_inits += done.counts.field_inits;
            counts.undo_ops += done.counts.undo_ops;
            counts.compared += done.counts.compared;
            counts.hit_size_bound |= done.counts.hit_size_bound;
        }
        self.stats.entry(stretch).or_default().add(done.stats);
        self.uses.merge(done.uses);
        self.checked += done.checked;
    }

    /// Returns the pieces of a pass that are done. Those at its beginning are one: nothing is found before their end any more.
    pub(crate) fn pieces(&self, pass: u32) -> (Vec<DonePiece>, PassCounts) {
        let Some((pieces, counts)) = self.passes.get(&pass) else { return Default::default() };
        let mut all: Vec<DonePiece> = Vec::new();
        for piece in pieces.values() {
            match all.first_mut().filter(|first| first.numbers.start == 0 && first.numbers.end == piece.numbers.start) {
                Some(first) => {
                    first.numbers.end = piece.numbers.end;
                    first.explored += piece.explored;
                    add_values(&mut first.values, &piece.values);
                }
                None => all.push(piece.clone()),
            }
        }
        (all, *counts)
    }

    /// Returns the numbers of the values up to the end of a stretch that are done.
    pub(crate) fn numbers(&self, upto: Stretch) -> Ranges {
        self.numbers.range(..=upto).flat_map(|(_, numbers)| numbers.within(0..u64::MAX)).collect()
    }

    /// Returns the values up to the end of a stretch that are done, by size.
    pub(crate) fn by_size(&self, upto: Stretch) -> BTreeMap<usize, u64> {
        let mut all = BTreeMap::new();
        let numbered =
            self.by_size.range(..=upto).flat_map(|(_, sizes)| sizes.iter().map(|(size, values)| (*size, *values)));
        let passes = self.passes.iter().filter(|(pass, _)| Stretch { pass: **pass, kind: Kind::Pieces } <= upto);
        let pieces = passes.flat_map(|(_, (pieces, _))| pieces.values()).flat_map(|piece| piece.values.iter().copied());
        for (size, values) in numbered.chain(pieces) {
            *all.entry(size).or_default() += values;
        }
        all
    }

    /// Returns the labels of values up to the end of a stretch that are done.
    pub(crate) fn stats(&self, upto: Option<Stretch>) -> Stats {
        let mut all = Stats::default();
        let stretches = self.stats.iter().filter(|(stretch, _)| upto.is_none_or(|upto| **stretch <= upto));
        stretches.for_each(|(_, stats)| all.add(stats.clone()));
        all
    }
}

fn add_values(all: &mut Vec<(usize, u64)>, more: &[(usize, u64)]) {
    for (size, values) in more {
        match all.iter_mut().find(|(of, _)| of == size) {
            Some((_, all)) => *all += values,
            None => all.push((*size, *values)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A thread may still be at its tables when others have values of them.
    #[test]
    fn what_comes_after_a_stretch_is_not_told_with_it() {
        let (first, later) = (Stretch { pass: 0, kind: Kind::Numbered }, Stretch { pass: 1, kind: Kind::Summaries });
        let mut ledger = Ledger::default();
        ledger.add(later, Done { numbers: vec![3, 2], by_size: [(1, 2)].into(), ..Done::default() });
        let told = |ledger: &Ledger, upto| {
            let numbers: Vec<u64> = (0..9).filter(|number| ledger.numbers(upto).contains(*number)).collect();
            (numbers, ledger.by_size(upto).values().sum::<u64>())
        };
        assert_eq!((told(&ledger, first), told(&ledger, later)), ((vec![], 0), (vec![2, 3], 2)));
        ledger.add(first, Done { numbers: vec![1], by_size: [(0, 1)].into(), ..Done::default() });
        assert_eq!((told(&ledger, first), told(&ledger, later)), ((vec![1], 1), (vec![1, 2, 3], 3)));
    }
}
