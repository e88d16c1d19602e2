//! The end of a run: its report, and whether it is what was expected.

use std::collections::BTreeMap;

use korat_core::{Checked, Counters, Unread};

use super::Run;
use crate::error::Error;
use crate::output::print_requested;
use crate::profile;
use crate::report::{Ending, Report};
use crate::values::Found;
use crate::why_none::why_none;

impl Run {
    /// Returns whether values were omitted for a reason that the test does not show: the time or memory limit, a limit from
    /// the environment, or descents that end early. A limit in the code is known to its reader.
    pub(crate) fn omits_values_silently(&self) -> bool {
        match self.ending {
            Ending::TimeLimit { .. } | Ending::MemoryLimit { .. } => true,
            Ending::Limit => self.by_environment.limits,
            Ending::Sampled => self.config.sample.is_some_and(|wanted| self.given() < wanted),
            Ending::Complete | Ending::Ranked | Ending::Replayed | Ending::Unfinished => false,
        }
    }

    pub(crate) fn report(&self) -> Report {
        let Counters { explored, valid, field_inits, undo_ops } = self.values.counters();
        let Checked { shown, .. } = self.values.searcher().checked();
        let Found { explanation, profile, compared } = self.values.found();
        let (other_uses, other_checks) = self.values.findings_of_others();
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
            values_checked: shown + other_checks,
            elapsed: self.clock.elapsed(),
            ending: self.ending,
            regressions: self.regressions,
            sampled_of: self.values.selected_from().filter(|_| self.config.sample.is_some()),
            descents: self.values.descent_report(),
            sample: self.config.sample,
            ranks: self.share.ranks().or_else(|| self.config.ranks.clone()),
            shard: self.config.shard,
            division: self.share.division,
            threads: self.threads,
            total: self.forecast.total().cloned().or_else(|| self.values.selected_from()),
            summaries: self.values.summary_report(),
            unread_first: self.config.unread == Unread::First,
            // The last pass of a complete search covers all candidates.
            unread_fields: if complete && !self.values.searcher().has_filter() {
                let mut uses = self.values.searcher().field_use();
                uses.merge(other_uses);
                uses.unread()
            } else {
                Vec::new()
            },
            explanation,
            profile,
            stats: self.stats.clone().map(|stats| stats.with_sizes(&by_size)),
            by_size,
            record: self.record.clone(),
        }
    }

    /// Ends the run. Fails if there was no value, or not what was expected.
    pub(crate) fn finish(self) -> Result<Report, Error> {
        let report = self.tell();
        // Other shards may have values.
        let may_be_empty = self.config.allow_empty || self.config.shard.is_some();
        if report.valid == 0 && report.is_complete() && !may_be_empty {
            let has_filter = self.values.searcher().has_filter();
            return Err(Error::Expectation(format!(
                "no valid value of {} at scope {}: {}\nnote: if that is right, say so with `.allow_empty(true)`",
                report.type_name,
                report.scope,
                why_none(&self.subject, &self.config, report.explored, has_filter)
            )));
        }
        if report.valid == 0 && report.ending == Ending::Ranked && !may_be_empty {
            return Err(Error::Expectation(format!(
                "no value has one of these ranks: {report}\nnote: if that is right, say so with `.allow_empty(true)`"
            )));
        }
        if report.valid == 0 && matches!(report.ending, Ending::MemoryLimit { .. }) && !may_be_empty {
            return Err(Error::Expectation(format!("the memory was used up before the first value: {report}")));
        }
        if report.valid == 0 && self.config.sample.is_some() && matches!(report.ending, Ending::TimeLimit { .. }) {
            return Err(Error::Expectation(format!("the time limit was over before a value was drawn: {report}")));
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
