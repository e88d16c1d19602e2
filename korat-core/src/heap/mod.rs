//! The bounded heap of a search: its objects, its current value, and retired heaps for reuse.

pub(crate) mod bounded;
pub(crate) mod build;
pub(crate) mod field_use;
pub(crate) mod outline;
pub(crate) mod retired;
pub(crate) mod slot_vector;
