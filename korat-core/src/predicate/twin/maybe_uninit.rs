//! The twin of `MaybeUninit` in the structure: a handle to a slot whose first value stands for "not initialised".
//!
//! # Safety argument
//! A handle points to a slot that its heap keeps, and heaps are never freed. The methods are unsafe only because those of
//! std are: they need nothing from the caller, and never show memory that is not initialised.

use crate::engine::stop::Stop;
use crate::predicate::context;
use crate::slots::slot::Slot;

/// The twin of `std::mem::MaybeUninit` in the structure. A predicate that takes the value for initialised accepts no
/// structure in which it is not.
pub struct MaybeUninit<T>(*const Slot<Option<T>>);

impl<T: 'static> MaybeUninit<T> {
    pub(crate) fn of_field(slot: &'static Slot<Option<T>>) -> Self {
        MaybeUninit(slot)
    }

    fn read(&self) -> &T {
        // SAFETY: `of_field` was given a slot that its heap keeps, and heaps are never freed.
        let value = unsafe { &*self.0 }.__korat_read();
        value.as_ref().unwrap_or_else(|| context::raise(Stop::Uninitialised))
    }

    /// Returns the value. Ends the run if there is none.
    ///
    /// # Safety
    /// Always safe; unsafe like the method of std.
    pub unsafe fn assume_init_ref(&self) -> &T {
        self.read()
    }

    /// Returns a copy of the value. Ends the run if there is none.
    ///
    /// # Safety
    /// Always safe; unsafe like the method of std.
    pub unsafe fn assume_init(self) -> T
    where
        T: Copy,
    {
        *self.read()
    }

    /// Returns a copy of the value. Ends the run if there is none.
    ///
    /// # Safety
    /// Always safe; unsafe like the method of std.
    pub unsafe fn assume_init_read(&self) -> T
    where
        T: Copy,
    {
        *self.read()
    }
}

impl<T> Clone for MaybeUninit<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for MaybeUninit<T> {}
