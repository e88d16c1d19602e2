//! Heaps that no search uses any more. A predicate sees views, which are freely copied, so user code that keeps one for
//! too long must not find freed memory: heaps are never freed, and the next search of the same type over the same
//! objects and domains reuses one.

use std::any::TypeId;
use std::cell::RefCell;
use std::sync::Mutex;

use super::bounded::Heap;

/// The retired heaps of one thread.
#[allow(clippy::vec_box, reason = "a heap stays where it is, whoever still points to it")]
struct Retired(RefCell<Vec<Box<Heap>>>);

/// The heaps of threads that have ended: addresses that nothing uses.
static ABANDONED: Mutex<Vec<usize>> = Mutex::new(Vec::new());

impl Drop for Retired {
    fn drop(&mut self) {
        // Other destructors of the thread may still hold views, so the heaps are leaked; the static lets leak checkers
        // find them.
        let heaps = Box::leak(Box::new(self.0.take()));
        if let Ok(mut abandoned) = ABANDONED.lock() {
            abandoned.push(std::ptr::from_mut(heaps).expose_provenance());
        }
    }
}

thread_local! {
    static RETIRED: Retired = const { Retired(RefCell::new(Vec::new())) };
}

/// Takes the heap that was retired last among those for a type that `fits` accepts.
pub(crate) fn take(root: TypeId, fits: impl Fn(&Heap) -> bool) -> Option<Box<Heap>> {
    take_last(root, &fits, |_| true)
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
