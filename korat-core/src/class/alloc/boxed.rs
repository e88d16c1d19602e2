//! Objects with one owner: in a box, or by value in their holder.

use std::any::Any;
use std::marker::PhantomData;
use std::mem::MaybeUninit;
use std::ptr;

use super::pointee::{Place, Pointee};
use super::{Alloc, AllocEdge};
use crate::class::cycles::{AnyStrong, AnyWeak};
use crate::class::traits::{Class, View};
use crate::predicate::twin;

/// The allocation kind of `Box<P>`, and of raw pointers to the same objects.
pub struct Boxed<P>(PhantomData<P>);

/// The memory of a boxed object, and its state.
///
/// It has no destructor. If building is abandoned, the memory is leaked: raw pointers in parts of the value that are
/// already built may lead to it, and its content may be missing.
pub struct BoxedStore<P> {
    /// The address, from `Box::into_raw`.
    memory: *mut P,
    /// Whether the content was written.
    filled: bool,
    /// Whether a box was made from the address.
    boxed: bool,
    /// Whether the user got a raw pointer to it.
    raw: bool,
}

impl<P: Pointee> Alloc for Boxed<P> {
    type Pointee = P;
    type Strong = Box<P>;
    type Twin = twin::Box<P::Lifted>;
    const EDGE: AllocEdge = AllocEdge::Owned;
    type Store = BoxedStore<P>;
    fn twin(object: *const Place<P>) -> Self::Twin {
        twin::Box::at(object)
    }
    fn object(twin: Self::Twin) -> &'static View<P::Class> {
        P::content(twin.target())
    }
    fn reserve() -> Self::Store {
        let memory: *mut MaybeUninit<P> = Box::into_raw(Box::new_uninit());
        BoxedStore { memory: memory.cast(), filled: false, boxed: false, raw: false }
    }
    fn fill(store: &mut Self::Store, content: P) {
        // SAFETY: the memory is allocated for a `P` and is empty. Only raw pointers to it exist, which nothing
        // dereferences before the whole value is built.
        unsafe { store.memory.write(content) };
        store.filled = true;
    }
    fn take(store: &mut Self::Store) -> Box<P> {
        assert!(store.filled, "[korat internal bug] a boxed object is built before its owner");
        assert!(!std::mem::replace(&mut store.boxed, true), "[korat internal bug] a boxed object is owned once");
        // SAFETY: the memory came from a box of the same layout, its content is written, and no other box was made from
        // it.
        unsafe { Box::from_raw(store.memory) }
    }
    fn release(store: Self::Store) -> Option<Box<dyn AnyWeak>> {
        assert!(store.filled, "[korat internal bug] a boxed object was reserved and not built");
        assert!(store.boxed || store.raw, "[korat internal bug] a boxed object was built and not given to anybody");
        None
    }
    fn detach(strong: Box<P>) -> Self::Store {
        BoxedStore { memory: Box::into_raw(strong), filled: true, boxed: false, raw: false }
    }
    unsafe fn adopt(object: *mut P) -> Self::Store {
        BoxedStore { memory: object, filled: true, boxed: true, raw: false }
    }
    fn discard(store: Self::Store) {
        if !store.boxed {
            // SAFETY: the memory came from a box, its content is written, and no other box was made from it.
            drop(unsafe { Box::from_raw(store.memory) });
        }
    }
    unsafe fn change(object: *mut P, _: usize, change: &mut dyn FnMut(&mut P::Class)) -> bool {
        // SAFETY: the value owns the box, and the caller alone uses the value.
        unsafe { (*object).change(change) };
        true
    }
    unsafe fn owners(_: *mut P) -> Option<usize> {
        None
    }
    fn address(strong: &Box<P>) -> *mut P {
        // SAFETY: a box of a sized type has the layout of a pointer, as its documentation guarantees. The pointer read
        // this way may be written through, as the box may; one derived from a shared reference to the content may not.
        unsafe { ptr::from_ref(strong).cast::<*mut P>().read() }
    }
    fn stored(store: &Self::Store) -> Option<*mut P> {
        Some(store.memory)
    }
    fn each_strong(strong: &Box<P>, visit: &mut dyn FnMut(&dyn AnyStrong)) {
        // A cell that is mutably borrowed is in use.
        let _ = strong.with(&mut |content| {
            content.each_strong(visit);
            Ok(())
        });
    }
    fn sever_cells(strong: &Box<P>) {
        Pointee::sever(&**strong);
    }
    fn hold(_strong: &Box<P>) -> Option<Box<dyn Any>> {
        None
    }
    const PATCHES: bool = P::IS_CLASS;
    fn patched(strong: &mut Box<P>) -> Option<&mut P::Class> {
        strong.class_mut()
    }
    fn target(strong: &Box<P>) -> &P {
        strong
    }
}

impl<P> Boxed<P> {
    /// Returns a raw pointer to the object, as `Box::into_raw` does. If no box is made from it, the user has to free
    /// the object.
    pub(crate) fn raw(store: &mut BoxedStore<P>) -> *mut P {
        store.raw = true;
        store.memory
    }
}

/// The allocation kind of a class stored by value as an element: nothing is allocated, the content is moved to its
/// place.
pub struct Embedded<C>(PhantomData<C>);

impl<C: Class + Pointee<Class = C, Lifted = <C as Class>::Lifted>> Alloc for Embedded<C> {
    type Pointee = C;
    type Strong = C;
    type Twin = twin::Box<<C as Class>::Lifted>;
    const EDGE: AllocEdge = AllocEdge::Part;
    type Store = Option<C>;
    fn twin(object: *const Place<C>) -> Self::Twin {
        twin::Box::at(object)
    }
    fn object(twin: Self::Twin) -> &'static View<C::Class> {
        C::content(twin.target())
    }
    fn reserve() -> Self::Store {
        None
    }
    fn fill(store: &mut Self::Store, content: C) {
        *store = Some(content);
    }
    fn take(store: &mut Self::Store) -> C {
        store.take().expect("[korat internal bug] a part is built before its holder and taken once")
    }
    fn release(store: Self::Store) -> Option<Box<dyn AnyWeak>> {
        assert!(store.is_none(), "[korat internal bug] a part was built and not taken");
        None
    }
    fn detach(strong: C) -> Self::Store {
        Some(strong)
    }
    unsafe fn adopt(_: *mut C) -> Self::Store {
        unreachable!("[korat internal bug] a part lies in its holder only")
    }
    fn discard(_: Self::Store) {}
    unsafe fn change(object: *mut C, _: usize, change: &mut dyn FnMut(&mut C)) -> bool {
        // SAFETY: the value owns the object, and the caller alone uses the value.
        change(unsafe { &mut *object });
        true
    }
    unsafe fn owners(_: *mut C) -> Option<usize> {
        None
    }
    fn address(strong: &C) -> *mut C {
        (&raw const *strong).cast_mut()
    }
    fn each_strong(strong: &C, visit: &mut dyn FnMut(&dyn AnyStrong)) {
        strong.each_strong(visit);
    }
    fn sever_cells(strong: &C) {
        Class::sever_cells(strong);
    }
    fn hold(_strong: &C) -> Option<Box<dyn Any>> {
        None
    }
    const PATCHES: bool = true;
    fn patched(strong: &mut C) -> Option<&mut C> {
        Some(strong)
    }
    fn target(strong: &C) -> &C {
        strong
    }
}
