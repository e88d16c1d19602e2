//! How objects are allocated: `Box<Node>`, `Rc<Node>`, `Rc<RefCell<Node>>`, .. Takes finished object contents, gives the
//! user's own pointers to them, sharing and cycles included.
//!
//! An object gets its memory first, so that every pointer to it, weak and raw ones and those of a cycle too, can be made before
//! its content is: the content is written last. What only one pointer owns is built before its owner and moved into it.
//!
//! # Why it is sound
//! While a value is built, its objects belong to the tables here, as raw memory from a box (`boxed`) or as counted memory that may be without
//! content (`counted`); nobody looks through a pointer before the whole value is built, and `release` checks that every content was written. If
//! building panics, what has no content is leaked, so that no pointer to it drops what was never written. In a repair, objects of the
//! user's are known by addresses (`*mut ()`), each kept beside its way of allocation, which knows its type; the value that owns them is
//! borrowed until the repair is over. A box is taken over with `into_raw` and becomes one box again, or is dropped, which `boxed`
//! remembers; an adopted one is never made into a box. A counted content is changed through its cell, or if all its owners are in the value.

mod boxed;
mod counted;
mod pointee;

pub(crate) use boxed::{Boxed, Embedded};
pub(crate) use counted::{Atomic, Counted, CountedAlloc};
pub use pointee::{Place, Pointee};

use std::any::Any;
use std::cell::RefCell;

use crate::abstraction::{Abstraction, OutOfBounds};
use crate::class::ClassTable;
use crate::cycles::{AnyStrong, AnyWeak};
use crate::engine::layout::Edge;
use crate::ids::{AllocId, ClassId};
use crate::rewrite::Rewrite;

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
    /// Takes over an object that the user has; `take` gives its pointer back.
    fn detach(strong: Self::Strong) -> Self::Store;
    /// The object at an address, which others own.
    ///
    /// # Safety
    /// It must be one of this way of allocation, and alive.
    unsafe fn adopt(object: *mut Self::Pointee) -> Self::Store;
    /// Drops an object that was taken over, if nobody has taken it.
    fn discard(store: Self::Store);
    /// Changes the content of an object that at most `inside` owning pointers lead to which are the caller's, if nobody else may
    /// look at it meanwhile; false if somebody may.
    ///
    /// # Safety
    /// It must be one of this way of allocation, alive, and the value that leads to it be borrowed by nobody else.
    unsafe fn change(
        object: *mut Self::Pointee,
        inside: usize,
        change: &mut dyn FnMut(&mut <Self::Pointee as Pointee>::Class),
    ) -> bool;
    /// How many owning pointers lead to an object that may have several.
    ///
    /// # Safety
    /// It must be one of this way of allocation, and alive.
    unsafe fn owners(object: *mut Self::Pointee) -> Option<usize>;
    /// Where the object lies.
    fn address(strong: &Self::Strong) -> *mut Self::Pointee;
    /// Where an object lies that was taken over, if it matters by which address it is changed: a box that was made of one is good as long as
    /// its content is not changed by an older one.
    fn stored(_store: &Self::Store) -> Option<*mut Self::Pointee> {
        None
    }
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

/// The objects of a class that are allocated one way.
pub struct AllocTable<A: Alloc> {
    pub(crate) id: AllocId,
    pub(crate) class: &'static ClassTable<<A::Pointee as Pointee>::Class>,
    /// Per object of the class, the one that is being built; empty before there is any.
    stores: RefCell<Vec<Option<A::Store>>>,
}

impl<A: Alloc> AllocTable<A> {
    pub(crate) fn new(id: AllocId, class: &'static ClassTable<<A::Pointee as Pointee>::Class>) -> Self {
        AllocTable { id, class, stores: RefCell::default() }
    }

    /// The pointers a predicate may see, in the order of the objects.
    pub(crate) fn twins(&self) -> impl Iterator<Item = A::Twin> + '_ {
        (0..self.class.count()).map(|ordinal| A::twin(A::Pointee::view(self.class.address(ordinal))))
    }

    /// Keeps an object that was taken out of the user's value.
    pub(crate) fn keep(&self, ordinal: usize, strong: A::Strong) {
        self.put(ordinal, A::detach(strong));
    }

    fn put(&self, ordinal: usize, store: A::Store) {
        let mut stores = self.stores.borrow_mut();
        if stores.is_empty() {
            stores.resize_with(self.class.count(), || None);
        }
        stores[ordinal] = Some(store);
    }

    fn pull(&self, ordinal: usize) -> Option<A::Store> {
        self.stores.borrow_mut().get_mut(ordinal)?.take()
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
    /// Whether there is an object on its way.
    fn has_store(&self, ordinal: usize) -> bool;
    /// Lets the object at `content` be pointed to.
    ///
    /// # Safety
    /// `content` must point to the allocation's pointee, and that be alive.
    unsafe fn adopt(&self, ordinal: usize, content: *mut ());
    /// Drops an object that was taken out of the user's value, if nothing points to it.
    fn discard(&self, ordinal: usize);
    /// Writes changed slots back into the object at `content`; false if somebody else may look at it.
    ///
    /// # Safety
    /// `content` must point to the allocation's pointee, that be alive, and nobody else use the value that leads to it.
    unsafe fn rewrite_at(&self, ordinal: usize, content: *mut (), inside: usize, to: &mut Rewrite<'_>) -> bool;
    /// How many owning pointers lead to the object at `content`, if it may have several.
    ///
    /// # Safety
    /// `content` must point to the allocation's pointee, and that be alive.
    unsafe fn owners(&self, content: *mut ()) -> Option<usize>;
    /// Whether the objects lie in their holders.
    fn is_part(&self) -> bool;
    /// Whether an object may have several owners.
    fn counts(&self) -> bool;
    /// The class of the objects.
    fn class(&self) -> ClassId;
    /// Abstracts the object at `content`.
    ///
    /// # Safety
    /// `content` must point to the allocation's pointee, and that be alive.
    unsafe fn abstract_at(
        &self,
        ordinal: usize,
        content: *const (),
        to: &mut Abstraction<'_>,
    ) -> Result<(), OutOfBounds>;
}

impl<A: Alloc> AnyAlloc for AllocTable<A> {
    fn reserve(&self, ordinal: usize) {
        self.put(ordinal, A::reserve());
    }

    fn build(&self, ordinal: usize) {
        let view = self.class.view(ordinal);
        let content = self.class.plan().materialise(view);
        self.with_store(ordinal, |store| A::fill(store, A::Pointee::wrap(content)));
    }

    fn release(&self, ordinal: usize) -> Option<Box<dyn AnyWeak>> {
        let store = self.pull(ordinal);
        A::release(store.expect("[korat internal bug] a reached object is reserved before it is released"))
    }

    fn has_store(&self, ordinal: usize) -> bool {
        self.stores.borrow().get(ordinal).is_some_and(Option::is_some)
    }

    unsafe fn adopt(&self, ordinal: usize, content: *mut ()) {
        // SAFETY: the caller promises an object of this way of allocation that is alive.
        self.put(ordinal, unsafe { A::adopt(content.cast()) });
    }

    fn discard(&self, ordinal: usize) {
        self.pull(ordinal).into_iter().for_each(A::discard);
    }

    unsafe fn rewrite_at(&self, ordinal: usize, content: *mut (), inside: usize, to: &mut Rewrite<'_>) -> bool {
        let (plan, view) = (self.class.plan(), self.class.view(ordinal));
        let stored = self.stores.borrow().get(ordinal).and_then(|store| A::stored(store.as_ref()?));
        // SAFETY: the caller promises that the object lies there, alive, and that nobody else uses the value; one that was taken over is
        // the same object.
        unsafe { A::change(stored.unwrap_or(content.cast()), inside, &mut |content| plan.rewrite(content, view, to)) }
    }

    unsafe fn owners(&self, content: *mut ()) -> Option<usize> {
        // SAFETY: the caller promises an object of this way of allocation that is alive.
        unsafe { A::owners(content.cast()) }
    }

    fn is_part(&self) -> bool {
        A::EDGE == AllocEdge::Part
    }

    fn counts(&self) -> bool {
        A::EDGE == AllocEdge::Shared
    }

    fn class(&self) -> ClassId {
        self.class.id
    }

    unsafe fn abstract_at(
        &self,
        ordinal: usize,
        content: *const (),
        to: &mut Abstraction<'_>,
    ) -> Result<(), OutOfBounds> {
        // SAFETY: the caller promises a pointee of this way of allocation that is alive.
        let pointee = unsafe { &*content.cast::<A::Pointee>() };
        pointee.with(&mut |content| self.class.plan().abstract_to(content, self.class.view(ordinal), to))
    }
}
