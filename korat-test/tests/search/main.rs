//! The search itself: which values it generates, in which order, up to which symmetry, and what it says of bounds, predicates and
//! properties that are at fault.

mod adapters;
mod bad_input;
mod beside;
mod by_hand;
mod by_ref;
mod calls;
mod cycles;
mod deep_values;
mod descents;
mod filters;
mod form_memory;
mod helpers;
mod hostile;
mod keyed_fields;
mod large_values;
mod operators;
mod order;
mod panics;
mod ranks;
mod rests;
mod samples;
#[path = "../common/search_trees.rs"]
mod search_trees;
mod shared_classes;
mod shared_parts;
mod shrinking;
mod slot_vectors;
#[path = "../common/structures.rs"]
mod structures;
mod summary_limits;
mod symmetry;
mod symmetry_check;
mod uninit;
mod variants_elsewhere;
mod vectors_of_classes;
