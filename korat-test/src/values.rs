//! Generates the values of a search, smallest first.
//!
//! The size of a value is the number of its objects. The search runs in passes: it covers the candidates with at most
//! `upto` objects, then those with more, and each pass yields only the values that no earlier pass did. Every pass
//! explores the small candidates again. To keep this overhead low, each pass covers as many sizes as it needs to be
//! several times the work of the previous one. Values of the smallest size in a pass are yielded at once; larger ones
//! wait until the pass ends.
//!
//! If a structure has only large values, because a field fixes the number of nodes, this would never reach them; see
//! `FRUITLESS`.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::time::Instant;

use korat_core::{Counters, KeptValues, SearchError, Settings, StepResult, UntypedSearcher};

use crate::config::Order;
use crate::estimate::Estimator;
use crate::summarised::{SummarisedValues, Summariser};

mod descents;
mod found;
mod from_summaries;
mod passes;
mod progress;
mod shared;
mod standing;
#[cfg(test)]
mod tests;

use descents::Descents;
pub(crate) use found::Found;
pub(crate) use from_summaries::Selection;
use passes::FRUITLESS;
pub(crate) use progress::PassProgress;
pub(crate) use shared::Member;
pub(crate) use standing::{PassNumbers, Place, SharedStanding, Standing};

/// Maximum number of bytes of waiting values. Beyond this, the largest sizes are left to a later pass.
const MOST_WAITING: usize = 64 << 20;

/// The result of advancing to the next value.
pub(crate) enum Next {
    /// There is a value.
    Value,
    /// It is time to check the clock.
    Paused,
    /// There are no more values.
    Done,
}

/// The values of one search. Waiting values are stored as slots.
pub(crate) struct Values {
    settings: Settings,
    order: Order,
    searcher: UntypedSearcher,
    sizes: RangeInclusive<usize>,
    /// The sizes of the current pass.
    pass: RangeInclusive<usize>,
    /// The sizes of the pass as it was planned. Values of the smallest may have been given in an earlier run, and those of others be left
    /// to a pass of their own, because what waited then was lost.
    planned: RangeInclusive<usize>,
    /// Whether the current pass leaves values to a later pass.
    was_cut: bool,
    /// Whether values of the current pass took too much memory. How many candidates it tried then says nothing about larger sizes.
    ran_out: bool,
    /// Whether the search has met a value.
    has_met: bool,
    /// Whether values that would have to wait are left to the next pass: some were lost when another process ended.
    leaves_waiting: bool,
    /// The waiting values of the current pass, by size.
    waiting: BTreeMap<usize, KeptValues>,
    waiting_bytes: usize,
    most_waiting: usize,
    /// Whether the search of the pass is over and only waiting values are left; how many of the smallest size were yielded.
    draining: bool,
    drained: usize,
    /// When the pass began or, while waiting values are yielded, when its search ended; how many values were yielded
    /// until then.
    since: Instant,
    given_before: u64,
    /// Samples of the progress of this pass.
    estimator: Estimator,
    /// The size of the current value.
    size: usize,
    given: u64,
    /// Counters of the most thorough pass so far.
    most: Counters,
    /// What that pass found out about `rep_ok`.
    found: Found,
    /// Candidates of this pass, once its search is over, and of the previous pass, if there was one.
    pass_explored: u64,
    last_pass: u64,
    /// Ratio between the candidates of consecutive sizes in the last pass.
    growth: Option<f64>,
    pause: u64,
    /// What summarises the search, and the values from there on.
    summariser: Option<Summariser>,
    summarised: Option<SummarisedValues>,
    has_begun: bool,
    /// Which of the values are wanted.
    selection: Selection,
    /// What draws values where there are no summaries.
    descents: Option<Descents>,
    /// What is its own of the values, if several threads share them.
    member: Option<Box<Member>>,
}

impl Values {
    /// Starts a search that has made no step yet.
    pub(crate) fn new(
        searcher: UntypedSearcher,
        settings: Settings,
        order: Order,
        sizes: RangeInclusive<usize>,
    ) -> Self {
        let first = *sizes.start();
        let upto = match order {
            Order::SmallestFirst => first,
            Order::AsFound => *sizes.end(),
        };
        let mut values = Values {
            searcher,
            settings,
            order,
            sizes,
            pass: first..=upto,
            planned: first..=upto,
            was_cut: false,
            ran_out: false,
            has_met: false,
            leaves_waiting: false,
            waiting: BTreeMap::new(),
            waiting_bytes: 0,
            most_waiting: MOST_WAITING,
            draining: false,
            drained: 0,
            since: Instant::now(),
            given_before: 0,
            estimator: Estimator::default(),
            size: 0,
            given: 0,
            most: Counters::default(),
            found: Found::default(),
            pass_explored: 0,
            last_pass: 0,
            growth: None,
            pause: 64,
            summariser: None,
            summarised: None,
            has_begun: false,
            selection: Selection::All,
            descents: None,
            member: None,
        };
        values.begin_pass();
        values
    }

    fn begin_pass(&mut self) {
        self.begin_search();
        (self.was_cut, self.leaves_waiting, self.draining, self.drained) = (false, false, false, 0);
        self.ran_out = false;
        (self.since, self.estimator) = (Instant::now(), Estimator::default());
    }

    /// Sets after how many candidates [`next`](Values::next) pauses.
    pub(crate) fn pause_every(&mut self, candidates: u64) {
        self.pause = candidates;
        self.searcher.pause_every(candidates);
    }

    pub(crate) fn pause(&self) -> u64 {
        self.pause
    }

    /// Advances to the next value, at which [`searcher`](Values::searcher) is then positioned.
    #[inline]
    pub(crate) fn next(&mut self) -> Result<Next, SearchError> {
        if self.member.is_some() { self.next_own() } else { self.next_of_all() }
    }

    fn next_of_all(&mut self) -> Result<Next, SearchError> {
        match &self.selection {
            Selection::All | Selection::Part(_) => {}
            Selection::Sample { values, seed } => return self.next_sampled(*values, *seed),
            Selection::Ranks(_) => return self.next_ranked(),
        }
        if !std::mem::replace(&mut self.has_begun, true) {
            self.try_at_once()?;
        }
        if self.summarised.is_some() {
            return self.next_summarised();
        }
        loop {
            if self.draining {
                if self.take_waiting() {
                    return Ok(Next::Value);
                }
                let last = self.searcher.max_size().min(*self.sizes.end());
                if !self.was_cut || *self.pass.end() >= last {
                    return Ok(Next::Done);
                }
                self.next_pass()?;
                if self.summarised.is_some() {
                    return self.next_summarised();
                }
            }
            if let Some(next) = self.wait_for_others() {
                return Ok(next);
            }
            if self.draining {
                continue;
            }
            match self.searcher.step()? {
                StepResult::Paused => {
                    self.note_pause();
                    if self.is_fruitless(self.searcher.counters().explored) {
                        self.take_as_found(*self.pass.start(), FRUITLESS)?;
                    }
                    return Ok(Next::Paused);
                }
                StepResult::Done => self.end_pass(),
                StepResult::Value => {
                    if !self.has_met && self.meet_first()? {
                        return Ok(Next::Paused);
                    }
                    let size = self.searcher.size();
                    if self.order == Order::AsFound || size == *self.pass.start() {
                        self.give(size);
                        return Ok(Next::Value);
                    }
                    if self.leaves_waiting {
                        continue;
                    }
                    self.keep_waiting(size);
                }
            }
        }
    }

    /// Counts values in the order of the search, up to a limit on the total; for a single pass only.
    pub(crate) fn count_on(&mut self, limit: u64) -> Result<Next, SearchError> {
        let step = self.searcher.count_on(limit);
        self.given = self.searcher.counters().valid;
        Ok(match step? {
            StepResult::Value => Next::Value,
            StepResult::Paused => {
                self.note_pause();
                Next::Paused
            }
            StepResult::Done => {
                self.end_pass();
                Next::Done
            }
        })
    }

    fn note_pause(&mut self) {
        let time = self.since.elapsed().as_secs_f64();
        if self.estimator.is_due(time) {
            self.estimator.note(time, self.searcher.position());
        }
    }

    fn give(&mut self, size: usize) {
        self.size = size;
        if self.member.is_none() || self.give_shared(size) {
            self.given += 1;
        }
    }

    /// Keeps the current value until the end of the pass.
    fn keep_waiting(&mut self, size: usize) {
        if self.member.is_some() && self.keep_shared(size) {
            return;
        }
        let kept = self.waiting.entry(size).or_default();
        let before = kept.bytes();
        self.searcher.keep(kept);
        self.waiting_bytes += kept.bytes() - before;
        if self.waiting_bytes > self.most_waiting {
            self.wait_for_fewer();
        }
    }

    fn take_waiting(&mut self) -> bool {
        if let Some(has_value) = self.take_shared_waiting() {
            return has_value;
        }
        while let Some(first) = self.waiting.first_entry() {
            let size = *first.key();
            if self.drained < first.get().len() {
                self.searcher.go_to(first.get(), self.drained);
                self.drained += 1;
                self.give(size);
                return true;
            }
            self.waiting_bytes -= first.remove().bytes();
            self.drained = 0;
        }
        false
    }

    /// Leaves the largest size to a later pass.
    fn wait_for_fewer(&mut self) {
        let upto = (*self.pass.end()).min(self.waiting.keys().last().map_or(usize::MAX, |&largest| largest)) - 1;
        for (_, kept) in self.waiting.split_off(&(upto + 1)) {
            self.waiting_bytes -= kept.bytes();
        }
        (self.pass, self.planned) = (*self.pass.start()..=upto, *self.planned.start()..=upto);
        (self.was_cut, self.ran_out) = (true, true);
        // Small sizes without a value may be given up again.
        self.has_met &= self.given > 0 || !self.waiting.is_empty();
        self.searcher.set_sizes(self.pass.clone());
    }

    fn end_pass(&mut self) {
        if self.deposit(true) {
            return;
        }
        self.was_cut |= self.searcher.hit_size_bound() || self.leaves_waiting;
        if self.leaves_waiting {
            self.pass = *self.pass.start()..=*self.pass.start();
        }
        self.draining = true;
        (self.since, self.given_before) = (Instant::now(), self.given);
        if !self.ran_out {
            self.pass_explored = self.searcher.counters().explored;
        }
        self.note_counters();
    }

    fn note_counters(&mut self) {
        let counters = self.searcher.counters();
        if counters.explored >= self.most.explored {
            self.most = counters;
            self.found = Found::by(&self.searcher, self.settings);
        }
    }

    /// Returns the searcher of this pass, positioned at the current value.
    pub(crate) fn searcher(&self) -> &UntypedSearcher {
        self.summarised.as_ref().map_or(&self.searcher, |values| &values.searcher)
    }

    /// Returns the searcher of this pass, to build values.
    pub(crate) fn searcher_mut(&mut self) -> &mut UntypedSearcher {
        self.summarised.as_mut().map_or(&mut self.searcher, |values| &mut values.searcher)
    }

    /// Returns whether no value is larger than a later one.
    pub(crate) fn is_smallest_first(&self) -> bool {
        self.order == Order::SmallestFirst && self.selection == Selection::All
    }

    /// Returns how many values were yielded.
    pub(crate) fn given(&self) -> u64 {
        self.given
    }

    /// Returns the size of the current value.
    pub(crate) fn size(&self) -> usize {
        self.size
    }

    /// Returns the sizes of the current pass.
    pub(crate) fn pass(&self) -> &RangeInclusive<usize> {
        &self.pass
    }

    /// Returns what was found out about `rep_ok` on the candidates that [`counters`](Values::counters) counts.
    pub(crate) fn found(&self) -> Found {
        let is_most = self.searcher.counters().explored >= self.most.explored;
        if is_most { Found::by(&self.searcher, self.settings) } else { self.found.clone() }
    }

    /// Returns the counters so far. A candidate counts once, even if several passes explored it.
    pub(crate) fn counters(&self) -> Counters {
        let now = self.searcher.counters();
        let counters = if now.explored >= self.most.explored { now } else { self.most };
        let runs = self.summarised.as_ref().map_or(0, |values| values.searcher.summary_effort().runs);
        let explored = self.explored_by_all().unwrap_or(counters.explored + runs);
        Counters { valid: self.given, explored, ..counters }
    }
}
