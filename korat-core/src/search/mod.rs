//! The search loop: its lifecycle, its current value, kept values, and its self-checks.

pub(crate) mod begin;
pub(crate) mod candidate;
pub(crate) mod check;
pub(crate) mod invariance;
pub(crate) mod kept;
pub(crate) mod neighbours;
pub(crate) mod once;
pub(crate) mod sample;
pub(crate) mod searcher;
pub(crate) mod shown;
pub(crate) mod standing;
pub(crate) mod steps;
pub(crate) mod wrong;
