//! Raw storage: memory that never moves, huge pages, prefetch hints. Knows bytes, not slots.

pub(crate) mod arena;
pub(crate) mod bump;
pub(crate) mod crash_file;
pub(crate) mod pages;
pub(crate) mod prefetch;
pub(crate) mod stack;
pub(crate) mod store_forwarding;
