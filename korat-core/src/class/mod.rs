//! Traits implemented by the derive, and the types that their methods work with: bounds, planner, allocation,
//! abstraction and rewriting of values.

pub(crate) mod abstraction;
pub(crate) mod alloc;
pub(crate) mod bounds;
pub(crate) mod bounds_size;
pub(crate) mod census;
pub(crate) mod class_plan;
pub(crate) mod codec;
pub(crate) mod copies;
pub(crate) mod cycles;
pub(crate) mod fixed_slots;
pub(crate) mod form;
pub(crate) mod lift;
pub(crate) mod list_cap;
pub(crate) mod patch;
pub(crate) mod plan;
pub(crate) mod portable;
pub(crate) mod rewrite;
pub(crate) mod shared_bounds;
pub(crate) mod skipped_cell;
pub(crate) mod table;
pub(crate) mod traits;
