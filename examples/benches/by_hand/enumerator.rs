//! Binary trees enumerated by a hand-written program over the crate `exhaustigen`: the predicate runs from the top for
//! every candidate.

use exhaustigen::Gen;

use super::{MOST, NULL, Slot, UNREAD};

/// The number of candidates and of valid trees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counts {
    pub explored: u64,
    pub valid: u64,
}

/// Enumerates every binary tree of `nodes` nodes.
pub fn binary_trees(nodes: usize) -> Counts {
    assert!(nodes < MOST, "at most {} nodes", MOST - 1);
    let mut choices = Gen::new();
    let mut counts = Counts { explored: 0, valid: 0 };
    while !choices.done() {
        let mut tree = Tree {
            choices: &mut choices,
            nodes,
            reached: 0,
            root: UNREAD,
            left: [UNREAD; MOST],
            right: [UNREAD; MOST],
            size: None,
        };
        counts.valid += u64::from(tree.rep_ok());
        counts.explored += 1;
    }
    counts
}

/// A tree whose slots are chosen at their first read.
struct Tree<'c> {
    choices: &'c mut Gen,
    nodes: usize,
    /// Nodes `1..=reached` are reached.
    reached: usize,
    root: Slot,
    left: [Slot; MOST],
    right: [Slot; MOST],
    size: Option<usize>,
}

impl Tree<'_> {
    #[inline]
    fn rep_ok(&mut self) -> bool {
        let root = self.root();
        if root == NULL {
            return self.size() == 0;
        }
        let mut seen: u32 = 1 << root;
        let mut work = [NULL; MOST];
        work[0] = root;
        let mut waiting = 1;
        while waiting > 0 {
            waiting -= 1;
            let node = usize::from(work[waiting]);
            let left = self.left(node);
            if left != NULL {
                if seen & (1 << left) != 0 {
                    return false;
                }
                seen |= 1 << left;
                work[waiting] = left;
                waiting += 1;
            }
            let right = self.right(node);
            if right != NULL {
                if seen & (1 << right) != 0 {
                    return false;
                }
                seen |= 1 << right;
                work[waiting] = right;
                waiting += 1;
            }
        }
        seen.count_ones() as usize == self.size()
    }

    #[inline]
    fn root(&mut self) -> Slot {
        if self.root == UNREAD {
            self.root = self.choose();
        }
        self.root
    }

    #[inline]
    fn left(&mut self, node: usize) -> Slot {
        if self.left[node] == UNREAD {
            self.left[node] = self.choose();
        }
        self.left[node]
    }

    #[inline]
    fn right(&mut self, node: usize) -> Slot {
        if self.right[node] == UNREAD {
            self.right[node] = self.choose();
        }
        self.right[node]
    }

    /// Reads the size, whose domain has one value: all trees have the same size.
    #[inline]
    fn size(&mut self) -> usize {
        *self.size.get_or_insert_with(|| self.nodes + self.choices.r#gen(0))
    }

    /// Chooses null, a node reached before, or one fresh node if there is one.
    #[inline]
    fn choose(&mut self) -> Slot {
        let chosen = self.choices.r#gen((self.reached + 1).min(self.nodes));
        self.reached = self.reached.max(chosen);
        chosen as Slot
    }
}
