//! The end of a run: its report, or that of the failures.

use super::Harness;
use crate::error::{Error, PropertyFailed};
use crate::failure::{Failure, FailureReport, Paint};
use crate::output::has_colours;
use crate::report::Report;

impl Harness {
    /// Ends the run.
    pub(crate) fn finish(mut self) -> Result<Report, Error> {
        if !self.failures.is_empty() {
            return Err(Error::Property(self.failed()));
        }
        let report = self.run.finish()?;
        if self.stale.is_empty() {
            return Ok(report);
        }
        self.stale.sort();
        let stale: Vec<String> = self.stale.into_iter().map(|(_, what)| what).collect();
        Err(Error::Expectation(format!(
            "saved regressions that no longer decode to a valid value; fix or remove their lines:\n{}",
            stale.join("\n")
        )))
    }

    /// Reports the failures.
    fn failed(&self) -> PropertyFailed {
        let report = FailureReport {
            failures: &self.failures,
            counts: (self.run.given() > 0).then(|| self.run.counts()),
            test_name: &self.test_name,
            paint: Paint { on: has_colours() },
        };
        PropertyFailed {
            text: report.to_string(),
            has_backtrace: self.failures.iter().any(|failure| failure.violation.backtrace.is_some()),
            failures: self.failures.iter().map(Failure::value).collect(),
        }
    }
}
