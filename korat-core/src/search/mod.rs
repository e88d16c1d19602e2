//! The search loop: its lifecycle, its current value, kept values, and its self-checks.

pub(crate) mod bookmark;
pub(crate) mod bounds_text;
pub(crate) mod candidate;
pub(crate) mod check;
pub(crate) mod current_value;
pub(crate) mod descent;
pub(crate) mod failures;
pub(crate) mod invariance;
pub(crate) mod kept_values;
pub(crate) mod lifecycle;
pub(crate) mod neighbours;
pub(crate) mod part;
pub(crate) mod plain_check;
pub(crate) mod root_predicate;
pub(crate) mod sample;
pub(crate) mod searcher;
pub(crate) mod single_run;
pub(crate) mod steps;
pub(crate) mod summarised;
pub(crate) mod untyped;
