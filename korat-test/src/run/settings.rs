//! What the settings of a run mean: which of them make no sense, which values they select, and whether all values are counted.

use std::time::Duration;

use korat_core::UntypedSearcher;

use crate::config::{Config, Summaries};
use crate::error::Error;
use crate::forecast::Forecast;
use crate::subject::Subject;
use crate::values::Selection;

/// Fails if a run with these settings would run nothing, or never end.
pub(super) fn check(config: &Config) -> Result<(), Error> {
    let wrong = if config.limit == Some(0) {
        "a limit of 0 values runs the property on nothing; a limit is at least 1"
    } else if config.time_limit == Some(Duration::ZERO) {
        "a time limit of zero runs the property on nothing"
    } else if config.sample == Some(0) {
        "a sample of 0 values runs the property on nothing"
    } else if config.threads == Some(0) {
        "0 threads run nothing; take at least 1"
    } else if config.failures == 0 {
        "`failures(0)` would never stop; collect at least 1"
    } else if config.sample.is_some() && config.ranks.is_some() {
        "values are drawn from all ranks; give a sample or ranks, not both"
    } else {
        return Ok(());
    };
    Err(Error::Expectation(wrong.to_string()))
}

/// Returns which of the values are wanted.
pub(super) fn selection(config: &Config) -> Selection {
    match (config.sample, &config.ranks) {
        (Some(values), _) => Selection::Sample { values, seed: config.seed },
        (None, Some(ranks)) => Selection::Ranks(ranks.clone()),
        (None, None) => Selection::All,
    }
}

/// Returns what counts the values if the search takes long, where all of them are wanted and can be counted.
pub(super) fn forecast(subject: &Subject, config: &Config, searcher: &UntypedSearcher) -> Forecast {
    let is_whole = config.limit.is_none() && config.shard.is_none() && selection(config) == Selection::All;
    if !is_whole || config.summaries == Summaries::Never || searcher.has_filter() {
        return Forecast::none();
    }
    Forecast::new(subject.maker(config.settings()), config.sizes.range(subject.scope))
}
