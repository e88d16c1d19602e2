//! Red-black trees with a black root and parent links: nodes owned through `Rc`, parents referred to through `Weak`. The types allow
//! shared nodes and other parents; korat finds out that the predicate rejects them, and summarises the trees.

use std::cell::RefCell;
use std::rc::{Rc, Weak};

use korat::{Finitize, rep_ok};

use super::red_black_tree::Color;

type Link = Option<Rc<RefCell<Node>>>;

/// A key with its two subtrees and its parent.
#[derive(Debug, Finitize)]
pub struct Node {
    /// The key.
    #[finitize(0..=scope)]
    pub key: usize,
    /// The colour.
    pub color: Color,
    /// The subtree with the smaller keys.
    pub left: Link,
    /// The subtree with the larger keys.
    pub right: Link,
    /// The parent; dangling for the root.
    pub parent: Weak<RefCell<Node>>,
}

/// A set of keys.
#[derive(Debug, Finitize)]
pub struct SharedRedBlackTree {
    /// The root; `None` for an empty tree.
    pub root: Link,
}

#[rep_ok]
impl SharedRedBlackTree {
    /// Returns whether the keys are in strict order, the root is black, the colours balance the tree, and the parents are right.
    pub fn rep_ok(&self) -> bool {
        Self::black_height(&self.root, None, None, None, true).is_some()
    }

    fn black_height(
        node: &Link,
        above: Option<&Rc<RefCell<Node>>>,
        lo: Option<usize>,
        hi: Option<usize>,
        must_be_black: bool,
    ) -> Option<usize> {
        let Some(this) = node else { return Some(0) };
        let n = this.borrow();
        let has_parent = match (n.parent.upgrade(), above) {
            (None, None) => true,
            (Some(parent), Some(above)) => Rc::ptr_eq(&parent, above),
            (None, Some(_)) | (Some(_), None) => false,
        };
        if !has_parent || lo.is_some_and(|lo| n.key <= lo) || hi.is_some_and(|hi| n.key >= hi) {
            return None;
        }
        let is_red = n.color == Color::Red;
        if is_red && must_be_black {
            return None;
        }
        let left = Self::black_height(&n.left, Some(this), lo, Some(n.key), is_red)?;
        let right = Self::black_height(&n.right, Some(this), Some(n.key), hi, is_red)?;
        (left == right).then_some(left + usize::from(!is_red))
    }
}

#[cfg(test)]
mod tests {
    use korat::{Search, Summaries};

    use super::super::red_black_tree::RedBlackTree;
    use super::*;

    #[test]
    fn take_few_runs() {
        let report = Search::new(SharedRedBlackTree::scope(9)).exact().summaries(Summaries::Always).for_each(|_| {});
        let runs = report.summaries.map(|summaries| (summaries.why_not, summaries.effort.runs));
        // A search takes 144,060,714 candidates.
        assert_eq!((report.valid, runs), (900, Some((None, 48_079))));
    }

    #[test]
    fn are_as_many_as_without_parents() {
        for scope in [4, 6] {
            let boxed = Search::new(RedBlackTree::scope(scope)).count();
            assert_eq!(Search::new(SharedRedBlackTree::scope(scope)).count(), boxed, "scope {scope}");
        }
    }
}
