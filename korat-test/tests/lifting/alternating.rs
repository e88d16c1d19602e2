//! A tree of two keys that alternate from level to level, with a helper that recurs and a set of what it has seen.

use std::collections::HashSet;

use korat::{Finitize, rep_ok};

#[derive(Clone, Debug, PartialEq, Finitize)]
pub struct Node {
    #[finitize(0..=1)]
    key: u8,
    left: Option<Box<Node>>,
    right: Option<Box<Node>>,
}

#[derive(Clone, Debug, PartialEq, Finitize)]
pub struct Tree {
    root: Option<Box<Node>>,
    size: usize,
}

#[rep_ok]
impl Tree {
    pub fn rep_ok(&self) -> bool {
        let mut seen = HashSet::new();
        Self::alternates(&self.root, 0, &mut seen) && seen.len() == self.size
    }

    fn alternates(node: &Option<Box<Node>>, key: u8, seen: &mut HashSet<*const Node>) -> bool {
        let Some(node) = node else { return true };
        if !seen.insert(&**node) || node.key != key {
            return false;
        }
        Self::alternates(&node.left, 1 - key, seen) && Self::alternates(&node.right, 1 - key, seen)
    }
}
