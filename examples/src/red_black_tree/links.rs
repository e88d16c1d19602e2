//! Links between nodes: a child and its parent refer to each other.

use std::rc::Rc;

use super::{Color, NodeRef, Side};

/// Returns the child of `node` on one side.
pub(super) fn child(node: &NodeRef, side: Side) -> Option<NodeRef> {
    match side {
        Side::Left => node.borrow().left.clone(),
        Side::Right => node.borrow().right.clone(),
    }
}

/// Returns the parent of `node`, and the side on which `node` is its child.
pub(super) fn parent(node: &NodeRef) -> Option<(NodeRef, Side)> {
    let parent = node.borrow().parent.upgrade()?;
    let on_left = child(&parent, Side::Left).is_some_and(|left| Rc::ptr_eq(&left, node));
    let side = if on_left { Side::Left } else { Side::Right };
    Some((parent, side))
}

/// Makes `new` the child of `node` on one side, and `node` the parent of `new`.
pub(super) fn set_child(node: &NodeRef, side: Side, new: Option<NodeRef>) {
    if let Some(new) = &new {
        new.borrow_mut().parent = Rc::downgrade(node);
    }
    match side {
        Side::Left => node.borrow_mut().left = new,
        Side::Right => node.borrow_mut().right = new,
    }
}

/// Sets the colour of a node, if it exists.
pub(super) fn paint(node: &Option<NodeRef>, color: Color) {
    if let Some(node) = node {
        node.borrow_mut().color = color;
    }
}
