//! The twins of std types: inside a lifted predicate, `Box`, `Rc`, `Vec`, `HashSet`, .. mean these types, which have
//! the same methods, over views. Pointers are `Copy` and compare as the user's would; containers iterate in a fixed
//! order, so that no search depends on hashing.

#![allow(clippy::non_canonical_clone_impl)]

pub(crate) mod array;
pub(crate) mod btree_map;
pub(crate) mod btree_set;
pub(crate) mod cell;
pub(crate) mod deque;
pub(crate) mod deque_convert;
pub(crate) mod deque_edit;
pub(crate) mod deque_iter;
pub(crate) mod elem;
pub(crate) mod entries;
pub(crate) mod ghosts;
pub(crate) mod heap;
pub(crate) mod join;
pub(crate) mod keyed;
pub(crate) mod map;
pub(crate) mod maybe_uninit;
pub(crate) mod own_ref_cell;
pub(crate) mod pattern;
pub(crate) mod pointer;
pub(crate) mod probe_sequence;
pub(crate) mod ring;
pub(crate) mod sequence;
pub(crate) mod set;
pub(crate) mod slice;
pub(crate) mod slice_iter;
pub(crate) mod sorted;
pub(crate) mod sorted_entries;
pub(crate) mod structure_cell;
pub(crate) mod table;
pub(crate) mod table_entries;
pub(crate) mod vec;
pub(crate) mod vec_convert;
pub(crate) mod vec_edit;
pub(crate) mod vec_iter;

// A handle is copied where the user's code moves its container, while a clone is a container of its own. So `Clone` and
// `Copy` differ on purpose.

pub use array::Array;
pub use btree_map::BTreeMap;
pub use btree_set::BTreeSet;
pub use cell::Cell;
pub use deque::{VecDeque, VecDeque as LinkedList};
pub(crate) use elem::ErasedElem;
pub use elem::{Elem, Part};
pub use heap::BinaryHeap;
pub use keyed::FieldEntry;
pub use map::HashMap;
pub use maybe_uninit::MaybeUninit;
pub use own_ref_cell::{OwnRef, OwnRefCell, RefMut};
pub use pattern::{AnyWhole, Matched, PlainRest, TwinRest, Whole};
pub use pointer::{Box, Rc, Rc as Arc, Weak};
pub(crate) use ring::Ring;
pub use set::HashSet;
pub use slice::Slice;
pub use slice_iter::Iter;
pub use structure_cell::{Atomic, Locked, Once, Ref, RefCell};
pub use vec::Vec;
pub(crate) use vec::VecHeader;
