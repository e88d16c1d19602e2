//! The operators of a class need no mark: they run on copies.

use std::fmt;

use korat::{Finitize, rep_ok};

#[derive(Finitize)]
struct Node {
    key: u8,
}

#[rep_ok(helpers)]
impl PartialEq for Node {
    fn eq(&self, other: &Self) -> bool {
        self.key == other.key
    }
}

#[rep_ok(helpers)]
impl PartialOrd<Node> for Node {
    fn partial_cmp(&self, other: &Node) -> Option<std::cmp::Ordering> {
        self.key.partial_cmp(&other.key)
    }
}

#[rep_ok(helpers)]
impl fmt::Debug for Node {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.key.fmt(f)
    }
}

#[rep_ok(helpers)]
impl Clone for Node {
    fn clone(&self) -> Self {
        Node { key: self.key }
    }
}

#[derive(Debug, Finitize)]
struct Pair {
    nodes: [Node; 2],
}

#[rep_ok]
impl Pair {
    fn rep_ok(&self) -> bool {
        self.nodes[0] == self.nodes[1]
    }
}

fn main() {}
