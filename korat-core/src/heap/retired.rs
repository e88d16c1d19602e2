//! Heaps that no search uses any more. A predicate sees views, which are freely copied, so user code that keeps one for
//! too long must not find freed memory: heaps are never freed, and the next search of the same type over the same
//! objects and domains reuses one, on the same thread, or on another one once that thread has ended.
//!
//! # Safety argument
//! A heap of another thread is used only after that thread was joined: all of its destructors have run, and what it did happened before. Views and
//! what a heap has of the user's values belong to one thread, unless they are `Send` (slots are cells, so that views are not `Sync`, and references to them not
//! `Send`), so that nothing else can reach the heap, or share a count of references with it.

use std::any::TypeId;
use std::cell::RefCell;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::{self, ScopedJoinHandle, ThreadId};

use super::bounded::Heap;

/// The retired heaps of one thread.
#[allow(clippy::vec_box, reason = "a heap stays where it is, whoever still points to it")]
struct Retired(RefCell<Vec<Box<Heap>>>);

/// The heaps of a thread that has ended, or is about to.
#[allow(clippy::vec_box, reason = "a heap stays where it is, whoever still points to it")]
struct Ended {
    thread: ThreadId,
    is_joined: bool,
    heaps: Vec<Box<Heap>>,
}

// SAFETY: the heaps are used only once the thread is joined, see the header.
unsafe impl Send for Ended {}

static ENDED: Mutex<Vec<Ended>> = Mutex::new(Vec::new());

fn ended() -> MutexGuard<'static, Vec<Ended>> {
    ENDED.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Drop for Retired {
    fn drop(&mut self) {
        // Other destructors of the thread may still hold views.
        let heaps = self.0.take();
        if !heaps.is_empty() {
            ended().push(Ended { thread: thread::current().id(), is_joined: false, heaps });
        }
    }
}

/// Waits for a thread to end that has run searches. Others reuse its heaps then. Without this they stay as they are, and nobody uses them.
pub fn join_thread<T>(thread: ScopedJoinHandle<'_, T>) -> thread::Result<T> {
    let id = thread.thread().id();
    let result = thread.join();
    ended().iter_mut().filter(|it| it.thread == id).for_each(|it| it.is_joined = true);
    result
}

/// Takes a heap of a thread that was joined.
fn take_of_ended(root: TypeId, fits: impl Fn(&Heap) -> bool) -> Option<Box<Heap>> {
    let mut ended = ended();
    let found = ended.iter_mut().filter(|it| it.is_joined).find_map(|it| {
        let at = it.heaps.iter().rposition(|heap| heap.root_type() == root && fits(heap))?;
        Some(it.heaps.remove(at))
    });
    ended.retain(|it| !it.heaps.is_empty());
    found
}

thread_local! {
    static RETIRED: Retired = const { Retired(RefCell::new(Vec::new())) };
}

/// Takes the heap that was retired last among those for a type that `fits` accepts.
pub(crate) fn take(root: TypeId, fits: impl Fn(&Heap) -> bool) -> Option<Box<Heap>> {
    take_last(root, &fits, |_| true).or_else(|| take_of_ended(root, fits))
}

/// Takes the heap for a type that was retired last among those of a kind, if `fits` accepts it.
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
