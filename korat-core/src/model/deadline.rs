//! The deadline of a repair before its first run of the predicate. Decomposing a value and planning its bounds count
//! steps here; the clock is read once every few thousand steps.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::time::Instant;

thread_local! {
    static DEADLINE: Cell<Option<Instant>> = const { Cell::new(None) };
    /// Steps until the clock is read again.
    static STEPS_LEFT: Cell<usize> = const { Cell::new(CHECK_INTERVAL) };
}

/// Steps between two reads of the clock: a few milliseconds in an unoptimised build, where a step takes about a
/// microsecond. A value that takes fewer steps reaches its first run whatever the deadline.
const CHECK_INTERVAL: usize = 4_096;

/// The deadline has passed. Serves as the unwinding payload in code that cannot return an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TimeOver;

/// Clears the deadline on drop, also while unwinding.
struct Reset;

impl Drop for Reset {
    fn drop(&mut self) {
        DEADLINE.set(None);
    }
}

/// Runs `work` under a deadline; returns `TimeOver` if `work` unwinds because the deadline has passed. Other panics propagate.
pub(crate) fn until<R>(deadline: Option<Instant>, work: impl FnOnce() -> R) -> Result<R, TimeOver> {
    DEADLINE.set(deadline);
    STEPS_LEFT.set(CHECK_INTERVAL);
    let _reset = Reset;
    let done = catch_unwind(AssertUnwindSafe(work));
    done.map_err(|payload| match payload.downcast::<TimeOver>() {
        Ok(over) => *over,
        Err(payload) => resume_unwind(payload),
    })
}

/// Counts `steps`, and returns whether the deadline had passed when the clock was last read.
#[inline]
pub(crate) fn has_passed_after(steps: usize) -> bool {
    match STEPS_LEFT.get().checked_sub(steps) {
        Some(left) => {
            STEPS_LEFT.set(left);
            false
        }
        None => read_clock(),
    }
}

/// Counts `steps`, and unwinds if the deadline has passed. Must not be called while a guard of the user's is held,
/// since unwinding would poison it: never while a value is being walked.
#[inline]
pub(crate) fn unwind_if_passed_after(steps: usize) {
    if has_passed_after(steps) {
        resume_unwind(Box::new(TimeOver));
    }
}

#[cold]
#[inline(never)]
fn read_clock() -> bool {
    let is_over = DEADLINE.get().is_some_and(|deadline| Instant::now() >= deadline);
    // Once the deadline has passed, every further step reports it.
    STEPS_LEFT.set(if is_over { 0 } else { CHECK_INTERVAL });
    is_over
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_end_at_the_deadline_and_only_there() {
        let steps = |deadline| until(deadline, || (0..10 * CHECK_INTERVAL).for_each(|_| unwind_if_passed_after(1)));
        assert_eq!(steps(None), Ok(()));
        assert_eq!(steps(Some(Instant::now())), Err(TimeOver));
        // The deadline does not outlive `until`.
        assert!((0..10 * CHECK_INTERVAL).all(|_| !has_passed_after(1)));
    }

    #[test]
    fn few_steps_are_taken_whatever_the_deadline_is() {
        assert_eq!(until(Some(Instant::now()), || unwind_if_passed_after(CHECK_INTERVAL)), Ok(()));
        assert_eq!(until(Some(Instant::now()), || has_passed_after(CHECK_INTERVAL + 1)), Ok(true));
    }

    #[test]
    #[should_panic(expected = "of the user's")]
    fn other_panics_go_on() {
        let _ = until(Some(Instant::now()), || panic!("of the user's"));
    }
}
