//! How tests find a mistake that was put in on purpose: at one scope after the other, so that it is known which one is needed. Who only
//! wants the smallest failing value runs the largest scope: values come smallest first.

use std::panic::{AssertUnwindSafe, catch_unwind};

/// The largest scope at which a mistake is looked for.
const LARGEST: usize = 5;

/// The smallest scope from `first` on at which `run` reports a failed property; nothing if there is none up to 5.
pub(crate) fn found_at(first: usize, run: impl Fn(usize)) -> Option<usize> {
    (first..=LARGEST).find(|&scope| {
        let Err(panic) = catch_unwind(AssertUnwindSafe(|| run(scope))) else { return false };
        let message = panic.downcast_ref::<String>().cloned().unwrap_or_default();
        assert!(message.contains("property failed on structure"), "another failure at scope {scope}: {message}");
        true
    })
}
