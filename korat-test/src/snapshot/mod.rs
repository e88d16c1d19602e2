//! Snapshots of valid values, through [insta](https://insta.rs): what [`assert_valid_snapshot!`](crate::assert_valid_snapshot),
//! [`snapshot_value!`](crate::snapshot_value) and [`snapshot_each!`](crate::snapshot_each) expand to. Gives texts and names;
//! the assertion itself is insta's, expanded in the user's crate, so that the files lie beside the user's test.

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
