//! Valid values for the tests of other crates, each behind a feature of the crate's name.
//!
//! [`for_each_valid`](crate::for_each_valid) runs a property on *every* value within the bounds, and is usually the better
//! choice. These are for where another tool is in charge: where a valid value is one input among others, or where a fuzzer
//! picks it.

#[cfg(feature = "arbitrary")]
pub mod arbitrary;
#[cfg(feature = "proptest")]
pub mod proptest;
