//! What a lifted predicate runs on: the context of its run, its machine, the undo log, the twins of std types, and the
//! hooks of its comparisons.

pub mod calls;
pub(crate) mod caught_panics;
pub mod compared;
pub(crate) mod context;
pub(crate) mod machine;
pub mod twin;
pub(crate) mod undo;
