//! Search trees, which can be summarised: whether a subtree is ordered depends on nothing but it and two bounds.

use korat::{Finitize, rep_ok};

/// A node with a key.
#[derive(Debug, Finitize)]
pub struct Node {
    #[finitize(0..=scope)]
    pub key: usize,
    pub left: Option<Box<Node>>,
    pub right: Option<Box<Node>>,
}

/// A search tree of up to `scope` nodes.
#[derive(Debug, Finitize)]
pub struct SearchTree {
    pub root: Option<Box<Node>>,
}

#[rep_ok]
impl SearchTree {
    /// The keys are in order.
    pub fn rep_ok(&self) -> bool {
        Self::is_ordered(&self.root, None, None)
    }

    fn is_ordered(node: &Option<Box<Node>>, low: Option<usize>, high: Option<usize>) -> bool {
        let Some(node) = node else { return true };
        low.is_none_or(|low| low < node.key)
            && high.is_none_or(|high| node.key < high)
            && Self::is_ordered(&node.left, low, Some(node.key))
            && Self::is_ordered(&node.right, Some(node.key), high)
    }
}

/// A search tree that stores its number of nodes, so that no node can be removed alone.
#[derive(Debug, Finitize)]
pub struct CountedTree {
    pub root: Option<Box<Node>>,
    pub size: usize,
}

#[rep_ok]
impl CountedTree {
    /// The keys are in order, and `size` is their number.
    pub fn rep_ok(&self) -> bool {
        Self::ordered(&self.root, None, None) == Some(self.size)
    }

    fn ordered(node: &Option<Box<Node>>, low: Option<usize>, high: Option<usize>) -> Option<usize> {
        let Some(node) = node else { return Some(0) };
        if low.is_some_and(|low| node.key <= low) || high.is_some_and(|high| node.key >= high) {
            return None;
        }
        let left = Self::ordered(&node.left, low, Some(node.key))?;
        let right = Self::ordered(&node.right, Some(node.key), high)?;
        Some(left + right + 1)
    }
}
