//! Data structures written in ordinary Rust, each with its representation invariant (`rep_ok`), the bounds within which
//! its values are generated, its operations, and property tests that run on *every* valid value within the bounds. Most have a
//! second version of one operation in their tests, with a mistake that tests by hand do not show and these find.
//!
//! Read [`binary_tree`] first: it is the smallest. Then, by how their parts are held together:
//!
//! | | |
//! | --- | --- |
//! | owned boxes | [`search_tree`], [`avl_tree`], [`sorted_list`], [`nary_tree`], [`b_tree`], [`expression`] |
//! | shared nodes | [`red_black_tree`], [`linked_list`] |
//! | raw pointers | [`deque`] |
//! | indices into an arena | [`red_black_arena`], [`union_find`], [`skip_list`], [`slab`], [`lru_cache`], [`dag`] |
//! | vectors, arrays, maps | [`heap_array`], [`ring_buffer`], [`piece_table`], [`trie`] |
//!
//! [`repairable`] has a second version of some of them, to be built large and broken.
//! [`literature`] is no structure: it has the published counts that searches for these must meet.

pub mod avl_tree;
pub mod b_tree;
pub mod binary_tree;
pub mod dag;
pub mod deque;
pub mod expression;
pub mod heap_array;
pub mod linked_list;
pub mod literature;
pub mod lru_cache;
pub mod nary_tree;
pub mod piece_table;
pub mod red_black_arena;
pub mod red_black_tree;
pub mod repairable;
pub mod ring_buffer;
pub mod search_tree;
#[cfg(test)]
mod seeded;
pub mod skip_list;
pub mod slab;
pub mod sorted_list;
pub mod trie;
pub mod union_find;
