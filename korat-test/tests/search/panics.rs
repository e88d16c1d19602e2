//! Runs that must panic.

use std::panic::{AssertUnwindSafe, catch_unwind};

/// Returns the message of the panic in which `run` must end.
#[track_caller]
pub fn message_of<R>(run: impl FnOnce() -> R) -> String {
    let Err(payload) = catch_unwind(AssertUnwindSafe(run)) else { panic!("the run ended well") };
    korat_core::panic_message(&*payload)
}
