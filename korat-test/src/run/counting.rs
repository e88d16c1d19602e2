//! Counts values, without building them.

use std::time::{Duration, Instant};

use korat_core::Natural;

use super::Run;
use crate::error::Error;
use crate::forecast::Forecast;
use crate::report::Ending;
use crate::summarised::{RUNS, SHARE, TRIAL};
use crate::values::Next;

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
            Err(error) => return Err(self.fail(error)),
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

    /// Counts all values: from summaries, by size, or by searching, whichever is done first; `None` if by searching.
    pub(crate) fn count_summarised(&mut self) -> Result<Option<Vec<(usize, Natural)>>, Error> {
        self.forecast = Forecast::none();
        let (mut runs, limit) = (TRIAL, self.config.limit.unwrap_or(u64::MAX));
        let (mut summarising, mut searching) = (Duration::ZERO, Duration::ZERO);
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
        self.count()?;
        Ok(None)
    }
}
