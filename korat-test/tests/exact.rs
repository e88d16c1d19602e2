//! Predicates whose meaning a lowering could change: methods named like std's, operands with side effects, macros, items in
//! inner blocks, `&mut` inside other values, labels, closures, drops, panics. The oracle is brute force over the plain `rep_ok`.

// Predicates are written as people might write them, not as clippy would.
#![allow(clippy::all, dead_code, unused)]

#[path = "exact/borrows.rs"]
mod borrows;
#[path = "exact/closures.rs"]
mod closures;
#[path = "exact/containers.rs"]
mod containers;
#[path = "exact/counted.rs"]
mod counted;
#[path = "exact/drops.rs"]
mod drops;
#[path = "exact/found.rs"]
mod found;
#[path = "exact/harness.rs"]
mod harness;
#[path = "exact/items.rs"]
mod items;
#[path = "exact/labels.rs"]
mod labels;
#[path = "exact/lent_to_helpers.rs"]
mod lent_to_helpers;
#[path = "exact/macros.rs"]
mod macros;
#[path = "exact/operands.rs"]
mod operands;
#[path = "exact/overflow.rs"]
mod overflow;
#[path = "exact/receivers.rs"]
mod receivers;
