//! Hand-written searches for comparison: binary trees with the predicate of `BinaryTree::rep_ok`, in the same order of
//! reads, and with the same domains: a reference is null, a node reached before, or one fresh node. [`enumerator`] runs
//! the predicate from the top for every candidate; [`machine`] re-enters it at the last choice.

pub mod enumerator;
pub mod machine;

/// The capacity of the arrays; node numbers begin at 1.
const MOST: usize = 16;

/// The content of a reference: `UNREAD`, `NULL`, or the number of a node, from 1 on.
type Slot = u8;
const UNREAD: Slot = u8::MAX;
const NULL: Slot = 0;
