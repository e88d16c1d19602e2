//! The index types of the bounded heap. Each is a position in one flat array.

use std::sync::atomic::{AtomicU32, Ordering};

macro_rules! index_type {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(pub(crate) u32);

        impl $name {
            /// Creates the id of the `index`-th entry. Panics if `index` exceeds `u32::MAX`.
            #[inline]
            pub(crate) fn new(index: usize) -> Self {
                Self(u32::try_from(index).expect("a bounded heap has at most u32::MAX entries of a kind"))
            }

            /// Returns the position in the array.
            #[inline]
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    };
}

index_type! {
    /// A class: one struct or enum that derives `Finitize`.
    ClassId
}
index_type! {
    /// An object of the bounded heap, numbered across all classes.
    ObjectId
}
index_type! {
    /// A field of a class. An element or the length of a vector counts as a field of its own.
    FieldId
}
index_type! {
    /// A field as a class declares it: a vector's elements and its length together are one.
    DeclaredId
}
index_type! {
    /// A slot: one field of one object.
    SlotId
}
index_type! {
    /// A way to allocate objects: `Box<Node>`, `Rc<RefCell<Node>>`, .. Each object has exactly one.
    AllocId
}

/// Converts a position or a count to `u32`, which suffices because heaps are bounded; panics otherwise.
#[inline]
pub(crate) fn to_u32(number: usize) -> u32 {
    u32::try_from(number).expect("a bounded heap has at most u32::MAX entries of a kind")
}

/// A bounded heap, numbered across the whole process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HeapId(u32);

impl HeapId {
    /// Returns an id that no other heap has.
    pub(crate) fn fresh() -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        HeapId(NEXT.fetch_add(1, Ordering::Relaxed))
    }
}
