//! Heaps that no search uses any more. A predicate sees views, which are freely copied, so user code that keeps one for
//! too long must not find freed memory: heaps are never freed. The next search of the same type over the same objects and
//! domains reuses one, on the same thread, or on one that takes over all heaps of a thread that has ended.
//!
//! # Safety argument
//! A heap has pointers into itself, and values of the user's, which need not be `Send`: two heaps may share an `Rc`.
//! Whatever else knows of them belongs to the thread of the heap and cannot leave it: views are not `Send`, and neither
//! are references to them, since slots are cells; an `Rc` is not either, nor is a searcher.
//!
//! A heap changes threads only after its thread was joined. The destructors of that thread have run then, and all it did
//! happened before: what it has left is never used again. It changes threads with all other retired heaps of its thread,
//! which that thread may have taken over itself, so that what they share stays on one thread. Until then no code of the
//! user's sees the heaps: which of them are needed is decided by their shapes, without comparing values.
//!
//! This leaves out types whose values mean something on their own thread alone, such as an unchecked index into a
//! thread-local table: such values may be compared, cloned and dropped on the other thread.

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

/// Waits for a thread to end that has run searches. Another one reuses its heaps then, which otherwise nobody does.
pub fn join_thread<T>(thread: ScopedJoinHandle<'_, T>) -> thread::Result<T> {
    let id = thread.thread().id();
    let result = thread.join();
    ended().iter_mut().filter(|it| it.thread == id).for_each(|it| it.is_joined = true);
    result
}

/// Takes over all heaps of a joined thread, if it has some for a type that are alike. Takes those of the thread with the
/// most such heaps: where each thread needs several at once, no thread is left with too few. Returns whether there is one.
fn take_over(root: TypeId, is_alike: impl Fn(&Heap) -> bool) -> bool {
    let is_alike = |heap: &Heap| heap.root_type() == root && is_alike(heap);
    let taken_over = RETIRED.try_with(|retired| {
        let mut ended = ended();
        let joined = ended.iter().enumerate().filter(|(_, it)| it.is_joined);
        let alike = joined.map(|(at, it)| (it.heaps.iter().filter(|heap| is_alike(heap)).count(), at));
        let (_, at) = alike.filter(|(heaps, _)| *heaps > 0).max()?;
        retired.0.borrow_mut().extend(ended.swap_remove(at).heaps);
        Some(())
    });
    // At the very end of a thread, it cannot keep them together.
    matches!(taken_over, Ok(Some(())))
}

thread_local! {
    static RETIRED: Retired = const { Retired(RefCell::new(Vec::new())) };
}

/// Takes the heap that was retired last among those for a type that `fits` accepts. All of these are alike, which is
/// known without code of the user's.
pub(crate) fn take(root: TypeId, is_alike: impl Fn(&Heap) -> bool, fits: impl Fn(&Heap) -> bool) -> Option<Box<Heap>> {
    loop {
        let found = take_last(root, &fits, |_| true);
        if found.is_some() || !take_over(root, &is_alike) {
            return found;
        }
    }
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
