//! One of several threads of a run.

use std::collections::BTreeMap;

use korat_core::{FieldUse, SearchError};

use super::Run;
use crate::config::Config;
use crate::error::Error;
use crate::progress::Progress;
use crate::record::Record;
use crate::report::Ending;
use crate::search::{ByEnvironment, Expected};
use crate::shard::Share;
use crate::stats::Stats;
use crate::subject::Subject;
use crate::threads::{Before, Place};
use crate::values::Member;

/// What other threads need to take part in a run.
#[derive(Clone)]
pub(crate) struct RunParts {
    config: Config,
    share: Share,
}

/// What another thread has done in the end.
pub(crate) struct MemberDone {
    by_size: Vec<(usize, u64)>,
    stats: Option<Stats>,
    ending: Ending,
    uses: FieldUse,
    checked: u64,
}

impl Run {
    /// Returns what other threads need to take part.
    pub(crate) fn parts(&self) -> RunParts {
        let mut config = self.config.clone().progress(Progress::Never).verbose(false);
        (config.reports, config.checkpoints) = (None, None);
        #[cfg(feature = "pictures")]
        {
            config.gallery = None;
        }
        // All of them end together.
        config.time_limit = config.time_limit.map(|limit| limit.saturating_sub(self.clock.elapsed()));
        RunParts { config, share: self.share.clone() }
    }

    /// Begins the part of another thread.
    pub(crate) fn of_member(subject: Subject, parts: RunParts, member: Member) -> Result<Self, Error> {
        let RunParts { config, share } = parts;
        let (expected, by_environment) = (Expected::default(), ByEnvironment::default());
        let mut run = Run::with_share(subject, config, share, expected, by_environment, Record::default())?;
        run.forecast = crate::forecast::Forecast::none();
        // Whether it can go on there, the first thread says.
        run.values.share(member).map_err(|error| run.fail(error))?;
        Ok(run)
    }

    /// Returns whether threads divide passes by pieces.
    pub(crate) fn is_by_pieces(&self) -> bool {
        // The first values are known only by their numbers, and what remembers values meets each of them in several pieces.
        self.config.limit.is_none() && self.values.takes_all() && !self.values.searcher().remembers_values()
    }

    /// Shares the values with so many threads, this one included.
    pub(crate) fn share(&mut self, threads: usize, member: Member) -> Result<(), Error> {
        self.threads = threads;
        let goes_on = self.values.share(member).map_err(|error| self.fail(error))?;
        if goes_on { Ok(()) } else { Err(self.cannot_go_on()) }
    }

    /// Hands in what this thread has done, at the end of its part.
    pub(crate) fn end_part(&mut self) {
        self.values.end_part(&mut self.stats);
    }

    pub(super) fn is_at_limit(&self) -> bool {
        self.config.limit.is_some_and(|limit| self.given() >= limit)
    }

    /// Returns whether the run has ended, or runs no search at all.
    pub(crate) fn is_over(&self) -> bool {
        self.ending != Ending::Unfinished || self.failed
    }

    /// Returns whether the time limit has ended the run.
    pub(crate) fn is_out_of_time(&self) -> bool {
        matches!(self.ending, Ending::TimeLimit { .. })
    }

    /// Returns where the current value stands.
    pub(crate) fn place(&self) -> Place {
        self.values.place()
    }

    /// Returns where the current value stands, and what one thread has up to there.
    pub(crate) fn at_value(&self) -> (Place, Before) {
        self.values.at_value()
    }

    /// Returns where the search has ended with an error, and what one thread has up to there.
    pub(crate) fn error_at(&self) -> (Place, Before) {
        self.values.error_at()
    }

    /// Leaves the search before its end.
    pub(crate) fn leave(&mut self) {
        self.values.leave();
    }

    /// Ends the part of another thread.
    pub(crate) fn member_done(mut self) -> MemberDone {
        MemberDone {
            by_size: std::mem::take(&mut self.by_size),
            stats: self.stats.take(),
            ending: self.ending,
            uses: self.values.searcher().field_use(),
            checked: self.values.searcher().checked().shown,
        }
    }

    /// Adds what another thread has done.
    pub(crate) fn add_member(&mut self, done: MemberDone) {
        self.by_size.extend(done.by_size);
        if let (Some(stats), Some(others)) = (&mut self.stats, done.stats) {
            stats.add(others);
        }
        if !self.is_out_of_time() && matches!(done.ending, Ending::TimeLimit { .. }) {
            self.ending = done.ending;
        }
        self.values.add_findings(done.uses, done.checked);
    }

    /// Puts the parts of all threads together, once all are added.
    pub(crate) fn put_together(&mut self) {
        if let (Some(stats), Some(others)) = (&mut self.stats, self.values.stats_of_all()) {
            stats.add(others);
        }
        if self.is_out_of_time() {
            let given = self.by_size.iter().map(|(_, values)| values).sum();
            let explored = self.values.explored_when_stopped();
            self.values.set_total(given, explored);
        }
    }

    /// Sets what one thread has up to where the run ends: by a failure of the property, or by an error.
    pub(crate) fn end_at(&mut self, explored: u64, by_size: &BTreeMap<usize, u64>) {
        self.by_size = by_size.iter().map(|(size, values)| (*size, *values)).collect();
        self.values.set_total(by_size.values().sum(), explored);
        self.ending = Ending::Unfinished;
    }

    /// Fails with an error that a thread has found.
    pub(crate) fn fail_with(&mut self, error: SearchError) -> Error {
        self.fail(error)
    }
}
