//! Finds the smallest scope that reveals a seeded bug, by trying one scope after the other. To find only the smallest
//! failing value, run the largest scope instead: values come smallest first.
//!
//! `shortest` finds the same bugs by exploration and by random tests, and compares the sequences of operations.

mod graphs;
pub(crate) mod machine;
mod maps;
mod random;
mod sequences;
mod sets;
mod shortest;

use std::panic::{AssertUnwindSafe, catch_unwind};

/// The largest scope to try.
const LARGEST: usize = 5;

/// Returns the smallest scope from `first` on at which `run` reports a failed property; `None` if there is none up to
/// `LARGEST`.
pub(crate) fn found_at(first: usize, run: impl Fn(usize)) -> Option<usize> {
    (first..=LARGEST).find(|&scope| {
        let Err(panic) = catch_unwind(AssertUnwindSafe(|| run(scope))) else { return false };
        let message = panic.downcast_ref::<String>().cloned().unwrap_or_default();
        assert!(message.contains("property failed on structure"), "another failure at scope {scope}: {message}");
        true
    })
}
