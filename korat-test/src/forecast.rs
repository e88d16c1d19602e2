//! The exact number of values of a search that takes long, where summaries give it, and whether the time limit will end the search before the last of
//! them. The counting goes on beside the search, a little at each look at the clock, and never changes what the search does.

use std::ops::RangeInclusive;
use std::time::{Duration, Instant};

use korat_core::{Natural, Solving, UntypedSearcher};

use crate::progress::time;
use crate::report::grouped;
use crate::subject::MakeSearcher;

/// The time for counting at each look at the clock, and in all; with a time limit, at most this part of it. Counting runs parts of `rep_ok`, which may
/// take any time, so that it begins with few runs.
const AT_ONCE: Duration = Duration::from_millis(2);
const IN_ALL: Duration = Duration::from_secs(1);
const PART_FOR_COUNTING: u32 = 10;
const FIRST_RUNS: u64 = 16;

/// A search is long after this time, or after this part of its time limit.
const LONG: Duration = Duration::from_secs(2);
const PART_OF_LIMIT: u32 = 20;

/// This many values, or those of as much time as makes a search a long one, say how fast they come.
const ENOUGH: u64 = 100;

enum State {
    /// What makes a searcher to count with.
    NotTried(MakeSearcher),
    Counting {
        searcher: Box<UntypedSearcher>,
        /// The number of runs until the next look at the clock.
        runs: u64,
        /// The time that counting took so far.
        spent: Duration,
    },
    Known {
        by_size: Vec<(usize, Natural)>,
        total: Natural,
    },
    Unknown,
}

/// The number of values of a search.
pub(crate) struct Forecast {
    state: State,
    sizes: RangeInclusive<usize>,
    /// Whether the number was compared with the time limit.
    is_compared: bool,
}

impl Forecast {
    /// Counts the values of these sizes, once the search is long.
    pub(crate) fn new(make: MakeSearcher, sizes: RangeInclusive<usize>) -> Self {
        Forecast { state: State::NotTried(make), sizes, is_compared: false }
    }

    /// Counts nothing.
    pub(crate) fn none() -> Self {
        Forecast { state: State::Unknown, sizes: 0..=0, is_compared: true }
    }

    /// Counts on for a moment, if the search is long.
    pub(crate) fn count_on(&mut self, elapsed: Duration, limit: Option<Duration>) {
        let is_long = elapsed >= LONG || limit.is_some_and(|limit| elapsed >= limit / PART_OF_LIMIT);
        if !is_long {
            return;
        }
        let (mut searcher, mut runs, spent) = match std::mem::replace(&mut self.state, State::Unknown) {
            State::NotTried(make) => match make() {
                Ok(searcher) => (Box::new(searcher), FIRST_RUNS, Duration::ZERO),
                Err(_) => return,
            },
            State::Counting { searcher, runs, spent } => (searcher, runs, spent),
            state @ (State::Known { .. } | State::Unknown) => {
                self.state = state;
                return;
            }
        };
        let objects = u32::try_from(*self.sizes.end()).unwrap_or(u32::MAX);
        let most = limit.map_or(IN_ALL, |limit| IN_ALL.min(limit / PART_FOR_COUNTING));
        let began = Instant::now();
        loop {
            match searcher.summarise(objects, runs, Solving::AtOnce) {
                Err(_) => return,
                Ok(true) => break,
                Ok(false) => {}
            }
            let now = began.elapsed();
            if spent + now >= most {
                return;
            }
            if now >= AT_ONCE {
                self.state = State::Counting { searcher, runs, spent: spent + now };
                return;
            }
            runs *= 2;
        }
        let mut by_size = searcher.summarised_numbers();
        by_size.retain(|(size, _)| self.sizes.contains(size));
        let total = by_size.iter().map(|(_, values)| values.clone()).sum();
        self.state = State::Known { by_size, total };
    }

    /// Returns the number of all values, if it is known.
    pub(crate) fn total(&self) -> Option<&Natural> {
        match &self.state {
            State::Known { total, .. } => Some(total),
            State::NotTried(_) | State::Counting { .. } | State::Unknown => None,
        }
    }

    /// Returns, once, what to say about a search that will not end within its time limit; `subject` is what it has values of, `given` how many of
    /// them took how long.
    pub(crate) fn warning(
        &mut self,
        subject: impl FnOnce() -> String,
        given: u64,
        elapsed: Duration,
        limit: Option<Duration>,
    ) -> Option<String> {
        let State::Known { by_size, total } = &self.state else { return None };
        let is_long = |limit| elapsed >= LONG.min(limit / PART_OF_LIMIT);
        let limit = limit.filter(|&limit| given >= ENOUGH || given > 0 && is_long(limit))?;
        if self.is_compared {
            return None;
        }
        self.is_compared = true;
        let rate = given as f64 / elapsed.as_secs_f64().max(0.001);
        let all = total.to_f64() / rate;
        if all <= limit.as_secs_f64() {
            return None;
        }
        let subject = subject();
        let within = rate * limit.as_secs_f64();
        let (mut sum, mut fitting, mut sizes) = (0.0, None, Vec::new());
        for (size, values) in by_size {
            sizes.push(format!("{size}: {values:#}"));
            sum += values.to_f64();
            if sum > within {
                break;
            }
            fitting = Some(size);
        }
        if sizes.len() < by_size.len() {
            sizes.push("..".to_string());
        }
        let fitting =
            fitting.map(|size| format!("; `.sizes({}..={size})` fits", self.sizes.start())).unwrap_or_default();
        Some(format!(
            "korat: {subject} has {total:#} values, which take about {} at {} a second: longer than the time limit of {limit:?}\n\
             korat: values by size: {}{fitting}; `.sample(1000)` or KORAT_SAMPLE=1000 draws from all of them",
            time(all),
            grouped(rate as u64),
            sizes.join(", ")
        ))
    }
}
