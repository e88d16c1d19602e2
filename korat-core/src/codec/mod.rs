//! One codec per kind of field type: `listed` for plain values, `index` for those that name elements of an arena, `text` for
//! strings, `pointer` for references to objects, `raw` for raw pointers, `inline` for classes by value, `sequence` for vectors
//! and arrays, `keyed` for maps and sets, `joint` for tuples and options of these, `cell` and `once` for interior mutability,
//! `skipped` for what is left out; `compound` is what their cells share. `Field` says which type has which codec.

mod cell;
pub(crate) mod compound;
mod index;
mod inline;
pub(crate) mod joint;
mod keyed;
mod listed;
pub(crate) mod lookup;
mod once;
mod pointer;
mod raw;
pub(crate) mod sequence;
pub(crate) mod skipped;
mod text;

pub use index::{Indexing, Position};
pub use inline::{Inline, MaybeInline, ObjectOf};
pub use listed::{Listed, Optional, PlainField, optional_values, plain_values};
pub use pointer::NoDomain;
pub use sequence::{Elementwise, HasLen, elementwise, lens};
pub use skipped::Skipped;
