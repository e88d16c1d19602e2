//! Codecs, one module per kind of field type. `Field` selects the codec of a type; `compound` and `tuple_option` have the
//! cells that consist of several slots.

pub(crate) mod adapter;
pub(crate) mod array;
pub(crate) mod atomic;
pub(crate) mod atomic_pointer;
pub(crate) mod cell;
pub(crate) mod compound;
pub(crate) mod entries;
pub(crate) mod heap;
pub(crate) mod inline;
pub(crate) mod keyed;
pub(crate) mod listed;
pub(crate) mod once;
pub(crate) mod pointed;
pub(crate) mod pointer;
pub(crate) mod raw;
pub(crate) mod raw_cell;
pub(crate) mod record;
pub(crate) mod sequence;
pub(crate) mod sequence_types;
pub(crate) mod skipped;
pub(crate) mod text;
pub(crate) mod tuple_option;
pub(crate) mod uninit;
pub(crate) mod via;
pub(crate) mod weak_pointer;
pub(crate) mod whole;
pub(crate) mod wrapped_cell;
