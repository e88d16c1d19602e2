//! Planning: from bounds, and the descriptions by classes and codecs, to a layout with slots.

pub(crate) mod arrays;
pub(crate) mod derived_bounds;
pub(crate) mod fields;
pub(crate) mod index;
pub(crate) mod meaning;
pub(crate) mod planner;
pub(crate) mod slot_maker;
pub(crate) mod values;
