//! What a user of the test harness sees: reports, snapshots, pictures, profiles, and korat beside other test crates.

mod choices;
mod errors;
mod fits_in;
mod interop_arbitrary;
mod interop_proptest;
mod iterators;
mod kept_reports;
mod later;
mod pictures;
mod profile;
mod remedies;
mod reports;
#[path = "../common/rerun.rs"]
mod rerun;
#[path = "../common/search_trees.rs"]
mod search_trees;
mod snapshots;
mod stats;
#[path = "../common/structures.rs"]
mod structures;
mod summarised;
mod unread_fields;
mod with;
