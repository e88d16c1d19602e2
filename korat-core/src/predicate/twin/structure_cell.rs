//! Cells and locks of the structure, which are read-only. Pointers in them lead to memory that the heap keeps and never
//! frees, and only shared references are made from them.

use std::fmt;
use std::ops::Deref;
use std::sync::atomic::Ordering;
use std::sync::{LockResult, TryLockResult};

use super::elem::Elem;
use crate::slots::object_view::{Located, ObjectView};
use crate::slots::slot::{ReadCell, Slot};

/// The twin of `std::cell::RefCell` around a part of the structure, which is read-only.
#[repr(transparent)]
pub struct RefCell<C: ?Sized>(C);

impl<C> RefCell<C> {
    /// Returns the address of the content.
    pub fn as_ptr(&self) -> *mut C {
        std::ptr::from_ref(&self.0).cast_mut()
    }
}

/// The twin of `std::sync::Mutex` and `std::sync::RwLock` around a part of the structure.
#[repr(transparent)]
pub struct Locked<C: ?Sized>(C);

/// The twin of an atomic of the structure.
#[repr(transparent)]
pub struct Atomic<C: ?Sized>(C);

impl<C: ReadCell<Out: Copy>> Atomic<C> {
    /// Returns the value. In a predicate, nothing else accesses it.
    #[inline]
    pub fn load(&self, _order: Ordering) -> C::Out {
        *self.0.read_cell()
    }
}

impl<C: ReadCell<Out: fmt::Debug>> fmt::Debug for Atomic<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.read_cell().fmt(f)
    }
}

/// Implements cells that are their own place.
macro_rules! around {
    ($($cell:ident)*) => {$(
        impl<C> $cell<C> {
            pub(crate) fn around(cell: C) -> Self {
                $cell(cell)
            }

            pub(crate) fn inside(&self) -> &C {
                &self.0
            }
        }

        impl<C> ReadCell for $cell<C> {
            type Out = Self;
            #[inline(always)]
            fn read_cell(&self) -> &Self {
                self
            }
            fn is_decided(&self) -> bool {
                true
            }
        }

        impl<C: 'static> Located for $cell<C> {
            type Place = Self;
        }

        impl<C: 'static> ObjectView for $cell<C> {}
    )*};
}

around! { RefCell Locked Atomic }

impl<C: ReadCell> Locked<C> {
    /// Returns the content. In a predicate, a lock is never poisoned.
    #[inline]
    pub fn lock(&self) -> LockResult<Ref<'_, C::Out>> {
        Ok(Ref(self.0.read_cell()))
    }

    /// Returns the content. In a predicate, a lock is never held.
    #[inline]
    pub fn try_lock(&self) -> TryLockResult<Ref<'_, C::Out>> {
        Ok(Ref(self.0.read_cell()))
    }

    /// Returns the content of a read-write lock.
    #[inline]
    pub fn read(&self) -> LockResult<Ref<'_, C::Out>> {
        self.lock()
    }

    /// Returns the content of a read-write lock, which is never held in a predicate.
    #[inline]
    pub fn try_read(&self) -> TryLockResult<Ref<'_, C::Out>> {
        self.try_lock()
    }

    /// Returns false.
    pub fn is_poisoned(&self) -> bool {
        false
    }
}

/// The twin of `std::cell::OnceCell` and `std::sync::OnceLock` in the structure.
pub struct Once<T> {
    is_set: *const Slot<bool>,
    value: *const Elem<T>,
}

impl<T: 'static> Once<T> {
    pub(crate) fn of_field(is_set: &'static Slot<bool>, value: &'static Elem<T>) -> Self {
        Once { is_set, value }
    }

    pub(crate) fn is_set(&self) -> &'static Slot<bool> {
        // SAFETY: `of_field` was given a slot that its heap keeps, and heaps are never freed.
        unsafe { &*self.is_set }
    }

    /// Returns the value, if it is set.
    #[inline]
    pub fn get(&self) -> Option<&T> {
        // SAFETY: `of_field` was given an element that its heap keeps, and heaps are never freed.
        self.is_set().__korat_read().then(|| unsafe { &*self.value }.get())
    }
}

impl<T> Clone for Once<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Once<T> {}

impl<T: PartialEq + 'static> PartialEq for Once<T> {
    fn eq(&self, other: &Self) -> bool {
        self.get() == other.get()
    }
}

impl<T: fmt::Debug + 'static> fmt::Debug for Once<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("OnceCell").field(&self.get()).finish()
    }
}

impl<C: ReadCell> RefCell<C> {
    /// Borrows the content.
    #[inline]
    pub fn borrow(&self) -> Ref<'_, C::Out> {
        Ref(self.0.read_cell())
    }

    /// Borrows the content. In a predicate, a cell is never mutably borrowed.
    #[inline]
    pub fn try_borrow(&self) -> Result<Ref<'_, C::Out>, std::cell::BorrowError> {
        Ok(self.borrow())
    }
}

/// Never implemented: the bound of methods whose call is an error.
#[diagnostic::on_unimplemented(
    message = "`rep_ok` cannot borrow a part of the structure mutably",
    label = "a part of the structure",
    note = "`rep_ok` must not change the structure; use `.borrow()`, `.read()` or `.lock()`"
)]
pub trait Changes {}

/// What a predicate must not call.
impl<C: ReadCell> RefCell<C> {
    /// Is an error.
    pub fn borrow_mut(&self) -> Ref<'_, C::Out>
    where
        Self: Changes,
    {
        self.borrow()
    }

    /// Is an error.
    pub fn try_borrow_mut(&self) -> Result<Ref<'_, C::Out>, std::cell::BorrowMutError>
    where
        Self: Changes,
    {
        Ok(self.borrow())
    }
}

/// What a predicate must not call.
impl<C: ReadCell> Locked<C> {
    /// Is an error.
    pub fn write(&self) -> LockResult<Ref<'_, C::Out>>
    where
        Self: Changes,
    {
        self.lock()
    }

    /// Is an error.
    pub fn try_write(&self) -> TryLockResult<Ref<'_, C::Out>>
    where
        Self: Changes,
    {
        self.try_lock()
    }
}

/// The twin of `std::cell::Ref`: a borrow of a cell of the structure.
pub struct Ref<'b, T: ?Sized>(&'b T);

impl<'b, T: ?Sized> Ref<'b, T> {
    /// Duplicates the borrow.
    #[allow(clippy::should_implement_trait)]
    pub fn clone(orig: &Ref<'b, T>) -> Ref<'b, T> {
        Ref(orig.0)
    }

    /// Narrows the borrow to a part.
    pub fn map<U: ?Sized>(orig: Ref<'b, T>, part: impl FnOnce(&T) -> &U) -> Ref<'b, U> {
        Ref(part(orig.0))
    }
}

impl<T: ?Sized> Deref for Ref<'_, T> {
    type Target = T;
    #[inline(always)]
    fn deref(&self) -> &T {
        self.0
    }
}

impl<T: ?Sized + fmt::Debug> fmt::Debug for Ref<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
