//! Slots, the domains of their values, and the layout of a bounded heap. Knows no predicate and makes no choice.

pub(crate) mod domain;
pub(crate) mod eraser;
pub(crate) mod kinds;
pub(crate) mod layout;
pub(crate) mod lookup;
pub(crate) mod reading;
pub(crate) mod seen;
pub(crate) mod sequences;
pub(crate) mod shared;
pub(crate) mod slot;
