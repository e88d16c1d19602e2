//! Explorations: counts that independent programs found, canonical forms, and failing sequences.

mod choices;
mod compared;
mod counts;
mod failures;
mod plain_values;
mod pointers;
mod tree_map;
