//! The run that a report belongs to, so that files of two runs are not added up.

use crate::config::Config;

/// What schedulers call the number of a run, and by what name it is told apart: one number for all jobs of a run.
const SCHEDULERS: [(&str, &str); 5] = [
    // https://docs.github.com/en/actions/reference/workflows-and-actions/variables
    ("GITHUB_RUN_ID", "github"),
    // https://docs.gitlab.com/ci/variables/predefined_variables/
    ("CI_PIPELINE_ID", "gitlab"),
    // https://buildkite.com/docs/pipelines/configure/environment-variables
    ("BUILDKITE_BUILD_ID", "buildkite"),
    // https://circleci.com/docs/reference/variables/
    ("CIRCLE_WORKFLOW_ID", "circleci"),
    // https://slurm.schedmd.com/job_array.html
    ("SLURM_ARRAY_JOB_ID", "slurm"),
];

/// Returns the name of the run: that of `KORAT_RUN`, or the scheduler's.
pub(super) fn run_id(config: &Config) -> Option<String> {
    config.run_name.clone().or_else(|| {
        SCHEDULERS.iter().find_map(|(variable, scheduler)| {
            let number = std::env::var(variable).ok().filter(|number| !number.is_empty())?;
            Some(format!("{scheduler} {number}"))
        })
    })
}
