//! Storage of one heap that never moves: values are kept at a fixed address and dropped together, in the order they came.

use std::ptr::NonNull;

/// Owns values of any types at fixed addresses.
#[derive(Default)]
pub(crate) struct Arena {
    kept: Vec<Kept>,
}

struct Kept {
    at: NonNull<()>,
    drop: unsafe fn(NonNull<()>),
}

impl Arena {
    /// Keeps `value` at a fixed address until the arena is dropped.
    ///
    /// # Safety
    /// The reference must not be used after the arena is dropped, except by the drop of a value that was kept earlier
    /// and does not look into it.
    pub(crate) unsafe fn keep<T: 'static>(&mut self, value: T) -> &'static T {
        unsafe fn drop_at<T>(at: NonNull<()>) {
            // SAFETY: `at` came from `Box::leak` of a `Box<T>` and is dropped once.
            drop(unsafe { Box::from_raw(at.cast::<T>().as_ptr()) });
        }
        let at = NonNull::from(Box::leak(Box::new(value)));
        self.kept.push(Kept { at: at.cast(), drop: drop_at::<T> });
        // SAFETY: the box stays allocated until the arena is dropped; only shared references to it are made.
        unsafe { at.as_ref() }
    }
}

impl Drop for Arena {
    fn drop(&mut self) {
        for kept in self.kept.drain(..) {
            // SAFETY: each entry is dropped once, with the function made for its type.
            unsafe { (kept.drop)(kept.at) };
        }
    }
}
