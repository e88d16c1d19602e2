//! Structs that are copied: newtypes around raw pointers, with methods that take and return them, and records of
//! pointers and plain values.

use std::collections::HashSet;
use std::fmt::{self, Debug};
use std::ptr;

use korat::{Finitize, rep_ok};

use crate::canonical::{canonical, canonical_fields};
use crate::harness::{Space, Subject};

/// A node of a tree that is held by raw pointers.
#[derive(Debug, Finitize)]
pub struct Node {
    #[finitize(0..=1)]
    key: u8,
    left: NodePtr,
    right: NodePtr,
}

/// A pointer to a node, or to none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Finitize)]
#[finitize(copy(PartialEq, Eq, Hash))]
pub struct NodePtr(*mut Node);

#[rep_ok(helpers, copy)]
impl NodePtr {
    fn null() -> Self {
        NodePtr(ptr::null_mut())
    }

    fn is_null(self) -> bool {
        self.0.is_null()
    }

    fn get(self) -> Option<NodePtr> {
        if self.is_null() { None } else { Some(Self(self.0)) }
    }

    fn left(self) -> NodePtr {
        // SAFETY: callers ask only what points to a node.
        unsafe { (*self.0).left }
    }

    fn right(self) -> NodePtr {
        // SAFETY: callers ask only what points to a node.
        unsafe { (*self.0).right }
    }

    fn key(&self) -> u8 {
        // SAFETY: callers ask only what points to a node.
        unsafe { (*self.0).key }
    }
}

/// A search tree, and its first node.
#[derive(Finitize)]
pub struct RawTree {
    root: NodePtr,
    first: Option<NodePtr>,
}

#[rep_ok]
impl RawTree {
    pub fn rep_ok(&self) -> bool {
        let mut seen = HashSet::new();
        if !Self::is_tree(self.root, &mut seen) || !Self::is_ordered(self.root, 0, 1) {
            return false;
        }
        match self.first {
            None => self.root == NodePtr::null(),
            Some(first) => Self::leftmost(self.root).get() == Some(first),
        }
    }

    fn is_tree(at: NodePtr, seen: &mut HashSet<NodePtr>) -> bool {
        at.is_null() || seen.insert(at) && Self::is_tree(at.left(), seen) && Self::is_tree(at.right(), seen)
    }

    fn is_ordered(at: NodePtr, low: u8, high: u8) -> bool {
        let Some(node) = at.get() else { return true };
        let key = node.key();
        (low..=high).contains(&key)
            && Self::is_ordered(node.left(), low, key)
            && Self::is_ordered(node.right(), key, high)
    }

    fn leftmost(mut at: NodePtr) -> NodePtr {
        while !at.is_null() && !at.left().is_null() {
            at = at.left();
        }
        at
    }
}

canonical_fields! { NodePtr { 0 } Node { key, left, right } RawTree { root, first } }

impl Debug for RawTree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&canonical(self))
    }
}

impl Drop for RawTree {
    fn drop(&mut self) {
        let mut nodes = HashSet::new();
        let mut work = vec![self.root, self.first.unwrap_or(NodePtr::null())];
        while let Some(node) = work.pop() {
            if !node.is_null() && nodes.insert(node) {
                work.extend([node.left(), node.right()]);
            }
        }
        // SAFETY: each node came from a box, and nothing else frees it.
        nodes.into_iter().for_each(|node| drop(unsafe { Box::from_raw(node.0) }));
    }
}

impl Subject for RawTree {
    const EXCLUDES_IMPOSSIBLE_SHAPES: bool = true;

    fn untouched(&self) -> bool {
        self.rep_ok()
    }

    fn each_raw(scope: usize, visit: &mut dyn FnMut(Self)) {
        let mut space = Space::default();
        let (root, first) = (space.slot(scope + 1), space.slot(scope + 2));
        let nodes = space.objects(scope, [2, scope + 1, scope + 1]);
        space.each(|raw| {
            let null = NodePtr::null;
            let made: Vec<NodePtr> = nodes
                .iter()
                .map(|[key, ..]| {
                    let key = u8::try_from(raw[*key]).expect("0 or 1");
                    NodePtr(Box::into_raw(Box::new(Node { key, left: null(), right: null() })))
                })
                .collect();
            let at = |digit: usize| digit.checked_sub(1).map_or_else(null, |object| made[object]);
            for (node, [_, left, right]) in made.iter().zip(&nodes) {
                // SAFETY: the nodes are alive, and nothing else looks at them.
                unsafe {
                    (*node.0).left = at(raw[*left]);
                    (*node.0).right = at(raw[*right]);
                }
            }
            let value = RawTree { root: at(raw[root]), first: raw[first].checked_sub(1).map(at) };
            let mut reached = HashSet::new();
            let mut work = vec![value.root, value.first.unwrap_or_else(null)];
            while let Some(node) = work.pop() {
                if !node.is_null() && reached.insert(node) {
                    work.extend([node.left(), node.right()]);
                }
            }
            for node in made.into_iter().filter(|node| !reached.contains(node)) {
                // SAFETY: the node came from a box, and the value does not lead to it.
                drop(unsafe { Box::from_raw(node.0) });
            }
            visit(value);
        });
    }
}
