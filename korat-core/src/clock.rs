//! The deadline of a repair before its first run. Takes the steps of whatever decomposes the value and plans its bounds, and looks at the
//! clock after every few thousand of them.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::time::Instant;

thread_local! {
    static DEADLINE: Cell<Option<Instant>> = const { Cell::new(None) };
    /// Steps until the next look at the clock.
    static LEFT: Cell<usize> = const { Cell::new(PORTION) };
}

/// Steps between two looks: a few milliseconds in a build without optimisations, where a step takes about a microsecond. A value that
/// takes fewer has its first run whatever the limit is.
const PORTION: usize = 4_096;

/// The deadline has passed. What unwinds where there is no error to return.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TimeOver;

/// Resets the deadline, whatever happens.
struct Reset;

impl Drop for Reset {
    fn drop(&mut self) {
        DEADLINE.set(None);
    }
}

/// Does something that ends early when the deadline has passed.
pub(crate) fn until<R>(deadline: Option<Instant>, work: impl FnOnce() -> R) -> Result<R, TimeOver> {
    DEADLINE.set(deadline);
    LEFT.set(PORTION);
    let _reset = Reset;
    let done = catch_unwind(AssertUnwindSafe(work));
    done.map_err(|payload| match payload.downcast::<TimeOver>() {
        Ok(over) => *over,
        Err(payload) => resume_unwind(payload),
    })
}

/// Takes some steps; whether the deadline has passed, as far as it was looked at.
#[inline]
pub(crate) fn is_over_after(steps: usize) -> bool {
    match LEFT.get().checked_sub(steps) {
        Some(left) => {
            LEFT.set(left);
            false
        }
        None => look(),
    }
}

/// Takes some steps, and unwinds if the deadline has passed. Only where no guard of the user's is held, which would be poisoned: never
/// while a value is walked.
#[inline]
pub(crate) fn stop_if_over_after(steps: usize) {
    if is_over_after(steps) {
        resume_unwind(Box::new(TimeOver));
    }
}

#[cold]
#[inline(never)]
fn look() -> bool {
    let is_over = DEADLINE.get().is_some_and(|deadline| Instant::now() >= deadline);
    // Once it has passed, every step says so.
    LEFT.set(if is_over { 0 } else { PORTION });
    is_over
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_end_at_the_deadline_and_only_there() {
        let steps = |deadline| until(deadline, || (0..10 * PORTION).for_each(|_| stop_if_over_after(1)));
        assert_eq!(steps(None), Ok(()));
        assert_eq!(steps(Some(Instant::now())), Err(TimeOver));
        // Nothing of that is left for what comes after.
        assert!((0..10 * PORTION).all(|_| !is_over_after(1)));
    }

    #[test]
    fn few_steps_are_taken_whatever_the_deadline_is() {
        assert_eq!(until(Some(Instant::now()), || stop_if_over_after(PORTION)), Ok(()));
        assert_eq!(until(Some(Instant::now()), || is_over_after(PORTION + 1)), Ok(true));
    }

    #[test]
    #[should_panic(expected = "of the user's")]
    fn other_panics_go_on() {
        let _ = until(Some(Instant::now()), || panic!("of the user's"));
    }
}
