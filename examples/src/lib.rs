//! Data structures in ordinary Rust, each with its representation invariant (`rep_ok`), its bounds, its operations, and
//! property tests that run on *every* valid value within the bounds. Most also contain a seeded bug in one operation,
//! which passes a hand-written test and fails an exhaustive one.
//!
//! Read [`binary_tree`] first: it is the smallest. The others, by how their parts are linked:
//!
//! | | |
//! | --- | --- |
//! | owned boxes | [`search_tree`], [`avl_tree`], [`sorted_list`], [`nary_tree`], [`b_tree`], [`expression`] |
//! | shared nodes | [`red_black_tree`], [`linked_list`] |
//! | raw pointers | [`deque`] |
//! | indices into an arena | [`red_black_arena`], [`union_find`], [`skip_list`], [`slab`], [`lru_cache`], [`dag`] |
//! | vectors, arrays, maps | [`heap_array`], [`ring_buffer`], [`piece_table`], [`trie`] |
//!
//! [`explored`] has structures and protocols whose states are explored from their operations. [`natural`] has some of the above
//! with invariants as one writes them first. [`repairable`] has versions of some of them that can be built large and broken.
//! [`literature`] contains the published counts that searches for these structures must reproduce.

pub mod avl_tree;
pub mod b_tree;
pub mod binary_tree;
pub mod dag;
pub mod deque;
pub mod explored;
pub mod expression;
pub mod heap_array;
pub mod linked_list;
pub mod literature;
pub mod lru_cache;
pub mod nary_tree;
pub mod natural;
pub mod piece_table;
pub mod red_black_arena;
pub mod red_black_tree;
pub mod repairable;
pub mod ring_buffer;
pub mod search_tree;
#[cfg(test)]
mod seeded;
#[cfg(test)]
mod set_model;
pub mod skip_list;
pub mod slab;
pub mod sorted_list;
pub mod trie;
pub mod union_find;
