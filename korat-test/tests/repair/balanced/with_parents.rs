//! A tree whose nodes point back to their parents.

use std::cell::RefCell;
use std::rc::{Rc, Weak};

use korat::{Finitize, rep_ok};

#[derive(Debug, Finitize)]
struct Node {
    parent: RefCell<Weak<Node>>,
    left: RefCell<Option<Rc<Node>>>,
    right: RefCell<Option<Rc<Node>>>,
}

/// A tree whose leaves lie equally deep, with ways back.
#[derive(Debug, Finitize)]
struct Tree {
    root: Option<Rc<Node>>,
    len: usize,
}

#[rep_ok]
impl Tree {
    fn rep_ok(&self) -> bool {
        let mut len = 0;
        let is_perfect = match &self.root {
            None => true,
            Some(root) => root.parent.borrow().upgrade().is_none() && Self::depth(root, &mut len).is_some(),
        };
        is_perfect && len == self.len
    }

    fn depth(node: &Rc<Node>, len: &mut usize) -> Option<u32> {
        *len += 1;
        let left = Self::depth_below(node, &node.left.borrow(), len)?;
        let right = Self::depth_below(node, &node.right.borrow(), len)?;
        if left != right {
            return None;
        }
        Some(left + 1)
    }

    fn depth_below(node: &Rc<Node>, child: &Option<Rc<Node>>, len: &mut usize) -> Option<u32> {
        let Some(child) = child else { return Some(0) };
        let parent = child.parent.borrow().upgrade()?;
        if !Rc::ptr_eq(&parent, node) {
            return None;
        }
        Self::depth(child, len)
    }
}

fn node(depth: u32, parent: &Weak<Node>) -> Option<Rc<Node>> {
    if depth == 0 {
        return None;
    }
    let new =
        Rc::new(Node { parent: RefCell::new(parent.clone()), left: RefCell::new(None), right: RefCell::new(None) });
    *new.left.borrow_mut() = node(depth - 1, &Rc::downgrade(&new));
    *new.right.borrow_mut() = node(depth - 1, &Rc::downgrade(&new));
    Some(new)
}

#[test]
fn what_is_made_anew_has_a_way_back() {
    for (at, is_left) in [(0, false), (0, true), (1, false), (1, true)] {
        let root = node(4, &Weak::new()).expect("it has a root");
        let child = if at == 0 { root.left.borrow().clone() } else { root.right.borrow().clone() };
        let child = child.expect("it has children");
        let lost = if is_left { &child.left } else { &child.right };
        *lost.borrow_mut() = None;
        drop(child);
        let mut wrong = Tree { root: Some(root), len: 15 };
        assert!(!wrong.rep_ok());
        let repaired = korat::repair(&mut wrong).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!((repaired.changes.len(), repaired.added.len()), (1, 3), "{repaired}");
        assert!(wrong.rep_ok());
    }
}
