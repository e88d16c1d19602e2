//! The values of a search from summaries: size by size, without candidates.

use std::ops::{Range, RangeInclusive};

use korat_core::{Natural, SearchError, Solving, SummaryEffort, UntypedSearcher};

use crate::config::Summaries;
use crate::report::SummaryReport;
use crate::subject::MakeSearcher;

mod compared;

pub(crate) use compared::DISAGREE;
use compared::{Compared, Comparison};

/// The number of runs after which the caller may look at the clock: about ten milliseconds.
pub(crate) const RUNS: u64 = 4_096;

/// A run of a part takes about as long as this many candidates.
const CANDIDATES_PER_RUN: u64 = 100;

/// The number of runs that show whether calls are answered again and again.
pub(crate) const TRIAL: u64 = 1_024;

/// The part of the time of a search that the trial may take: what a search may lose, if nothing is gained.
pub(crate) const SHARE: u32 = 20;

/// The number of runs that a search for a single size may take without having tried candidates before.
const AT_ONCE: u64 = 20_000;

/// The number of values, accepted and rejected ones each, on which the predicate runs as a check.
const CHECKED: usize = 50;

/// Tries to summarise a search.
pub(crate) struct Summariser {
    when: Summaries,
    make: MakeSearcher,
    state: State,
}

enum State {
    NotTried,
    Trying(Box<UntypedSearcher>),
    /// There are no summaries; why, and what was done until it was found out.
    Impossible(SummaryReport),
}

impl Summariser {
    pub(crate) fn new(when: Summaries, make: MakeSearcher) -> Self {
        let state = match when {
            Summaries::Never => State::Impossible(SummaryReport {
                effort: SummaryEffort::default(),
                methods: Vec::new(),
                why_not: Some("the settings say so".to_string()),
            }),
            Summaries::Auto | Summaries::Always => State::NotTried,
        };
        Summariser { when, make, state }
    }

    /// Returns why there are no summaries, if it is known.
    pub(crate) fn why_not(&self) -> Option<&str> {
        match &self.state {
            State::Impossible(report) => report.why_not.as_deref(),
            State::NotTried | State::Trying(_) => None,
        }
    }

    /// Returns what was done without coming to summaries, if anything was.
    pub(crate) fn report(&self) -> Option<SummaryReport> {
        match &self.state {
            State::NotTried => None,
            State::Trying(searcher) => Some(in_vain(searcher, "the search was done first".to_string())),
            State::Impossible(report) => Some(report.clone()),
        }
    }

    fn effort(&self) -> SummaryEffort {
        match &self.state {
            State::NotTried => SummaryEffort::default(),
            State::Trying(searcher) => searcher.summary_effort(),
            State::Impossible(report) => report.effort,
        }
    }

    /// Returns whether a trial has shown that calls are answered again and again.
    pub(crate) fn is_useful(&self) -> bool {
        let effort = self.effort();
        effort.runs >= TRIAL && effort.has_repeated_calls()
    }

    /// Returns how many runs may be made before a pass, where this many candidates were tried so far; `None` if there was no pass.
    fn budget(&self, explored: Option<u64>, is_single: bool) -> u64 {
        let (made, is_useful) = (self.effort().runs, self.is_useful());
        let allowed = match (self.when, explored) {
            (Summaries::Never, _) => 0,
            (Summaries::Always, _) => u64::MAX,
            (Summaries::Auto, Some(explored)) if is_useful => explored / CANDIDATES_PER_RUN,
            (Summaries::Auto, Some(explored)) => TRIAL.min(explored / (CANDIDATES_PER_RUN * u64::from(SHARE))),
            (Summaries::Auto, None) if !is_single => 0,
            (Summaries::Auto, None) => {
                if is_useful {
                    AT_ONCE
                } else {
                    TRIAL
                }
            }
        };
        allowed.saturating_sub(made)
    }

    /// Summarises the values up to a size, if that does not take too long in a search with this many candidates so far, `None` if
    /// it has not begun. Returns the values from a size on if it succeeds.
    pub(crate) fn attempt_after(
        &mut self,
        explored: Option<u64>,
        is_single: bool,
        sizes: RangeInclusive<usize>,
    ) -> Result<Option<SummarisedValues>, SearchError> {
        loop {
            let runs = self.budget(explored, is_single);
            let values = self.attempt(*sizes.start(), *sizes.end(), runs, Solving::BySize)?;
            if values.is_some() || runs == 0 || self.why_not().is_some() {
                return Ok(values);
            }
        }
    }

    /// Summarises the values up to a size, with at most this many runs. Returns the values from a size on if it succeeds.
    pub(crate) fn attempt(
        &mut self,
        first: usize,
        upto: usize,
        runs: u64,
        solving: Solving,
    ) -> Result<Option<SummarisedValues>, SearchError> {
        if runs == 0 {
            return Ok(None);
        }
        if let State::NotTried = self.state {
            self.state = State::Trying(Box::new((self.make)()?));
        }
        let State::Trying(searcher) = &mut self.state else { return Ok(None) };
        match searcher.summarise(objects_of(upto), runs, solving) {
            Ok(false) => Ok(None),
            Ok(true) => {
                let State::Trying(searcher) = std::mem::replace(&mut self.state, State::NotTried) else {
                    return Ok(None);
                };
                let comparison = if searcher.checks_itself() { Some(Comparison::new((self.make)()?)) } else { None };
                let mut values = SummarisedValues::new(*searcher, first, upto, comparison)?;
                if values.agrees() {
                    return Ok(Some(values));
                }
                self.give_up(&values.searcher, DISAGREE.to_string());
                Ok(None)
            }
            Err(why) => {
                self.state = State::Impossible(in_vain(searcher, why));
                Ok(None)
            }
        }
    }

    /// Notes that summaries were given up.
    pub(crate) fn give_up(&mut self, searcher: &UntypedSearcher, why: String) {
        self.state = State::Impossible(in_vain(searcher, why));
    }
}

/// Reports what was done without coming to summaries.
fn in_vain(searcher: &UntypedSearcher, why: String) -> SummaryReport {
    let (effort, methods) = (searcher.summary_effort(), searcher.summary_notes());
    SummaryReport { effort, methods, why_not: Some(why) }
}

pub(crate) fn objects_of(size: usize) -> u32 {
    u32::try_from(size).unwrap_or(u32::MAX)
}

/// Where the values stand after a step.
pub(crate) enum SummarisedStep {
    Value {
        size: usize,
    },
    Paused,
    Done,
    /// The tables became too large, or are wrong: values of this size and larger ones are missing.
    GivenUp {
        size: usize,
        why: String,
    },
}

/// The values from a size on.
pub(crate) struct SummarisedValues {
    pub(crate) searcher: UntypedSearcher,
    /// The size that comes next, and its values.
    size: usize,
    of_size: Option<Natural>,
    /// The number of the next value of the size.
    next: Natural,
    /// Whether values were passed over, so that the next one does not follow the current one.
    has_skipped: bool,
    /// Everything up to this size is summarised.
    solved: usize,
    entropy: u64,
    /// The numbers of values of each size from which some are selected, and their sum.
    selected_from: Vec<(usize, Natural)>,
    total: Natural,
    /// The search that finds as many values as are summarised, as far as it gets.
    comparison: Option<Comparison>,
}

impl SummarisedValues {
    fn new(
        searcher: UntypedSearcher,
        first: usize,
        solved: usize,
        comparison: Option<Comparison>,
    ) -> Result<Self, SearchError> {
        let mut values = SummarisedValues {
            searcher,
            size: first,
            of_size: None,
            next: Natural::ZERO,
            has_skipped: false,
            solved,
            entropy: 0x9e37_79b9_7f4a_7c15,
            selected_from: Vec::new(),
            total: Natural::ZERO,
            comparison,
        };
        values.check()?;
        Ok(values)
    }

    /// Runs the predicate on some values, as a check.
    fn check(&mut self) -> Result<(), SearchError> {
        // The checks are the same in every run.
        let state = &mut self.entropy;
        self.searcher.check_summaries(CHECKED, &mut || random_word(state))
    }

    /// Returns whether a search finds as many small values as there are summarised.
    fn agrees(&mut self) -> bool {
        let Some(comparison) = &mut self.comparison else { return true };
        match comparison.compare(&mut self.searcher, self.solved) {
            Compared::Same => true,
            Compared::Different => false,
            Compared::Over => {
                self.comparison = None;
                true
            }
        }
    }

    /// Returns the size and the number of the next value, and up to where everything is summarised.
    pub(crate) fn standing(&self) -> (usize, &Natural, usize) {
        (self.size, &self.next, self.solved)
    }

    /// Goes on at the value of the size with a number.
    pub(crate) fn go_on_at(&mut self, number: Natural) {
        self.next = number;
    }

    /// Returns how many values some are selected from.
    pub(crate) fn total(&self) -> &Natural {
        &self.total
    }

    /// Begins to select values of these sizes.
    pub(crate) fn begin_selection(&mut self, sizes: &RangeInclusive<usize>, seed: u64) {
        self.selected_from = self.searcher.summarised_numbers();
        self.selected_from.retain(|(size, _)| sizes.contains(size));
        self.total = self.selected_from.iter().map(|(_, values)| values.clone()).sum();
        self.entropy = seed;
    }

    /// Returns the number of values of these sizes.
    pub(crate) fn number_of(&mut self, sizes: Range<usize>) -> Natural {
        let numbers = self.searcher.summarised_numbers().into_iter();
        numbers.filter(|(size, _)| sizes.contains(size)).map(|(_, values)| values).sum()
    }

    /// Draws the rank of a value, each with the same probability; `None` if there are no values.
    pub(crate) fn draw(&mut self) -> Option<Natural> {
        if self.total.is_zero() {
            return None;
        }
        let state = &mut self.entropy;
        Some(self.total.below(&mut || random_word(state)))
    }

    /// Returns the size of the value with a rank; `None` if there are fewer values.
    pub(crate) fn size_at(&self, rank: &Natural) -> Option<usize> {
        self.place_of(rank).map(|(size, _)| size)
    }

    /// Returns the size of the value with a rank, and its number among those.
    fn place_of(&self, rank: &Natural) -> Option<(usize, Natural)> {
        let mut number = rank.clone();
        for (size, values) in &self.selected_from {
            if number < *values {
                return Some((*size, number));
            }
            number = number - values;
        }
        None
    }

    /// Goes to the value with a rank, smallest first. Returns its size; `None` if there are fewer values.
    pub(crate) fn go_to_rank(&mut self, rank: &Natural) -> Option<usize> {
        let (size, number) = self.place_of(rank)?;
        self.searcher.go_to_number(size, &number).then_some(size)
    }

    /// Passes over up to so many values that follow, without building them, as far as they have the size of the last one. Returns their number and their size.
    pub(crate) fn skip(&mut self, values: u64) -> (u64, usize) {
        let left = self.of_size.as_ref().map_or(Natural::ZERO, |of_size| of_size.clone() - &self.next);
        let skipped = left.to_u64().map_or(values, |left| left.min(values));
        if skipped > 0 {
            self.next += &Natural::from(skipped);
            self.has_skipped = true;
        }
        (skipped, self.size)
    }

    /// Goes to the next value, of a size up to `last`.
    pub(crate) fn step(&mut self, last: usize) -> Result<SummarisedStep, SearchError> {
        let last = last.min(self.searcher.max_size());
        while self.size <= last {
            if self.size > self.solved {
                match self.searcher.summarise(objects_of(self.size), RUNS, Solving::BySize) {
                    Ok(true) => {
                        self.solved = self.size;
                        self.check()?;
                        if !self.agrees() {
                            return Ok(SummarisedStep::GivenUp { size: self.size, why: DISAGREE.to_string() });
                        }
                    }
                    Ok(false) => return Ok(SummarisedStep::Paused),
                    Err(why) => return Ok(SummarisedStep::GivenUp { size: self.size, why }),
                }
            }
            let size = self.size;
            let of_size = self.of_size.get_or_insert_with(|| {
                let numbers = self.searcher.summarised_numbers();
                numbers.into_iter().find(|(of, _)| *of == size).map_or(Natural::ZERO, |(_, number)| number)
            });
            // The values of a size with as many objects of each class follow one another.
            if self.next < *of_size
                && ((!self.has_skipped && self.searcher.go_to_next_number())
                    || self.searcher.go_to_number(size, &self.next))
            {
                self.has_skipped = false;
                self.next += &Natural::ONE;
                return Ok(SummarisedStep::Value { size });
            }
            self.size += 1;
            (self.of_size, self.next) = (None, Natural::ZERO);
        }
        Ok(SummarisedStep::Done)
    }
}

/// Returns the next word of splitmix64.
pub(crate) fn random_word(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mixed = (*state ^ *state >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ mixed >> 31
}
