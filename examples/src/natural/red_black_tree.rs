//! Red-black trees with a black root.

use korat::{Finitize, rep_ok};

/// The colour of a node.
#[derive(Clone, Copy, Debug, PartialEq, Finitize)]
pub enum Color {
    /// A red node has no red child.
    Red,
    /// Every path down to a missing child has the same number of black nodes.
    Black,
}

/// A key with its two subtrees.
#[derive(Clone, Debug, PartialEq, Finitize)]
pub struct Node {
    /// The key.
    #[finitize(0..=scope)]
    pub key: usize,
    /// The colour.
    pub color: Color,
    /// The subtree with the smaller keys.
    pub left: Option<Box<Node>>,
    /// The subtree with the larger keys.
    pub right: Option<Box<Node>>,
}

/// A set of keys.
#[derive(Clone, Debug, PartialEq, Finitize)]
pub struct RedBlackTree {
    /// The root; `None` for an empty tree.
    pub root: Option<Box<Node>>,
}

#[rep_ok]
impl RedBlackTree {
    /// Returns whether the keys are in strict order, the root is black, and the colours balance the tree.
    pub fn rep_ok(&self) -> bool {
        Self::black_height(&self.root, None, None, true).is_some()
    }

    /// Returns the number of black nodes on each path, if the subtree is balanced and every key lies strictly between `lo` and
    /// `hi`.
    fn black_height(
        node: &Option<Box<Node>>,
        lo: Option<usize>,
        hi: Option<usize>,
        must_be_black: bool,
    ) -> Option<usize> {
        let Some(n) = node else { return Some(0) };
        if lo.is_some_and(|lo| n.key <= lo) || hi.is_some_and(|hi| n.key >= hi) {
            return None;
        }
        let is_red = n.color == Color::Red;
        if is_red && must_be_black {
            return None;
        }
        let left = Self::black_height(&n.left, lo, Some(n.key), is_red)?;
        let right = Self::black_height(&n.right, Some(n.key), hi, is_red)?;
        (left == right).then_some(left + usize::from(!is_red))
    }
}

#[cfg(test)]
mod tests {
    use korat::Search;

    use super::super::assert_shapes;
    use super::*;

    #[track_caller]
    fn counts(scope: usize, expected: &str) {
        assert_eq!(Search::new(RedBlackTree::scope(scope)).count().to_string(), expected, "scope {scope}");
    }

    #[test]
    fn are_counted_exactly() {
        counts(4, "66");
        counts(8, "4798");
        counts(10, "39744");
    }

    #[test]
    #[ignore = "takes minutes without optimisation"]
    fn are_counted_exactly_at_large_scopes() {
        counts(20, "1944115750");
        counts(30, "141502481376300");
        counts(50, "673571193538932392894512");
    }

    #[test]
    fn have_the_known_shapes() {
        let shapes = [1, 1, 2, 2, 4, 8, 16, 33, 56, 90, 164];
        assert_shapes(&Search::new(RedBlackTree::scope(10)).count_by_size(), &shapes);
    }
}
