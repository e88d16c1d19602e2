//! How objects are allocated: `Box<Node>`, `Rc<Node>`, `Rc<RefCell<Node>>`. Takes finished object contents, gives the
//! user's own pointers to them, sharing and cycles included.
//!
//! A boxed object is built before its owner and moved into it. A counted object gets its memory first, so that every
//! pointer to it, weak ones and those of a cycle too, can be made before its content is: the content is written last.

use std::any::Any;
use std::cell::RefCell;
use std::marker::PhantomData;
use std::mem::{ManuallyDrop, MaybeUninit};
use std::rc::{Rc, Weak};

use crate::abstraction::{Abstraction, OutOfBounds};
use crate::class::{Class, ClassTable, Seen, View};
use crate::cycles::{AnyStrong, AnyWeak};
use crate::engine::layout::Edge;
use crate::ids::AllocId;
use crate::twin;

/// What a pointer may point to: a class, or a cell around one.
#[diagnostic::on_unimplemented(
    message = "a pointer to `{Self}` cannot be finitized",
    label = "points neither to a class nor to a `RefCell` around one",
    note = "derive `Finitize` for the struct it points to; or list the values: `#[finitize(values = [..])]`"
)]
pub trait Pointee: Sized + 'static {
    /// The class inside.
    type Class: Class;
    /// What a predicate sees in place of `Self`.
    type Lifted: Seen;
    /// Whether the content can be changed through a shared pointer.
    const SETTABLE: bool;
    /// The same object, seen as `Self`.
    fn view(object: *const View<Self::Class>) -> *const Place<Self>;
    /// Wraps the content.
    fn wrap(content: Self::Class) -> Self;
    /// Calls `look` with the content.
    fn with(&self, look: &mut dyn FnMut(&Self::Class) -> Result<(), OutOfBounds>) -> Result<(), OutOfBounds>;
    /// Sets pointers in the content to null, where a shared pointer allows it.
    fn sever(&self);
}

/// Where a predicate finds what a pointer to `P` points to.
pub type Place<P> = <<P as Pointee>::Lifted as Seen>::Place;

impl<C: Class> Pointee for RefCell<C> {
    type Class = C;
    type Lifted = twin::RefCell<View<C>>;
    const SETTABLE: bool = true;
    fn view(object: *const View<C>) -> *const Place<Self> {
        object.cast()
    }
    fn wrap(content: C) -> Self {
        RefCell::new(content)
    }
    fn with(&self, look: &mut dyn FnMut(&C) -> Result<(), OutOfBounds>) -> Result<(), OutOfBounds> {
        match self.try_borrow() {
            Ok(content) => look(&content),
            Err(_) => Err(OutOfBounds::borrowed()),
        }
    }
    fn sever(&self) {
        if let Ok(mut content) = self.try_borrow_mut() {
            content.sever();
        }
    }
}

/// A way of allocation.
pub trait Alloc: 'static {
    /// What its pointers point to.
    type Pointee: Pointee;
    /// The owning pointer.
    type Strong: 'static;
    /// What a predicate sees in place of the owning pointer.
    type Twin: Copy + 'static;
    #[doc(hidden)]
    const EDGE: AllocEdge;
    /// One object on its way to the user.
    type Store: 'static;
    /// The pointer that a predicate sees.
    fn twin(object: *const Place<Self::Pointee>) -> Self::Twin;
    /// Room for one object.
    fn reserve() -> Self::Store;
    /// Puts the content in.
    fn fill(store: &mut Self::Store, content: Self::Pointee);
    /// The user's pointer to the object; a box must be filled before, and can be taken once.
    fn take(store: &mut Self::Store) -> Self::Strong;
    /// Gives up korat's own hold on the object; gives a weak pointer to it if it is counted.
    fn release(store: Self::Store) -> Option<Box<dyn AnyWeak>>;
    /// Calls `visit` on the pointer, or on those inside a box.
    fn each_strong(strong: &Self::Strong, visit: &mut dyn FnMut(&dyn AnyStrong));
    /// Sets pointers to null in cells inside a box; a counted object is severed by itself.
    fn sever_cells(strong: &Self::Strong);
    /// Another owner of the object, if it can have one.
    fn hold(strong: &Self::Strong) -> Option<Box<dyn Any>>;
    /// What the pointer points to.
    fn target(strong: &Self::Strong) -> &Self::Pointee;
}

/// How an owning pointer owns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AllocEdge {
    /// As a part.
    Part,
    /// Alone.
    Owned,
    /// With others.
    Shared,
}

impl AllocEdge {
    pub(crate) fn edge(self) -> Edge {
        match self {
            AllocEdge::Part => Edge::Part,
            AllocEdge::Owned => Edge::Owned,
            AllocEdge::Shared => Edge::Shared,
        }
    }
}

/// `Box<P>`.
pub struct Boxed<P>(PhantomData<P>);

impl<P: Pointee> Alloc for Boxed<P> {
    fn sever_cells(strong: &Box<P>) {
        Pointee::sever(&**strong);
    }
    type Pointee = P;
    type Strong = Box<P>;
    type Twin = twin::Box<P::Lifted>;
    const EDGE: AllocEdge = AllocEdge::Owned;
    type Store = Option<Box<P>>;
    fn twin(object: *const Place<P>) -> Self::Twin {
        twin::Box::at(object)
    }
    fn reserve() -> Self::Store {
        None
    }
    fn fill(store: &mut Self::Store, content: P) {
        *store = Some(Box::new(content));
    }
    fn take(store: &mut Self::Store) -> Box<P> {
        store.take().expect("[korat internal bug] a boxed object is built before its owner and owned once")
    }
    fn release(store: Self::Store) -> Option<Box<dyn AnyWeak>> {
        assert!(store.is_none(), "[korat internal bug] a boxed object was built and not owned");
        None
    }
    fn each_strong(strong: &Box<P>, visit: &mut dyn FnMut(&dyn AnyStrong)) {
        // A cell that is borrowed for writing is in use.
        let _ = strong.with(&mut |content| {
            content.each_strong(visit);
            Ok(())
        });
    }
    fn hold(_strong: &Box<P>) -> Option<Box<dyn Any>> {
        None
    }
    fn target(strong: &Box<P>) -> &P {
        strong
    }
}

/// A class by value, as an element: nothing is allocated, the content is moved to where it belongs.
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
    fn each_strong(strong: &C, visit: &mut dyn FnMut(&dyn AnyStrong)) {
        strong.each_strong(visit);
    }
    fn sever_cells(strong: &C) {
        Class::sever_cells(strong);
    }
    fn hold(_strong: &C) -> Option<Box<dyn Any>> {
        None
    }
    fn target(strong: &C) -> &C {
        strong
    }
}

/// `Rc<P>` and `Weak<P>`.
pub struct Counted<P>(PhantomData<P>);

/// The memory of an object behind an `Rc`, and whether its content was written.
pub struct CountedStore<P> {
    memory: ManuallyDrop<Rc<MaybeUninit<P>>>,
    filled: bool,
}

impl<P> Drop for CountedStore<P> {
    fn drop(&mut self) {
        // Where building was given up, the hold is never let go: other pointers may exist, and the last of them must not drop
        // what was never written.
        if self.filled {
            // SAFETY: the content was written by `fill`; the memory is taken out once, here.
            drop(unsafe { ManuallyDrop::take(&mut self.memory).assume_init() });
        }
    }
}

impl<P: Pointee> Alloc for Counted<P> {
    fn sever_cells(_strong: &Rc<P>) {}
    type Pointee = P;
    type Strong = Rc<P>;
    type Twin = twin::Rc<P::Lifted>;
    const EDGE: AllocEdge = AllocEdge::Shared;
    type Store = CountedStore<P>;
    fn twin(object: *const Place<P>) -> Self::Twin {
        twin::Rc::at(object)
    }
    fn reserve() -> Self::Store {
        CountedStore { memory: ManuallyDrop::new(Rc::new_uninit()), filled: false }
    }
    fn fill(store: &mut Self::Store, content: P) {
        let memory = Rc::as_ptr(&store.memory).cast_mut();
        // SAFETY: the memory is allocated, holds nothing yet, and no reference to it exists: other pointers to it were
        // made by `take` and `weak`, and nobody looks through them before the whole value is built.
        unsafe { (*memory).write(content) };
        store.filled = true;
    }
    fn take(store: &mut Self::Store) -> Rc<P> {
        let memory = Rc::into_raw(Rc::clone(&store.memory));
        // SAFETY: `MaybeUninit<P>` has the size and alignment of `P`; the content is written before anybody looks.
        unsafe { Rc::from_raw(memory.cast::<P>()) }
    }
    fn release(store: Self::Store) -> Option<Box<dyn AnyWeak>> {
        assert!(store.filled, "[korat internal bug] a counted object was reserved and not built");
        Some(Box::new(Counted::weak(&store)))
    }
    fn each_strong(strong: &Rc<P>, visit: &mut dyn FnMut(&dyn AnyStrong)) {
        visit(strong);
    }
    fn hold(strong: &Rc<P>) -> Option<Box<dyn Any>> {
        Some(Box::new(Rc::clone(strong)))
    }
    fn target(strong: &Rc<P>) -> &P {
        strong
    }
}

impl<P: Pointee> Counted<P> {
    /// A weak pointer to the object.
    pub(crate) fn weak(store: &CountedStore<P>) -> Weak<P> {
        let memory = Weak::into_raw(Rc::downgrade(&store.memory));
        // SAFETY: as in `take`; dropping a `Weak` never looks at the content.
        unsafe { Weak::from_raw(memory.cast::<P>()) }
    }
}

/// The objects of a class that are allocated one way.
pub struct AllocTable<A: Alloc> {
    pub(crate) id: AllocId,
    pub(crate) class: &'static ClassTable<<A::Pointee as Pointee>::Class>,
    /// Per object of the class, the one that is being built.
    stores: RefCell<Vec<Option<A::Store>>>,
}

impl<A: Alloc> AllocTable<A> {
    pub(crate) fn new(id: AllocId, class: &'static ClassTable<<A::Pointee as Pointee>::Class>) -> Self {
        let stores = RefCell::new((0..class.count()).map(|_| None).collect());
        AllocTable { id, class, stores }
    }

    /// The pointers a predicate may see, in the order of the objects.
    pub(crate) fn twins(&self) -> impl Iterator<Item = A::Twin> + '_ {
        (0..self.class.count()).map(|ordinal| A::twin(A::Pointee::view(self.class.address(ordinal))))
    }

    pub(crate) fn with_store<R>(&self, ordinal: usize, use_it: impl FnOnce(&mut A::Store) -> R) -> R {
        let mut stores = self.stores.borrow_mut();
        use_it(stores[ordinal].as_mut().expect("[korat internal bug] a reached object is reserved before it is used"))
    }
}

/// An allocation table whose types are forgotten.
pub(crate) trait AnyAlloc {
    fn reserve(&self, ordinal: usize);
    fn build(&self, ordinal: usize);
    fn release(&self, ordinal: usize) -> Option<Box<dyn AnyWeak>>;
    /// Abstracts the object at `content`, which must point to the allocation's pointee and be alive.
    unsafe fn abstract_at(
        &self,
        ordinal: usize,
        content: *const (),
        to: &mut Abstraction<'_>,
    ) -> Result<(), OutOfBounds>;
}

impl<A: Alloc> AnyAlloc for AllocTable<A> {
    fn reserve(&self, ordinal: usize) {
        self.stores.borrow_mut()[ordinal] = Some(A::reserve());
    }

    fn build(&self, ordinal: usize) {
        let view = self.class.view(ordinal);
        let content = self.class.plan().materialise(view);
        self.with_store(ordinal, |store| A::fill(store, A::Pointee::wrap(content)));
    }

    fn release(&self, ordinal: usize) -> Option<Box<dyn AnyWeak>> {
        let store = self.stores.borrow_mut()[ordinal].take();
        A::release(store.expect("[korat internal bug] a reached object is reserved before it is released"))
    }

    unsafe fn abstract_at(
        &self,
        ordinal: usize,
        content: *const (),
        to: &mut Abstraction<'_>,
    ) -> Result<(), OutOfBounds> {
        // SAFETY: the caller's promise.
        let pointee = unsafe { &*content.cast::<A::Pointee>() };
        pointee.with(&mut |content| self.class.plan().abstract_to(content, self.class.view(ordinal), to))
    }
}
