//! Slots, the domains of their values, and the layout of a bounded heap. Knows no predicate and makes no choice.

pub(crate) mod chooser;
pub(crate) mod domain;
pub(crate) mod kinds;
pub(crate) mod layout;
pub(crate) mod lookup;
pub(crate) mod object_view;
pub(crate) mod shared;
pub(crate) mod slot;
pub(crate) mod slot_handle;
pub(crate) mod unordered;
