//! How a search is divided: into ranges of ranks where summaries number the values, and into pieces of the tree of choices elsewhere.
//! Every shard decides alike: by numbers of runs and candidates, never by the clock or by what it finds itself.

use std::fmt;
use std::ops::{Range, RangeInclusive};

use korat_core::{Natural, Part, SelfCheck, Settings, Solving, UntypedSearcher};

use super::Shard;
use crate::config::{Config, Summaries};
use crate::error::Error;
use crate::subject::Subject;
use crate::summarised::{TRIAL, objects_of, random_word};
use crate::values::Selection;

/// The number of runs of parts that may find summaries, once a trial has shown that they gain something: half a second, in every shard.
const RUNS: u64 = 200_000;

/// The number of pieces for each shard. Eight shards of the literature's subjects then differ by at most 1.13 in candidates, and with 512 pieces by up to 4:
/// `examples/tests/shards.rs`.
const PIECES_PER_SHARD: u64 = 8_192;

/// The number of candidates that may be run at one depth to count its pieces: a tenth of a second.
const COUNTING: u64 = 1 << 20;

/// The most choices that make a piece: a list whose choices mostly end it gains only a few pieces with each.
const MOST_CHOICES: usize = 256;

/// How a search is divided into [shards](Shard).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Division {
    /// By the first choices of a candidate. The counts of all shards add up to those of the whole search: candidates, values, and values by size. Fields that
    /// are initialised above the pieces count in every shard.
    Pieces,
    /// By the values, because the search may find one value in several ways, up to the order of elements that have none. Values add up; every shard explores
    /// all candidates.
    Values,
    /// By ranks of values, which summaries number. Values add up; every shard summarises the whole structure.
    Ranks,
    /// By the number of values to draw at random: every shard draws its share with a seed of its own.
    Sample,
}

impl fmt::Display for Division {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Division::Pieces => "divided by first choices",
            Division::Values => "divided by values, every shard explores all candidates",
            Division::Ranks => "divided by ranks, every shard summarises the whole",
            Division::Sample => "divided by the number of values to draw",
        })
    }
}

/// What one shard does of a search.
#[derive(Clone, Debug, Default)]
pub(crate) struct Share {
    pub(crate) division: Option<Division>,
    /// Which of the values are its own, if all are wanted.
    pub(crate) selection: Option<Selection>,
}

impl Share {
    /// Returns the share of the shard in the settings, if there is one; where only some values are wanted, the settings then ask for fewer.
    pub(crate) fn of(subject: &Subject, config: &mut Config) -> Result<Share, Error> {
        let Some(shard) = config.shard else { return Ok(Share::default()) };
        if let Some(sample) = config.sample {
            let (of, at) = (u64::from(shard.of), u64::from(shard.at()));
            config.sample = Some(sample / of + u64::from(at < sample % of));
            let mut seed = config.seed.wrapping_add(at);
            config.seed = random_word(&mut seed);
            return Ok(Share { division: Some(Division::Sample), selection: None });
        }
        if let Some(Range { start, end }) = &config.ranks {
            let length = if start < end { end.clone() - start } else { Natural::ZERO };
            let Range { start: first, end: last } = range(shard, &length);
            config.ranks = Some(sum(start, &first)..sum(start, &last));
            return Ok(Share { division: Some(Division::Ranks), selection: None });
        }
        let settings = Settings { self_check: SelfCheck::Off, ..config.settings() };
        let sizes = config.sizes.range(subject.scope);
        let mut searcher = subject.searcher(settings).map_err(|error| Error::search(error, 0, 0))?;
        if let Some(total) = summarised(&mut searcher, config.summaries, &sizes) {
            let selection = Some(Selection::Ranks(range(shard, &total)));
            return Ok(Share { division: Some(Division::Ranks), selection });
        }
        let remembers = searcher.remembers_values();
        let depth = if remembers {
            0
        } else {
            depth(&mut searcher, (u64::from(shard.of) * PIECES_PER_SHARD, COUNTING), 1, &sizes)
        };
        let division = if remembers { Division::Values } else { Division::Pieces };
        let part = Part { index: shard.at(), of: shard.of, depth };
        Ok(Share { division: Some(division), selection: Some(Selection::Part(part)) })
    }
}

impl Share {
    /// Returns the ranks of the values, if they are numbered and all are wanted.
    pub(crate) fn ranks(&self) -> Option<Range<Natural>> {
        let Some(Selection::Ranks(ranks)) = &self.selection else { return None };
        Some(ranks.clone())
    }

    /// Returns how many of the values of each size have a rank of the share; `numbers` are those of the whole search, smallest first.
    pub(crate) fn of_numbers(&self, numbers: Vec<(usize, Natural)>) -> Vec<(usize, Natural)> {
        let Some(Range { start, end }) = self.ranks() else { return numbers };
        let (mut first, mut own) = (Natural::ZERO, Vec::new());
        for (size, values) in numbers {
            let last = sum(&first, &values);
            let (from, to) = ((&first).max(&start), (&last).min(&end));
            if from < to {
                own.push((size, to.clone() - from));
            }
            first = last;
        }
        own
    }
}

/// Returns the number of values, if summaries find it with as many runs as every shard makes.
fn summarised(searcher: &mut UntypedSearcher, when: Summaries, sizes: &RangeInclusive<usize>) -> Option<Natural> {
    if when == Summaries::Never || searcher.has_filter() {
        return None;
    }
    let objects = objects_of(*sizes.end());
    let first = if when == Summaries::Always { u64::MAX } else { TRIAL };
    let is_done = searcher.summarise(objects, first, Solving::AtOnce).ok()?
        || searcher.summary_effort().has_repeated_calls() && searcher.summarise(objects, RUNS, Solving::AtOnce).ok()?;
    let numbers = is_done.then(|| searcher.summarised_numbers())?;
    Some(numbers.into_iter().filter(|(size, _)| sizes.contains(size)).map(|(_, values)| values).sum())
}

/// Returns the smallest number of choices, from `first` on, that gives as many pieces as wanted, or the one that gives most of those tried: counting them may take
/// so many shorter candidates for each. A predicate that fails ends the trial: the search itself reports it.
pub(crate) fn depth(
    searcher: &mut UntypedSearcher,
    (wanted, shorter): (u64, u64),
    first: usize,
    sizes: &RangeInclusive<usize>,
) -> usize {
    let (mut best, mut most) = (first, 0);
    for depth in first..=MOST_CHOICES {
        searcher.restart();
        searcher.set_sizes(sizes.clone());
        match searcher.count_pieces(depth, wanted, shorter) {
            Some(pieces) if pieces > 0 => {
                if pieces > most {
                    (best, most) = (depth, pieces);
                }
                if pieces >= wanted {
                    break;
                }
            }
            _ => break,
        }
    }
    best
}

/// Returns the shard's part of the numbers below a total.
fn range(shard: Shard, total: &Natural) -> Range<Natural> {
    let before = |shards: u32| {
        let (part, _) = (total * &Natural::from(u64::from(shards))).divided(&Natural::from(u64::from(shard.of)));
        part
    };
    before(shard.at())..before(shard.index)
}

fn sum(one: &Natural, two: &Natural) -> Natural {
    let mut sum = one.clone();
    sum += two;
    sum
}
