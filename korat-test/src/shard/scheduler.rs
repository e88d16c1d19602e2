//! The shard that the environment asks for: `KORAT_SHARD`, or what a scheduler sets, if `KORAT_SHARD=auto` says that it is meant for korat. The same variables
//! tell other tools which tests or which files to run; where those divide the tests, korat must not divide each test again.

use std::env;
use std::fs::File;

use super::Shard;

/// What the environment says about shards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Asked {
    Nothing,
    /// The whole search.
    Whole,
    Part(Shard),
}

/// A scheduler, and what it sets.
struct Scheduler {
    name: &'static str,
    index: &'static str,
    /// The number of the first shard.
    first: u32,
    /// The number of shards; Kubernetes sets none.
    total: Option<&'static str>,
}

const SCHEDULERS: [Scheduler; 5] = [
    Scheduler { name: "Bazel", index: "TEST_SHARD_INDEX", first: 0, total: Some("TEST_TOTAL_SHARDS") },
    Scheduler { name: "GitLab", index: "CI_NODE_INDEX", first: 1, total: Some("CI_NODE_TOTAL") },
    Scheduler {
        name: "Buildkite",
        index: "BUILDKITE_PARALLEL_JOB",
        first: 0,
        total: Some("BUILDKITE_PARALLEL_JOB_COUNT"),
    },
    Scheduler { name: "CircleCI", index: "CIRCLE_NODE_INDEX", first: 0, total: Some("CIRCLE_NODE_TOTAL") },
    Scheduler { name: "Kubernetes", index: "JOB_COMPLETION_INDEX", first: 0, total: None },
];

/// Returns what the environment asks for. Touches the file by which Bazel is told that its shards are understood.
pub(crate) fn asked() -> Result<Asked, String> {
    let asked = asked_by(&|name| env::var(name).ok())?;
    let is_auto = env::var("KORAT_SHARD").is_ok_and(|shard| shard.trim() == "auto");
    let status_file = env::var_os("TEST_SHARD_STATUS_FILE").filter(|file| is_auto && !file.is_empty());
    if let (Asked::Part(_), Some(file)) = (asked, status_file) {
        let touched = File::options().append(true).create(true).open(&file);
        touched.map_err(|error| format!("TEST_SHARD_STATUS_FILE={} cannot be touched: {error}", file.display()))?;
    }
    Ok(asked)
}

/// Returns what these variables ask for, or what is wrong with them.
fn asked_by(variable: &dyn Fn(&str) -> Option<String>) -> Result<Asked, String> {
    // An empty variable counts as not set.
    let variable = |name: &str| variable(name).map(|value| value.trim().to_string()).filter(|value| !value.is_empty());
    let total = variable("KORAT_SHARDS");
    let total = total.as_deref().map(|total| number("KORAT_SHARDS", total)).transpose()?;
    match variable("KORAT_SHARD").as_deref() {
        None => match total {
            Some(total) => Err(format!("KORAT_SHARDS={total} is set, but KORAT_SHARD is not; set KORAT_SHARD=auto")),
            None => Ok(Asked::Nothing),
        },
        Some("off") => Ok(Asked::Whole),
        Some("auto") => Ok(scheduled(&variable, total)?.map_or(Asked::Nothing, Asked::Part)),
        Some(text) => match text.parse::<Shard>() {
            Ok(shard) if total.is_some_and(|total| total != shard.of) => {
                Err(format!("KORAT_SHARD={text} and KORAT_SHARDS={} contradict each other", total.unwrap_or(0)))
            }
            Ok(shard) => Ok(Asked::Part(shard)),
            Err(_) => Err(format!(
                "KORAT_SHARD={text} is no shard: the second of eight is 2/8, that of a scheduler is `auto`, and `off` is the whole search"
            )),
        },
    }
}

/// Returns the shard that schedulers have set, if there are any.
fn scheduled(variable: &dyn Fn(&str) -> Option<String>, total: Option<u32>) -> Result<Option<Shard>, String> {
    let mut found: Option<(String, Shard)> = None;
    let by_index = SCHEDULERS.iter().map(|scheduler| by_index(scheduler, variable, total));
    for one in by_index.chain([by_slurm(variable)]) {
        let Some((text, shard)) = one? else { continue };
        if total.is_some_and(|total| total != shard.of) {
            return Err(format!("{text} and KORAT_SHARDS={} contradict each other", total.unwrap_or(0)));
        }
        match &found {
            Some((other, before)) if *before != shard => {
                return Err(format!(
                    "two schedulers disagree: {other} is shard {before}, and {text} is shard {shard}; say which with KORAT_SHARD={before} or KORAT_SHARD={shard}"
                ));
            }
            _ => found = Some((text, shard)),
        }
    }
    match (&found, total) {
        (None, Some(total)) => Err(format!(
            "KORAT_SHARDS={total}, but no scheduler has set the number of this shard; set KORAT_SHARD=1/{total}"
        )),
        _ => Ok(found.map(|(_, shard)| shard)),
    }
}

/// Returns the shard of a scheduler that sets an index and a number of shards, with what it has set.
fn by_index(
    scheduler: &Scheduler,
    variable: &dyn Fn(&str) -> Option<String>,
    asked_total: Option<u32>,
) -> Result<Option<(String, Shard)>, String> {
    let Scheduler { name, index: index_name, first, total: total_name } = scheduler;
    let total_name = total_name.unwrap_or("KORAT_SHARDS");
    let index = variable(index_name);
    let total =
        if total_name == "KORAT_SHARDS" { asked_total.map(|total| total.to_string()) } else { variable(total_name) };
    let (index, total) = match (index, total) {
        (Some(index), Some(total)) => (index, total),
        (None, _) if total_name == "KORAT_SHARDS" => return Ok(None),
        (None, None) => return Ok(None),
        // A job of GitLab that is not parallel, and one of CircleCI, have a number of jobs alone.
        (None, Some(total)) if total == "1" => return Ok(None),
        (Some(index), None) => {
            return Err(format!("{index_name}={index} is set, as by {name}, but {total_name} is not"));
        }
        (None, Some(total)) => {
            return Err(format!("{total_name}={total} is set, as by {name}, but {index_name} is not"));
        }
    };
    let text = format!("{name}'s {index_name}={index} of {total_name}={total}");
    let (at, of) = (number(index_name, &index)?, number(total_name, &total)?);
    let shard = at.checked_sub(*first).and_then(|at| Shard::new(at.checked_add(1)?, of));
    match shard {
        Some(shard) => Ok(Some((text, shard))),
        None => Err(format!("{text} is no shard: the first index is {first}")),
    }
}

/// Returns the shard of a task of a SLURM array, with what SLURM has set. Indices may begin anywhere, and have any distance.
fn by_slurm(variable: &dyn Fn(&str) -> Option<String>) -> Result<Option<(String, Shard)>, String> {
    const NAMES: [&str; 5] = [
        "SLURM_ARRAY_TASK_ID",
        "SLURM_ARRAY_TASK_MIN",
        "SLURM_ARRAY_TASK_MAX",
        "SLURM_ARRAY_TASK_STEP",
        "SLURM_ARRAY_TASK_COUNT",
    ];
    let set: Vec<(&str, String)> = NAMES.iter().filter_map(|name| Some((*name, variable(name)?))).collect();
    if set.is_empty() {
        return Ok(None);
    }
    let text = set.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join(" ");
    let mut numbers = Vec::new();
    for (name, value) in &set {
        numbers.push(number(name, value)?);
    }
    let [id, min, max, step, count] = numbers[..] else {
        let missing: Vec<&str> =
            NAMES.into_iter().filter(|name| set.iter().all(|(is_set, _)| is_set != name)).collect();
        return Err(format!("{text} is set, as by SLURM, but {} is not", missing.join(", ")));
    };
    let place = |of: u32| of.checked_sub(min).filter(|from| step > 0 && from % step == 0).map(|from| from / step);
    // Lists such as `--array=1,3,7` are not told apart from ranges by the indices alone.
    let is_range = place(max).and_then(|last| last.checked_add(1)) == Some(count);
    match place(id).and_then(|at| Shard::new(at.checked_add(1)?, count)).filter(|_| is_range) {
        Some(shard) => Ok(Some((text, shard))),
        None => Err(format!("{text} is no range of indices; give sbatch a range such as --array=1-8")),
    }
}

fn number(name: &str, text: &str) -> Result<u32, String> {
    text.parse().map_err(|_| format!("{name}={text} is no number"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked_for(variables: &[(&str, &str)]) -> Result<Asked, String> {
        let value = |name: &str| variables.iter().find(|(of, _)| *of == name).map(|(_, value)| value.to_string());
        asked_by(&value)
    }

    fn part(index: u32, of: u32) -> Result<Asked, String> {
        Ok(Asked::Part(Shard::new(index, of).unwrap()))
    }

    #[test]
    fn every_scheduler_counts_in_its_own_way() {
        let auto = ("KORAT_SHARD", "auto");
        let bazel = [auto, ("TEST_SHARD_INDEX", "1"), ("TEST_TOTAL_SHARDS", "8")];
        let gitlab = [auto, ("CI_NODE_INDEX", "2"), ("CI_NODE_TOTAL", "8")];
        let buildkite = [auto, ("BUILDKITE_PARALLEL_JOB", "1"), ("BUILDKITE_PARALLEL_JOB_COUNT", "8")];
        let circle = [auto, ("CIRCLE_NODE_INDEX", "1"), ("CIRCLE_NODE_TOTAL", "8")];
        let kubernetes = [auto, ("JOB_COMPLETION_INDEX", "1"), ("KORAT_SHARDS", "8")];
        for variables in [bazel, gitlab, buildkite, circle, kubernetes] {
            assert_eq!(asked_for(&variables), part(2, 8), "{variables:?}");
            // It must be asked for, and what is asked for comes first.
            assert_eq!(asked_for(&[("KORAT_SHARD", ""), variables[1]]), Ok(Asked::Nothing));
            assert_eq!(asked_for(&[("KORAT_SHARD", "off"), variables[1], variables[2]]), Ok(Asked::Whole));
            assert_eq!(asked_for(&[("KORAT_SHARD", "3/8"), variables[1], variables[2]]), part(3, 8));
        }
        let slurm = |id, min, max, step, count| {
            asked_for(&[
                auto,
                ("SLURM_ARRAY_TASK_ID", id),
                ("SLURM_ARRAY_TASK_MIN", min),
                ("SLURM_ARRAY_TASK_MAX", max),
                ("SLURM_ARRAY_TASK_STEP", step),
                ("SLURM_ARRAY_TASK_COUNT", count),
            ])
        };
        assert_eq!(slurm("0", "0", "7", "1", "8"), part(1, 8));
        assert_eq!(slurm("8", "1", "8", "1", "8"), part(8, 8));
        assert_eq!(slurm("14", "10", "24", "2", "8"), part(3, 8));
        assert!(slurm("3", "1", "7", "1", "3").is_err_and(|why| why.ends_with("--array=1-8")));
        assert!(slurm("9", "1", "8", "1", "8").is_err());
        // A job that is not parallel does everything.
        assert_eq!(asked_for(&[auto, ("CI_NODE_TOTAL", "1")]), Ok(Asked::Nothing));
        assert_eq!(asked_for(&[auto]), Ok(Asked::Nothing));
    }

    #[test]
    fn what_is_wrong_is_an_error() {
        let auto = ("KORAT_SHARD", "auto");
        let wrong: [&[(&str, &str)]; 11] = [
            &[("KORAT_SHARDS", "8")],
            &[("KORAT_SHARD", "9/8")],
            &[("KORAT_SHARD", "second")],
            &[("KORAT_SHARD", "2/8"), ("KORAT_SHARDS", "4")],
            &[auto, ("KORAT_SHARDS", "eight")],
            &[auto, ("KORAT_SHARDS", "8")],
            &[auto, ("JOB_COMPLETION_INDEX", "3")],
            &[auto, ("CI_NODE_INDEX", "0"), ("CI_NODE_TOTAL", "8")],
            &[auto, ("CIRCLE_NODE_TOTAL", "4")],
            &[
                auto,
                ("CI_NODE_INDEX", "2"),
                ("CI_NODE_TOTAL", "8"),
                ("TEST_SHARD_INDEX", "0"),
                ("TEST_TOTAL_SHARDS", "8"),
            ],
            &[auto, ("SLURM_ARRAY_TASK_ID", "3"), ("SLURM_ARRAY_TASK_COUNT", "8")],
        ];
        let errors: Vec<String> =
            wrong.iter().map(|variables| asked_for(variables).expect_err("it is wrong")).collect();
        insta::assert_snapshot!(errors.join("\n"), @"
        KORAT_SHARDS=8 is set, but KORAT_SHARD is not; set KORAT_SHARD=auto
        KORAT_SHARD=9/8 is no shard: the second of eight is 2/8, that of a scheduler is `auto`, and `off` is the whole search
        KORAT_SHARD=second is no shard: the second of eight is 2/8, that of a scheduler is `auto`, and `off` is the whole search
        KORAT_SHARD=2/8 and KORAT_SHARDS=4 contradict each other
        KORAT_SHARDS=eight is no number
        KORAT_SHARDS=8, but no scheduler has set the number of this shard; set KORAT_SHARD=1/8
        JOB_COMPLETION_INDEX=3 is set, as by Kubernetes, but KORAT_SHARDS is not
        GitLab's CI_NODE_INDEX=0 of CI_NODE_TOTAL=8 is no shard: the first index is 1
        CIRCLE_NODE_TOTAL=4 is set, as by CircleCI, but CIRCLE_NODE_INDEX is not
        two schedulers disagree: Bazel's TEST_SHARD_INDEX=0 of TEST_TOTAL_SHARDS=8 is shard 1/8, and GitLab's CI_NODE_INDEX=2 of CI_NODE_TOTAL=8 is shard 2/8; say which with KORAT_SHARD=1/8 or KORAT_SHARD=2/8
        SLURM_ARRAY_TASK_ID=3 SLURM_ARRAY_TASK_COUNT=8 is set, as by SLURM, but SLURM_ARRAY_TASK_MIN, SLURM_ARRAY_TASK_MAX, SLURM_ARRAY_TASK_STEP is not
        ");
        // Two schedulers may agree.
        let agreeing = [
            auto,
            ("CI_NODE_INDEX", "2"),
            ("CI_NODE_TOTAL", "8"),
            ("TEST_SHARD_INDEX", "1"),
            ("TEST_TOTAL_SHARDS", "8"),
        ];
        assert_eq!(asked_for(&agreeing), part(2, 8));
    }
}
