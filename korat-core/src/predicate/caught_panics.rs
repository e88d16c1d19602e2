//! Panics of the user's code that korat catches: in checks, and in predicates whose panics reject a value. The harness
//! does not print them.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use crate::engine::stop::Stop;
use crate::model::error::panic_message;

thread_local! {
    static IS_CAUGHT: Cell<bool> = const { Cell::new(false) };
}

/// Returns whether a panic on the current thread is caught, and need not be reported to the user.
pub fn is_panic_caught() -> bool {
    IS_CAUGHT.try_with(Cell::get).unwrap_or(false)
}

/// Runs the user's code, and returns a panic of it to the caller.
pub(crate) fn caught<R>(run: impl FnOnce() -> R) -> std::thread::Result<R> {
    let before = IS_CAUGHT.replace(true);
    let outcome = catch_unwind(AssertUnwindSafe(run));
    IS_CAUGHT.set(before);
    outcome
}

/// Runs a predicate that rejects by panicking.
pub fn panics_reject(predicate: impl FnOnce() -> bool) -> bool {
    match caught(predicate) {
        Ok(accepts) => accepts,
        // The search ends a run, or korat cannot run the predicate.
        Err(payload) if payload.is::<Stop>() || panic_message(&*payload).starts_with("[korat") => {
            resume_unwind(payload)
        }
        Err(_) => false,
    }
}
