//! One report, read from a file: what a merge needs of it, and all the rest as JSON.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::record::SCHEMA;

/// The report of a search, or of a part of one.
pub(crate) struct Part {
    /// The file.
    pub(super) path: String,
    /// Which search it is of: equal for all parts of one.
    pub(super) identity: Vec<String>,
    pub(super) run: Option<String>,
    /// The number of the part and how many there are, if the search is shared.
    pub(super) shard: Option<(u64, u64)>,
    /// When it began, in seconds since 1970.
    pub(super) started: u64,
    /// In seconds; zero if it did not end.
    pub(super) elapsed: f64,
    pub(super) result: String,
    pub(super) message: Option<String>,
    /// How the search ended, if it did.
    pub(super) ending: Option<String>,
    pub(super) counts: BTreeMap<String, u64>,
    /// Whether each part of the search tries all candidates.
    pub(super) tries_all: bool,
    /// The values by size, or the states by level.
    pub(super) by: Vec<(u64, u64)>,
    pub(super) failures: Vec<Value>,
    pub(super) expected: Expected,
    /// The whole report.
    pub(super) json: Value,
}

/// What the test expects of the whole search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Expected {
    pub(super) complete: bool,
    pub(super) count: Option<u64>,
    pub(super) some: bool,
}

/// The fields that all parts of a search have in common, and no two searches of a run.
pub(super) const IDENTITY: [&str; 8] = ["package", "program", "test", "type", "file", "line", "column", "ordinal"];

/// How searches end.
const ENDINGS: [&str; 8] =
    ["complete", "limit", "time limit", "memory limit", "sampled", "ranked", "replayed", "unfinished"];

/// How explorations end.
const ENDINGS_OF_EXPLORATIONS: [&str; 6] = ["fixpoint", "depth", "limit", "time limit", "replayed", "failed"];

impl Part {
    pub(super) fn new(path: String, json: Value) -> Result<Self, String> {
        let schema = number(&json, "schema").map_err(|_| "this is no report of korat".to_string())?;
        if schema != SCHEMA {
            return Err(format!("it has version {schema} of the fields; this korat reads version {SCHEMA}"));
        }
        let expected = json.get("expected").ok_or_else(|| missing("expected"))?;
        let expected = Expected {
            complete: expected.get("complete").is_some_and(|it| it == true),
            count: expected.get("count").and_then(Value::as_u64),
            some: expected.get("some").is_some_and(|it| it == true),
        };
        let shard = match json.get("shard") {
            None | Some(Value::Null) => None,
            Some(shard) => Some((number(shard, "index")?, number(shard, "of")?)),
        };
        if let Some((index, of)) = shard.filter(|(index, of)| !(1..=*of).contains(index)) {
            return Err(format!("there is no shard {index}/{of}"));
        }
        let ended = json.get("counts").is_some();
        let mut counts = BTreeMap::new();
        for (name, count) in json.get("counts").and_then(Value::as_object).into_iter().flatten() {
            counts.insert(name.clone(), count.as_u64().ok_or_else(|| format!("`counts.{name}` is no number"))?);
        }
        let (result, kind) = (text(&json, "result")?, text(&json, "kind")?);
        if result == "passed" && !ended {
            return Err("its result is `passed`, but the field `counts` is missing".to_string());
        }
        let (of, endings) = match kind.as_str() {
            "search" => ("a search", &ENDINGS[..]),
            "exploration" => ("an exploration", &ENDINGS_OF_EXPLORATIONS[..]),
            _ => return Err(format!("its kind `{kind}` is neither a search nor an exploration")),
        };
        let ending = ended.then(|| text(&json, "ending")).transpose()?;
        if let Some(ending) = ending.as_deref().filter(|ending| !endings.contains(ending)) {
            return Err(format!("there is no ending `{ending}` of {of}"));
        }
        let by = json.get("by_size").or(json.get("by_level")).and_then(Value::as_array);
        let by = by.into_iter().flatten().map(|pair| {
            let pair: Vec<u64> = pair.as_array().into_iter().flatten().filter_map(Value::as_u64).collect();
            if let [size, count] = pair[..] { Ok((size, count)) } else { Err("sizes and levels are pairs of numbers") }
        });
        let by: Vec<(u64, u64)> = by.collect::<Result<_, _>>()?;
        // An error may end a search before the sizes of what was counted are known.
        let is_settled = ["passed", "failed", "stopped"].contains(&result.as_str());
        if let Some(&valid) = counts.get("valid").filter(|_| is_settled) {
            let sum: u128 = by.iter().map(|&(_, values)| u128::from(values)).sum();
            if sum != u128::from(valid) {
                return Err(format!("`by_size` has {sum} values, and `counts.valid` is {valid}"));
            }
        }
        Ok(Part {
            identity: IDENTITY.iter().map(|name| json.get(name).map_or_else(String::new, Value::to_string)).collect(),
            run: optional_text(&json, "run"),
            shard,
            started: number(&json, "started")?,
            elapsed: json.get("elapsed").and_then(Value::as_f64).unwrap_or(0.0),
            result,
            message: optional_text(&json, "message"),
            ending,
            counts,
            tries_all: match json.get("division").and_then(Value::as_str) {
                Some("values" | "ranks") => true,
                // What values are drawn from is summarised in every shard; where there are no summaries, each draws with work of its own.
                Some("sample") => optional_text(&json, "sampled_of").is_some(),
                _ => false,
            },
            by,
            failures: json.get("failures").and_then(Value::as_array).cloned().unwrap_or_default(),
            expected,
            path,
            json,
        })
    }

    /// Returns what the part is called among the others of its search.
    pub(super) fn name(&self) -> String {
        match self.shard {
            Some((index, of)) => format!("shard {index}/{of}"),
            None => "the search".to_string(),
        }
    }

    /// Returns the number of all values, if it was found out.
    pub(super) fn total(&self) -> Option<&str> {
        self.json.get("total").and_then(Value::as_str)
    }

    /// Returns the report without what differs between two runs that did the same.
    pub(super) fn settled(&self) -> Value {
        let mut json = self.json.clone();
        if let Some(fields) = json.as_object_mut() {
            ["started", "elapsed", "bytes", "total"].iter().for_each(|name| _ = fields.remove(*name));
        }
        json
    }
}

fn missing(name: &str) -> String {
    format!("the field `{name}` is missing")
}

fn number(json: &Value, name: &str) -> Result<u64, String> {
    json.get(name).and_then(Value::as_u64).ok_or_else(|| missing(name))
}

pub(super) fn text(json: &Value, name: &str) -> Result<String, String> {
    optional_text(json, name).ok_or_else(|| missing(name))
}

pub(super) fn optional_text(json: &Value, name: &str) -> Option<String> {
    json.get(name).and_then(Value::as_str).map(str::to_string)
}
