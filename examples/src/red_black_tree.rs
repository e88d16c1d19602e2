//! A red-black tree with parent links: nodes owned through `Rc`, parents referred to through `Weak`.

mod links;

use std::cell::RefCell;
use std::cmp::Ordering;
use std::collections::{HashSet, VecDeque};
use std::rc::{Rc, Weak};

use korat::{Finitize, rep_ok};
use links::{child, paint, parent, set_child};

/// The colour of a node.
#[derive(Clone, Copy, Debug, PartialEq, Finitize)]
pub enum Color {
    /// A red node has no red child.
    Red,
    /// Black nodes count for the balance: every path down to a missing child has the same number of them.
    Black,
}

/// A key with its two subtrees and its parent.
#[derive(Debug, Finitize)]
pub struct Node {
    /// The subtree with the smaller keys.
    pub left: Option<Rc<RefCell<Node>>>,
    /// The subtree with the larger keys.
    pub right: Option<Rc<RefCell<Node>>>,
    /// The parent; dangling for the root.
    pub parent: Weak<RefCell<Node>>,
    /// The colour.
    pub color: Color,
    /// The key.
    #[finitize(0..=scope)]
    pub key: usize,
}

/// A set of keys, balanced by colour.
#[derive(Debug, Default, Finitize)]
pub struct RedBlackTree {
    /// The root, of either colour; `None` for an empty tree.
    pub root: Option<Rc<RefCell<Node>>>,
    /// The number of keys.
    #[finitize(scope..=scope)]
    pub size: usize,
}

#[rep_ok]
impl RedBlackTree {
    /// Returns whether the nodes form a tree with correct parents, `size` is their number, the colours balance the
    /// tree, and the keys are strictly ordered.
    pub fn rep_ok(&self) -> bool {
        let Some(root) = &self.root else {
            return self.size == 0;
        };
        if root.borrow().parent.upgrade().is_some() {
            return false;
        }
        let Some(count) = Self::count_linked(root) else {
            return false;
        };
        count == self.size
            && Self::reds_have_black_children(root)
            && Self::paths_have_equal_blacks(root)
            && Self::ordered(&self.root, None, None)
    }

    /// Returns the number of nodes if each is reached once and is the parent of its children.
    fn count_linked(root: &Rc<RefCell<Node>>) -> Option<usize> {
        let mut seen: HashSet<*const RefCell<Node>> = HashSet::new();
        let mut work: Vec<Rc<RefCell<Node>>> = Vec::new();
        seen.insert(Rc::as_ptr(root));
        work.push(Rc::clone(root));
        while let Some(node) = work.pop() {
            if let Some(left) = &node.borrow().left {
                if !seen.insert(Rc::as_ptr(left)) || !Self::is_parent(&node, left) {
                    return None;
                }
                work.push(Rc::clone(left));
            }
            if let Some(right) = &node.borrow().right {
                if !seen.insert(Rc::as_ptr(right)) || !Self::is_parent(&node, right) {
                    return None;
                }
                work.push(Rc::clone(right));
            }
        }
        Some(seen.len())
    }

    /// Returns whether `node` is the parent of `child` according to `child`.
    fn is_parent(node: &Rc<RefCell<Node>>, child: &Rc<RefCell<Node>>) -> bool {
        let parent = child.borrow().parent.upgrade();
        parent.is_some_and(|parent| Rc::ptr_eq(&parent, node))
    }

    /// Returns whether no red node has a red child.
    fn reds_have_black_children(root: &Rc<RefCell<Node>>) -> bool {
        let mut work: VecDeque<Rc<RefCell<Node>>> = VecDeque::new();
        work.push_back(Rc::clone(root));
        while let Some(node) = work.pop_front() {
            let left = node.borrow().left.clone();
            let right = node.borrow().right.clone();
            if node.borrow().color == Color::Red && (Self::is_red(&left) || Self::is_red(&right)) {
                return false;
            }
            if let Some(left) = left {
                work.push_back(left);
            }
            if let Some(right) = right {
                work.push_back(right);
            }
        }
        true
    }

    /// Returns whether the node exists and is red.
    fn is_red(node: &Option<Rc<RefCell<Node>>>) -> bool {
        node.as_ref().is_some_and(|node| node.borrow().color == Color::Red)
    }

    /// Returns whether every path from the root to a missing child has the same number of black nodes.
    fn paths_have_equal_blacks(root: &Rc<RefCell<Node>>) -> bool {
        let mut blacks: Option<usize> = None;
        let mut work: VecDeque<(Option<Rc<RefCell<Node>>>, usize)> = VecDeque::new();
        work.push_back((Some(Rc::clone(root)), 0));
        while let Some((node, above)) = work.pop_front() {
            if let Some(node) = node {
                let black = node.borrow().color == Color::Black;
                let count = above + usize::from(black);
                work.push_back((node.borrow().left.clone(), count));
                work.push_back((node.borrow().right.clone(), count));
            } else if blacks.is_some_and(|blacks| blacks != above) {
                return false;
            } else {
                blacks = Some(above);
            }
        }
        true
    }

    /// Returns whether every key of the subtree lies strictly between `lo` and `hi`, and the subtree is ordered.
    fn ordered(node: &Option<Rc<RefCell<Node>>>, lo: Option<usize>, hi: Option<usize>) -> bool {
        let Some(node) = node else {
            return true;
        };
        let key = node.borrow().key;
        if lo.is_some_and(|lo| key <= lo) || hi.is_some_and(|hi| key >= hi) {
            return false;
        }
        Self::ordered(&node.borrow().left, lo, Some(key)) && Self::ordered(&node.borrow().right, Some(key), hi)
    }
}

/// A shared pointer to a node.
type NodeRef = Rc<RefCell<Node>>;

/// The side on which a node is a child.
#[derive(Clone, Copy, PartialEq)]
enum Side {
    Left,
    Right,
}

impl Side {
    fn opposite(self) -> Side {
        match self {
            Side::Left => Side::Right,
            Side::Right => Side::Left,
        }
    }
}

impl RedBlackTree {
    /// Creates an empty set.
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns the number of keys.
    pub fn len(&self) -> usize {
        self.size
    }

    /// Returns whether the set is empty.
    pub fn is_empty(&self) -> bool {
        self.size == 0
    }

    /// Returns whether the set contains `key`.
    pub fn contains(&self, key: usize) -> bool {
        self.find(key).is_some()
    }

    /// Returns the keys in increasing order.
    pub fn iter(&self) -> impl Iterator<Item = usize> {
        let mut above: Vec<NodeRef> = Vec::new();
        let mut next = self.root.clone();
        std::iter::from_fn(move || {
            while let Some(node) = next.take() {
                next = child(&node, Side::Left);
                above.push(node);
            }
            let node = above.pop()?;
            next = child(&node, Side::Right);
            Some(node.borrow().key)
        })
    }

    /// Adds `key`. Returns whether it was new.
    pub fn insert(&mut self, key: usize) -> bool {
        let mut above = None;
        let mut next = self.root.clone();
        while let Some(node) = next {
            let side = match key.cmp(&node.borrow().key) {
                Ordering::Less => Side::Left,
                Ordering::Greater => Side::Right,
                Ordering::Equal => return false,
            };
            next = child(&node, side);
            above = Some((node, side));
        }
        let node = Rc::new(RefCell::new(Node { left: None, right: None, parent: Weak::new(), color: Color::Red, key }));
        match above {
            Some((parent, side)) => set_child(&parent, side, Some(Rc::clone(&node))),
            None => self.root = Some(Rc::clone(&node)),
        }
        self.size += 1;
        self.repair_red(node);
        true
    }

    /// Removes `key`. Returns whether it was present.
    pub fn remove(&mut self, key: usize) -> bool {
        let Some(mut node) = self.find(key) else {
            return false;
        };
        self.size -= 1;
        // A node with two children gets the next larger key, whose own node has no left child and is removed instead.
        if let (Some(_), Some(mut heir)) = (child(&node, Side::Left), child(&node, Side::Right)) {
            while let Some(smaller) = child(&heir, Side::Left) {
                heir = smaller;
            }
            node.borrow_mut().key = heir.borrow().key;
            node = heir;
        }
        let only_child = child(&node, Side::Left).or(child(&node, Side::Right));
        let above = parent(&node);
        self.replace(&node, only_child.clone());
        if node.borrow().color == Color::Black {
            if Self::is_red(&only_child) {
                paint(&only_child, Color::Black);
            } else if let Some((parent, side)) = above {
                self.repair_black(parent, side);
            }
        }
        true
    }

    fn find(&self, key: usize) -> Option<NodeRef> {
        let mut next = self.root.clone();
        while let Some(node) = next {
            next = match key.cmp(&node.borrow().key) {
                Ordering::Less => child(&node, Side::Left),
                Ordering::Greater => child(&node, Side::Right),
                Ordering::Equal => return Some(Rc::clone(&node)),
            };
        }
        None
    }

    /// Restores the colours if `node` is red and its parent may be, too; everything else must be in order.
    fn repair_red(&mut self, mut node: NodeRef) {
        while let Some((above, inner_side)) = parent(&node) {
            if above.borrow().color == Color::Black {
                return;
            }
            let Some((top, side)) = parent(&above) else {
                break;
            };
            let uncle = child(&top, side.opposite());
            if Self::is_red(&uncle) {
                above.borrow_mut().color = Color::Black;
                paint(&uncle, Color::Black);
                top.borrow_mut().color = Color::Red;
                node = top;
                continue;
            }
            if inner_side != side {
                self.rotate(&above, side);
            }
            paint(&child(&top, side), Color::Black);
            top.borrow_mut().color = Color::Red;
            self.rotate(&top, side.opposite());
            return;
        }
        // A black root violates nothing.
        paint(&self.root, Color::Black);
    }

    /// Restores the balance if the paths through the child of `above` on `side` lack one black node and that child is
    /// not red; everything else must be in order.
    fn repair_black(&mut self, mut above: NodeRef, mut side: Side) {
        loop {
            let far_side = side.opposite();
            if Self::is_red(&child(&above, far_side)) {
                paint(&child(&above, far_side), Color::Black);
                above.borrow_mut().color = Color::Red;
                self.rotate(&above, side);
            }
            let sibling = child(&above, far_side).expect("the other side has a black node more, so it has a node");
            let near_is_red = Self::is_red(&child(&sibling, side));
            let far_is_red = Self::is_red(&child(&sibling, far_side));
            if near_is_red || far_is_red {
                if !far_is_red {
                    self.rotate(&sibling, far_side);
                }
                // The node now on top there takes the place and the colour of `above`, between two black children.
                let color = above.borrow().color;
                let top = child(&above, far_side);
                self.rotate(&above, side);
                above.borrow_mut().color = Color::Black;
                if let Some(top) = top {
                    paint(&child(&top, far_side), Color::Black);
                    top.borrow_mut().color = color;
                }
                return;
            }
            // With a red sibling, all paths through `above` lack a black node.
            sibling.borrow_mut().color = Color::Red;
            if above.borrow().color == Color::Red {
                above.borrow_mut().color = Color::Black;
                return;
            }
            match parent(&above) {
                Some(next) => (above, side) = next,
                None => return,
            }
        }
    }

    /// Moves `node` down to `side`. Its child on the other side, if any, takes its place.
    fn rotate(&mut self, node: &NodeRef, side: Side) {
        if let Some(pivot) = child(node, side.opposite()) {
            self.replace(node, Some(Rc::clone(&pivot)));
            set_child(node, side.opposite(), child(&pivot, side));
            set_child(&pivot, side, Some(Rc::clone(node)));
        }
    }

    /// Replaces `old` by `new` under its parent or at the root.
    fn replace(&mut self, old: &NodeRef, new: Option<NodeRef>) {
        match parent(old) {
            Some((parent, side)) => set_child(&parent, side, new),
            None => {
                if let Some(new) = &new {
                    new.borrow_mut().parent = Weak::new();
                }
                self.root = new;
            }
        }
    }
}

impl Clone for RedBlackTree {
    /// Copies every node; a derived `clone` would share them with the original.
    fn clone(&self) -> Self {
        fn copy(node: &NodeRef) -> NodeRef {
            let twin = Rc::new(RefCell::new(Node {
                left: None,
                right: None,
                parent: Weak::new(),
                color: node.borrow().color,
                key: node.borrow().key,
            }));
            for side in [Side::Left, Side::Right] {
                set_child(&twin, side, child(node, side).as_ref().map(copy));
            }
            twin
        }
        RedBlackTree { root: self.root.as_ref().map(copy), size: self.size }
    }
}

#[cfg(test)]
mod tests;
