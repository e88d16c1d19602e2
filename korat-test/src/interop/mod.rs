//! Valid values for other test tools, each behind a feature with the name of the tool's crate.
//!
//! [`for_each_valid`](crate::for_each_valid) runs a property on *every* value within the bounds, and is usually the
//! better choice. These modules are for tests that another tool drives: when a valid value is one input among others,
//! or when a fuzzer picks it.
//!
//! Up to 100,000 values are listed. If there are more and parts of the structure can be [summarised](crate::Search::summaries), values are built by
//! their ranks instead, each with the same probability and however many there are.

#[cfg(feature = "arbitrary")]
pub mod arbitrary;
#[cfg(any(feature = "arbitrary", feature = "proptest"))]
mod picks;
#[cfg(feature = "proptest")]
pub mod proptest;
