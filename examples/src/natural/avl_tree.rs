//! AVL trees: search trees whose subtrees differ in height by at most one.

use korat::{Finitize, rep_ok};

use super::search_tree::Node;

/// A set of keys.
#[derive(Clone, Debug, PartialEq, Finitize)]
pub struct AvlTree {
    /// The root; `None` for an empty tree.
    pub root: Option<Box<Node>>,
}

#[rep_ok]
impl AvlTree {
    /// Returns whether the keys are in strict order, and the tree is balanced.
    pub fn rep_ok(&self) -> bool {
        Self::height(&self.root, None, None).is_some()
    }

    /// Returns the height, if the subtree is balanced and every key lies strictly between `lo` and `hi`.
    fn height(node: &Option<Box<Node>>, lo: Option<usize>, hi: Option<usize>) -> Option<usize> {
        let Some(n) = node else { return Some(0) };
        if lo.is_some_and(|lo| n.key <= lo) || hi.is_some_and(|hi| n.key >= hi) {
            return None;
        }
        let left = Self::height(&n.left, lo, Some(n.key))?;
        let right = Self::height(&n.right, Some(n.key), hi)?;
        (left.abs_diff(right) <= 1).then_some(left.max(right) + 1)
    }
}

#[cfg(test)]
mod tests {
    use korat::Search;

    use super::super::assert_shapes;
    use super::*;

    #[track_caller]
    fn counts(scope: usize, expected: &str) {
        assert_eq!(Search::new(AvlTree::scope(scope)).count().to_string(), expected, "scope {scope}");
    }

    #[test]
    fn are_counted_exactly() {
        counts(4, "56");
        counts(8, "2662");
        counts(10, "20197");
        counts(20, "495888422");
    }

    #[test]
    #[ignore = "takes a minute without optimisation"]
    fn are_counted_exactly_at_large_scopes() {
        counts(30, "13089505031677");
        counts(50, "14940494409425945937619");
    }

    #[test]
    fn have_the_known_shapes() {
        let shapes = [1, 1, 2, 1, 4, 6, 4, 17, 32, 44, 60];
        assert_shapes(&Search::new(AvlTree::scope(10)).count_by_size(), &shapes);
    }
}
