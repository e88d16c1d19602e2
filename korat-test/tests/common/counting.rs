//! An allocator that counts: what is live after a run and was not before has leaked.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::panic::{self, AssertUnwindSafe, catch_unwind};
use std::sync::Once;

/// Counts the bytes of each thread. Tests run on threads of their own and give no memory to one another.
struct Counting;

thread_local! {
    /// Bytes that are live.
    pub static LIVE: Cell<usize> = const { Cell::new(0) };
    /// The most that were live at a time.
    pub static PEAK: Cell<usize> = const { Cell::new(0) };
}

fn grow(bytes: usize) {
    let live = LIVE.get().wrapping_add(bytes);
    LIVE.set(live);
    PEAK.set(PEAK.get().max(live));
}

fn shrink(bytes: usize) {
    LIVE.set(LIVE.get().wrapping_sub(bytes));
}

// SAFETY: all requests go to the system's allocator as they come.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        grow(layout.size());
        // SAFETY: the caller's promise.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        shrink(layout.size());
        // SAFETY: the caller's promise.
        unsafe { System.dealloc(at, layout) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

/// Bytes that are live after `run` and were not before. The first run warms up what a thread keeps for itself.
pub fn left_by(mut run: impl FnMut()) -> usize {
    run();
    let before = LIVE.get();
    run();
    LIVE.get().wrapping_sub(before)
}

/// Whether `run` panics. Says nothing: the text of a panic goes to a buffer of the test harness, which would count.
pub fn panics<R>(run: impl FnOnce() -> R) -> bool {
    thread_local! {
        static QUIET: Cell<bool> = const { Cell::new(false) };
    }
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let loud = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if !QUIET.get() {
                loud(info)
            }
        }));
    });
    QUIET.set(true);
    let panicked = catch_unwind(AssertUnwindSafe(run)).is_err();
    QUIET.set(false);
    panicked
}
