//! A running search: yields values within the limits, and reports how it ended, or the error that ended it.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use korat_core::{Checked, Counters, Finitize, Natural, RepOk, SearchError, Unread, UntypedSearcher};

use crate::config::{Config, Sizes};
use crate::error::Error;
use crate::output::print_requested;
use crate::panics;
use crate::profile;
use crate::progress::{Clock, SearchState};
use crate::report::{Ending, Report, counts, grouped};
use crate::search::{ByEnvironment, Expected, Search};
use crate::slow::SlowParts;
use crate::stats::Stats;
use crate::subject::Subject;
use crate::summarised::Summariser;
use crate::values::{Found, Next, Values};

/// The number of runs that a count may take before it begins to search as well: about a second.
const FIRST_RUNS: u64 = 1_000_000;

/// A running search.
pub(crate) struct Run {
    subject: Subject,
    values: Values,
    pub(crate) config: Config,
    expected: Expected,
    by_environment: ByEnvironment,
    clock: Clock,
    /// When the search last paused.
    paused: Instant,
    ending: Ending,
    /// Which parts of `rep_ok` make the search slow.
    slow_parts: SlowParts,
    /// Whether the search ended with an error.
    failed: bool,
    /// Consecutive values of equal size, as `(size, values)`.
    by_size: Vec<(usize, u64)>,
    pub(crate) stats: Option<Stats>,
    pub(crate) regressions: usize,
    /// How many combinations of other values come with each value.
    beside: u64,
}

impl Run {
    /// Begins a search whose settings are final.
    pub(crate) fn start<T: Finitize + RepOk>(search: Search<T>) -> Result<Self, Error> {
        let Search { bounds, config, expected, by_environment } = search;
        Run::of(Subject::new(bounds), config, expected, by_environment)
    }

    fn of(subject: Subject, config: Config, expected: Expected, by_environment: ByEnvironment) -> Result<Self, Error> {
        let refuse = |what: &str| Err(Error::Expectation(what.to_string()));
        if config.limit == Some(0) {
            return refuse("a limit of 0 values runs the property on nothing; a limit is at least 1");
        }
        if config.time_limit == Some(Duration::ZERO) {
            return refuse("a time limit of zero runs the property on nothing");
        }
        if config.failures == 0 {
            return refuse("`failures(0)` would never stop; collect at least 1");
        }
        panics::set_own_hook();
        let searcher = subject.searcher(config.settings()).map_err(|error| Error::search(error, 0, 0))?;
        let values = Values::new(searcher, config.settings(), config.order, config.sizes.range(subject.scope));
        let summariser = Summariser::new(config.summaries, subject.maker(config.settings()));
        let values = values.summarised_by(summariser);
        Ok(Run {
            clock: Clock::start(&config),
            paused: Instant::now(),
            subject,
            values,
            stats: config.stats.then(Stats::default),
            config,
            expected,
            by_environment,
            ending: Ending::Unfinished,
            slow_parts: SlowParts::default(),
            failed: false,
            by_size: Vec::new(),
            regressions: 0,
            beside: 1,
        })
    }

    /// Takes note of the values that the property gets beside each of its own: the names of their types, and the number of combinations.
    pub(crate) fn set_beside(&mut self, names: &[String], combinations: u64) {
        for name in names {
            self.subject.replay_name += &format!(",{name}");
        }
        self.beside = combinations;
    }

    /// Advances to the next value within the limits.
    pub(crate) fn next(&mut self) -> Result<bool, Error> {
        if self.ending != Ending::Unfinished || self.failed {
            return Ok(false);
        }
        if self.config.limit.is_some_and(|limit| self.given() >= limit) {
            self.ending = Ending::Limit;
            return Ok(false);
        }
        if self.clock.is_due() && self.look() {
            return Ok(false);
        }
        loop {
            match self.values.next() {
                Ok(Next::Value) => {
                    let size = self.values.size();
                    match self.by_size.last_mut() {
                        Some((last, values)) if *last == size => *values += 1,
                        _ => self.by_size.push((size, 1)),
                    }
                    return Ok(true);
                }
                Ok(Next::Paused) => {
                    self.adapt_pause();
                    if self.look() {
                        return Ok(false);
                    }
                }
                Ok(Next::Done) => {
                    self.ending = Ending::Complete;
                    return Ok(false);
                }
                Err(error) => return Err(self.fail(error)),
            }
        }
    }

    fn count_step(&mut self, limit: u64) -> Result<(), Error> {
        match self.values.count_on(limit) {
            Ok(Next::Value) => self.ending = Ending::Limit,
            Ok(Next::Done) => self.ending = Ending::Complete,
            Ok(Next::Paused) => {
                self.adapt_pause();
                self.look();
            }
            Err(error) => return Err(self.fail(error)),
        }
        Ok(())
    }

    /// Counts all values within the limits.
    pub(crate) fn count(&mut self) -> Result<(), Error> {
        let limit = self.config.limit.unwrap_or(u64::MAX);
        while self.ending == Ending::Unfinished {
            self.count_step(limit)?;
        }
        let by_size = self.values.searcher().counted_by_size().iter().copied().enumerate();
        self.by_size = by_size.filter(|(_, values)| *values > 0).collect();
        Ok(())
    }

    /// Counts all values: from summaries, by size, or by searching, whichever is done first; `None` if by searching.
    pub(crate) fn count_summarised(&mut self) -> Result<Option<Vec<(usize, Natural)>>, Error> {
        let (mut runs, limit) = (FIRST_RUNS, self.config.limit.unwrap_or(u64::MAX));
        while self.ending == Ending::Unfinished && !self.values.has_no_summaries() && self.config.limit.is_none() {
            match self.values.summarised_numbers(runs) {
                // A search says best why there is no value.
                Ok(Some(numbers)) if numbers.is_empty() => break,
                Ok(Some(numbers)) => return Ok(Some(numbers)),
                Ok(None) => {}
                Err(error) => return Err(self.fail(error)),
            }
            let until = self.values.counters().explored.saturating_add(runs);
            while self.ending == Ending::Unfinished && self.values.counters().explored < until {
                self.count_step(limit)?;
            }
            runs = runs.saturating_mul(2);
        }
        self.count()?;
        Ok(None)
    }

    /// Ends the run with an error of the search.
    fn fail(&mut self, error: SearchError) -> Error {
        self.failed = true;
        let Counters { explored, valid, .. } = self.values.counters();
        Error::search(error, explored, valid)
    }

    /// Sets the number of candidates until the next pause: large enough that checking the clock costs next to nothing,
    /// and small enough that candidates which suddenly take a thousand times as long are noticed within a second or two.
    fn adapt_pause(&mut self) {
        const SHORT: Duration = Duration::from_millis(2);
        const LONG: Duration = Duration::from_millis(10);
        const MOST: u64 = 1 << 16;
        // This includes the time of the property, which can only make pauses more frequent.
        let since = self.paused.elapsed();
        self.paused += since;
        let pause = self.values.pause();
        if since < SHORT {
            self.values.pause_every((pause * 2).min(MOST));
        } else if since > LONG {
            let fitting = pause as f64 * LONG.as_secs_f64() / since.as_secs_f64();
            self.values.pause_every((fitting as u64).max(1));
        }
    }

    /// Checks the clock, and returns whether the time is over.
    fn look(&mut self) -> bool {
        let Run { subject, values, clock, .. } = self;
        let is_over = clock.look(|| {
            let Counters { explored, valid, .. } = values.counters();
            let upto = *values.pass().end();
            // A pass may take more sizes than the bounds allow.
            let is_all = upto >= values.searcher().max_size();
            let sizes = if is_all { "all sizes".to_string() } else { format!("sizes up to {upto}") };
            let Subject { type_name, scope, .. } = *subject;
            SearchState { type_name, scope, explored, valid, sizes, stage: values.stage() }
        });
        self.slow_parts.look(self.values.searcher_mut(), self.clock.has_shown() && !self.config.explain);
        if is_over {
            self.ending = Ending::TimeLimit { size: *self.values.pass().start() };
        }
        is_over
    }

    /// Builds the current value.
    pub(crate) fn value<T: RepOk>(&mut self) -> Result<T, Error> {
        let searcher = self.values.searcher_mut();
        // The previous value was dropped, unless the user kept it.
        searcher.free_cycles();
        searcher.checked_value().map_err(|error| self.fail(error))
    }

    /// Returns whether the current value is at least as large as all values before it, and no larger than any after it.
    pub(crate) fn is_smallest_first(&self) -> bool {
        self.values.is_smallest_first()
    }

    /// Returns how many values were generated.
    pub(crate) fn given(&self) -> u64 {
        self.values.given()
    }

    pub(crate) fn subject(&self) -> &Subject {
        &self.subject
    }

    /// Returns the searcher, positioned at the current value.
    pub(crate) fn searcher(&mut self) -> &mut UntypedSearcher {
        self.values.searcher_mut()
    }

    pub(crate) fn counts(&self) -> String {
        let Counters { explored, valid, .. } = self.values.counters();
        counts(explored, valid)
    }

    /// Returns the environment variable that holds the value to replay, unless the code sets the value.
    pub(crate) fn replay_variable(&self) -> Option<&'static str> {
        self.by_environment.replays.then_some("KORAT_REPLAY")
    }

    /// Ends the run without a search.
    pub(crate) fn end(&mut self, ending: Ending) {
        self.ending = ending;
    }

    /// Returns whether values were omitted for a reason that the test does not show: the time limit, or a limit from
    /// the environment. A limit in the code is known to its reader.
    pub(crate) fn omits_values_silently(&self) -> bool {
        match self.ending {
            Ending::TimeLimit { .. } => true,
            Ending::Limit => self.by_environment.limits,
            Ending::Complete | Ending::Replayed | Ending::Unfinished => false,
        }
    }

    pub(crate) fn report(&self) -> Report {
        let Counters { explored, valid, field_inits, undo_ops } = self.values.counters();
        let Checked { shown, .. } = self.values.searcher().checked();
        let Found { explanation, profile, compared } = self.values.found();
        let complete = self.ending == Ending::Complete;
        let by_size = summed(&self.by_size);
        Report {
            type_name: self.subject.type_name,
            scope: self.subject.scope,
            explored,
            valid,
            combinations: valid * self.beside,
            field_inits,
            undo_ops,
            candidates_checked: compared,
            values_checked: shown,
            elapsed: self.clock.elapsed(),
            ending: self.ending,
            regressions: self.regressions,
            unread_first: self.config.unread == Unread::First,
            // The last pass of a complete search covers all candidates.
            unread_fields: if complete && !self.values.searcher().has_filter() {
                self.values.searcher().field_use().unread()
            } else {
                Vec::new()
            },
            explanation,
            profile,
            stats: self.stats.clone().map(|stats| stats.with_sizes(&by_size)),
            by_size,
        }
    }

    /// Ends the run. Fails if there was no value, or not what was expected.
    pub(crate) fn finish(self) -> Result<Report, Error> {
        let report = self.tell();
        if report.valid == 0 && report.is_complete() && !self.config.allow_empty {
            let has_filter = self.values.searcher().has_filter();
            return Err(Error::Expectation(format!(
                "no valid value of {} at scope {}: {}\nnote: if that is right, say so with `.allow_empty(true)`",
                report.type_name,
                report.scope,
                why_none(&self.subject, &self.config, report.explored, has_filter)
            )));
        }
        self.check(&report)?;
        Ok(report)
    }

    /// Prints and writes what the settings request of a run that has ended.
    pub(crate) fn tell(&self) -> Report {
        let report = self.report();
        let was_cut = self.omits_values_silently();
        if self.config.verbose || was_cut {
            print_requested(&format!("korat: {report}"), self.by_environment.asks || was_cut);
        }
        profile::print_findings(&report, self.config.verbose || was_cut, self.by_environment.asks);
        #[cfg(feature = "pictures")]
        if let Some(path) = &self.config.gallery {
            crate::picture::write_gallery(&self.subject, &self.config, path, &report);
        }
        report
    }

    /// Fails if the values are not those that were expected.
    pub(crate) fn check(&self, report: &Report) -> Result<(), Error> {
        if let Some(count) = self.expected.count {
            report.check_count(count)?;
        }
        if self.expected.complete {
            report.check_complete()?;
        }
        Ok(())
    }
}

/// Sums the counts by size.
fn summed(runs: &[(usize, u64)]) -> Vec<(usize, u64)> {
    let mut sizes: BTreeMap<usize, u64> = BTreeMap::new();
    for (size, values) in runs {
        *sizes.entry(*size).or_default() += values;
    }
    sizes.into_iter().collect()
}

/// Returns why a search found no value: what `rep_ok` rejected, with the fields read last, most frequent first, or who else
/// rejected what it accepted. Searches again, up to a limit, because the original search does not record it.
fn why_none(subject: &Subject, config: &Config, explored: u64, has_filter: bool) -> String {
    const CANDIDATES: u64 = 100_000;
    let candidates = grouped(explored);
    let rejected = format!("rep_ok rejected every candidate ({candidates} of them)");
    let Ok(mut searcher) = subject.searcher(config.settings()) else { return rejected };
    let mut counts: BTreeMap<String, u64> = BTreeMap::new();
    let (mut seen, mut has_accepted) = (0, false);
    let ended: Result<bool, SearchError> = searcher.advance_observed(&mut |candidate| {
        seen += 1;
        has_accepted |= candidate.accepted();
        *counts.entry(candidate.last_read().unwrap_or_else(|| "no field at all".to_string())).or_default() += 1;
        if seen < CANDIDATES && !has_accepted { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    match (has_accepted, has_filter) {
        (true, true) => {
            return format!("the filter rejected everything that rep_ok accepted ({candidates} candidates)");
        }
        (true, false) if config.sizes != Sizes::All => {
            return format!("rep_ok accepted values, but none of the sizes asked for ({candidates} candidates)");
        }
        // Only weak references lead to some object of each.
        (true, false) => return format!("rep_ok accepted only what no value can hold ({candidates} candidates)"),
        (false, _) if ended.is_err() => return rejected,
        (false, _) => {}
    }
    let mut counts: Vec<(String, u64)> = counts.into_iter().collect();
    counts.sort_by(|(name, count), (other_name, other)| other.cmp(count).then(name.cmp(other_name)));
    let shares = counts.iter().take(3).map(|(name, count)| format!("{name} ({} %)", count * 100 / seen));
    format!("{rejected}; read last before the rejection: {}", shares.collect::<Vec<_>>().join(", "))
}
