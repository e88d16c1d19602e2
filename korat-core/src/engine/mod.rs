//! The engine: which slot has which index, in what order they were chosen, and what comes next. It knows slots, objects and
//! classes by number only: no Rust types, no syntax, no values.
//!
//! Data flows `layout -> choice -> isomorphism`: the layout never changes during a search, `choice` keeps the stack, and
//! `isomorphism` says which objects a reference slot may hold.

mod choice;
mod describe;
mod isomorphism;
pub(crate) mod layout;

pub use choice::Counters;
pub(crate) use choice::{Engine, UNASSIGNED};
pub use isomorphism::Misfit;
