//! Copies of parts of the structure, as values of the user's own types. The operators of a class (`==`, `<`, hashing,
//! `{:?}`, `clone`) run on them, so that they do what the user's impls do, whatever that is. Copying reads every slot of the
//! part, and so decides those that are undecided.

use std::any::{Any, type_name};
use std::collections::hash_map::Entry;
use std::panic::{self, AssertUnwindSafe};
use std::{ptr, thread};

use rustc_hash::FxHashMap;

use super::alloc::pointee::Pointee;
use super::alloc::{Alloc, AllocEdge};
use super::cycles::{self, AnyWeak};
use super::traits::{Class, View};
use crate::predicate::context;
use crate::slots::object_view::Located;

/// The copies of one operation. An object with several owners is copied once.
#[derive(Default)]
pub struct Copies {
    /// The objects with several owners, by the address of their view.
    shared: FxHashMap<*const (), Box<dyn AnyStore>>,
    /// How many of them have no content yet.
    unfilled: usize,
    /// Whether the operation returns a clone, which would share such an object with the structure.
    for_clone: bool,
}

/// The storage of a copied object.
pub(crate) trait AnyStore: Any {
    fn release(self: Box<Self>) -> Option<Box<dyn AnyWeak>>;
}

pub(crate) struct Stored<A: Alloc>(pub(crate) A::Store);

impl<A: Alloc> AnyStore for Stored<A> {
    fn release(self: Box<Self>) -> Option<Box<dyn AnyWeak>> {
        A::release(self.0)
    }
}

impl Copies {
    /// Copies an object, unless it has several owners and is copied already. Returns what `use_store` makes of the
    /// storage.
    pub(crate) fn object<A: Alloc, R>(
        &mut self,
        object: &'static View<<A::Pointee as Pointee>::Class>,
        use_store: impl FnOnce(&mut A::Store) -> R,
    ) -> R {
        // A classic search makes boxes that lead back to themselves.
        context::call();
        let content = |this: &mut Self| A::Pointee::wrap(Class::copy_out(Located::look(object), this));
        if A::EDGE != AllocEdge::Shared {
            let content = content(self);
            let mut store = A::reserve();
            A::fill(&mut store, content);
            return use_store(&mut store);
        }
        if self.for_clone {
            cannot_copy::<A::Strong>("a clone would share its target with the structure");
        }
        let address = ptr::from_ref(object).cast();
        if let Entry::Vacant(place) = self.shared.entry(address) {
            // Reserved first: the content may lead back to the object.
            place.insert(Box::new(Stored::<A>(A::reserve())));
            self.unfilled += 1;
            let content = content(self);
            A::fill(self.store::<A>(address), content);
            self.unfilled -= 1;
        }
        use_store(self.store::<A>(address))
    }

    fn store<A: Alloc>(&mut self, address: *const ()) -> &mut A::Store {
        let store = self.shared.get_mut(&address).map(|store| -> &mut dyn Any { &mut **store });
        let store = store.and_then(|store| store.downcast_mut::<Stored<A>>());
        &mut store.expect("[korat internal bug] an object has one allocation kind").0
    }
}

impl Drop for Copies {
    fn drop(&mut self) {
        // If copying was abandoned, the content of some objects is missing. A walk over the others could lead to one of them,
        // so that no cycle is freed then.
        if self.unfilled > 0 {
            return;
        }
        let stores = self.shared.drain().filter_map(|(_, store)| store.release()).collect();
        let collect = AssertUnwindSafe(|| drop(cycles::collect(stores)));
        if thread::panicking() {
            // The user's operation panicked. A destructor of the user's that panics, too, must not end the process: what it
            // leaves is leaked, and the first panic is reported.
            let _ = panic::catch_unwind(collect);
        } else {
            collect();
        }
    }
}

/// Ends a search whose predicate needs a copy that cannot be made.
#[cold]
pub(crate) fn cannot_copy<T>(why: &str) -> ! {
    panic!(
        "[korat] rep_ok compares, hashes, prints or clones a part of the structure with a field of type `{}`: {why}; \
         write the operation out, field by field",
        type_name::<T>()
    )
}

/// Runs an operation of the user's on a copy of an object.
pub fn copied<C: Class, R>(object: &C::Lifted, run: impl FnOnce(&C) -> R) -> R {
    let mut copies = Copies::default();
    let object = C::copy_out(object, &mut copies);
    run(&object)
}

/// Runs an operation of the user's on copies of two objects, or on one copy if they are the same.
pub fn both_copied<C: Class, R>(left: &C::Lifted, right: &C::Lifted, run: impl FnOnce(&C, &C) -> R) -> R {
    if ptr::eq(left, right) {
        return copied(left, |object| run(object, object));
    }
    let mut copies = Copies::default();
    let (left, right) = (C::copy_out(left, &mut copies), C::copy_out(right, &mut copies));
    run(&left, &right)
}

/// Returns a clone of an object, which is a value of the user's own.
pub fn cloned_out<C: Class + Clone>(object: &C::Lifted) -> C {
    let mut copies = Copies { shared: FxHashMap::default(), unfilled: 0, for_clone: true };
    let object = C::copy_out(object, &mut copies);
    object.clone()
}

/// A class that can be cloned. Method lookup on a view finds this `clone`: a view has no other.
pub trait CloneOut {
    /// The user's type.
    type Own;
    /// Returns a clone, which is no part of the structure.
    fn clone(&self) -> Self::Own;
}
