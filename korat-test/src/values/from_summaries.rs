//! The values of a search that come from summaries: when they are tried, and what is taken from them.

use std::ops::Range;

use korat_core::{Natural, Part, SearchError, Solving};

use super::descents::{DescentStep, Descents};
use super::{Next, PassProgress, Values};
use crate::config::Order;
use crate::report::{DescentReport, SummaryReport};
use crate::summarised::{DISAGREE, RUNS, SummarisedStep, Summariser};

/// Which of the values are wanted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Selection {
    All,
    /// Those of a part of the candidates.
    Part(Part),
    /// This many, drawn at random.
    Sample {
        values: u64,
        seed: u64,
    },
    /// Those with these ranks.
    Ranks(Range<Natural>),
}

impl Values {
    /// Takes values from summaries where that is possible and worthwhile.
    pub(crate) fn summarised_by(self, summariser: Summariser) -> Self {
        Values { summariser: Some(summariser), ..self }
    }

    /// Selects the values that are wanted.
    pub(crate) fn selected(mut self, selection: Selection) -> Self {
        self.selection = selection;
        self.begin_search();
        self
    }

    /// Begins the search of a pass.
    pub(super) fn begin_search(&mut self) {
        self.searcher.set_sizes(self.pass.clone());
        self.searcher.pause_every(self.pause);
        if self.begin_shared() {
            return;
        }
        if let Selection::Part(part) = self.selection {
            self.searcher.take_part(part);
        }
    }

    /// Returns whether all values that are searched for are wanted.
    pub(crate) fn takes_all(&self) -> bool {
        matches!(self.selection, Selection::All | Selection::Part(_))
    }

    /// Returns which of the values are wanted.
    pub(crate) fn selection(&self) -> &Selection {
        &self.selection
    }

    /// Returns how many values there are from which some were selected, if that is known.
    pub(crate) fn selected_from(&self) -> Option<Natural> {
        let is_part = self.selection != Selection::All;
        self.summarised.as_ref().filter(|_| is_part).map(|values| values.total().clone())
    }

    /// Returns whether the current value comes from summaries.
    pub(crate) fn is_summarised(&self) -> bool {
        self.summarised.is_some()
    }

    /// Returns how many of the wanted values were generated, if only some are wanted.
    pub(super) fn selecting(&self) -> Option<PassProgress> {
        let of = match &self.selection {
            Selection::All | Selection::Part(_) => return None,
            Selection::Sample { values, .. } => Natural::from(*values),
            Selection::Ranks(ranks) if ranks.is_empty() => Natural::ZERO,
            Selection::Ranks(ranks) => ranks.end.clone() - &ranks.start,
        };
        let has_begun = self.summarised.is_some() || self.descents.is_some();
        Some(PassProgress::Selecting { given: self.given, of: has_begun.then_some(of) })
    }

    /// Returns how values were drawn at random without summaries, if they were.
    pub(crate) fn descent_report(&self) -> Option<DescentReport> {
        self.descents.as_ref().map(Descents::report)
    }

    /// Returns why there are no summaries, if that is known.
    pub(crate) fn why_not_summarised(&self) -> Option<String> {
        // A filter looks at values.
        if self.searcher.has_filter() {
            return Some("a filter decides about whole values".to_string());
        }
        let Some(summariser) = &self.summariser else { return Some("the settings say so".to_string()) };
        summariser.why_not().map(str::to_string)
    }

    /// Returns how parts were summarised, or why not, if it was tried.
    pub(crate) fn summary_report(&self) -> Option<SummaryReport> {
        if let Some(values) = &self.summarised {
            let (effort, methods) = (values.searcher.summary_effort(), values.searcher.summary_notes());
            return Some(SummaryReport { effort, methods, why_not: None });
        }
        self.summariser.as_ref()?.report()
    }

    /// Draws the next value of a sample.
    pub(super) fn next_sampled(&mut self, values: u64, seed: u64) -> Result<Next, SearchError> {
        if self.given >= values && (self.summarised.is_some() || self.descents.is_some()) {
            return Ok(Next::Done);
        }
        if let Some(summarised) = &mut self.summarised {
            let Some(rank) = summarised.draw() else { return Ok(Next::Done) };
            return Ok(self.give_ranked(&rank));
        }
        if let Some(descents) = &mut self.descents {
            return Ok(match descents.draw(&mut self.searcher)? {
                DescentStep::Value { size } => {
                    self.give(size);
                    Next::Value
                }
                DescentStep::Paused => Next::Paused,
                DescentStep::Done => Next::Done,
            });
        }
        if self.summarise_all()? {
            if let Some(summarised) = &mut self.summarised {
                summarised.begin_selection(&self.sizes, seed);
            }
        } else if let Some(why) = self.why_not_summarised() {
            let most = (*self.sizes.end()).min(self.searcher.max_size());
            self.searcher.restart();
            self.descents = Some(Descents::new(why, seed, *self.sizes.start()..=most));
        }
        Ok(Next::Paused)
    }

    /// Gives the value with a rank, if there is one. Does not build it for another thread.
    fn give_ranked(&mut self, rank: &Natural) -> Next {
        let is_own = self.is_dealt(self.given + 1);
        let Some(summarised) = &mut self.summarised else { return Next::Done };
        let size = if is_own { summarised.go_to_rank(rank) } else { summarised.size_at(rank) };
        let Some(size) = size else { return Next::Done };
        self.give(size);
        Next::Value
    }

    /// Goes to the next value of a range of ranks.
    pub(super) fn next_ranked(&mut self) -> Result<Next, SearchError> {
        let Selection::Ranks(ranks) = &self.selection else { return Ok(Next::Done) };
        let mut rank = ranks.start.clone();
        rank += &Natural::from(self.given);
        if self.summarised.is_some() {
            return Ok(if rank < ranks.end { self.give_ranked(&rank) } else { Next::Done });
        }
        if self.summarise_all()? {
            if let Some(summarised) = &mut self.summarised {
                summarised.begin_selection(&self.sizes, 0);
            }
        } else if let Some(why) = self.why_not_summarised() {
            return Err(SearchError::NotSummarised { why });
        }
        Ok(Next::Paused)
    }

    /// Summarises all sizes a little further. Returns whether that is done.
    fn summarise_all(&mut self) -> Result<bool, SearchError> {
        let Some(summariser) = self.summariser.as_mut().filter(|_| !self.searcher.has_filter()) else {
            return Ok(false);
        };
        self.summarised = summariser.attempt(*self.sizes.start(), *self.sizes.end(), RUNS, Solving::AtOnce)?;
        Ok(self.summarised.is_some())
    }

    /// Summarises the search before it begins, if that is wanted.
    pub(super) fn try_at_once(&mut self) -> Result<(), SearchError> {
        let is_single = self.sizes.start() == self.sizes.end() && self.order == Order::SmallestFirst;
        self.try_summaries(None, is_single, *self.sizes.start())?;
        Ok(())
    }

    /// Summarises the sizes of the next pass, if that is worthwhile after `explored` candidates in all. Returns whether the values
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
        self.summarised = summariser.attempt_after(explored, is_single, first..=*self.pass.end())?;
        // Of smaller sizes, the search has found all values.
        let is_counted = first > *self.sizes.start() && self.selection == Selection::All;
        if is_counted
            && let Some(values) = &mut self.summarised
            && values.number_of(*self.sizes.start()..first) != self.given
        {
            summariser.give_up(&values.searcher, DISAGREE.to_string());
            self.summarised = None;
        }
        if self.summarised.is_some() {
            self.pass = first..=*self.sizes.end();
            (self.was_cut, self.draining) = (false, false);
            self.enter_summaries();
        }
        Ok(self.summarised.is_some())
    }

    /// Goes to the next value of the summaries.
    pub(super) fn next_summarised(&mut self) -> Result<Next, SearchError> {
        self.skip_dealt();
        if self.is_at_limit() {
            return Ok(Next::Paused);
        }
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
                if let (Some(summariser), Some(values)) = (&mut self.summariser, self.summarised.take()) {
                    summariser.give_up(&values.searcher, why);
                }
                (self.pass, self.planned) = (size..=size, size..=size);
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
        let values = summariser.attempt(*self.sizes.start(), *self.sizes.end(), runs, Solving::AtOnce)?;
        Ok(values.map(|mut values| {
            let numbers = values.searcher.summarised_numbers().into_iter();
            numbers.filter(|(size, _)| self.sizes.contains(size)).collect()
        }))
    }

    /// Returns whether a trial has shown that summaries gain something.
    pub(crate) fn has_useful_summaries(&self) -> bool {
        self.summariser.as_ref().is_some_and(Summariser::is_useful)
    }

    /// Returns whether the search cannot be summarised.
    pub(crate) fn has_no_summaries(&self) -> bool {
        self.why_not_summarised().is_some()
    }
}
