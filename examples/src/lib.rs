//! Data structures written in ordinary Rust, each with its representation invariant (`rep_ok`), the bounds within which
//! its values are generated, its operations, and property tests that run on *every* valid value within the bounds. Read
//! [`binary_tree`] first: it is the smallest; [`search_tree`] adds keys, [`avl_tree`] a balance, [`red_black_tree`]
//! shared nodes with parent links; [`nary_tree`] has an array of children, [`sorted_list`] is a linked list and
//! [`heap_array`] lives in a vector.
//!
//! [`literature`] is no structure: it has the published counts that searches for these must meet.

pub mod avl_tree;
pub mod binary_tree;
pub mod heap_array;
pub mod literature;
pub mod nary_tree;
pub mod red_black_tree;
pub mod search_tree;
pub mod sorted_list;
