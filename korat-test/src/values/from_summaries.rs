//! The values of a search that come from summaries: when they are tried, and what is taken from them.

use korat_core::{Natural, SearchError};

use super::{Next, Values};
use crate::config::Order;
use crate::report::SummaryReport;
use crate::summarised::{SummarisedStep, Summariser};

/// The number of runs after which a sample, which is being prepared, looks at the clock.
const SAMPLE_RUNS: u64 = 20_000;

impl Values {
    /// Takes values from summaries where that is possible and worthwhile.
    pub(crate) fn summarised_by(self, summariser: Summariser) -> Self {
        Values { summariser: Some(summariser), ..self }
    }

    /// Draws this many values at random, instead of going through all.
    pub(crate) fn sampled(self, values: Option<u64>, seed: u64) -> Self {
        Values { sample: values.map(|values| (values, seed)), ..self }
    }

    /// Returns how many values those of a sample were drawn from.
    pub(crate) fn sampled_of(&self) -> Option<Natural> {
        self.summarised.as_ref().filter(|_| self.sample.is_some()).map(|values| values.total().clone())
    }

    /// Returns how parts were summarised, or why not, if it was tried.
    pub(crate) fn summary_report(&self) -> Option<SummaryReport> {
        if let Some(values) = &self.summarised {
            let (effort, methods) = (values.searcher.summary_effort(), values.searcher.summary_notes());
            return Some(SummaryReport { effort, methods, why_not: None });
        }
        let (why, methods) = self.summariser.as_ref()?.obstacle()?;
        let effort = self.searcher.summary_effort();
        Some(SummaryReport { effort, methods: methods.to_vec(), why_not: Some(why.to_string()) })
    }

    /// Draws the next value of a sample.
    pub(super) fn next_sampled(&mut self, values: u64, seed: u64) -> Result<Next, SearchError> {
        if self.summarised.is_none() {
            let Some(summariser) = &mut self.summariser else { return Ok(Next::Done) };
            self.summarised = summariser.attempt(*self.sizes.start(), *self.sizes.end(), SAMPLE_RUNS)?;
            if let (None, Some(why)) = (&self.summarised, summariser.why_not()) {
                return Err(SearchError::NotSummarised { why: why.to_string() });
            }
            if let Some(summarised) = &mut self.summarised {
                summarised.begin_sample(&self.sizes, seed);
            }
            return Ok(Next::Paused);
        }
        match &mut self.summarised {
            Some(summarised) if self.given < values => match summarised.draw() {
                Some(size) => {
                    self.give(size);
                    Ok(Next::Value)
                }
                None => Ok(Next::Done),
            },
            _ => Ok(Next::Done),
        }
    }

    /// Summarises the search before it begins, if that is wanted.
    pub(super) fn try_at_once(&mut self) -> Result<(), SearchError> {
        let is_single = self.sizes.start() == self.sizes.end() && self.order == Order::SmallestFirst;
        self.try_summaries(None, is_single, *self.sizes.start())?;
        Ok(())
    }

    /// Summarises the sizes of the next pass, if that is worthwhile after one with `explored` candidates. Returns whether the values
    /// come from summaries now.
    pub(super) fn try_summaries(
        &mut self,
        explored: Option<u64>,
        is_single: bool,
        first: usize,
    ) -> Result<bool, SearchError> {
        let Some(summariser) = &mut self.summariser else { return Ok(false) };
        // A filter looks at values.
        if self.searcher.has_filter() {
            return Ok(false);
        }
        let budget = summariser.budget(explored, is_single);
        self.summarised = summariser.attempt(first, *self.pass.end(), budget)?;
        if self.summarised.is_some() {
            self.pass = first..=*self.sizes.end();
            (self.was_cut, self.draining) = (false, false);
        }
        Ok(self.summarised.is_some())
    }

    /// Goes to the next value of the summaries.
    pub(super) fn next_summarised(&mut self) -> Result<Next, SearchError> {
        let Some(values) = &mut self.summarised else { return Ok(Next::Done) };
        match values.step(*self.sizes.end())? {
            SummarisedStep::Value { size } => {
                self.pass = size..=*self.sizes.end();
                self.give(size);
                Ok(Next::Value)
            }
            SummarisedStep::Paused => Ok(Next::Paused),
            SummarisedStep::Done => {
                values.searcher.note_summarised_fields();
                Ok(Next::Done)
            }
            SummarisedStep::GivenUp { size, why } => {
                let notes = self.summarised.take().map(|values| values.searcher.summary_notes());
                if let Some(summariser) = &mut self.summariser {
                    summariser.give_up(why, notes.unwrap_or_default());
                }
                self.pass = size..=size;
                self.searcher.restart();
                self.begin_pass();
                Ok(Next::Paused)
            }
        }
    }

    /// Returns the number of values by size, if they can be summarised with this many more runs; `None` if that is not known yet.
    pub(crate) fn summarised_numbers(&mut self, runs: u64) -> Result<Option<Vec<(usize, Natural)>>, SearchError> {
        let Some(summariser) = self.summariser.as_mut().filter(|_| !self.searcher.has_filter()) else {
            return Ok(None);
        };
        let values = summariser.attempt(*self.sizes.start(), *self.sizes.end(), runs)?;
        Ok(values.map(|mut values| {
            let numbers = values.searcher.summarised_numbers().into_iter();
            numbers.filter(|(size, _)| self.sizes.contains(size)).collect()
        }))
    }

    /// Returns whether the search cannot be summarised.
    pub(crate) fn has_no_summaries(&self) -> bool {
        self.searcher.has_filter() || self.summariser.as_ref().is_none_or(|summariser| summariser.why_not().is_some())
    }
}
