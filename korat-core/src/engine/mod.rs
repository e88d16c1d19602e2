//! The engine: which slot has which index, in what order they were chosen, and what comes next. It knows slots, objects and
//! classes by number only: no Rust types, no syntax, no values.
//!
//! The layout never changes during a search; `rules` says what each slot may hold, as far as that is known beforehand;
//! `choice` keeps the `stack`; `isomorphism` keeps what is reached and filters the objects that a rule does not settle;
//! `symmetry` does the same for elements that have no order, and `canonical` tells values apart up to that order.

mod canonical;
mod choice;
mod describe;
mod isomorphism;
pub(crate) mod layout;
mod rules;
mod stack;
mod symmetry;

pub use choice::Counters;
pub(crate) use choice::{Choice, Engine, UNASSIGNED};
pub use isomorphism::Misfit;
