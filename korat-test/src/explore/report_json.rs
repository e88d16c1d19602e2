//! The report of an exploration as a file has it: what it has that the report of a search has not.

use std::panic::Location;

use super::failure::{ExploreFailed, FailedSequence};
use super::report::{ExploreEnding, ExploreReport};
use super::{Explore, State};
use crate::checkpoint;
use crate::json::{self, Object, string};
use crate::record::{Expectations, Failed, Identity, Recording, Subject};
use crate::type_text::any_type_text;

impl<S: State> Explore<S> {
    /// Begins the report of this exploration, if one is kept.
    pub(crate) fn recorded(&self, location: &Location<'_>) -> Recording {
        if self.config.checkpoints.is_some() {
            checkpoint::tell_none_of("explorations");
        }
        if !Recording::is_wanted(&self.config) {
            return Recording::none();
        }
        let type_name = any_type_text::<S>();
        let config = &self.config;
        let matching = self.matched_by.matching();
        let mut settings = Object::default();
        let optional = [
            ("depth", config.depth.map(|depth| depth.to_string())),
            ("limit", config.limit.map(|limit| limit.to_string())),
            ("time_limit", config.time_limit.map(|limit| format!("{limit:?}"))),
            ("matching", Some(matching.map_or_else(|| "Key".to_string(), |matching| format!("{matching:?}")))),
            ("failures", Some(config.failures.to_string())),
            ("replay", config.replay.clone()),
        ];
        for (name, value) in optional {
            if let Some(value) = value {
                settings.field(name, string(&value));
            }
        }
        let subject = Subject { type_name: &type_name, inside: self.inside };
        let identity = Identity::new(subject, location, None);
        let recording = Recording::begin(config, "exploration", identity, &settings, Expectations::default());
        recording.record().note_bounds(|| self.operations.keys().join("\n"));
        recording
    }
}

impl Recording {
    /// Ends the report with the result of an exploration, and returns the result.
    pub(super) fn explored(self, result: Result<ExploreReport, ExploreFailed>) -> Result<ExploreReport, ExploreFailed> {
        let report = match &result {
            Ok(report) => report,
            Err(failed) => &failed.report,
        };
        self.record().note_found(|| found(report));
        match result {
            Ok(mut report) => {
                report.record = self.record();
                self.end("passed", None, |_| Vec::new());
                Ok(report)
            }
            Err(failed) => {
                self.end("failed", None, |identity| failures(&failed.failures, identity));
                Err(failed)
            }
        }
    }
}

/// Returns what an exploration found.
fn found(report: &ExploreReport) -> Object {
    let ExploreReport { found, expanded, executions, levels, ending, .. } = report;
    let mut counts = Object::default();
    counts.field("found", found);
    counts.field("expanded", expanded);
    counts.field("executions", executions);
    let mut object = Object::default();
    object.field("ending", string(ending.word()));
    let depth = if let ExploreEnding::Depth(depth) = ending { Some(*depth) } else { None };
    object.field("depth", json::or_null(depth));
    object.field("counts", counts.text());
    object
        .field("by_level", json::list(levels.iter().enumerate().map(|(level, states)| format!("[{level}, {states}]"))));
    object.field("exhaustive", report.is_exhaustive());
    object.field("bytes", report.bytes);
    object
}

/// Returns failing sequences, as reports have them.
fn failures(failures: &[FailedSequence], identity: &Identity) -> Vec<Failed> {
    let failed = |sequence: &FailedSequence| {
        let mut more = Object::default();
        more.field("calls", json::strings(&sequence.calls));
        more.field("states", json::strings(&sequence.states));
        let command = sequence.command().map(str::to_string);
        Failed {
            message: sequence.message.clone(),
            location: sequence.location.clone(),
            size: sequence.calls.len(),
            drawing: sequence.steps_text(),
            replay: sequence.replay.clone(),
            command: command.unwrap_or_else(|| format!("cargo test {}", identity.test)),
            more,
        }
    };
    failures.iter().map(failed).collect()
}
