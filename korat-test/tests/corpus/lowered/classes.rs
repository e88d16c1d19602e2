//! What the invariants here are about, defined once: lists of small keys, three small numbers, short vectors of them.

use korat::Finitize;

/// A node of a list.
#[derive(Clone, Debug, Finitize)]
pub struct Node {
    #[finitize(0..=2)]
    pub key: u8,
    pub next: Option<Box<Node>>,
}

/// Structs with a list of nodes, `head`: one type for each invariant.
macro_rules! lists {
    ($($Type:ident)*) => {$(
        #[derive(Clone, Debug, Finitize)]
        pub struct $Type {
            head: Option<Box<Node>>,
        }
    )*};
}
pub(crate) use lists;

/// Structs with three numbers, `a`, `b` and `c`: one type for each invariant.
macro_rules! numbers {
    ($($Type:ident)*) => {$(
        #[derive(Clone, Debug, Finitize)]
        pub struct $Type {
            #[finitize(0..=2)]
            a: u8,
            #[finitize(0..=2)]
            b: u8,
            #[finitize(0..=2)]
            c: u8,
        }
    )*};
}
pub(crate) use numbers;

/// Structs with a vector of numbers, `v`: one type for each invariant.
macro_rules! vectors {
    ($($Type:ident)*) => {$(
        #[derive(Clone, Debug, Finitize)]
        pub struct $Type {
            #[finitize(0..=2, len = 0..=3)]
            v: Vec<u8>,
        }
    )*};
}
pub(crate) use vectors;
