//! An allocator that counts the bytes of all threads while it is asked to.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicBool, AtomicIsize, Ordering};

struct Counting;

/// Counting takes time, so runs that are timed do without.
static IS_ON: AtomicBool = AtomicBool::new(false);
/// Bytes that are live; what was live before does not count.
static LIVE: AtomicIsize = AtomicIsize::new(0);
/// The most that were live at a time.
static PEAK: AtomicIsize = AtomicIsize::new(0);

fn count(bytes: isize) {
    if IS_ON.load(Ordering::Relaxed) {
        let live = LIVE.fetch_add(bytes, Ordering::Relaxed) + bytes;
        if bytes > 0 {
            PEAK.fetch_max(live, Ordering::Relaxed);
        }
    }
}

// SAFETY: all requests go to the system's allocator as they come.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as isize);
        // SAFETY: the caller's promise.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        count(-(layout.size() as isize));
        // SAFETY: the caller's promise.
        unsafe { System.dealloc(at, layout) }
    }

    unsafe fn realloc(&self, at: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // Both blocks may be live for a while, as they are without this function.
        count(size as isize);
        // SAFETY: the caller's promise.
        let moved = unsafe { System.realloc(at, layout, size) };
        count(-(layout.size() as isize));
        moved
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as isize);
        // SAFETY: the caller's promise.
        unsafe { System.alloc_zeroed(layout) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

/// Returns the most bytes that are live during a run.
pub fn peak_of(run: impl FnOnce()) -> usize {
    LIVE.store(0, Ordering::Relaxed);
    PEAK.store(0, Ordering::Relaxed);
    IS_ON.store(true, Ordering::Relaxed);
    run();
    IS_ON.store(false, Ordering::Relaxed);
    PEAK.load(Ordering::Relaxed) as usize
}
