//! The engine: which slot has which index, in what order they were chosen, and what comes next. It knows slots, objects and
//! classes by number only: no Rust types, no syntax, no values.
//!
//! The layout never changes during a search; its `values` do between two of them, and in a repair; `rules` says what each slot may
//! hold, as far as that is known beforehand;
//! `choice` keeps the `stack`, of one `decision` after the other, and `trail` reads it; `filtered` answers where a rule does not settle what a slot may hold, from what `isomorphism` keeps
//! of objects and `symmetry` of elements that have no order; `canonical` tells values apart up to that order, and `reordering` gives a value another one;
//! `ownership` follows references and `misfit` says why an assignment is no value.
//! `assignment` puts a whole assignment in place; `rerun` answers the first reads of a candidate once more. `repair_choice` answers first reads in a repair, from what `repairing` knows, with `as_it_was` those that are as the
//! value has them, and `picks` keeps them; `alternatives` says what else it tries, `targets` what slots lead to, `incoming` and `rings` what was lost, `kept` what stays as it is, `doubts`
//! which links may be wrong, `patience` how long the predicate may go on, and `repaired` what came of it. `counters` are what searches are compared by.

mod alternatives;
mod as_it_was;
mod assignment;
mod canonical;
mod choice;
mod counters;
mod decision;
mod describe;
mod doubts;
mod filtered;
mod incoming;
mod isomorphism;
mod kept;
pub(crate) mod layout;
mod misfit;
mod ownership;
mod patience;
mod picks;
mod reordering;
mod repair_choice;
mod repaired;
mod repairing;
mod rerun;
mod rings;
mod rules;
mod stack;
mod symmetry;
mod targets;
mod trail;
mod values;

pub(crate) use alternatives::Alternatives;
pub use alternatives::Target;
pub(crate) use choice::{Engine, Refusal, UNASSIGNED};
pub use counters::Counters;
pub(crate) use decision::Choice;
pub(crate) use kept::Kept;
pub use misfit::Misfit;
pub(crate) use patience::Patience;
pub(crate) use picks::LastPick;
pub(crate) use reordering::{Movable, Order};
pub use repairing::BrokenOff;
pub(crate) use repairing::Repairing;
pub(crate) use rerun::Reads;
pub(crate) use targets::Room;
