//! Numbered pieces of work that threads share: each takes the next one whenever it has done its last.

use std::sync::atomic::{AtomicU64, Ordering};

/// The pieces that are taken. A thread meets all pieces in the order of their numbers, and does those that it took. Whatever it has met
/// and not taken, another thread has: a thread takes a piece no sooner than it has met all pieces before its last one, and none later than it meets it.
#[derive(Debug, Default)]
pub struct Turns {
    next: AtomicU64,
}

impl Turns {
    /// Takes the next piece. Returns its number; the first is 0.
    pub fn take(&self) -> u64 {
        // Only the number itself is shared.
        self.next.fetch_add(1, Ordering::Relaxed)
    }
}
