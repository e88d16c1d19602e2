//! The engine: which slot has which index, in what order they were chosen, and what comes next. It knows slots, objects and
//! classes by number only: no Rust types, no syntax, no values.
//!
//! The layout never changes during a search; `rules` says what each slot may hold, as far as that is known beforehand;
//! `choice` keeps the `stack`; `filtered` answers where a rule does not settle what a slot may hold, from what `isomorphism` keeps
//! of objects and `symmetry` of elements that have no order; `canonical` tells values apart up to that order.
//! `assignment` puts a whole assignment in place. `counters` are what searches are compared by.

mod assignment;
mod canonical;
mod choice;
mod counters;
mod describe;
mod filtered;
mod isomorphism;
pub(crate) mod layout;
mod rules;
mod stack;
mod symmetry;

pub(crate) use choice::{Choice, Engine, Refusal, UNASSIGNED};
pub use counters::Counters;
pub use isomorphism::Misfit;
