//! Snapshots of valid values, through [insta](https://insta.rs): the expansions of
//! [`assert_valid_snapshot!`](crate::assert_valid_snapshot), [`snapshot_value!`](crate::snapshot_value) and
//! [`snapshot_each!`](crate::snapshot_each). This module provides texts and names; insta's assertion expands in the
//! user's crate, so that the files are stored next to the user's test.

mod each;
mod listing;
mod macros;
mod name;
mod orphans;
mod redact;
mod value;

pub use each::each;
pub use insta;
pub use listing::{Listing, list};
pub use orphans::Place;
pub use redact::Redactions;
pub use value::{Drawn, NameOrBounds, value, value_within};
