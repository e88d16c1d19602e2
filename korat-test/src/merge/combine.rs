//! Adds up the parts of each search, and finds what is missing, contradicts itself or is not as expected.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::Wrong;
use super::expected::unmet;
use super::numbers::{Range, gaps, ranges, shards_text};
use super::part::{Part, optional_text, text};
use crate::record::program_text;
use crate::report::counted;

/// The counts of candidates, which are those of the whole search in each part if each tries all.
const OF_CANDIDATES: [&str; 4] = ["explored", "field_inits", "undo_ops", "candidates_checked"];

/// All searches of a run.
pub(crate) struct Merged {
    pub(crate) run: Option<String>,
    /// The number of files.
    pub(crate) files: usize,
    /// When the first and the last part began, in seconds since 1970.
    pub(crate) started: (u64, u64),
    /// In the order of the tests.
    pub(crate) searches: Vec<MergedSearch>,
}

/// A search, of all parts together.
pub(crate) struct MergedSearch {
    /// One for each shard, in order.
    pub(super) parts: Vec<Part>,
    /// The number of parts that there should be, if the search is shared.
    pub(crate) of: Option<u64>,
    /// The parts without a report, as ranges.
    pub(super) missing: Vec<Range>,
    /// How the search ended, with the numbers of the shards in which it ended so.
    pub(crate) endings: BTreeMap<String, Vec<u64>>,
    pub(crate) counts: BTreeMap<String, u64>,
    /// The values by size, or the states by level.
    pub(crate) by: Vec<(usize, u64)>,
    /// The smallest for each place where the property fails, smallest first.
    pub(crate) failures: Vec<MergedFailure>,
    /// What else is wrong.
    pub(crate) problems: Vec<String>,
    /// Those of the problems that are none while processes are still at work.
    pub(super) open: Vec<String>,
    /// The time of all parts together, in seconds.
    pub(crate) elapsed: f64,
}

/// A failure that some parts found.
pub(crate) struct MergedFailure {
    pub(crate) message: String,
    pub(crate) location: Option<String>,
    pub(crate) size: u64,
    pub(crate) drawing: String,
    pub(crate) command: String,
    /// The number of the shard that found it, if the search is shared.
    pub(crate) shard: Option<u64>,
    pub(super) json: Value,
}

impl Merged {
    /// Fails if the reports are of several runs.
    pub(super) fn of(parts: Vec<Part>) -> Result<Self, Wrong> {
        let mut runs: BTreeMap<Option<String>, usize> = BTreeMap::new();
        parts.iter().for_each(|part| *runs.entry(part.run.clone()).or_default() += 1);
        if runs.len() > 1 {
            let runs: Vec<String> = runs
                .iter()
                .map(|(run, files)| format!("{files} of {}", run.as_deref().unwrap_or("a run without a name")))
                .collect();
            return Err(Wrong(format!(
                "the reports are of several runs: {}; merge those of one run, from a folder of its own",
                runs.join(", ")
            )));
        }
        let begins = || parts.iter().map(|part| part.started);
        let started = (begins().min().unwrap_or(0), begins().max().unwrap_or(0));
        let (files, run) = (parts.len(), runs.into_keys().next().flatten());
        let mut searches: BTreeMap<Vec<String>, Vec<Part>> = BTreeMap::new();
        for part in parts {
            searches.entry(part.identity.clone()).or_default().push(part);
        }
        let searches = searches.into_values().map(MergedSearch::of).collect::<Result<_, _>>()?;
        Ok(Merged { run, files, started, searches })
    }

    pub(crate) fn is_passed(&self) -> bool {
        self.searches.iter().all(MergedSearch::is_passed)
    }
}

impl MergedSearch {
    fn of(mut parts: Vec<Part>) -> Result<Self, Wrong> {
        parts.sort_by(|one, other| (one.shard, &one.path).cmp(&(other.shard, &other.path)));
        // A report that was copied counts once.
        parts.dedup_by(|later, first| later.shard == first.shard && later.settled() == first.settled());
        keep_one_of_undivided(&mut parts);
        let mut problems = contradictions(&parts);
        let of = parts.iter().find_map(|part| Some(part.shard?.1));
        let there = ranges(parts.iter().filter_map(|part| Some(part.shard?.0)));
        let missing = gaps(&there, of.unwrap_or(0));
        let mut open = Vec::new();
        if let (Some(first), Some(of)) = (missing.first(), of) {
            let are = if missing.len() == 1 && first.start() == first.end() { "is" } else { "are" };
            open.push(format!("{} of {of} {are} missing", shards_text(&missing)));
        }
        for part in &parts {
            let (what, place) = match part.result.as_str() {
                "passed" | "stopped" => continue,
                "failed" if !part.failures.is_empty() => continue,
                "error" => (part.message.clone().unwrap_or_default(), &mut problems),
                "running" => ("it did not end: the process was killed, crashed or exited".to_string(), &mut open),
                "panicked" => ("the test panicked while it ran".to_string(), &mut problems),
                other => (format!("its result is `{other}`, and nothing says why"), &mut problems),
            };
            place.push(if part.shard.is_some() { format!("{}: {what}", part.name()) } else { what });
        }
        problems.extend(open.iter().cloned());
        let mut endings: BTreeMap<String, Vec<u64>> = BTreeMap::new();
        let (mut counts, mut by) = (BTreeMap::new(), BTreeMap::new());
        let add = |sum: &mut u64, more: u64| match sum.checked_add(more) {
            Some(more) => {
                *sum = more;
                Ok(())
            }
            None => Err(Wrong(format!("{}: the sum has more than 64 bits", parts[0].path))),
        };
        for part in &parts {
            let ending = part.ending.clone().unwrap_or_else(|| "unfinished".to_string());
            endings.entry(ending).or_default().extend(part.shard.map(|(index, _)| index));
            for (name, count) in &part.counts {
                let all: &mut u64 = counts.entry(name.clone()).or_default();
                if part.tries_all && OF_CANDIDATES.contains(&name.as_str()) {
                    *all = (*all).max(*count);
                } else {
                    add(all, *count)?;
                }
            }
            for (size, count) in &part.by {
                add(by.entry(*size as usize).or_default(), *count)?;
            }
        }
        if problems.is_empty() {
            problems.extend(another_total(&parts, &counts));
        }
        let failures = failures(&parts).map_err(|what| Wrong(format!("{}: {what}", parts[0].path)))?;
        if problems.is_empty() && failures.is_empty() {
            problems = unmet(&parts, &counts);
        }
        let elapsed = parts.iter().map(|part| part.elapsed).sum();
        let by = by.into_iter().collect();
        Ok(MergedSearch { parts, of, missing, endings, counts, by, failures, problems, open, elapsed })
    }

    pub(crate) fn is_passed(&self) -> bool {
        self.problems.is_empty() && self.failures.is_empty()
    }

    /// Returns a field of the reports, which all of them have in common.
    pub(crate) fn field(&self, name: &str) -> &Value {
        self.parts[0].json.get(name).unwrap_or(&Value::Null)
    }

    /// Returns such a field if it is text.
    pub(crate) fn text(&self, name: &str) -> &str {
        self.field(name).as_str().unwrap_or_default()
    }

    /// Returns the test and the place of the search in it.
    pub(crate) fn title(&self) -> String {
        let ordinal = self.field("ordinal").as_u64().unwrap_or(1);
        let which = if ordinal > 1 { format!(", search {ordinal} there") } else { String::new() };
        let (program, test, type_name) = (self.program(), self.text("test"), self.text("type"));
        let (file, line, column) = (self.text("file"), self.field("line"), self.field("column"));
        format!("{program} {test}: {type_name} at {file}:{line}:{column}{which}")
    }

    /// Returns the test executable, with its package if that is known.
    pub(super) fn program(&self) -> String {
        program_text(self.field("package").as_str(), self.text("program"))
    }

    /// Returns whether the parts together have every value or state within the bounds: none is missing, was cut short, drawn at random, or is of one value alone.
    pub(super) fn is_exhaustive(&self) -> bool {
        let is_whole = |part: &Part| match (part.ending.as_deref(), part.json.get("exhaustive")) {
            (Some("complete"), None) => true,
            // An exploration says so itself, of all that was asked for.
            (ending, Some(told)) => ending != Some("replayed") && told == true,
            (_, None) => false,
        };
        self.missing.is_empty() && self.parts.iter().all(is_whole)
    }

    /// Returns whether the search passed though values or states were left out.
    pub(crate) fn is_cut(&self) -> bool {
        self.is_passed() && !self.is_exhaustive()
    }

    /// Returns how the search ended, and whether one that passed left values out.
    pub(crate) fn ending(&self) -> String {
        self.endings() + if self.is_cut() { "; NOT exhaustive" } else { "" }
    }

    /// Returns how the search ended: in one word, or in a word for each part that ended otherwise.
    fn endings(&self) -> String {
        match self.endings.len() {
            1 => self.endings.keys().next().cloned().unwrap_or_default(),
            _ => {
                let told = |shards: &[u64]| shards_text(&ranges(shards.iter().copied()));
                let each = self.endings.iter().map(|(ending, shards)| format!("{ending} in {}", told(shards)));
                each.collect::<Vec<_>>().join("; ")
            }
        }
    }
}

/// Of reports of an exploration or an iterator, which every process does as a whole, keeps the one with the most states or values where a time limit ended
/// the others: how far one gets until then differs.
fn keep_one_of_undivided(parts: &mut Vec<Part>) {
    let passed = |part: &Part| part.shard.is_none() && part.result == "passed";
    let is_cut = |part: &Part| part.ending.as_deref() == Some("time limit");
    let reach = |part: &Part| (!is_cut(part), ["valid", "found"].map(|name| part.counts.get(name).copied()));
    let Some(best) = (0..parts.len()).filter(|&at| passed(&parts[at])).max_by_key(|&at| reach(&parts[at])) else {
        return;
    };
    let path = parts[best].path.clone();
    parts.retain(|part| part.path == path || !(passed(part) && is_cut(part)));
}

/// Returns what two parts of one search cannot both say.
fn contradictions(parts: &[Part]) -> Vec<String> {
    let mut found = Vec::new();
    let ofs: BTreeSet<Option<u64>> = parts.iter().map(|part| part.shard.map(|(_, of)| of)).collect();
    if ofs.len() > 1 {
        let told = ofs.iter().map(|of| of.map_or("the whole search".to_string(), |of| format!("{of} shards")));
        found.push(format!("contradictory: there are reports of {}", told.collect::<Vec<_>>().join(" and of ")));
    }
    for same in parts.chunk_by(|one, other| one.shard == other.shard).filter(|same| same.len() > 1) {
        let paths: Vec<&str> = same.iter().map(|part| part.path.as_str()).collect();
        found.push(format!("contradictory: {} has different reports: {}", same[0].name(), paths.join(", ")));
    }
    let all: Vec<&Part> = parts.iter().collect();
    for name in ["korat", "kind"] {
        found.extend(differing(&all, name, |part| part.json.get(name)));
    }
    // A process that was killed has not said what it searches, nor how it divides the search.
    for name in ["invariant", "bounds", "beside", "division"] {
        let told: Vec<&Part> = parts.iter().filter(|part| part.json.get(name).is_some()).collect();
        found.extend(differing(&told, name, |part| part.json.get(name)));
    }
    // Whether summaries find the total out may depend on the time.
    let told: Vec<&Part> = parts.iter().filter(|part| part.total().is_some()).collect();
    found.extend(differing(&told, "total", |part| part.json.get("total")));
    let names: BTreeSet<&String> =
        parts.iter().filter_map(|part| part.json.get("settings")?.as_object()).flat_map(|it| it.keys()).collect();
    for name in names {
        found.extend(differing(&all, &format!("settings.{name}"), |part| part.json.get("settings")?.get(name)));
    }
    let counts: BTreeSet<u64> = parts.iter().filter_map(|part| part.expected.count).collect();
    if counts.len() > 1 {
        found.push(format!("contradictory: different numbers are expected: {counts:?}"));
    }
    found
}

/// Returns what is wrong if the parts are complete, and do not have as many values as summaries say. A limit or a sample leaves values out.
fn another_total(parts: &[Part], counts: &BTreeMap<String, u64>) -> Option<String> {
    let is_selected = |part: &Part| ["limit", "sample"].iter().any(|name| part.json["settings"].get(name).is_some());
    let is_whole = |part: &Part| part.ending.as_deref() == Some("complete") && !is_selected(part);
    let total = parts.iter().find_map(Part::total).filter(|_| parts.iter().all(is_whole))?;
    let valid = *counts.get("valid")?;
    let sum = counted(valid, "value");
    (total != valid.to_string()).then(|| format!("contradictory: `total` is \"{total}\", but the sum is {sum}"))
}

/// Compares a field of the first part with that of the others.
fn differing<'p>(parts: &[&'p Part], name: &str, field: impl Fn(&'p Part) -> Option<&'p Value>) -> Option<String> {
    let first = *parts.first()?;
    let other = *parts.iter().find(|part| field(part) != field(first))?;
    let told =
        |part: &'p Part| format!("{} in {}", field(part).map_or("nothing".to_string(), Value::to_string), part.name());
    Some(format!("contradictory: `{name}` is {}, but {}", told(first), told(other)))
}

/// Returns the failures of all parts, smallest first: one for each place where the property panics, or for each text that it returns.
fn failures(parts: &[Part]) -> Result<Vec<MergedFailure>, String> {
    let mut all = Vec::new();
    for part in parts {
        for json in &part.failures {
            all.push(MergedFailure {
                message: text(json, "message")?,
                location: optional_text(json, "location"),
                size: json.get("size").and_then(Value::as_u64).ok_or("the field `size` of a failure is missing")?,
                drawing: text(json, "drawing")?,
                command: text(json, "command")?,
                shard: part.shard.map(|(index, _)| index),
                json: json.clone(),
            });
        }
    }
    // Stable: of two failures of one size that of the earlier part comes first.
    all.sort_by_key(|failure| failure.size);
    let mut origins = BTreeSet::new();
    all.retain(|it| origins.insert(it.location.clone().ok_or_else(|| it.message.clone())));
    Ok(all)
}
