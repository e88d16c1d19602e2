//! Where the values of a search stand, as numbers that another process goes on from.

use std::ops::RangeInclusive;

use korat_core::{Bookmark, Counters, Natural, SearchError, Solving};

use super::passes::{FRUITLESS, Plan};
use super::{Found, Selection, Values};
use crate::config::Order;
use crate::threads::{DonePiece, Kind, PassCounts, Ranges};

/// Where the values stand: all that were given are dealt with.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Standing {
    /// How many values were given before `place`.
    pub(crate) given: u64,
    /// How many values from `place` on were given, too: they are generated again, and passed over.
    pub(crate) passed: u64,
    /// What was checked of all values that were given.
    pub(crate) checks: [u64; 4],
    pub(crate) place: Place,
}

/// From where values are generated.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) enum Place {
    /// From the first one on.
    #[default]
    Beginning,
    /// From a step of the search on. If values wait for the end of its pass, its larger sizes are left to the next one.
    Step(PassNumbers, Bookmark),
    /// From the first value of a size on, in a pass up to another size.
    Pass(PassNumbers),
    /// Summaries: from the value of a size with a number on, where everything up to another size is summarised.
    Summaries { pass: PassNumbers, size: u64, number: u64, solved: u64 },
    /// Several threads stand at several places.
    Shared(Box<SharedStanding>),
}

/// Where the threads of a search stand together: what they have done of a stretch of it, and how the rest is found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct SharedStanding {
    pub(crate) kind: Kind,
    /// The pass at its beginning, and the number of choices that make a piece of it.
    pub(crate) pass: PassNumbers,
    pub(crate) depth: u64,
    /// The values given before the pass, or before the summaries, by size.
    pub(crate) given: Vec<(usize, u64)>,
    /// How many values come before those of the stretch that have a number.
    pub(crate) first: u64,
    /// Up to which size everything is summarised.
    pub(crate) solved: u64,
    /// The numbers of the values that are done.
    pub(crate) numbers: Ranges,
    /// The pieces that are done, what was counted in them, and the fields that were read.
    pub(crate) pieces: Vec<DonePiece>,
    pub(crate) counts: PassCounts,
    pub(crate) uses: Vec<u64>,
}

/// What is known of a pass.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct PassNumbers {
    pub(crate) sizes: (u64, u64),
    /// The smallest size with which it was planned.
    pub(crate) planned: u64,
    /// Whether values come in the order of the search.
    pub(crate) as_found: bool,
    pub(crate) was_cut: bool,
    /// Whether values wait that the next process does not have.
    pub(crate) leaves_waiting: bool,
    pub(crate) last_pass: u64,
    /// The bits of the growth from one size to the next, if it is known.
    pub(crate) growth: Option<u64>,
    /// Candidates, values, initialised fields and undone changes of the most thorough pass, and the candidates that were compared.
    pub(crate) most: [u64; 5],
}

impl Values {
    /// Returns where the values stand, if all that were given are dealt with; `None` if that cannot be told now, but a little later.
    pub(crate) fn standing(&self) -> Option<Standing> {
        let (pass, given, checks) = (self.pass_numbers(), self.given, self.searcher().value_checks());
        let from_beginning = Standing { given: 0, passed: given, checks, place: Place::Beginning };
        let is_search = self.selection == Selection::All || matches!(self.selection, Selection::Part(_));
        let has_begun = self.has_begun || self.searcher.counters().explored > 0;
        if !is_search || !has_begun || self.searcher.remembers_values() {
            return Some(from_beginning);
        }
        if let Some(values) = &self.summarised {
            let (size, number, solved) = values.standing();
            let Some(number) = number.to_u64() else { return Some(from_beginning) };
            let place = Place::Summaries { pass, size: size as u64, number, solved: solved as u64 };
            return Some(Standing { given, passed: 0, checks, place });
        }
        if self.draining {
            let end = *self.pass.end();
            let mut left = self.waiting.iter().enumerate().map(|(at, (size, kept))| {
                let passed = if at == 0 { self.drained } else { 0 };
                (*size, passed as u64, kept.len() - passed)
            });
            let (pass, passed) = match left.find(|(.., left)| *left > 0) {
                Some((size, passed, _)) => (PassNumbers { sizes: (size as u64, end as u64), ..pass }, passed),
                None if self.was_cut && end < self.searcher.max_size().min(*self.sizes.end()) => {
                    let Plan { pass: sizes, planned, growth, last_pass } = self.plan();
                    let sizes = (*sizes.start() as u64, *sizes.end() as u64);
                    let growth = growth.map(f64::to_bits);
                    (PassNumbers { sizes, planned: planned as u64, growth, last_pass, ..pass }, 0)
                }
                None => return Some(from_beginning),
            };
            return Some(Standing { given: given - passed, passed, checks, place: Place::Pass(pass) });
        }
        // The pass was cut a moment ago.
        if self.searcher.size() > *self.pass.end() {
            return None;
        }
        Some(match self.searcher.bookmark() {
            Some(bookmark) => Standing { given, passed: 0, checks, place: Place::Step(pass, bookmark) },
            None => from_beginning,
        })
    }

    pub(super) fn pass_numbers(&self) -> PassNumbers {
        let now = self.searcher.counters();
        let is_most = now.explored >= self.most.explored;
        let Counters { explored, valid, field_inits, undo_ops } = if is_most { now } else { self.most };
        PassNumbers {
            sizes: (*self.pass.start() as u64, *self.pass.end() as u64),
            planned: *self.planned.start() as u64,
            as_found: self.order == Order::AsFound,
            was_cut: self.was_cut,
            leaves_waiting: self.leaves_waiting || !self.waiting.is_empty(),
            last_pass: self.last_pass,
            growth: self.growth.map(f64::to_bits),
            most: [explored, valid, field_inits, undo_ops, self.found().compared],
        }
    }

    /// Goes on from where the values of the same search stood. Returns false if they cannot have stood there.
    pub(crate) fn go_on(&mut self, standing: &Standing) -> Result<bool, SearchError> {
        let pass = match &standing.place {
            Place::Beginning => return Ok(standing.given == 0),
            // One thread does not know what threads have done.
            Place::Shared(_) => return Ok(false),
            Place::Step(pass, _) | Place::Pass(pass) | Place::Summaries { pass, .. } => pass,
        };
        let (Ok(first), Ok(last)) = (usize::try_from(pass.sizes.0), usize::try_from(pass.sizes.1)) else {
            return Ok(false);
        };
        let is_within = |size: &usize| self.sizes.contains(size);
        if first > last || !is_within(&first) || !is_within(&last) {
            return Ok(false);
        }
        self.set_most(pass.most);
        self.order = if pass.as_found { Order::AsFound } else { Order::SmallestFirst };
        (self.given, self.has_begun) = (standing.given, true);
        (self.last_pass, self.growth) = (pass.last_pass, pass.growth.map(f64::from_bits));
        self.go_on_in_pass(first..=last, pass.planned);
        self.searcher.restart();
        self.begin_pass();
        match &standing.place {
            Place::Step(_, bookmark) => {
                self.was_cut = pass.was_cut;
                self.leaves_waiting = pass.leaves_waiting && first < last;
                let goes_on = self.searcher.go_on_from(bookmark);
                // Otherwise it would have given up small sizes.
                self.has_met = self.given > 0 || self.searcher.counters().explored >= FRUITLESS;
                Ok(goes_on)
            }
            Place::Summaries { size, number, solved, .. } => self.go_on_in_summaries([*size, *number, *solved]),
            Place::Pass(pass) => {
                // There are values, which wait or were given.
                self.has_met = pass.planned < pass.sizes.0;
                Ok(true)
            }
            Place::Beginning | Place::Shared(_) => Ok(true),
        }
    }

    /// Sets the sizes of a pass, and the smallest one with which it was planned.
    pub(super) fn go_on_in_pass(&mut self, pass: RangeInclusive<usize>, planned: u64) {
        let first = usize::try_from(planned).map_or(*pass.start(), |first| first.min(*pass.start()));
        (self.planned, self.pass) = (first..=*pass.end(), pass);
    }

    /// Sets what was counted in the most thorough pass.
    pub(super) fn set_most(&mut self, most: [u64; 5]) {
        let [explored, valid, field_inits, undo_ops, compared] = most;
        self.most = Counters { explored, valid, field_inits, undo_ops };
        self.found = Found { compared, ..Found::default() };
    }

    fn go_on_in_summaries(&mut self, [size, number, solved]: [u64; 3]) -> Result<bool, SearchError> {
        let (Ok(size), Ok(solved)) = (usize::try_from(size), usize::try_from(solved)) else { return Ok(false) };
        let Some(summariser) = &mut self.summariser else { return Ok(false) };
        self.summarised = summariser.attempt(size, solved, u64::MAX, Solving::BySize)?;
        let Some(values) = &mut self.summarised else { return Ok(false) };
        values.go_on_at(Natural::from(number));
        Ok(true)
    }
}
