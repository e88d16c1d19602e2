//! Reads settings from environment variables that start with `KORAT_`, which take precedence over the code, and warns
//! about unknown variables and invalid values.

use std::collections::BTreeSet;
use std::time::Duration;

use korat_core::{Backtracking, SelfCheck};
use parking_lot::Mutex;

use crate::config::{Config, Summaries};
use crate::output::print_line;
use crate::progress::Progress;

/// The variables that korat knows.
const KNOWN: [&str; 26] = [
    "KORAT_SCOPE",
    "KORAT_DEPTH",
    "KORAT_EXECUTION_LIMIT",
    "KORAT_LIMIT",
    "KORAT_TIME_LIMIT",
    "KORAT_FORM_MEMORY",
    "KORAT_REPLAY",
    "KORAT_VERBOSE",
    "KORAT_PROGRESS",
    "KORAT_EXPLAIN",
    "KORAT_BACKTRACKING",
    "KORAT_REGRESSIONS",
    "KORAT_PROFILE",
    "KORAT_CRASH_NOTES",
    "KORAT_SELF_CHECK",
    "KORAT_SUMMARIES",
    "KORAT_SAMPLE",
    "KORAT_SEED",
    "KORAT_SHRINK",
    "KORAT_SHARD",
    "KORAT_SHARDS",
    "KORAT_THREADS",
    "KORAT_REPORT",
    "KORAT_RUN",
    "KORAT_CHECKPOINT",
    "KORAT_CHECKPOINT_EVERY",
];

/// Applies the settings in the environment, and warns once about each mistake.
pub(crate) fn apply(config: &mut Config) {
    static WARNED: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());
    let variables = std::env::vars_os().filter_map(|(name, value)| {
        let name = name.into_string().ok().filter(|name| name.starts_with("KORAT_"))?;
        Some((name, value.to_string_lossy().into_owned()))
    });
    for warning in read(variables, config) {
        if WARNED.lock().insert(warning.clone()) {
            print_line(&format!("warning: korat: {warning}"));
        }
    }
}

/// Applies the settings in `variables`, and returns the warnings.
fn read(variables: impl Iterator<Item = (String, String)>, config: &mut Config) -> Vec<String> {
    let mut variables: Vec<(String, String)> = variables.collect();
    variables.sort();
    let mut warnings = Vec::new();
    for (name, value) in variables {
        // An empty variable counts as not set.
        if KNOWN.contains(&name.as_str()) && value.is_empty() {
            continue;
        }
        if let Err(warning) = set(&name, value.trim(), config) {
            warnings.push(warning);
        }
    }
    warnings
}

fn set(name: &str, value: &str, config: &mut Config) -> Result<(), String> {
    let wrong = |expected: &str| format!("{name}={value} is ignored: {expected}");
    let flag = || match value.to_ascii_lowercase().as_str() {
        "1" | "true" | "yes" | "on" => Ok(true),
        "0" | "false" | "no" | "off" => Ok(false),
        _ => Err(wrong("it is 1 or 0")),
    };
    match name {
        "KORAT_SCOPE" => config.scope = Some(value.parse().map_err(|_| wrong("a scope is a number"))?),
        "KORAT_DEPTH" => config.depth = Some(value.parse().map_err(|_| wrong("a depth is a number of operations"))?),
        "KORAT_LIMIT" => {
            let limit = value.parse().ok().filter(|limit| *limit > 0);
            config.limit = Some(limit.ok_or_else(|| wrong("a limit is a number of values, at least 1"))?);
        }
        "KORAT_SAMPLE" => {
            let sample = value.parse().ok().filter(|sample| *sample > 0);
            config.sample = Some(sample.ok_or_else(|| wrong("a sample is a number of values, at least 1"))?);
        }
        // Mistakes in these are errors, see `shard`.
        "KORAT_SHARD" | "KORAT_SHARDS" => {}
        "KORAT_THREADS" if value.eq_ignore_ascii_case("auto") => {
            config.threads = None;
        }
        "KORAT_THREADS" => {
            let threads = value.parse().ok().filter(|threads| *threads > 0);
            config.threads = Some(threads.ok_or_else(|| wrong("it is a number of threads, at least 1, or auto"))?);
        }
        "KORAT_SEED" => config.seed = value.parse().map_err(|_| wrong("a seed is a number"))?,
        "KORAT_SHRINK" => config.shrink = value.parse().map_err(|_| wrong("it is a number of values"))?,
        "KORAT_TIME_LIMIT" | "KORAT_EXECUTION_LIMIT" | "KORAT_CHECKPOINT_EVERY" => {
            let limit =
                time(value).ok_or_else(|| wrong("a time is written as 30, 30s, 500ms or 2m, and is not zero"))?;
            let place = match name {
                "KORAT_TIME_LIMIT" => &mut config.time_limit,
                "KORAT_CHECKPOINT_EVERY" => &mut config.checkpoint_every,
                _ => &mut config.execution_limit,
            };
            *place = Some(limit);
        }
        "KORAT_FORM_MEMORY" => {
            let bytes = bytes(value);
            config.form_memory = bytes.ok_or_else(|| wrong("memory is written as 4GiB, 512MiB, 64KiB, or bytes"))?;
        }
        "KORAT_REPORT" => config.reports = Some(value.into()),
        "KORAT_CHECKPOINT" => config.checkpoints = Some(value.into()),
        "KORAT_RUN" => config.run_name = Some(value.to_string()),
        "KORAT_REPLAY" => config.replay = Some(value.to_string()),
        "KORAT_VERBOSE" => config.verbose = flag()?,
        "KORAT_EXPLAIN" => config.explain = flag()?,
        "KORAT_PROFILE" => config.profile = flag()?,
        "KORAT_REGRESSIONS" => config.regressions = flag()?,
        "KORAT_CRASH_NOTES" => config.crash_notes = flag()?,
        "KORAT_PROGRESS" => {
            config.progress = match value.to_ascii_lowercase().as_str() {
                "auto" => Progress::Auto,
                "always" | "1" => Progress::Always,
                "never" | "0" => Progress::Never,
                _ => return Err(wrong("it is auto, always or never")),
            }
        }
        "KORAT_BACKTRACKING" => {
            config.backtracking = match value.to_ascii_lowercase().as_str() {
                "checkpoint" => Backtracking::Checkpoint,
                "reexecute" => Backtracking::Reexecute,
                _ => return Err(wrong("it is checkpoint or reexecute")),
            }
        }
        "KORAT_SUMMARIES" => {
            config.summaries = match value.to_ascii_lowercase().as_str() {
                "auto" => Summaries::Auto,
                "always" | "1" => Summaries::Always,
                "never" | "0" => Summaries::Never,
                _ => return Err(wrong("it is auto, always or never")),
            }
        }
        "KORAT_SELF_CHECK" => {
            config.self_check = match value.to_ascii_lowercase().as_str() {
                "sample" => SelfCheck::Sample,
                "all" | "1" => SelfCheck::All,
                "off" | "0" => SelfCheck::Off,
                _ => return Err(wrong("it is sample, all or off")),
            }
        }
        _ => {
            let near = KNOWN.iter().min_by_key(|known| edit_distance(known, name));
            let hint = near.filter(|near| edit_distance(near, name) <= 3);
            let hint = hint
                .map_or_else(|| format!("korat knows {}", KNOWN.join(", ")), |near| format!("did you mean {near}?"));
            return Err(format!("there is no variable {name}; {hint}"));
        }
    }
    Ok(())
}

/// Parses a duration: numbers with units, as in `1h 5m`, or a plain number of seconds.
fn time(text: &str) -> Option<Duration> {
    if let Ok(seconds) = text.trim().parse::<f64>() {
        return positive(seconds);
    }
    let (mut rest, mut seconds) = (text.trim(), 0.0);
    while !rest.is_empty() {
        let unit_at = rest.find(|c: char| c.is_ascii_alphabetic())?;
        let number: f64 = rest[..unit_at].trim().parse().ok()?;
        let unit_end = rest[unit_at..].find(|c: char| !c.is_ascii_alphabetic()).map_or(rest.len(), |len| unit_at + len);
        let unit = match &rest[unit_at..unit_end] {
            "ms" => 0.001,
            "s" | "sec" => 1.0,
            "m" | "min" => 60.0,
            "h" => 3600.0,
            _ => return None,
        };
        seconds += number * unit;
        rest = rest[unit_end..].trim_start();
    }
    positive(seconds)
}

/// Parses a number of bytes, as in `512MiB`; without a unit, bytes.
fn bytes(text: &str) -> Option<usize> {
    let units = [("KiB", 10), ("MiB", 20), ("GiB", 30), ("", 0)];
    let (number, bits) = units.iter().find_map(|(unit, bits)| Some((text.strip_suffix(unit)?, bits)))?;
    number.trim().parse::<usize>().ok()?.checked_mul(1 << bits)
}

/// Converts seconds to a duration, or returns `None` if they are zero or negative.
fn positive(seconds: f64) -> Option<Duration> {
    Duration::try_from_secs_f64(seconds).ok().filter(|time| !time.is_zero())
}

/// Returns the Levenshtein distance: the number of insertions, deletions and substitutions that turn one string into the other.
fn edit_distance(from: &str, to: &str) -> usize {
    let mut row: Vec<usize> = (0..=to.chars().count()).collect();
    for (at, one) in from.chars().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], at + 1);
        for (column, other) in to.chars().enumerate() {
            let replaced = diagonal + usize::from(one != other);
            diagonal = row[column + 1];
            row[column + 1] = replaced.min(diagonal + 1).min(row[column] + 1);
        }
    }
    row[row.len() - 1]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_from(variables: &[(&str, &str)]) -> (Config, Vec<String>) {
        let mut config = Config::new().limit(7).explain(true);
        let variables = variables.iter().map(|(name, value)| (name.to_string(), value.to_string()));
        let warnings = read(variables, &mut config);
        (config, warnings)
    }

    #[test]
    fn the_environment_comes_before_the_code() {
        let (config, warnings) = read_from(&[
            ("KORAT_SCOPE", "5"),
            ("KORAT_LIMIT", "100"),
            ("KORAT_TIME_LIMIT", "1500ms"),
            ("KORAT_FORM_MEMORY", "3 MiB"),
            ("KORAT_REPLAY", "List:2:1.0"),
            ("KORAT_VERBOSE", "on"),
            ("KORAT_PROGRESS", "never"),
            ("KORAT_EXPLAIN", "0"),
            ("KORAT_BACKTRACKING", "Reexecute"),
            ("KORAT_REGRESSIONS", "0"),
            ("KORAT_CRASH_NOTES", "off"),
            ("KORAT_SELF_CHECK", "all"),
            ("KORAT_THREADS", "3"),
        ]);
        assert_eq!(warnings, Vec::<String>::new());
        let expected = Config::new()
            .scope(5)
            .limit(100)
            .time_limit(Duration::from_millis(1500))
            .form_memory(3 << 20)
            .replay("List:2:1.0")
            .verbose(true)
            .progress(Progress::Never)
            .explain(false)
            .backtracking(Backtracking::Reexecute)
            .regressions(false)
            .crash_notes(false)
            .self_check(SelfCheck::All)
            .threads(3);
        assert_eq!(config, expected);
    }

    #[test]
    fn the_code_comes_before_the_default() {
        let (config, warnings) = read_from(&[("KORAT_SCOPE", "5"), ("KORAT_LIMIT", "")]);
        assert_eq!((config, warnings.len()), (Config::new().limit(7).explain(true).scope(5), 0));
    }

    #[test]
    fn what_nobody_understands_is_warned_about_and_changes_nothing() {
        let (config, warnings) = read_from(&[
            ("KORAT_SCOPE", "many"),
            ("KORAT_LIMIT", "0"),
            ("KORAT_TIME_LIMIT", "soon"),
            ("KORAT_FORM_MEMORY", "18000000000GiB"),
            ("KORAT_VERBOSE", "perhaps"),
            ("KORAT_PROGRESS", "2"),
            ("KORAT_BACKTRACKING", "both"),
            ("KORAT_SELF_CHECK", "some"),
            ("KORAT_THREADS", "0"),
            ("KORAT_SCOP", "3"),
            ("KORAT_FORESTRY", "3"),
        ]);
        assert_eq!(config, Config::new().limit(7).explain(true));
        insta::assert_snapshot!(warnings.join("\n"), @"
        KORAT_BACKTRACKING=both is ignored: it is checkpoint or reexecute
        there is no variable KORAT_FORESTRY; korat knows KORAT_SCOPE, KORAT_DEPTH, KORAT_EXECUTION_LIMIT, KORAT_LIMIT, KORAT_TIME_LIMIT, KORAT_FORM_MEMORY, KORAT_REPLAY, KORAT_VERBOSE, KORAT_PROGRESS, KORAT_EXPLAIN, KORAT_BACKTRACKING, KORAT_REGRESSIONS, KORAT_PROFILE, KORAT_CRASH_NOTES, KORAT_SELF_CHECK, KORAT_SUMMARIES, KORAT_SAMPLE, KORAT_SEED, KORAT_SHRINK, KORAT_SHARD, KORAT_SHARDS, KORAT_THREADS, KORAT_REPORT, KORAT_RUN, KORAT_CHECKPOINT, KORAT_CHECKPOINT_EVERY
        KORAT_FORM_MEMORY=18000000000GiB is ignored: memory is written as 4GiB, 512MiB, 64KiB, or bytes
        KORAT_LIMIT=0 is ignored: a limit is a number of values, at least 1
        KORAT_PROGRESS=2 is ignored: it is auto, always or never
        there is no variable KORAT_SCOP; did you mean KORAT_SCOPE?
        KORAT_SCOPE=many is ignored: a scope is a number
        KORAT_SELF_CHECK=some is ignored: it is sample, all or off
        KORAT_THREADS=0 is ignored: it is a number of threads, at least 1, or auto
        KORAT_TIME_LIMIT=soon is ignored: a time is written as 30, 30s, 500ms or 2m, and is not zero
        KORAT_VERBOSE=perhaps is ignored: it is 1 or 0
        ");
    }

    #[test]
    fn times_are_written_in_many_ways() {
        let times = ["30", "0.5", "30s", "500ms", "2m", "1h 5m", "0", "0s", "-1", "x"].map(time);
        let ms = |ms| Some(Duration::from_millis(ms));
        let expected = [30_000, 500, 30_000, 500, 120_000, 3_900_000].map(ms);
        assert_eq!((&times[..6], &times[6..]), (&expected[..], &[None; 4][..]));
    }
}
