//! Explorations: counts that independent programs found, canonical forms, and failing sequences.

mod again;
mod beside;
mod choices;
mod compared;
mod counts;
mod endings;
mod environment;
mod failures;
mod graph;
mod looking;
mod matching;
mod plain_values;
mod pointers;
#[path = "../common/rerun.rs"]
mod rerun;
mod threads;
