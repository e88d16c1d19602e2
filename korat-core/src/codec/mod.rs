//! One codec per kind of field type: `listed` for plain values, `index` for those that name elements of an arena, `pointer`
//! for references to objects, `inline` for classes by value, `sequence` for vectors and arrays, `keyed` for maps and sets,
//! `joint` for tuples and options of these, `cell` for interior mutability; `compound` is what their cells share. `Field`
//! says which type has which codec.

mod cell;
mod compound;
mod index;
mod inline;
mod joint;
mod keyed;
mod listed;
mod pointer;
mod sequence;

pub use index::{Indexing, Position};
pub use inline::{Inline, MaybeInline, ObjectOf};
pub use listed::{Listed, Optional, PlainField, optional_values};
pub use pointer::NoDomain;
pub use sequence::{HasLen, lens};
