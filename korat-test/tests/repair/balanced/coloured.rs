//! A red-black tree: a wrong colour shows in another part.

use korat::{Finitize, Repair, rep_ok};

#[derive(Clone, Debug, PartialEq, Finitize)]
struct Node {
    key: i32,
    red: bool,
    left: Option<Box<Node>>,
    right: Option<Box<Node>>,
}

/// A red-black tree.
#[derive(Clone, Debug, PartialEq, Finitize)]
struct Tree {
    root: Option<Box<Node>>,
    len: usize,
}

#[rep_ok]
impl Tree {
    fn rep_ok(&self) -> bool {
        if self.root.as_ref().is_some_and(|root| root.red) {
            return false;
        }
        let mut len = 0;
        Self::black_height(self.root.as_deref(), None, None, false, &mut len).is_some() && len == self.len
    }

    fn black_height(
        node: Option<&Node>,
        above: Option<i32>,
        below: Option<i32>,
        is_parent_red: bool,
        len: &mut usize,
    ) -> Option<u32> {
        let Some(node) = node else { return Some(1) };
        if above.is_some_and(|above| node.key <= above) || below.is_some_and(|below| node.key >= below) {
            return None;
        }
        if is_parent_red && node.red {
            return None;
        }
        *len += 1;
        let left = Self::black_height(node.left.as_deref(), above, Some(node.key), node.red, len)?;
        let right = Self::black_height(node.right.as_deref(), Some(node.key), below, node.red, len)?;
        if left != right {
            return None;
        }
        Some(left + if node.red { 0 } else { 1 })
    }
}

/// Levels that are black and red by turns.
fn node(keys: std::ops::Range<i32>, level: u32, levels: u32) -> Option<Box<Node>> {
    if level == levels {
        return None;
    }
    let key = (keys.start + keys.end) / 2;
    let left = node(keys.start..key, level + 1, levels);
    let right = node(key..keys.end, level + 1, levels);
    Some(Box::new(Node { key, red: level % 2 == 1, left, right }))
}

fn tree(levels: u32) -> Tree {
    Tree { root: node(0..1_000, 0, levels), len: (1 << levels) - 1 }
}

/// The node of a number: that of the root is 1, its children have 2 and 3.
fn numbered(tree: &mut Tree, number: u32) -> &mut Node {
    let mut node = tree.root.as_mut().expect("there is a root");
    for level in (0..number.ilog2()).rev() {
        let child = if number >> level & 1 == 0 { &mut node.left } else { &mut node.right };
        node = child.as_mut().expect("there is a child");
    }
    node
}

#[test]
fn a_wrong_colour_is_found_though_it_shows_beside_another_part() {
    for number in 1..32 {
        let mut wrong = tree(5);
        let node = numbered(&mut wrong, number);
        node.red = !node.red;
        assert!(!wrong.rep_ok());
        let repaired = Repair::new().max_tries(5_000).repair(&mut wrong);
        let repaired = repaired.unwrap_or_else(|error| panic!("node {number}: {error}"));
        assert_eq!(repaired.changes.len(), 1, "node {number}: {repaired}");
    }
}

#[test]
fn a_lost_part_has_the_height_of_the_one_beside_it() {
    for number in 4..8 {
        let mut wrong = tree(5);
        numbered(&mut wrong, number).left = None;
        assert!(!wrong.rep_ok());
        let repaired = Repair::new().max_tries(20_000).repair(&mut wrong);
        let repaired = repaired.unwrap_or_else(|error| panic!("node {number}: {error}"));
        assert_eq!((repaired.changes.len(), repaired.dropped.len()), (2, 0), "node {number}: {repaired}");
        assert!((1..=3).contains(&repaired.added.len()), "node {number}: {repaired}");
    }
}
