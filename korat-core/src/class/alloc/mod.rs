//! Allocation of objects: `Box<Node>`, `Rc<Node>`, `Rc<RefCell<Node>>`, .. Turns finished contents into the user's own
//! pointers, including sharing and cycles.
//!
//! An object's memory is reserved first and its content is written last, so that every pointer to it can be made in
//! between, including weak, raw and cyclic ones. An object with a single owning pointer is built before its owner and
//! moved into it. Where no other pointers exist, it is built when its owner asks for it, and needs no storage here.
//!
//! # Safety argument
//! While a value is built, the tables here own its objects, as raw memory from a box (`boxed`) or as reference-counted
//! memory whose content may be missing (`counted`). Nothing dereferences a pointer before the whole value is built, and
//! `release` checks that every content was written. If building panics, objects without content are leaked, so that no
//! pointer to them drops what was never written.
//!
//! In a repair, the user's objects are known by address (`*mut ()`), each kept with its allocation kind, which knows
//! the type. The value that owns them stays borrowed until the repair is over. A box is taken over with `into_raw` and
//! is either turned into one box again or dropped, which `boxed` keeps track of; an adopted box is never turned into a
//! box. The content of a reference-counted object is changed only through its cell, or if all its owners are in the
//! value.

pub(crate) mod boxed;
pub(crate) mod counted;
pub(crate) mod pointee;

use std::any::Any;
use std::cell::{Cell, RefCell};

use pointee::{Place, Pointee};

use crate::class::abstraction::{Abstraction, OutOfBounds};
use crate::class::cycles::{AnyStrong, AnyWeak};
use crate::class::patch::Patch;
use crate::class::rewrite::Rewrite;
use crate::class::table::ClassTable;
use crate::class::traits::View;
use crate::model::ids::{AllocId, ClassId};
use crate::predicate::machine::early::Convertible;
use crate::slots::kinds::Edge;

/// An allocation kind.
pub trait Alloc: 'static {
    /// The type that the pointers point to.
    type Pointee: Pointee;
    /// The owning pointer.
    type Strong: 'static;
    /// The type that a predicate sees in place of the owning pointer.
    type Twin: Copy + Convertible;
    #[doc(hidden)]
    const EDGE: AllocEdge;
    /// The storage of one object while the value around it is built.
    type Store: 'static;
    /// Returns the pointer that a predicate sees.
    fn twin(object: *const Place<Self::Pointee>) -> Self::Twin;
    /// Returns the object that such a pointer leads to.
    fn object(twin: Self::Twin) -> &'static View<<Self::Pointee as Pointee>::Class>;
    /// Reserves memory for one object.
    fn reserve() -> Self::Store;
    /// Writes the content.
    fn fill(store: &mut Self::Store, content: Self::Pointee);
    /// Returns a user-visible pointer to the object. A box must be filled first, and can be taken only once.
    fn take(store: &mut Self::Store) -> Self::Strong;
    /// Gives up korat's own hold on the object. Returns a weak pointer to it if it is reference-counted.
    fn release(store: Self::Store) -> Option<Box<dyn AnyWeak>>;
    /// Takes over an object of the user's; `take` returns its pointer.
    fn detach(strong: Self::Strong) -> Self::Store;
    /// Returns the storage for an existing object that others own.
    ///
    /// # Safety
    /// The object must have this allocation kind and be alive.
    unsafe fn adopt(object: *mut Self::Pointee) -> Self::Store;
    /// Drops an object that was taken over, unless `take` returned it.
    fn discard(store: Self::Store);
    /// Changes the content of an object, to which at most `inside` owning pointers under the caller's control lead.
    /// Returns `false` without changing it if anything else may access it meanwhile.
    ///
    /// # Safety
    /// The object must have this allocation kind and be alive, and nothing else may borrow the value that leads to it.
    unsafe fn change(
        object: *mut Self::Pointee,
        inside: usize,
        change: &mut dyn FnMut(&mut <Self::Pointee as Pointee>::Class),
    ) -> bool;
    /// Returns the number of owning pointers to an object that may have several.
    ///
    /// # Safety
    /// The object must have this allocation kind and be alive.
    unsafe fn owners(object: *mut Self::Pointee) -> Option<usize>;
    /// Returns the address of the object.
    fn address(strong: &Self::Strong) -> *mut Self::Pointee;
    /// Returns the address of an object that was taken over, if changes have to go through that address: a box made
    /// from it stays valid only as long as its content is not changed through an older address.
    fn stored(_store: &Self::Store) -> Option<*mut Self::Pointee> {
        None
    }
    /// Calls `visit` on the pointer, or on the strong pointers inside a box.
    fn each_strong(strong: &Self::Strong, visit: &mut dyn FnMut(&dyn AnyStrong));
    /// Sets nullable pointers in cells inside a box to null. A reference-counted object is severed separately.
    fn sever_cells(strong: &Self::Strong);
    /// Returns another owner of the object, if it can have several.
    fn hold(strong: &Self::Strong) -> Option<Box<dyn Any>>;
    /// Whether an object can be patched: nothing but its pointer leads to it.
    const PATCHES: bool = false;
    /// Returns the object, if it can be patched.
    fn patched(_strong: &mut Self::Strong) -> Option<&mut <Self::Pointee as Pointee>::Class> {
        None
    }
    /// Returns the object that the pointer points to.
    fn target(strong: &Self::Strong) -> &Self::Pointee;
}

/// How an owning pointer owns its object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AllocEdge {
    /// The object is stored by value in its holder.
    Part,
    /// The pointer is the only owner.
    Owned,
    /// The pointer is one of several owners.
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

/// The objects of a class with one allocation kind.
pub struct AllocTable<A: Alloc> {
    pub(crate) id: AllocId,
    pub(crate) class: &'static ClassTable<<A::Pointee as Pointee>::Class>,
    /// Per object of the class, its storage while it is built; empty until the first one is needed.
    stores: RefCell<Vec<Option<A::Store>>>,
    /// Whether an object is built when its pointer is taken, and has no storage.
    is_nested: Cell<bool>,
}

impl<A: Alloc> AllocTable<A> {
    pub(crate) fn new(id: AllocId, class: &'static ClassTable<<A::Pointee as Pointee>::Class>) -> Self {
        AllocTable { id, class, stores: RefCell::default(), is_nested: Cell::new(false) }
    }

    /// Returns the pointers that a predicate may see, in the order of the objects.
    pub(crate) fn twins(&self) -> impl Iterator<Item = A::Twin> + '_ {
        (0..self.class.count()).map(|ordinal| A::twin(A::Pointee::view(self.class.address(ordinal))))
    }

    /// Stores an object that was taken out of the user's value.
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

    /// Returns a user-visible pointer to an object.
    pub(crate) fn take(&self, ordinal: usize) -> A::Strong {
        if !self.is_nested.get() {
            return self.with_store(ordinal, A::take);
        }
        let content = self.content(ordinal);
        let mut store = A::reserve();
        A::fill(&mut store, content);
        A::take(&mut store)
    }

    /// Makes the object at a pointer of a value the one that `twin` leads to. Returns false if it must be built.
    pub(crate) fn patch(&self, strong: &mut A::Strong, twin: A::Twin, to: &mut Patch) -> bool {
        let Some(content) = A::patched(strong) else { return false };
        self.class.plan().patch(content, A::object(twin), to);
        true
    }

    /// Returns a pointer to the object that `twin` leads to, in memory that the value has lost; `None` if there is none.
    pub(crate) fn take_spare(&self, twin: A::Twin, to: &mut Patch) -> Option<A::Strong> {
        let mut strong = to.take_spare(self.id)?;
        self.patch(&mut strong, twin, to).then_some(strong)
    }

    /// Keeps the memory of a pointer that a value has lost.
    pub(crate) fn lose(&self, strong: A::Strong, to: &mut Patch) {
        if A::PATCHES {
            to.spare(self.id, strong, self.class.count());
        }
    }

    fn content(&self, ordinal: usize) -> A::Pointee {
        A::Pointee::wrap(self.class.plan().materialise(self.class.view(ordinal)))
    }

    pub(crate) fn with_store<R>(&self, ordinal: usize, use_it: impl FnOnce(&mut A::Store) -> R) -> R {
        let mut stores = self.stores.borrow_mut();
        use_it(stores[ordinal].as_mut().expect("[korat internal bug] a reached object is reserved before it is used"))
    }
}

/// A type-erased allocation table.
pub(crate) trait AnyAlloc {
    fn reserve(&self, ordinal: usize);
    fn build(&self, ordinal: usize);
    fn release(&self, ordinal: usize) -> Option<Box<dyn AnyWeak>>;
    /// Sets whether an object is built when its pointer is taken, without being reserved, built and released. The pointer must be the
    /// only one to it.
    fn set_nested(&self, is_nested: bool);
    /// Returns the size of an object, in bytes.
    fn object_bytes(&self) -> usize;
    /// Returns whether an object's storage is here.
    fn has_store(&self, ordinal: usize) -> bool;
    /// Stores the object at `content`, which others own, so that new pointers to it can be made.
    ///
    /// # Safety
    /// `content` must point to a live pointee of this allocation kind.
    unsafe fn adopt(&self, ordinal: usize, content: *mut ());
    /// Drops an object that was taken out of the user's value, unless a pointer to it was made.
    fn discard(&self, ordinal: usize);
    /// Writes changed slots back into the object at `content`. Returns `false` if anything else may access it.
    ///
    /// # Safety
    /// `content` must point to a live pointee of this allocation kind, and nothing else may use the value that leads to
    /// it.
    unsafe fn rewrite_at(&self, ordinal: usize, content: *mut (), inside: usize, to: &mut Rewrite<'_>) -> bool;
    /// Returns the number of owning pointers to the object at `content`, if it may have several.
    ///
    /// # Safety
    /// `content` must point to a live pointee of this allocation kind.
    unsafe fn owners(&self, content: *mut ()) -> Option<usize>;
    /// Returns whether the objects are stored by value in their holders.
    fn is_part(&self) -> bool;
    /// Returns whether an object may have several owners.
    fn counts(&self) -> bool;
    /// Returns the class of the objects.
    fn class(&self) -> ClassId;
    /// Abstracts the object at `content`.
    ///
    /// # Safety
    /// `content` must point to a live pointee of this allocation kind.
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
        let content = self.content(ordinal);
        self.with_store(ordinal, |store| A::fill(store, content));
    }

    fn release(&self, ordinal: usize) -> Option<Box<dyn AnyWeak>> {
        let store = self.pull(ordinal);
        A::release(store.expect("[korat internal bug] a reached object is reserved before it is released"))
    }

    fn set_nested(&self, is_nested: bool) {
        self.is_nested.set(is_nested);
    }

    fn object_bytes(&self) -> usize {
        size_of::<A::Pointee>()
    }

    fn has_store(&self, ordinal: usize) -> bool {
        self.stores.borrow().get(ordinal).is_some_and(Option::is_some)
    }

    unsafe fn adopt(&self, ordinal: usize, content: *mut ()) {
        // SAFETY: the caller guarantees a live object of this allocation kind.
        self.put(ordinal, unsafe { A::adopt(content.cast()) });
    }

    fn discard(&self, ordinal: usize) {
        self.pull(ordinal).into_iter().for_each(A::discard);
    }

    unsafe fn rewrite_at(&self, ordinal: usize, content: *mut (), inside: usize, to: &mut Rewrite<'_>) -> bool {
        let (plan, view) = (self.class.plan(), self.class.view(ordinal));
        let stored = self.stores.borrow().get(ordinal).and_then(|store| A::stored(store.as_ref()?));
        // SAFETY: the caller guarantees a live object at that address and that nothing else uses the value; an object
        // that was taken over is the same object.
        unsafe { A::change(stored.unwrap_or(content.cast()), inside, &mut |content| plan.rewrite(content, view, to)) }
    }

    unsafe fn owners(&self, content: *mut ()) -> Option<usize> {
        // SAFETY: the caller guarantees a live object of this allocation kind.
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
        // SAFETY: the caller guarantees a live pointee of this allocation kind.
        let pointee = unsafe { &*content.cast::<A::Pointee>() };
        pointee.with(&mut |content| self.class.plan().abstract_to(content, self.class.view(ordinal), to))
    }
}
