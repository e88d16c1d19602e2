//! Keeps where a run stands, and takes it up where an earlier one stood.

use std::thread;

use super::Run;
use crate::beside::Companions;
use crate::checkpoint::{self, Fingerprint, Keeper, Progress};
use crate::error::Error;
use crate::panics;
use crate::record::Identity;
use crate::report::Ending;
use crate::stats::Stats;
use crate::threads::{Kind, Ledger};
use crate::values::{Place, SharedStanding, Standing};

impl Run {
    /// Goes on from where an earlier run stood, if there was one, and keeps where this one stands, if the settings ask for it.
    pub(super) fn take_up(&mut self, identity: Option<&Identity>, companions: &Companions) -> Result<(), Error> {
        let Some(identity) = identity.filter(|_| self.config.checkpoints.is_some()) else { return Ok(()) };
        // A search of a property is for one of its values, and those of threads without a name begin in any order: the next run could take
        // one for another.
        let is_told_apart = !panics::is_in_property() && thread::current().name().is_some();
        if self.config.replay.is_some() || !is_told_apart {
            return Ok(());
        }
        if self.config.explain || self.config.profile {
            checkpoint::tell_none_of("searches that are explained or profiled");
            return Ok(());
        }
        let fingerprint = Fingerprint::of(&self.config, self.values.searcher(), format!("{:?}", companions.lists()))?;
        let Some((keeper, before)) = Keeper::begin(&self.config, identity, fingerprint)? else { return Ok(()) };
        if let Some(progress) = before.as_ref().filter(|_| self.shares) {
            let (stats, by_size) = (progress.stats.as_ref().map(|_| Stats::default()), progress.by_size.clone());
            (self.stats, self.by_size) = (stats, by_size);
        } else if let Some(Progress { standing, by_size, stats }) = before.clone() {
            let goes_on = self.values.go_on(&standing).map_err(|error| self.fail(error))?;
            if !goes_on {
                return Err(keeper.cannot_go_on());
            }
            (self.by_size, self.stats) = (by_size, stats);
            (self.to_pass, self.checks_then) = (standing.passed, standing.checks);
            self.end_passing();
        }
        (self.keeper, self.before) = (Some(keeper), before);
        Ok(())
    }

    /// Returns the error for a file whose search cannot go on. The file stays as it is.
    pub(super) fn cannot_go_on(&mut self) -> Error {
        self.keeper.take().expect("[korat internal bug] there is no file to go on from").cannot_go_on()
    }

    /// Returns whether it is kept where the run stands.
    pub(crate) fn is_kept(&self) -> bool {
        self.keeper.is_some()
    }

    /// Returns what was done in an earlier run, and where that left off, if there was one.
    pub(crate) fn shared_before(&mut self) -> Result<(Ledger, Option<SharedStanding>), Error> {
        let Some(progress) = self.before.take() else { return Ok(Default::default()) };
        let standing = match &progress.standing {
            Standing { place: Place::Shared(standing), .. } => (**standing).clone(),
            Standing { place: Place::Beginning, passed, .. } => {
                let mut standing = SharedStanding::default();
                standing.numbers.add(1..passed + 1);
                standing
            }
            Standing { place: Place::Step(..) | Place::Pass(_) | Place::Summaries { .. }, .. } => {
                return Err(self.cannot_go_on());
            }
        };
        let mut uses = self.values.searcher().field_use();
        // Before the first piece is done, nothing is known of fields.
        let has_uses = !standing.uses.is_empty() || !standing.pieces.is_empty();
        if standing.kind == Kind::Pieces && has_uses && uses.add_flags(&standing.uses).is_none() {
            return Err(self.cannot_go_on());
        }
        self.values.add_findings(uses.clone(), progress.standing.checks[0]);
        Ok((standing.ledger(&progress, uses), Some(standing)))
    }

    /// Passes over a value.
    pub(super) fn pass_over(&mut self) {
        self.to_pass -= 1;
        self.end_passing();
    }

    fn end_passing(&mut self) {
        if self.to_pass == 0 {
            self.values.searcher_mut().set_value_checks(self.checks_then);
        }
    }

    /// Keeps where the run stands if that is due. All values so far are dealt with.
    pub(crate) fn keep(&mut self) {
        if self.keeper.as_ref().is_some_and(Keeper::is_due) {
            self.keep_now();
        }
    }

    fn keep_now(&mut self) {
        // What is passed over now, the file says already.
        let progress = match (self.to_pass == 0 && !self.has_failure, self.shares) {
            (false, _) => None,
            (true, false) => self.progress(),
            (true, true) => self.values.progress_to_keep(self.stats.is_some()),
        };
        if let Some(keeper) = &mut self.keeper {
            keeper.save(progress.as_ref());
        }
    }

    fn progress(&self) -> Option<Progress> {
        let standing = self.values.standing()?;
        let mut by_size = if standing.given == 0 { Vec::new() } else { self.by_size.clone() };
        if standing.given > 0
            && let Some((_, last)) = by_size.last_mut()
        {
            *last -= standing.passed;
        }
        Some(Progress { standing, by_size, stats: self.stats.clone() })
    }

    /// Notes that the property has failed: another run has to find that out, too.
    pub(crate) fn note_failure(&mut self) {
        self.has_failure = true;
    }

    /// Keeps where the run stands at its end, or forgets it, if it has nothing left to do.
    pub(super) fn keep_at_end(&mut self) {
        match self.ending {
            _ if self.failed => self.forget_kept(),
            Ending::TimeLimit { .. } => self.keep_now(),
            Ending::Unfinished if !self.has_failure => {}
            Ending::Unfinished => self.forget_kept(),
            Ending::Complete
            | Ending::Limit
            | Ending::MemoryLimit { .. }
            | Ending::Sampled
            | Ending::Ranked
            | Ending::Replayed => self.forget_kept(),
        }
    }

    fn forget_kept(&self) {
        if let Some(keeper) = &self.keeper {
            keeper.forget();
        }
    }
}
