//! Predicates whose meaning a lowering could change: methods named like std's, operands with side effects, macros, items in
//! inner blocks, `&mut` inside other values, labels, closures, drops, panics. The oracle is brute force over the plain `rep_ok`.

// Predicates are written as people might write them, not as clippy would.
#![allow(clippy::all, dead_code, unused)]

mod borrows;
mod closures;
mod containers;
mod counted;
mod drops;
mod found;
mod harness;
mod items;
mod labels;
mod lent_to_helpers;
mod macros;
mod operands;
mod overflow;
mod receivers;
