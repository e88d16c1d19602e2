//! Heaps that no search uses any more. A predicate sees views, which are freely copied, so user code that keeps one for
//! too long must not find freed memory: heaps are never freed. The next search of the same type over the same objects and
//! domains reuses one.
//!
//! # Safety argument
//! A heap has pointers into itself, and values of the user's, which may be of any type. Whatever else knows of them
//! belongs to the thread of the heap and cannot leave it: views are not `Send`, and neither are references to them, since
//! slots are cells; a searcher is not either.
//!
//! So a heap changes threads only after its thread was joined, and only if all its values mean the same on every thread
//! and share nothing. The destructors of that thread have run then, and all it did happened before: what it has left
//! of the heap is never used again. The memory of predicates is empty, since a search ends by dropping what is in there,
//! and spare tables are dropped. Other heaps of ended threads are lost.

use std::any::TypeId;
use std::cell::RefCell;
use std::thread::{self, ScopedJoinHandle, ThreadId};

use parking_lot::Mutex;

use super::bounded::Heap;

/// The retired heaps of one thread.
#[allow(clippy::vec_box, reason = "a heap stays where it is, whoever still points to it")]
struct Retired(RefCell<Vec<Box<Heap>>>);

/// A heap of a thread that has ended, or is about to.
struct LeftBehind {
    heap: Box<Heap>,
    /// The thread, unless it was joined.
    waits_for: Option<ThreadId>,
}

// SAFETY: the heap is used only once its thread was joined, and its values can be used by any thread, see the header.
unsafe impl Send for LeftBehind {}

static LEFT_BEHIND: Mutex<Vec<LeftBehind>> = Mutex::new(Vec::new());

impl Drop for Retired {
    fn drop(&mut self) {
        let waits_for = Some(thread::current().id());
        for mut heap in self.0.take() {
            if heap.can_change_threads() {
                heap.spare_tables = None;
                // Other destructors of the thread may still hold views.
                LEFT_BEHIND.lock().push(LeftBehind { heap, waits_for });
            } else {
                std::mem::forget(heap);
            }
        }
    }
}

/// Waits for a thread to end that has run searches. Other threads reuse its heaps then, which otherwise nobody does.
pub fn join_thread<T>(thread: ScopedJoinHandle<'_, T>) -> thread::Result<T> {
    let id = Some(thread.thread().id());
    let result = thread.join();
    LEFT_BEHIND.lock().iter_mut().filter(|it| it.waits_for == id).for_each(|it| it.waits_for = None);
    result
}

thread_local! {
    static RETIRED: Retired = const { Retired(RefCell::new(Vec::new())) };
}

/// Takes the heap that was retired last among those for a type that `fits` accepts: one of this thread, or one that a
/// joined thread has left behind.
pub(crate) fn take(root: TypeId, fits: impl Fn(&Heap) -> bool) -> Option<Box<Heap>> {
    take_last(root, &fits, |_| true).or_else(|| {
        let mut left_behind = LEFT_BEHIND.lock();
        let is_it = |it: &LeftBehind| it.waits_for.is_none() && it.heap.root_type() == root && fits(&it.heap);
        let at = left_behind.iter().rposition(is_it)?;
        Some(left_behind.remove(at).heap)
    })
}

/// Takes the heap of this thread for a type that was retired last among those of a kind, if `fits` accepts it.
pub(crate) fn take_last(
    root: TypeId,
    is_of_kind: impl Fn(&Heap) -> bool,
    fits: impl Fn(&Heap) -> bool,
) -> Option<Box<Heap>> {
    let found = RETIRED.try_with(|retired| {
        let mut retired = retired.0.borrow_mut();
        let at = retired.iter().rposition(|heap| heap.root_type() == root && is_of_kind(heap))?;
        if fits(&retired[at]) { Some(retired.remove(at)) } else { None }
    });
    found.ok().flatten()
}

/// Retires a heap.
pub(crate) fn retire(heap: Box<Heap>) {
    let mut heap = Some(heap);
    let _ = RETIRED.try_with(|retired| retired.0.borrow_mut().extend(heap.take()));
    // At the very end of a thread, the list is gone: the heap is leaked, not freed.
    std::mem::forget(heap);
}
