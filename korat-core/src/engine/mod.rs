//! The engine: which slot has which index, in what order they were chosen, and what comes next. It knows slots, objects and
//! classes by number only: no Rust types, no syntax, no values.
//!
//! The layout never changes during a search; `rules` says what each slot may hold, as far as that is known beforehand;
//! `choice` keeps the `stack`; `filtered` answers where a rule does not settle what a slot may hold, from what `isomorphism` keeps
//! of objects and `symmetry` of elements that have no order; `canonical` tells values apart up to that order.
//! `assignment` puts a whole assignment in place. `repairing` answers first reads in a repair, `alternatives` says what
//! else it tries, `targets` what slots lead to, `incoming` what was lost, and `repaired` what came of it. `counters` are what searches are compared by.

mod alternatives;
mod assignment;
mod canonical;
mod choice;
mod counters;
mod describe;
mod filtered;
mod incoming;
mod isomorphism;
pub(crate) mod layout;
mod repaired;
mod repairing;
mod rules;
mod stack;
mod symmetry;
mod targets;

pub(crate) use alternatives::Alternatives;
pub use alternatives::Target;
pub(crate) use choice::{Choice, Engine, Refusal, UNASSIGNED};
pub use counters::Counters;
pub use isomorphism::Misfit;
pub(crate) use repairing::Repairing;
