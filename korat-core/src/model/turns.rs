//! Numbered pieces of work that threads share: each takes the next one whenever it has done its last.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

/// The pieces that are taken. A thread meets all pieces in the order of their numbers, and does those that it took. Whatever it has met
/// and not taken, another thread has, or it was done before: a thread takes a piece no sooner than it has met all pieces before its last one, and none later than
/// it meets it.
#[derive(Debug, Default)]
pub struct Turns {
    next: AtomicU64,
    /// Pieces that nobody takes, in ascending order.
    done: Vec<Range<u64>>,
}

impl Turns {
    /// Leaves out pieces that are done; their numbers are in ascending order.
    pub fn without(done: Vec<Range<u64>>) -> Self {
        Turns { next: AtomicU64::new(0), done }
    }

    /// Takes the next piece. Returns its number; the first is 0.
    pub fn take(&self) -> u64 {
        loop {
            // Only the number itself is shared.
            let number = self.next.fetch_add(1, Ordering::Relaxed);
            let after = self.done.partition_point(|done| done.end <= number);
            if self.done.get(after).is_none_or(|done| number < done.start) {
                return number;
            }
        }
    }
}
