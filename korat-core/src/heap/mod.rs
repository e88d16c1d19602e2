//! The bounded heap of a class: its objects, its current value, and retired heaps for reuse.

pub(crate) mod bounded;
pub(crate) mod field_use;
pub(crate) mod outline;
pub(crate) mod retired;
pub(crate) mod slot_vector;
