//! Reference-counted objects: behind an `Rc` or an `Arc`, with weak pointers.

use std::any::Any;
use std::marker::PhantomData;
use std::mem::{ManuallyDrop, MaybeUninit};
use std::rc::Rc;
use std::sync::Arc;
use std::{rc, sync};

use super::pointee::{Place, Pointee};
use super::{Alloc, AllocEdge};
use crate::class::cycles::{AnyStrong, AnyWeak};
use crate::class::traits::View;
use crate::predicate::twin;

/// The allocation kind of `Rc<P>` and its `Weak<P>`.
pub struct Counted<P>(PhantomData<P>);

/// The allocation kind of `Arc<P>` and its `Weak<P>`.
pub struct Atomic<P>(PhantomData<P>);

/// An allocation kind with weak pointers.
pub trait CountedAlloc: Alloc<Twin = twin::Rc<<<Self as Alloc>::Pointee as Pointee>::Lifted>> {
    /// The weak pointer.
    type Weak: 'static;
    /// Returns a weak pointer to the object.
    fn weak(store: &Self::Store) -> Self::Weak;
    /// Returns a weak pointer to nothing.
    fn dangling() -> Self::Weak;
    /// Returns the object if it is still alive.
    fn upgrade(weak: &Self::Weak) -> Option<Self::Strong>;
}

macro_rules! counted {
    ($alloc:ident, $store:ident, $strong:ident, $weak:path) => {
        /// The memory of an object, and whether its content was written.
        pub struct $store<P> {
            memory: ManuallyDrop<$strong<MaybeUninit<P>>>,
            filled: bool,
        }

        impl<P> Drop for $store<P> {
            fn drop(&mut self) {
                // If building was abandoned, the memory is leaked: other pointers may exist, and the last of them must
                // not drop a content that was never written.
                if self.filled {
                    // SAFETY: `fill` wrote the content; the memory is taken out once, here.
                    drop(unsafe { ManuallyDrop::take(&mut self.memory).assume_init() });
                }
            }
        }

        impl<P: Pointee> Alloc for $alloc<P> {
            type Pointee = P;
            type Strong = $strong<P>;
            type Twin = twin::Rc<P::Lifted>;
            const EDGE: AllocEdge = AllocEdge::Shared;
            type Store = $store<P>;
            fn twin(object: *const Place<P>) -> Self::Twin {
                twin::Rc::at(object)
            }
            fn object(twin: Self::Twin) -> &'static View<P::Class> {
                P::content(twin.target())
            }
            fn reserve() -> Self::Store {
                $store { memory: ManuallyDrop::new($strong::new_uninit()), filled: false }
            }
            fn fill(store: &mut Self::Store, content: P) {
                let memory = $strong::as_ptr(&store.memory).cast_mut();
                // SAFETY: the memory is allocated and empty, and no reference to it exists: `take` and `weak` made the
                // other pointers to it, and nothing dereferences them before the whole value is built.
                unsafe { (*memory).write(content) };
                store.filled = true;
            }
            fn take(store: &mut Self::Store) -> $strong<P> {
                let memory = $strong::into_raw($strong::clone(&store.memory));
                // SAFETY: `MaybeUninit<P>` has the size and alignment of `P`; the content is written before anything
                // dereferences the pointer.
                unsafe { $strong::from_raw(memory.cast::<P>()) }
            }
            fn release(store: Self::Store) -> Option<Box<dyn AnyWeak>> {
                assert!(store.filled, "[korat internal bug] a counted object was reserved and not built");
                Some(Box::new(Self::weak(&store)))
            }
            fn detach(strong: $strong<P>) -> Self::Store {
                // SAFETY: `MaybeUninit<P>` has the size and alignment of `P`, and the content is initialized.
                let memory = unsafe { $strong::from_raw($strong::into_raw(strong).cast::<MaybeUninit<P>>()) };
                $store { memory: ManuallyDrop::new(memory), filled: true }
            }
            unsafe fn adopt(object: *mut P) -> Self::Store {
                // SAFETY: the object is alive and behind such a pointer; this adds one owner to its count.
                Self::detach(unsafe {
                    $strong::increment_strong_count(object);
                    $strong::from_raw(object)
                })
            }
            fn discard(store: Self::Store) {
                drop(store);
            }
            unsafe fn change(object: *mut P, inside: usize, change: &mut dyn FnMut(&mut P::Class)) -> bool {
                // SAFETY: the object is alive, so a shared reference to it is valid.
                if unsafe { (*object).change_shared(change) } {
                    return true;
                }
                // SAFETY: the caller guarantees a live object of this allocation kind.
                let owners = unsafe { Self::owners(object) };
                if P::SETTABLE || owners.is_some_and(|owners| owners > inside) {
                    return false;
                }
                // SAFETY: all owners are in the value or are the caller's, who alone uses it, so nothing else can
                // access the content.
                unsafe { (*object).change(change) };
                true
            }
            unsafe fn owners(object: *mut P) -> Option<usize> {
                // SAFETY: the object is alive; the pointer made here is not dropped, so that the count stays the same.
                let strong = unsafe { ManuallyDrop::new($strong::from_raw(object)) };
                Some($strong::strong_count(&strong))
            }
            fn address(strong: &$strong<P>) -> *mut P {
                $strong::as_ptr(strong).cast_mut()
            }
            fn each_strong(strong: &$strong<P>, visit: &mut dyn FnMut(&dyn AnyStrong)) {
                visit(strong);
            }
            fn sever_cells(_strong: &$strong<P>) {}
            fn hold(strong: &$strong<P>) -> Option<Box<dyn Any>> {
                Some(Box::new($strong::clone(strong)))
            }
            fn target(strong: &$strong<P>) -> &P {
                strong
            }
        }

        impl<P: Pointee> CountedAlloc for $alloc<P> {
            type Weak = $weak;
            fn weak(store: &Self::Store) -> Self::Weak {
                let memory = $strong::downgrade(&store.memory).into_raw();
                // SAFETY: `MaybeUninit<P>` has the size and alignment of `P`; the content is written before anything
                // dereferences the pointer, and dropping a weak pointer never does.
                unsafe { Self::Weak::from_raw(memory.cast::<P>()) }
            }
            fn dangling() -> Self::Weak {
                Self::Weak::new()
            }
            fn upgrade(weak: &Self::Weak) -> Option<$strong<P>> {
                weak.upgrade()
            }
        }
    };
}

counted!(Counted, CountedStore, Rc, rc::Weak<P>);
counted!(Atomic, AtomicStore, Arc, sync::Weak<P>);
