//! The merged report as JSON. `docs/src/reports.md` has the fields.

use serde_json::{Map, Value, json};

use super::combine::{Merged, MergedSearch};
use super::part::IDENTITY;
use crate::record::SCHEMA;

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
    let own = json!({
        "shards": of.map(|of| json!({"of": of, "missing": missing})),
        "result": result,
        "endings": endings,
        "counts": counts,
        by_what: by,
        "failures": failures.collect::<Vec<_>>(),
        "problems": problems,
        "elapsed": elapsed,
    });
    fields.extend(own.as_object().cloned().unwrap_or_default());
    Value::Object(fields)
}
