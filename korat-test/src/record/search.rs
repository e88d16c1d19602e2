//! What the report of a search has that an exploration has not.

use std::panic::Location;

use korat_core::{Finitize, RepOk};

use super::identity::{Identity, Subject};
use super::{Expectations, Failed, Recording};
use crate::config::Config;
use crate::error::FailedValue;
use crate::json::{self, Object, string};
use crate::panics;
use crate::report::{Ending, Report};
use crate::search::{Expected, Search};
use crate::shard::Division;
use crate::type_text::type_text;

impl<T: Finitize + RepOk> Search<T> {
    /// Begins the report of this search, if one is kept. `inside` is the type name of a closure in the test.
    pub(crate) fn recorded(&mut self, inside: Option<&str>, location: &Location<'_>) -> Recording {
        let is_kept = self.config.checkpoints.is_some() && !panics::is_in_property();
        if !Recording::is_wanted(&self.config) && !is_kept {
            return Recording::none();
        }
        let type_name = type_text::<T>();
        let identity = Identity::new(Subject { type_name: &type_name, inside }, location, self.config.shard);
        self.identity = Some(identity.clone());
        let recording = recording(&self.config, self.bounds.scope(), self.expected, identity);
        self.record = recording.record();
        recording
    }
}

/// Begins the report of a search.
fn recording(config: &Config, scope: usize, expected: Expected, identity: Identity) -> Recording {
    let mut settings = Object::default();
    let mut put = |name: &str, value: String| settings.field(name, string(&value));
    put("scope", scope.to_string());
    put("sizes", format!("{:?}", config.sizes));
    put("order", format!("{:?}", config.order));
    put("backtracking", format!("{:?}", config.backtracking));
    put("pruning", format!("{:?}", config.pruning));
    put("summaries", format!("{:?}", config.summaries));
    put("self_check", format!("{:?}", config.self_check));
    put("unread", format!("{:?}", config.unread));
    put("form_memory", config.form_memory.to_string());
    put("allow_empty", config.allow_empty.to_string());
    put("failures", config.failures.to_string());
    let optional = [
        ("limit", config.limit.map(|limit| limit.to_string())),
        ("time_limit", config.time_limit.map(|limit| format!("{limit:?}"))),
        ("sample", config.sample.map(|sample| format!("{sample} with seed {}", config.seed))),
        ("ranks", config.ranks.as_ref().map(|ranks| format!("{}..{}", ranks.start, ranks.end))),
        ("replay", config.replay.clone()),
    ];
    optional.into_iter().filter_map(|(name, value)| Some((name, value?))).for_each(|(name, value)| put(name, value));
    let expected = Expectations {
        complete: expected.complete || expected.count.is_some(),
        count: expected.count,
        some: !config.allow_empty,
    };
    Recording::begin(config, "search", identity, &settings, expected)
}

/// Returns what a search found.
pub(crate) fn found(report: &Report) -> Object {
    let Report { explored, valid, combinations, field_inits, undo_ops, candidates_checked, values_checked, .. } =
        report;
    let (ending, missing_from) = match report.ending {
        Ending::Complete => ("complete", None),
        Ending::Limit => ("limit", None),
        Ending::TimeLimit { size } => ("time limit", Some(size)),
        Ending::MemoryLimit { size, .. } => ("memory limit", Some(size)),
        Ending::Sampled => ("sampled", None),
        Ending::Ranked => ("ranked", None),
        Ending::Replayed => ("replayed", None),
        Ending::Unfinished => ("unfinished", None),
    };
    let mut counts = Object::default();
    counts.field("explored", explored);
    counts.field("valid", valid);
    counts.field("combinations", combinations);
    counts.field("field_inits", field_inits);
    counts.field("undo_ops", undo_ops);
    counts.field("candidates_checked", candidates_checked);
    counts.field("values_checked", values_checked);
    counts.field("regressions", report.regressions);
    let mut object = Object::default();
    object.field("ending", string(ending));
    object.field("missing_from_size", json::or_null(missing_from));
    let division = report.division.map(|division| match division {
        Division::Pieces => "pieces",
        Division::Values => "values",
        Division::Ranks => "ranks",
        Division::Sample => "sample",
    });
    object.field("division", json::or_null(division.map(string)));
    object.field("counts", counts.text());
    object.field("by_size", json::list(report.by_size.iter().map(|(size, values)| format!("[{size}, {values}]"))));
    // These may have more digits than programs that read numbers as 64 bits can take.
    let natural =
        |number: &Option<korat_core::Natural>| json::or_null(number.as_ref().map(|it| string(&it.to_string())));
    object.field("total", natural(&report.total));
    object.field("sampled_of", natural(&report.sampled_of));
    object.field("unread_fields", json::strings(&report.unread_fields));
    object
}

/// Returns the failures of a property, as reports have them.
pub(super) fn failures(failures: &[FailedValue], identity: &Identity) -> Vec<Failed> {
    let failed = |value: &FailedValue| {
        let FailedValue { message, location, size, drawing, debug, replay, choices, shrunk_from } = value.clone();
        let mut more = Object::default();
        more.field("debug", string(&debug));
        more.field("choices", json::strings(&choices));
        let shrunk_from = shrunk_from.map(|from| {
            let mut shrunk = Object::default();
            shrunk.field("size", from.size);
            shrunk.field("replay", string(&from.replay));
            shrunk.field("tried", from.tried);
            shrunk.field("is_smallest", from.is_smallest);
            shrunk.text()
        });
        more.field("shrunk_from", json::or_null(shrunk_from));
        let command = format!("KORAT_REPLAY='{replay}' cargo test {}", identity.test);
        Failed { message, location, size, drawing, replay, command, more }
    };
    failures.iter().map(failed).collect()
}
