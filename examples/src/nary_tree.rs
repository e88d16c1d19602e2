//! A tree whose nodes have three child links each; the tree value itself is the root.

use std::collections::{HashSet, VecDeque};

use korat::{Finitize, rep_ok};

/// A node below the root, without data.
#[derive(Clone, Debug, Default, PartialEq, Finitize)]
pub struct Node {
    /// The subtrees.
    pub children: [Option<Box<Node>>; 3],
}

/// The tree, and at the same time its root, which always exists.
#[derive(Clone, Debug, Default, PartialEq, Finitize)]
pub struct NaryTree {
    /// The subtrees.
    pub children: [Option<Box<Node>>; 3],
    /// The number of nodes below the root.
    #[finitize(scope..=scope)]
    pub size: usize,
}

#[rep_ok]
impl NaryTree {
    /// Returns whether every node is reached once and `size` is the number of nodes below the root.
    pub fn rep_ok(&self) -> bool {
        let mut seen: HashSet<*const Node> = HashSet::new();
        let mut work: Vec<&Node> = Vec::new();
        for child in &self.children {
            let Some(child) = child else {
                continue;
            };
            if !seen.insert(&**child) {
                return false;
            }
            work.push(child);
        }
        while let Some(node) = work.pop() {
            for child in &node.children {
                let Some(child) = child else {
                    continue;
                };
                if !seen.insert(&**child) {
                    return false;
                }
                work.push(child);
            }
        }
        seen.len() == self.size
    }
}

impl NaryTree {
    /// Creates a root without children.
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns the number of nodes below the root.
    pub fn len(&self) -> usize {
        self.size
    }

    /// Returns whether the root has no children.
    pub fn is_empty(&self) -> bool {
        self.size == 0
    }

    /// Returns the number of nodes on the longest path down from the root, without the root.
    pub fn height(&self) -> usize {
        fn height(children: &[Option<Box<Node>>]) -> usize {
            let heights = children.iter().flatten();
            let heights = heights.map(|child| 1 + height(&child.children));
            heights.max().unwrap_or(0)
        }
        height(&self.children)
    }

    /// Returns the nodes below the root in preorder, first child first.
    pub fn iter(&self) -> impl Iterator<Item = &Node> {
        let mut work: Vec<&Node> = Vec::new();
        work.extend(self.children.iter().rev().flatten().map(Box::as_ref));
        std::iter::from_fn(move || {
            let node = work.pop()?;
            work.extend(node.children.iter().rev().flatten().map(Box::as_ref));
            Some(node)
        })
    }

    /// Adds a leaf at the vacant link nearest to the root, the first of several.
    pub fn push_leaf(&mut self) {
        let mut places: VecDeque<&mut Option<Box<Node>>> = self.children.iter_mut().collect();
        while let Some(place) = places.pop_front() {
            match place {
                Some(node) => places.extend(&mut node.children),
                None => {
                    *place = Some(Box::default());
                    break;
                }
            }
        }
        self.size += 1;
    }

    /// Drops the first leaf. Returns `false` if there is none.
    pub fn pop_leaf(&mut self) -> bool {
        fn pop(children: &mut [Option<Box<Node>>]) -> bool {
            let Some(place) = children.iter_mut().find(|place| place.is_some()) else {
                return false;
            };
            let popped_below = place.as_mut().is_some_and(|node| pop(&mut node.children));
            if !popped_below {
                *place = None;
            }
            true
        }
        let popped = pop(&mut self.children);
        self.size -= usize::from(popped);
        popped
    }

    /// Reverses the order of the children of every node.
    pub fn mirror(&mut self) {
        fn mirror(children: &mut [Option<Box<Node>>]) {
            children.reverse();
            for child in children.iter_mut().flatten() {
                mirror(&mut child.children);
            }
        }
        mirror(&mut self.children);
    }

    /// Moves the children of every node to its first links, keeping their order.
    pub fn compact(&mut self) {
        fn compact(children: &mut [Option<Box<Node>>]) {
            children.sort_by_key(Option::is_none);
            for child in children.iter_mut().flatten() {
                compact(&mut child.children);
            }
        }
        compact(&mut self.children);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use korat::{Search, field};

    /// Returns a search for all trees of up to `most` nodes, smallest first. The default bounds generate exactly one
    /// size, as in the literature.
    fn up_to(most: usize) -> Search<NaryTree> {
        Search::new(NaryTree::scope(most).domain(field!(NaryTree.size), 0..=most))
    }

    #[test]
    fn iter_visits_every_node_once() {
        up_to(5).for_each(|tree| {
            assert_eq!(tree.iter().count(), tree.size);
            assert_eq!(tree.len(), tree.size);
            assert_eq!(tree.is_empty(), tree.size == 0);
        });
    }

    #[test]
    fn push_leaf_adds_one_node_and_deepens_only_full_trees() {
        up_to(4).for_each(|mut tree| {
            let n = tree.len();
            let height = tree.height();
            // Nodes of a full tree: 3 + 9 + 27 + .., one power of three per level.
            let full = n == (3_usize.pow(height as u32 + 1) - 3) / 2;
            tree.push_leaf();
            assert!(tree.rep_ok());
            assert_eq!(tree.len(), n + 1);
            assert_eq!(tree.height(), height + usize::from(full));
        });
    }

    #[test]
    fn pop_leaf_drops_one_leaf_until_the_tree_is_empty() {
        korat::for_each_valid(NaryTree::scope(4), |mut tree| {
            for left in (0..4).rev() {
                assert!(tree.pop_leaf());
                assert!(tree.rep_ok());
                assert_eq!(tree.len(), left);
            }
            assert!(!tree.pop_leaf());
            assert_eq!(tree, NaryTree::new());
        });
    }

    #[test]
    fn mirror_undoes_itself() {
        up_to(4).for_each(|tree| {
            let mut mirrored = tree.clone();
            mirrored.mirror();
            assert!(mirrored.rep_ok());
            assert_eq!(mirrored.height(), tree.height());
            mirrored.mirror();
            assert_eq!(mirrored, tree);
        });
    }

    #[test]
    fn compact_leaves_no_gap_and_keeps_the_order() {
        fn arities(tree: &NaryTree) -> impl Iterator<Item = usize> {
            tree.iter().map(|node| node.children.iter().flatten().count())
        }
        up_to(4).for_each(|tree| {
            let mut compacted = tree.clone();
            compacted.compact();
            assert!(compacted.rep_ok());
            assert!(arities(&compacted).eq(arities(&tree)));
            for children in compacted.iter().map(|node| &node.children) {
                assert!(children.is_sorted_by_key(Option::is_none));
            }
            let once = compacted.clone();
            compacted.compact();
            assert_eq!(compacted, once);
        });
    }

    #[test]
    #[should_panic]
    fn a_forgotten_size_is_found() {
        korat::for_each_valid(NaryTree::scope(3), |mut tree| {
            tree.children[1] = None;
            assert!(tree.rep_ok());
        });
    }
}
