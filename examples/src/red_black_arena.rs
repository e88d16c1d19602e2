//! A red-black tree in an arena: the nodes lie in a vector, and links to children and parents are indices into it.

use std::cmp::Ordering;
use std::ops::{Index, IndexMut};

use korat::{Finitize, rep_ok};

/// The index of a node in the arena.
#[derive(Clone, Copy, Debug, PartialEq, Finitize)]
#[finitize(id)]
pub struct NodeId(pub u32);

/// The colour of a node.
#[derive(Clone, Copy, Debug, PartialEq, Finitize)]
pub enum Color {
    /// A red node has no red child and is not the root.
    Red,
    /// Black nodes count for the balance: every path down to a missing child has the same number of them.
    Black,
}

/// A key with its two subtrees and its parent.
#[derive(Clone, Debug, PartialEq, Finitize)]
pub struct Node {
    /// The key.
    #[finitize(0..=scope as u32)]
    pub key: u32,
    /// The colour.
    pub color: Color,
    /// The subtree with the smaller keys.
    #[finitize(index_of = nodes)]
    pub left: Option<NodeId>,
    /// The subtree with the larger keys.
    #[finitize(index_of = nodes)]
    pub right: Option<NodeId>,
    /// The parent.
    #[finitize(index_of = nodes)]
    pub parent: Option<NodeId>,
}

/// A set of keys, balanced by colour.
#[derive(Clone, Debug, Default, PartialEq, Finitize)]
pub struct RedBlackTree {
    /// The nodes, in no particular order and without gaps.
    pub nodes: Vec<Node>,
    /// The root; `None` for an empty tree.
    #[finitize(index_of = nodes)]
    pub root: Option<NodeId>,
}

#[rep_ok]
impl RedBlackTree {
    /// Returns whether all nodes of the arena form one tree with correct parents, the keys are strictly ordered, the
    /// root is black, no red node has a red child, and all paths down have the same number of black nodes.
    pub fn rep_ok(&self) -> bool {
        !self.is_red(self.root)
            && self.measure(self.root, None, None, None).is_some_and(|(count, _)| count == self.nodes.len())
    }

    /// Returns the number of nodes of a subtree, and of black ones on each path down, if the subtree is valid: it is a
    /// child of `parent`, and its keys lie strictly between `lo` and `hi`.
    fn measure(
        &self,
        link: Option<NodeId>,
        parent: Option<NodeId>,
        lo: Option<u32>,
        hi: Option<u32>,
    ) -> Option<(usize, usize)> {
        let Some(NodeId(index)) = link else {
            return Some((0, 0));
        };
        let node = self.nodes.get(index as usize)?;
        if lo.is_some_and(|lo| node.key <= lo) || hi.is_some_and(|hi| node.key >= hi) || node.parent != parent {
            return None;
        }
        let (left, left_black) = self.measure(node.left, link, lo, Some(node.key))?;
        let (right, right_black) = self.measure(node.right, link, Some(node.key), hi)?;
        let black = match node.color {
            Color::Red if self.is_red(node.left) || self.is_red(node.right) => return None,
            Color::Red => left_black,
            Color::Black => left_black + 1,
        };
        (left_black == right_black).then_some((left + 1 + right, black))
    }

    /// Returns whether the node exists and is red.
    fn is_red(&self, link: Option<NodeId>) -> bool {
        link.and_then(|NodeId(index)| self.nodes.get(index as usize)).is_some_and(|node| node.color == Color::Red)
    }
}

/// A side of a node.
#[derive(Clone, Copy, PartialEq)]
enum Side {
    Left,
    Right,
}

impl Side {
    fn other(self) -> Self {
        match self {
            Self::Left => Self::Right,
            Self::Right => Self::Left,
        }
    }
}

impl Index<NodeId> for RedBlackTree {
    type Output = Node;

    fn index(&self, NodeId(index): NodeId) -> &Node {
        &self.nodes[index as usize]
    }
}

impl IndexMut<NodeId> for RedBlackTree {
    fn index_mut(&mut self, NodeId(index): NodeId) -> &mut Node {
        &mut self.nodes[index as usize]
    }
}

impl RedBlackTree {
    /// Creates an empty set.
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns the number of keys.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Returns whether the set is empty.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Returns whether the set contains `key`.
    pub fn contains(&self, key: u32) -> bool {
        self.find(key).is_some()
    }

    /// Returns the keys in increasing order.
    pub fn iter(&self) -> impl Iterator<Item = u32> {
        let mut next = self.root.map(|root| self.leftmost(root));
        std::iter::from_fn(move || {
            let id = next?;
            next = self.successor(id);
            Some(self[id].key)
        })
    }

    /// Adds `key`. Returns whether it was new.
    pub fn insert(&mut self, key: u32) -> bool {
        let mut place = None;
        let mut next = self.root;
        while let Some(id) = next {
            let side = match key.cmp(&self[id].key) {
                Ordering::Less => Side::Left,
                Ordering::Greater => Side::Right,
                Ordering::Equal => return false,
            };
            place = Some((id, side));
            next = self.child(id, side);
        }
        let new = NodeId(self.nodes.len() as u32);
        self.nodes.push(Node { key, color: Color::Red, left: None, right: None, parent: None });
        match place {
            Some((parent, side)) => self.set_child(parent, side, Some(new)),
            None => self.root = Some(new),
        }
        self.separate_reds(new);
        true
    }

    /// Removes `key`. Returns whether it was present.
    pub fn remove(&mut self, key: u32) -> bool {
        let Some(id) = self.find(key) else {
            return false;
        };
        let hole = self.detach(id);
        self.fill_hole(hole);
        true
    }

    fn find(&self, key: u32) -> Option<NodeId> {
        let mut next = self.root;
        while let Some(id) = next {
            next = match key.cmp(&self[id].key) {
                Ordering::Less => self[id].left,
                Ordering::Greater => self[id].right,
                Ordering::Equal => return next,
            };
        }
        None
    }

    fn leftmost(&self, mut id: NodeId) -> NodeId {
        while let Some(left) = self[id].left {
            id = left;
        }
        id
    }

    /// Returns the node with the next larger key: the leftmost of the right subtree, or the nearest ancestor to the
    /// right.
    fn successor(&self, mut id: NodeId) -> Option<NodeId> {
        if let Some(right) = self[id].right {
            return Some(self.leftmost(right));
        }
        while let Some(parent) = self[id].parent {
            if self[parent].left == Some(id) {
                return Some(parent);
            }
            id = parent;
        }
        None
    }

    /// Recolours and rotates until no red node has a red child; only `id` and its parent may violate that.
    fn separate_reds(&mut self, mut id: NodeId) {
        while let Some(parent) = self[id].parent
            && self[parent].color == Color::Red
            && let Some(grandparent) = self[parent].parent
        {
            let side = self.side_of(parent, grandparent);
            if let Some(uncle) = self.child(grandparent, side.other())
                && self[uncle].color == Color::Red
            {
                self[parent].color = Color::Black;
                self[uncle].color = Color::Black;
                self[grandparent].color = Color::Red;
                id = grandparent;
                continue;
            }
            if self.side_of(id, parent) != side {
                self.rotate(parent, side);
            }
            let top = self.rotate(grandparent, side.other());
            self[top].color = Color::Black;
            self[grandparent].color = Color::Red;
            break;
        }
        if let Some(root) = self.root {
            self[root].color = Color::Black;
        }
    }

    /// Removes a key from the tree and unlinks a node, which need not be the one that held the key. Returns that node.
    fn detach(&mut self, mut id: NodeId) -> NodeId {
        if let (Some(_), Some(right)) = (self[id].left, self[id].right) {
            let heir = self.leftmost(right);
            self[id].key = self[heir].key;
            id = heir;
        }
        let child = self[id].left.or(self[id].right);
        match child {
            // An only child is red, and its parent black.
            Some(child) => self[child].color = Color::Black,
            None => self.spare_one_black(id),
        }
        self.replace(id, child);
        id
    }

    /// Recolours and rotates so that the paths through `id` can lose one black node.
    fn spare_one_black(&mut self, mut id: NodeId) {
        while let Some(parent) = self[id].parent
            && self[id].color == Color::Black
        {
            let side = self.side_of(id, parent);
            let far_side = side.other();
            if self.is_red(self.child(parent, far_side)) {
                let top = self.rotate(parent, side);
                self[top].color = Color::Black;
                self[parent].color = Color::Red;
            }
            let sibling = self.child(parent, far_side).expect("the other ways down have black nodes, too");
            let near_red = self.is_red(self.child(sibling, side));
            let far_red = self.is_red(self.child(sibling, far_side));
            if near_red || far_red {
                if !far_red {
                    self.rotate(sibling, far_side);
                }
                let top = self.rotate(parent, side);
                self[top].color = self[parent].color;
                for side in [Side::Left, Side::Right] {
                    if let Some(child) = self.child(top, side) {
                        self[child].color = Color::Black;
                    }
                }
                return;
            }
            self[sibling].color = Color::Red;
            id = parent;
        }
        self[id].color = Color::Black;
    }

    /// Moves the last node of the arena into the slot of a node that is no longer linked.
    fn fill_hole(&mut self, hole: NodeId) {
        let last = NodeId(self.nodes.len() as u32 - 1);
        if hole != last {
            self.replace(last, Some(hole));
            for child in [self[last].left, self[last].right].into_iter().flatten() {
                self[child].parent = Some(hole);
            }
        }
        self.nodes.swap_remove(hole.0 as usize);
    }

    fn side_of(&self, id: NodeId, parent: NodeId) -> Side {
        if self[parent].left == Some(id) { Side::Left } else { Side::Right }
    }

    fn child(&self, id: NodeId, side: Side) -> Option<NodeId> {
        match side {
            Side::Left => self[id].left,
            Side::Right => self[id].right,
        }
    }

    fn set_child(&mut self, id: NodeId, side: Side, child: Option<NodeId>) {
        match side {
            Side::Left => self[id].left = child,
            Side::Right => self[id].right = child,
        }
        if let Some(child) = child {
            self[child].parent = Some(id);
        }
    }

    /// Replaces a subtree by another.
    fn replace(&mut self, old: NodeId, new: Option<NodeId>) {
        match self[old].parent {
            Some(parent) => self.set_child(parent, self.side_of(old, parent), new),
            None => {
                self.root = new;
                if let Some(new) = new {
                    self[new].parent = None;
                }
            }
        }
    }

    /// Moves a node down to one side. Its child on the other side, which must exist, takes its place and is returned.
    fn rotate(&mut self, id: NodeId, side: Side) -> NodeId {
        let top = self.child(id, side.other()).expect("a child to put on top");
        self.set_child(id, side.other(), self.child(top, side));
        self.replace(id, Some(top));
        self.set_child(top, side, Some(id));
        top
    }
}

#[cfg(test)]
pub(crate) mod tests;
