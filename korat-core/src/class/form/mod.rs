//! Canonical forms of values, whatever their bounds: two values have the same form exactly when they are isomorphic, and a
//! value that is isomorphic to it can be built from a form.
//!
//! A form is a list of bytes that one walk over the fields writes. A field of a plain type stands in it as it is; a pointer that
//! owns its target alone is followed by the target; a shared object stands where the walk meets it first, and as a number
//! elsewhere. A raw pointer is a number; its target stands at its box, or at the end if it has none. Nothing in a form depends on
//! addresses or on the order of hashed collections.
//!
//! What cannot be written is refused: the walk goes on, and its end returns the reason.

mod draft;
mod parts;
mod plain;
mod read;
mod write;

use std::any::{Any, TypeId};
use std::fmt;
use std::ops::Range;

pub use read::{FormReader, SharedObjects};
use rustc_hash::{FxHashMap, FxHashSet};
pub use write::FormWriter;
pub(crate) use write::{IN_USE, POISONED};

/// Why a value has no form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoForm(String);

impl fmt::Display for NoForm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for NoForm {}

/// The plain values that stand in forms as numbers. Forms are comparable if they were written with the same table.
#[derive(Default)]
pub struct Forms {
    /// By their type.
    numbered: FxHashMap<TypeId, Box<dyn Any>>,
    /// Whether a raw pointer that is not null was met. Until then, nothing can lead to a boxed object a second time.
    has_raw: bool,
    /// The numbers of the shared objects that the walk has met. Like what follows, it is kept for its memory.
    shared: FxHashMap<*const (), u32>,
    /// The numbers of the boxed objects that the walk has met, if raw pointers may lead to them.
    boxed: FxHashMap<(*const (), TypeId), u32>,
    /// Where objects lie that have no box of their own, if raw pointers may lead there.
    unboxed: Vec<Range<usize>>,
    /// The addresses of values that are no objects and that two pointers must not share.
    alone: FxHashSet<*const ()>,
    /// The forms of the keys of the maps that the walk is in.
    keys: Vec<u8>,
}
