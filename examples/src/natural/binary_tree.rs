//! Binary trees that store their number of nodes.

use korat::{Finitize, rep_ok};

/// A node with its two subtrees.
#[derive(Clone, Debug, PartialEq, Finitize)]
pub struct Node {
    /// The left subtree.
    pub left: Option<Box<Node>>,
    /// The right subtree.
    pub right: Option<Box<Node>>,
}

/// A binary tree.
#[derive(Clone, Debug, PartialEq, Finitize)]
pub struct BinaryTree {
    /// The root; `None` for an empty tree.
    pub root: Option<Box<Node>>,
    /// The number of nodes.
    #[finitize(0..=scope)]
    pub size: usize,
}

#[rep_ok]
impl BinaryTree {
    /// Returns whether `size` is the number of nodes.
    pub fn rep_ok(&self) -> bool {
        Self::nodes(&self.root) == self.size
    }

    fn nodes(node: &Option<Box<Node>>) -> usize {
        match node {
            None => 0,
            Some(node) => 1 + Self::nodes(&node.left) + Self::nodes(&node.right),
        }
    }
}

#[cfg(test)]
mod tests {
    use korat::{Natural, Search};

    use super::*;

    #[test]
    fn are_counted_by_the_catalan_numbers() {
        let catalan: [u64; 13] = [1, 1, 2, 5, 14, 42, 132, 429, 1_430, 4_862, 16_796, 58_786, 208_012];
        let expected = catalan.iter().enumerate().map(|(size, &number)| (size, Natural::from(number)));
        assert_eq!(Search::new(BinaryTree::scope(12)).count_by_size(), expected.collect::<Vec<_>>());
    }
}
