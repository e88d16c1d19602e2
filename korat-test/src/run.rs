//! A running search: yields values within the limits, and reports how it ended, or the error that ended it.

use std::rc::Rc;
use std::time::{Duration, Instant};

use korat_core::{Counters, Finitize, PatchedValue, RepOk, SearchError, UntypedSearcher};

use crate::beside::Companions;
use crate::checkpoint::{self, Keeper};
use crate::config::{Config, Order, Summaries};
use crate::error::Error;
use crate::forecast::Forecast;
use crate::output::print_line;
use crate::panics;
use crate::progress::{Clock, SearchState};
use crate::record::{self, Identity, Record};
use crate::report::{Ending, counts};
use crate::search::{ByEnvironment, Expected, Search};
use crate::shard::Share;
use crate::shrink::MakeValues;
use crate::slow::SlowParts;
use crate::stats::Stats;
use crate::subject::Subject;
use crate::summarised::Summariser;
use crate::values::{Next, Selection, Values};

mod counting;
mod end;
mod kept;
mod settings;
mod threads;

use settings::{check, forecast, selection};
pub(crate) use threads::{MemberDone, RunParts};

/// A running search.
pub(crate) struct Run {
    subject: Subject,
    values: Values,
    pub(crate) config: Config,
    expected: Expected,
    by_environment: ByEnvironment,
    clock: Clock,
    /// The number of all values.
    forecast: Forecast,
    /// When the search last paused.
    paused: Instant,
    ending: Ending,
    /// Which parts of `rep_ok` make the search slow.
    slow_parts: SlowParts,
    /// When the first values were noticed that this run gave, and how many there were by then.
    first_given: Option<(Instant, u64)>,
    /// Why values are counted by searching, until that is said.
    why_searched: Option<String>,
    /// Whether the search ended with an error.
    failed: bool,
    /// Consecutive values of equal size, as `(size, values)`.
    by_size: Vec<(usize, u64)>,
    pub(crate) stats: Option<Stats>,
    pub(crate) regressions: usize,
    /// How many combinations of other values come with each value.
    beside: u64,
    /// What the shard does of the search.
    share: Share,
    /// The file of the report.
    record: Record,
    /// Keeps where the run stands, if the settings ask for it.
    keeper: Option<Keeper>,
    /// What an earlier run has kept, until threads go on from there.
    before: Option<checkpoint::Progress>,
    /// Whether threads share the search, even if there is only one of them.
    shares: bool,
    /// How many values are passed over, because an earlier run has dealt with them, and what it has checked of them.
    to_pass: u64,
    checks_then: [u64; 4],
    /// Whether the property has failed.
    has_failure: bool,
    /// The number of threads that share the search.
    threads: usize,
}

/// However the run ends, the file says what was found.
impl Drop for Run {
    fn drop(&mut self) {
        self.keep_at_end();
        self.note_found();
    }
}

impl Run {
    /// Begins a search whose settings are final, for a property that gets these values beside its own.
    pub(crate) fn start<T: Finitize + RepOk>(search: Search<T>, companions: &Companions) -> Result<Self, Error> {
        let Search { bounds, config, expected, by_environment, record, identity, shares, .. } = search;
        let run = Run::of(Subject::new(bounds), config, expected, by_environment, record)?;
        run.with_companions(companions, shares, identity.as_ref())
    }

    fn with_companions(
        mut self,
        companions: &Companions,
        shares: bool,
        identity: Option<&Identity>,
    ) -> Result<Self, Error> {
        for name in companions.names() {
            self.subject.replay_name += &format!(",{name}");
        }
        self.beside = companions.len() as u64;
        self.shares = shares;
        self.take_up(identity, companions)?;
        self.clock.begin_limit(&self.config);
        Ok(self)
    }

    fn of(
        subject: Subject,
        config: Config,
        expected: Expected,
        by_environment: ByEnvironment,
        record: Record,
    ) -> Result<Self, Error> {
        check(&config)?;
        if let Some(why) = &by_environment.wrong_shard {
            return Err(Error::Expectation(why.clone()));
        }
        panics::set_own_hook();
        let mut config = config;
        let share = Share::of(&subject, &mut config)?;
        Run::with_share(subject, config, share, expected, by_environment, record)
    }

    fn with_share(
        subject: Subject,
        config: Config,
        share: Share,
        expected: Expected,
        by_environment: ByEnvironment,
        record: Record,
    ) -> Result<Self, Error> {
        let searcher = subject.searcher(config.settings()).map_err(|error| Error::search(error, 0, 0))?;
        record.note_bounds(|| searcher.bounds_text());
        record.note_invariant(subject.invariant);
        let forecast = forecast(&subject, &config, &searcher);
        let values = Values::new(searcher, config.settings(), config.order, config.sizes.range(subject.scope));
        let summariser = Summariser::new(config.summaries, subject.maker(config.settings()));
        let selection = share.selection.clone().unwrap_or_else(|| selection(&config));
        // What comes from summaries is not divided by pieces.
        let values = match selection {
            Selection::Part(_) => values,
            Selection::All | Selection::Sample { .. } | Selection::Ranks(_) => values.summarised_by(summariser),
        };
        let values = values.selected(selection);
        Ok(Run {
            clock: Clock::start(&config),
            forecast,
            paused: Instant::now(),
            subject,
            values,
            stats: config.stats.then(Stats::default),
            config,
            expected,
            by_environment,
            ending: Ending::Unfinished,
            slow_parts: SlowParts::default(),
            first_given: None,
            why_searched: None,
            failed: false,
            by_size: Vec::new(),
            regressions: 0,
            beside: 1,
            share,
            record,
            keeper: None,
            before: None,
            shares: false,
            to_pass: 0,
            checks_then: [0; 4],
            has_failure: false,
            threads: 1,
        })
    }

    /// Notes for the file what was found so far.
    pub(crate) fn note_found(&self) {
        self.record.note_found(|| record::found(&self.report()));
    }

    /// Advances to the next value within the limits.
    pub(crate) fn next(&mut self) -> Result<bool, Error> {
        if self.ending != Ending::Unfinished || self.failed {
            return Ok(false);
        }
        self.values.note_done(&mut self.stats);
        if self.is_at_limit() {
            self.ending = Ending::Limit;
            return Ok(false);
        }
        if self.clock.is_due() {
            self.keep();
            if self.look() {
                return Ok(false);
            }
        }
        loop {
            match self.values.next() {
                Ok(Next::Value) => {
                    let size = self.values.size();
                    match self.by_size.last_mut() {
                        Some((last, values)) if *last == size => *values += 1,
                        _ => self.by_size.push((size, 1)),
                    }
                    if self.to_pass == 0 {
                        return Ok(true);
                    }
                    self.pass_over();
                    if self.clock.is_due() && self.look() {
                        return Ok(false);
                    }
                }
                Ok(Next::Paused) => {
                    self.adapt_pause();
                    self.keep();
                    if self.look() {
                        return Ok(false);
                    }
                    // The last values may be those of other threads.
                    if self.is_at_limit() {
                        self.ending = Ending::Limit;
                        return Ok(false);
                    }
                }
                Ok(Next::Done) => {
                    self.ending = self.ending_after_last();
                    return Ok(false);
                }
                Err(error) => return self.ended_by(error).map(|()| false),
            }
        }
    }

    /// Ends the run where its search cannot go on: without an error if its memory is used up.
    fn ended_by(&mut self, error: SearchError) -> Result<(), Error> {
        let SearchError::TooManyForms { bytes } = error else { return Err(self.fail(error)) };
        self.ending = Ending::MemoryLimit { size: *self.values.pass().start(), bytes };
        Ok(())
    }

    /// Returns how a run ends that has generated all values that are wanted.
    fn ending_after_last(&self) -> Ending {
        let is_all = self.values.selected_from().is_none_or(|total| total == self.given());
        match self.values.selection() {
            Selection::Sample { .. } if self.given() > 0 || self.config.shard.is_some() => Ending::Sampled,
            Selection::Ranks(_) if !is_all && self.share.selection.is_none() => Ending::Ranked,
            Selection::All | Selection::Part(_) | Selection::Sample { .. } | Selection::Ranks(_) => Ending::Complete,
        }
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
    pub(crate) fn look(&mut self) -> bool {
        let Run { subject, values, clock, forecast, config, .. } = self;
        let of_all = values.progress_of_all();
        let is_over = clock.look(|| {
            let Counters { explored, valid, .. } = values.counters();
            let (explored, valid) = of_all.unwrap_or((explored, valid));
            let upto = *values.pass().end();
            // A pass may take more sizes than the bounds allow.
            let is_all = upto >= values.searcher().max_size();
            let sizes = if is_all { "all sizes".to_string() } else { format!("sizes up to {upto}") };
            let Subject { type_name, scope, .. } = *subject;
            let shard = config.shard;
            let total = forecast.total().cloned();
            SearchState { type_name, scope, shard, explored, valid, sizes, stage: values.stage(), total }
        });
        let is_slow = self.clock.has_shown() && !self.config.explain;
        self.slow_parts.look(self.values.searcher_mut(), is_slow);
        if let Some(why) = self.why_searched.take_if(|_| is_slow) {
            print_line(&format!(
                "korat: note: values are counted by searching: parts are not summarised: {why} (`KORAT_EXPLAIN=1` says more)"
            ));
        }
        if is_over {
            self.ending = Ending::TimeLimit { size: *self.values.pass().start() };
        } else {
            self.look_ahead();
        }
        is_over
    }

    /// Counts the values of a long search, and says so if they will take longer than the time limit.
    fn look_ahead(&mut self) {
        let (elapsed, limit) = (self.clock.elapsed(), self.config.time_limit);
        self.forecast.count_on(elapsed, limit);
        let given = self.values.given();
        if given == 0 {
            return;
        }
        // Before its first values, a search may look for them for long.
        let (first, before) = *self.first_given.get_or_insert_with(|| (Instant::now(), given));
        let Subject { type_name, scope, .. } = &self.subject;
        let subject = || format!("{type_name} at scope {scope}");
        if let Some(warning) = self.forecast.warning(subject, given - before, first.elapsed(), limit) {
            print_line(&warning);
        }
    }

    /// Builds the current value.
    pub(crate) fn value<T: RepOk>(&mut self) -> Result<T, Error> {
        let searcher = self.values.searcher_mut();
        // The previous value was dropped, unless the user kept it.
        searcher.free_cycles();
        searcher.checked_value().map_err(|error| self.fail(error))
    }

    /// Returns the current value, for which `patched` is changed; `None` if it must be [built](Run::value).
    pub(crate) fn patch<'v, T: RepOk>(&mut self, patched: &'v mut PatchedValue<T>) -> Result<Option<&'v T>, Error> {
        self.values.searcher_mut().checked_patched(patched).map_err(|error| self.fail(error))
    }

    /// Returns whether the current value is at least as large as all values before it, and no larger than any after it.
    pub(crate) fn is_smallest_first(&self) -> bool {
        self.values.is_smallest_first()
    }

    /// Returns whether the current value comes from summaries.
    pub(crate) fn is_summarised(&self) -> bool {
        self.values.is_summarised()
    }

    /// Returns how many values were generated.
    pub(crate) fn given(&self) -> u64 {
        self.values.given()
    }

    pub(crate) fn subject(&self) -> &Subject {
        &self.subject
    }

    /// Returns what makes the values of some sizes, smallest first.
    pub(crate) fn maker_of_values(&self) -> MakeValues {
        let settings = self.config.settings();
        // A sample was drawn from summaries if there are any: it did not take long to find them.
        let summaries = match self.values.has_no_summaries() {
            true => Summaries::Never,
            false => Summaries::Always,
        };
        let make = self.subject.maker(settings);
        Box::new(move |least, most| {
            let values = Values::new(make()?, settings, Order::SmallestFirst, least..=most);
            Ok(values.summarised_by(Summariser::new(summaries, Rc::clone(&make))))
        })
    }

    /// Returns the searcher, positioned at the current value.
    pub(crate) fn searcher(&mut self) -> &mut UntypedSearcher {
        self.values.searcher_mut()
    }

    pub(crate) fn counts(&self) -> String {
        let Counters { explored, valid, .. } = self.values.counters();
        let end =
            if self.is_out_of_time() { "; the time limit ended the search, which may have other failures" } else { "" };
        counts(explored, valid) + end
    }

    /// Returns the environment variable that holds the value to replay, unless the code sets the value.
    pub(crate) fn replay_variable(&self) -> Option<&'static str> {
        self.by_environment.replays.then_some("KORAT_REPLAY")
    }

    /// Ends the run without a search.
    pub(crate) fn end(&mut self, ending: Ending) {
        self.ending = ending;
    }
}
