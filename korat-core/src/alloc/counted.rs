//! Objects that are counted: behind an `Rc` or an `Arc`, with weak pointers.

use std::any::Any;
use std::marker::PhantomData;
use std::mem::{ManuallyDrop, MaybeUninit};
use std::rc::{self, Rc};
use std::sync::{self, Arc};

use super::{Alloc, AllocEdge, Place, Pointee};
use crate::cycles::{AnyStrong, AnyWeak};
use crate::twin;

/// `Rc<P>` and its `Weak<P>`.
pub struct Counted<P>(PhantomData<P>);

/// `Arc<P>` and its `Weak<P>`.
pub struct Atomic<P>(PhantomData<P>);

/// A way of allocation with weak pointers.
pub trait CountedAlloc: Alloc<Twin = twin::Rc<<<Self as Alloc>::Pointee as Pointee>::Lifted>> {
    /// The weak pointer.
    type Weak: 'static;
    /// A weak pointer to the object.
    fn weak(store: &Self::Store) -> Self::Weak;
    /// A weak pointer to nothing.
    fn dangling() -> Self::Weak;
    /// The object, if something still holds it.
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
                // Where building was given up, the hold is never let go: other pointers may exist, and the last of them must
                // not drop what was never written.
                if self.filled {
                    // SAFETY: the content was written by `fill`; the memory is taken out once, here.
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
            fn reserve() -> Self::Store {
                $store { memory: ManuallyDrop::new($strong::new_uninit()), filled: false }
            }
            fn fill(store: &mut Self::Store, content: P) {
                let memory = $strong::as_ptr(&store.memory).cast_mut();
                // SAFETY: the memory is allocated, holds nothing yet, and no reference to it exists: other pointers to it
                // were made by `take` and `weak`, and nobody looks through them before the whole value is built.
                unsafe { (*memory).write(content) };
                store.filled = true;
            }
            fn take(store: &mut Self::Store) -> $strong<P> {
                let memory = $strong::into_raw($strong::clone(&store.memory));
                // SAFETY: `MaybeUninit<P>` has the size and alignment of `P`; the content is written before anybody looks.
                unsafe { $strong::from_raw(memory.cast::<P>()) }
            }
            fn release(store: Self::Store) -> Option<Box<dyn AnyWeak>> {
                assert!(store.filled, "[korat internal bug] a counted object was reserved and not built");
                Some(Box::new(Self::weak(&store)))
            }
            fn detach(strong: $strong<P>) -> Self::Store {
                // SAFETY: `MaybeUninit<P>` has the size and alignment of `P`, and the content is there.
                let memory = unsafe { $strong::from_raw($strong::into_raw(strong).cast::<MaybeUninit<P>>()) };
                $store { memory: ManuallyDrop::new(memory), filled: true }
            }
            unsafe fn adopt(object: *mut P) -> Self::Store {
                // SAFETY: the object is alive, and lies behind such a pointer: this is another one.
                Self::detach(unsafe {
                    $strong::increment_strong_count(object);
                    $strong::from_raw(object)
                })
            }
            fn discard(store: Self::Store) {
                drop(store);
            }
            unsafe fn change(object: *mut P, inside: usize, change: &mut dyn FnMut(&mut P::Class)) -> bool {
                // SAFETY: the object is alive, so that it may be looked at.
                if unsafe { (*object).change_shared(change) } {
                    return true;
                }
                // SAFETY: the caller promises an object of this way of allocation that is alive.
                let owners = unsafe { Self::owners(object) };
                if P::SETTABLE || owners.is_some_and(|owners| owners > inside) {
                    return false;
                }
                // SAFETY: all owners are in the value, or the caller's, who alone uses it: nobody else can look at the content.
                unsafe { (*object).change(change) };
                true
            }
            unsafe fn owners(object: *mut P) -> Option<usize> {
                // SAFETY: the object is alive; the pointer made for this is not dropped, so that the count stays as it is.
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
                // SAFETY: `MaybeUninit<P>` has the size and alignment of `P`; the content is written before anybody looks, and dropping a
                // weak pointer never does.
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
