//! The merged report as JSON. `docs/src/reports.md` has the fields.

use serde_json::{Map, Value, json};

use super::combine::{Merged, MergedSearch};
use super::numbers::listed;
use super::part::IDENTITY;
use crate::record::SCHEMA;

/// The most missing shards that are listed one by one: more than a job array of SLURM or an indexed job of Kubernetes has by default.
const MOST_LISTED: u64 = 100_000;

/// Returns the report.
pub(super) fn json(merged: &Merged) -> String {
    let Merged { run, files, started: (first, last), searches } = merged;
    let searches: Vec<Value> = searches.iter().map(search).collect();
    let all = json!({
        "schema": SCHEMA,
        "kind": "merged",
        "run": run,
        "files": files,
        "started": [first, last],
        "passed": merged.is_passed(),
        "searches": searches,
    });
    format!("{all:#}\n")
}

fn search(search: &MergedSearch) -> Value {
    let MergedSearch { of, missing, endings, counts, by, failures, problems, elapsed, .. } = search;
    let mut fields = Map::new();
    for name in IDENTITY.iter().chain(&["kind", "korat", "bounds", "settings"]) {
        fields.insert((*name).to_string(), search.field(name).clone());
    }
    let result = match (failures.is_empty(), problems.is_empty()) {
        (false, _) => "failed",
        (true, false) => "error",
        (true, true) => "passed",
    };
    let failures = failures.iter().map(|failure| {
        let mut json = failure.json.clone();
        if let Some(fields) = json.as_object_mut() {
            fields.insert("shard".to_string(), failure.shard.into());
        }
        json
    });
    let by_what = if search.text("kind") == "exploration" { "by_level" } else { "by_size" };
    let ranges: Vec<[u64; 2]> = missing.iter().map(|range| [*range.start(), *range.end()]).collect();
    let own = json!({
        "shards": of.map(|of| json!({"of": of, "missing": listed(missing, MOST_LISTED), "missing_ranges": ranges})),
        "result": result,
        "endings": endings,
        "exhaustive": search.is_exhaustive(),
        "counts": counts,
        by_what: by,
        "failures": failures.collect::<Vec<_>>(),
        "problems": problems,
        "elapsed": elapsed,
    });
    fields.extend(own.as_object().cloned().unwrap_or_default());
    Value::Object(fields)
}
