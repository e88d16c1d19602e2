//! Search trees that store their number of nodes.

use korat::{Finitize, rep_ok};

/// A key with its two subtrees.
#[derive(Clone, Debug, PartialEq, Finitize)]
pub struct Node {
    /// The key.
    #[finitize(0..=scope)]
    pub key: usize,
    /// The subtree with the smaller keys.
    pub left: Option<Box<Node>>,
    /// The subtree with the larger keys.
    pub right: Option<Box<Node>>,
}

/// A set of keys.
#[derive(Clone, Debug, PartialEq, Finitize)]
pub struct SearchTree {
    /// The root; `None` for an empty tree.
    pub root: Option<Box<Node>>,
    /// The number of keys.
    #[finitize(0..=scope)]
    pub size: usize,
}

#[rep_ok]
impl SearchTree {
    /// Returns whether the keys are in strict order, and `size` is their number.
    pub fn rep_ok(&self) -> bool {
        let Some(count) = Self::ordered(&self.root, None, None) else { return false };
        count == self.size
    }

    /// Returns the number of nodes, if every key lies strictly between `lo` and `hi`.
    fn ordered(node: &Option<Box<Node>>, lo: Option<usize>, hi: Option<usize>) -> Option<usize> {
        let Some(n) = node else { return Some(0) };
        if lo.is_some_and(|lo| n.key <= lo) || hi.is_some_and(|hi| n.key >= hi) {
            return None;
        }
        let left = Self::ordered(&n.left, lo, Some(n.key))?;
        let right = Self::ordered(&n.right, Some(n.key), hi)?;
        Some(left + right + 1)
    }
}

#[cfg(test)]
mod tests {
    use korat::Search;

    use super::*;

    #[track_caller]
    fn counts(scope: usize, expected: &str) {
        assert_eq!(Search::new(SearchTree::scope(scope)).count().to_string(), expected, "scope {scope}");
    }

    #[test]
    fn are_counted_exactly() {
        counts(6, "2521");
        counts(8, "46960");
        counts(12, "18438200");
    }

    #[test]
    #[ignore = "takes a minute without optimisation"]
    fn are_counted_exactly_at_large_scopes() {
        counts(20, "3717464256720");
        counts(30, "20638459510168675769");
        counts(50, "944123586287806638151691973013431");
    }
}
