//! The lifted twins of std types. Inside a lifted predicate `Box`, `Rc`, `Vec`, `HashSet`, .. mean these: the same methods,
//! over views. Pointers are `Copy` and compare as the user's would; containers iterate in a fixed order, so that no search
//! depends on hashing.

// A handle is copied where the user's container is moved; a clone is a container of its own.
#![allow(clippy::non_canonical_clone_impl)]

mod array;
mod btree_map;
mod btree_set;
mod cell;
mod deque;
mod elem;
mod entries;
mod heap;
mod keyed;
mod map;
mod own_ref_cell;
mod pattern;
mod pointer;
mod seen_cell;
mod sequence;
mod set;
mod slice;
mod sorted;
mod spot;
mod table;
mod vec;

pub use array::Array;
pub use btree_map::BTreeMap;
pub use btree_set::BTreeSet;
pub use cell::Cell;
pub(crate) use deque::Ring;
pub use deque::VecDeque;
pub(crate) use elem::Settleable;
pub use elem::{Elem, Part};
pub use heap::BinaryHeap;
pub use keyed::FieldEntry;
pub use map::HashMap;
pub use own_ref_cell::{OwnRef, OwnRefCell, RefMut};
pub use pattern::{Matched, PlainRest, TwinRest};
pub use pointer::{Box, Rc, Rc as Arc, Weak};
pub use seen_cell::{Locked, Once, Ref, RefCell};
pub use set::HashSet;
pub use slice::{Iter, Slice};
pub(crate) use vec::Header;
pub use vec::Vec;
