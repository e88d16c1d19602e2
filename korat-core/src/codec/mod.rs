//! One codec per kind of field type: `listed` for plain values, `pointer` for references to objects, `sequence` for
//! vectors and arrays, `cell` for interior mutability. `Field` says which type has which codec.

mod cell;
mod listed;
mod pointer;
mod sequence;

pub use listed::{Listed, Optional};
pub use pointer::NoDomain;
pub use sequence::{HasLen, lens};
