//! Counts values, without building them.

use std::sync::Arc;
use std::time::{Duration, Instant};

use korat_core::{Counters, FieldUse, Finitize, Natural, RepOk};

use super::Run;
use crate::config::Summaries;
use crate::error::Error;
use crate::forecast::Forecast;
use crate::harness::Team;
use crate::report::Ending;
use crate::summarised::{RUNS, SHARE, TRIAL};
use crate::threads::{Shared, sum, tell_one_thread};
use crate::values::{Member, Next};

/// What one thread has counted.
struct Counted {
    counters: Counters,
    by_size: Vec<(usize, u64)>,
    ending: Ending,
    uses: FieldUse,
    compared: u64,
    checked: u64,
}

impl Run {
    fn count_step(&mut self, limit: u64) -> Result<(), Error> {
        match self.values.count_on(limit) {
            Ok(Next::Value) => self.ending = Ending::Limit,
            Ok(Next::Done) => self.ending = Ending::Complete,
            Ok(Next::Paused) => {
                self.adapt_pause();
                self.keep();
                self.look();
            }
            Err(error) => self.ended_by(error)?,
        }
        Ok(())
    }

    /// Counts all values within the limits.
    pub(crate) fn count(&mut self) -> Result<(), Error> {
        self.forecast = Forecast::none();
        if !self.values.takes_all() {
            while self.next()? {}
            return Ok(());
        }
        let limit = self.config.limit.unwrap_or(u64::MAX);
        while self.ending == Ending::Unfinished {
            self.count_step(limit)?;
        }
        let by_size = self.values.searcher().counted_by_size().iter().copied().enumerate();
        self.by_size = by_size.filter(|(_, values)| *values > 0).collect();
        Ok(())
    }

    /// Counts all values on several threads. An error is left to one thread, which finds it where it always does.
    pub(crate) fn count_on<T: Finitize + RepOk>(&mut self, team: &Team<T>) -> Result<(), Error> {
        if !self.is_by_pieces() {
            tell_one_thread("what remembers values counts them on one");
            return self.count();
        }
        self.forecast = Forecast::none();
        let shared = Arc::new(Shared::new(team.threads(), 1, Vec::new()));
        let member = |index| Member::new(Arc::clone(&shared), index, true, None);
        self.values.unshare();
        self.share(team.threads(), member(0))?;
        let parts = self.parts();
        let counted = team.count(
            |index, subject| {
                let mut run = Run::of_member(subject, parts.clone(), member(index)).ok()?;
                run.count_part(&shared)
            },
            || self.count_part(&shared),
        );
        // A thread that could not start has taken nothing.
        let Some(counted) = counted.into_iter().flatten().collect::<Option<Vec<Counted>>>() else {
            self.values.unshare();
            (self.ending, self.failed, self.threads) = (Ending::Unfinished, false, 1);
            return self.count();
        };
        self.by_size = counted.iter().flat_map(|part| part.by_size.iter().copied()).collect();
        let counters = counted.iter().fold(Counters::default(), |all, part| sum(all, part.counters));
        self.values.set_counted(counters, counted.iter().map(|part| part.compared).sum());
        for Counted { ending, uses, checked, .. } in counted.into_iter().skip(1) {
            self.values.add_findings(uses, checked);
            if let Ending::TimeLimit { .. } = ending {
                self.ending = ending;
            }
        }
        Ok(())
    }

    /// Counts the values of the pieces that this thread takes; returns `None` if the search fails.
    fn count_part(&mut self, shared: &Shared) -> Option<Counted> {
        while self.ending == Ending::Unfinished && !shared.is_stopped() {
            if self.count_step(u64::MAX).is_err() {
                shared.stop();
                return None;
            }
        }
        if self.is_out_of_time() {
            shared.stop();
        }
        let searcher = self.values.searcher();
        let by_size = searcher.counted_by_size().iter().copied().enumerate();
        let checked = searcher.checked();
        Some(Counted {
            counters: searcher.counters(),
            by_size: by_size.filter(|(_, values)| *values > 0).collect(),
            ending: self.ending,
            uses: searcher.field_use(),
            compared: checked.compared,
            checked: checked.shown,
        })
    }

    /// Counts all values: from summaries, by size, or by searching, whichever is done first; `None` if by searching.
    pub(crate) fn count_summarised<T: Finitize + RepOk>(
        &mut self,
        team: Option<&Team<T>>,
    ) -> Result<Option<Vec<(usize, Natural)>>, Error> {
        self.forecast = Forecast::none();
        let (mut runs, limit) = (TRIAL, self.config.limit.unwrap_or(u64::MAX));
        let (mut summarising, mut searching) = (Duration::ZERO, Duration::ZERO);
        if self.config.summaries != Summaries::Never {
            self.why_searched = self.values.why_not_summarised();
        }
        'both: while self.ending == Ending::Unfinished && !self.values.has_no_summaries() && self.config.limit.is_none()
        {
            let began = Instant::now();
            for _ in 0..runs.div_ceil(RUNS) {
                match self.values.summarised_numbers(runs.min(RUNS)) {
                    // A search says best why there is no value.
                    Ok(Some(numbers)) if numbers.is_empty() => break 'both,
                    Ok(Some(numbers)) => return Ok(Some(self.share.of_numbers(numbers))),
                    Ok(None) if self.values.has_no_summaries() || self.look() => break,
                    Ok(None) => {}
                    Err(error) => return Err(self.fail(error)),
                }
            }
            summarising += began.elapsed();
            self.why_searched = self.values.why_not_summarised();
            // A search may be done before summaries are, however useful. It has the same part of their time then that a trial in vain
            // has of the time of a search, and as much time as they have before.
            let due = if self.values.has_useful_summaries() { summarising / SHARE } else { summarising };
            while self.ending == Ending::Unfinished && searching < due {
                let began = Instant::now();
                self.count_step(limit)?;
                searching += began.elapsed();
            }
            runs = runs.saturating_mul(2);
        }
        match team.filter(|_| self.ending == Ending::Unfinished) {
            Some(team) => self.count_on(team)?,
            None => self.count()?,
        }
        Ok(None)
    }
}
