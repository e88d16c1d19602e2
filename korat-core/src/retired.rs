//! Heaps that no search uses any more. A predicate sees views, which are copied freely; code of the user's that keeps one for
//! longer than it should must not find freed memory. So heaps are never freed: a search that ends leaves its heap here, and
//! the next search of the same type over the same objects and domains takes it up again.

use std::any::Any;
use std::cell::RefCell;
use std::sync::Mutex;

/// The heaps of one thread.
struct Retired(RefCell<Vec<Box<dyn Any>>>);

/// The heaps of threads that have ended: addresses only, which nobody uses.
static ABANDONED: Mutex<Vec<usize>> = Mutex::new(Vec::new());

impl Drop for Retired {
    fn drop(&mut self) {
        // Other destructors of the thread may still hold views. Leak checkers are to find the heaps, though.
        let heaps = Box::leak(Box::new(self.0.take()));
        if let Ok(mut abandoned) = ABANDONED.lock() {
            abandoned.push(std::ptr::from_mut(heaps).expose_provenance());
        }
    }
}

thread_local! {
    static RETIRED: Retired = const { Retired(RefCell::new(Vec::new())) };
}

/// Takes out the heap that was left last of those that `fits`.
pub(crate) fn take<H: Any>(fits: impl Fn(&H) -> bool) -> Option<Box<H>> {
    take_last(&fits, &fits)
}

/// Takes out the heap that was left last of a kind, if it `fits`.
pub(crate) fn take_last<H: Any>(is_of_kind: impl Fn(&H) -> bool, fits: impl Fn(&H) -> bool) -> Option<Box<H>> {
    let found = RETIRED.try_with(|retired| {
        let mut retired = retired.0.borrow_mut();
        let at = retired.iter().rposition(|heap| heap.downcast_ref().is_some_and(&is_of_kind))?;
        let fits = retired[at].downcast_ref().is_some_and(fits);
        if fits { retired.remove(at).downcast().ok() } else { None }
    });
    found.ok().flatten()
}

/// Leaves a heap.
pub(crate) fn leave<H: Any>(heap: Box<H>) {
    let mut heap = Some(heap as Box<dyn Any>);
    let _ = RETIRED.try_with(|retired| retired.0.borrow_mut().extend(heap.take()));
    // At the very end of a thread there is nobody to take it up; it is forgotten, not freed.
    std::mem::forget(heap);
}
