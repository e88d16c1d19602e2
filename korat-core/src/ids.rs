//! The index types of the bounded heap. Each is a position in one flat array.

use std::sync::atomic::{AtomicU32, Ordering};

macro_rules! index_type {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(pub(crate) u32);

        impl $name {
            /// The id of the `index`-th entry; panics where the bounded heap would have more than `u32::MAX` of them.
            #[inline]
            pub(crate) fn new(index: usize) -> Self {
                Self(u32::try_from(index).expect("a bounded heap has at most u32::MAX entries of a kind"))
            }

            /// The position in its array.
            #[inline]
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    };
}

index_type! {
    /// A class: one struct that derives `Finitize`.
    ClassId
}
index_type! {
    /// An object of the bounded heap, counted over all classes.
    ObjectId
}
index_type! {
    /// A field of a class (an element or a length of a vector counts as a field of its own).
    FieldId
}
index_type! {
    /// A field as a class declares it: all elements of a vector, and its length, are one.
    DeclaredId
}
index_type! {
    /// A slot: one field of one object.
    SlotId
}
index_type! {
    /// A way in which objects are allocated: `Box<Node>`, `Rc<RefCell<Node>>`, .. An object has one of them.
    AllocId
}

/// A position or a count that is small because heaps are bounded.
#[inline]
pub(crate) fn small(number: usize) -> u32 {
    u32::try_from(number).expect("a bounded heap has at most u32::MAX entries of a kind")
}

/// A bounded heap, counted over the whole process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HeapId(u32);

impl HeapId {
    /// A number that no heap had before.
    pub(crate) fn fresh() -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        HeapId(NEXT.fetch_add(1, Ordering::Relaxed))
    }
}
