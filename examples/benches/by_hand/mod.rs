//! What one would write without korat, for comparison: binary trees by the same search, with the same predicate as
//! `BinaryTree::rep_ok`, in the same order of reads, under the same rule: a reference is null, a node reached before,
//! or one fresh node. [`enumerator`] runs the predicate from the top for every candidate, [`machine`] re-enters it at
//! the last choice.

pub mod enumerator;
pub mod machine;

/// Nodes that fit into the arrays.
const MOST: usize = 16;

/// What a reference holds: `UNREAD`, `NULL`, or a node by its number from 1 on.
type Slot = u8;
const UNREAD: Slot = u8::MAX;
const NULL: Slot = 0;
