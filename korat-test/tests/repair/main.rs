//! Repairs: what is changed and what stays, what is reported, and when a repair gives up.

mod as_it_is;
mod balanced;
mod behind;
mod bounds;
mod chains;
mod counts;
mod derived;
mod elements;
mod far;
mod field_types;
mod kept;
mod kinds;
mod like_last;
mod loss;
mod neighbours;
mod occurring;
mod other_crates;
mod quiet;
#[path = "../common/rerun.rs"]
mod rerun;
mod small;
#[path = "../common/structures.rs"]
mod structures;
mod time;
mod told;
mod users;
