//! Trees whose parts have to fit each other: what was lost for good is made anew, as large as it has to be, and what is wrong with a part
//! is found though it shows only beside the next one.

mod coloured;
mod perfect;
mod with_parents;

use korat::{Finitize, Irreparable, Repair, Repaired, field, rep_ok};

#[derive(Clone, Debug, PartialEq, Finitize)]
struct Node {
    keys: [Option<u32>; 3],
    children: [Option<Box<Node>>; 4],
    len: u8,
}

#[derive(Clone, Debug, PartialEq, Finitize)]
struct Tree {
    root: Option<Box<Node>>,
    size: usize,
}

#[rep_ok]
impl Tree {
    fn rep_ok(&self) -> bool {
        let mut count = 0;
        match &self.root {
            None => self.size == 0,
            Some(root) => Self::depth(root, None, None, &mut count).is_some() && count == self.size,
        }
    }

    /// The depth of a part that is all right, with its keys between two others.
    fn depth(node: &Node, above: Option<u32>, below: Option<u32>, count: &mut usize) -> Option<u32> {
        let len = node.len as usize;
        if len == 0 || len > 3 {
            return None;
        }
        let mut last = above;
        for at in 0..3 {
            if at >= len {
                if node.keys[at].is_some() {
                    return None;
                }
                continue;
            }
            let key = node.keys[at]?;
            if last.is_some_and(|last| key <= last) || below.is_some_and(|below| key >= below) {
                return None;
            }
            last = Some(key);
        }
        *count += len;
        let mut depth = None;
        for at in 0..4 {
            let child = &node.children[at];
            if at > len {
                if child.is_some() {
                    return None;
                }
                continue;
            }
            let above = if at == 0 { above } else { node.keys[at - 1] };
            let below = if at == len { below } else { node.keys[at] };
            let of_child = match child {
                None => 0,
                Some(child) => Self::depth(child, above, below, count)?,
            };
            if depth.is_some_and(|depth| depth != of_child) {
                return None;
            }
            depth = Some(of_child);
        }
        depth.map(|depth| depth + 1)
    }
}

/// Two keys a node, some apart.
fn node(depth: u32, next: &mut u32, size: &mut usize) -> Option<Box<Node>> {
    if depth == 0 {
        return None;
    }
    let mut new = Node { keys: [None; 3], children: [None, None, None, None], len: 2 };
    for at in 0..3 {
        new.children[at] = node(depth - 1, next, size);
        if at < 2 {
            new.keys[at] = Some(*next);
            *next += 3;
            *size += 1;
        }
    }
    Some(Box::new(new))
}

fn tree(depth: u32) -> Tree {
    let (mut next, mut size) = (10, 0);
    let root = node(depth, &mut next, &mut size);
    Tree { root, size }
}

/// The node that is come to by children with these numbers.
fn at<'t>(tree: &'t mut Tree, way: &[usize]) -> &'t mut Node {
    let root = tree.root.as_mut().expect("there is a root");
    way.iter().fold(root, |node, &child| node.children[child].as_mut().expect("there is a child"))
}

fn repair(tree: &mut Tree) -> Result<Repaired, Irreparable> {
    assert!(!tree.rep_ok());
    let repaired = Repair::new().max_tries(20_000).repair(tree);
    assert_eq!(tree.rep_ok(), repaired.is_ok());
    repaired
}

#[test]
fn a_leaf_is_made_anew() {
    for parent in [&[][..], &[0], &[2], &[1, 1], &[2, 0, 1]] {
        for child in 0..3 {
            let mut wrong = tree(parent.len() as u32 + 2);
            at(&mut wrong, parent).children[child] = None;
            let before = wrong.clone();
            let repaired = repair(&mut wrong).unwrap_or_else(|error| panic!("{parent:?}, child {child}: {error}"));
            assert_eq!((repaired.changes.len(), repaired.added.len()), (2, 1), "{parent:?}, child {child}: {repaired}");
            assert_eq!(repaired.dropped.len(), 0);
            // Everything else is as it was.
            let made = at(&mut wrong, parent).children[child].take().expect("it was made");
            assert_eq!(wrong.size, before.size - 2 + made.len as usize);
            assert_eq!(Tree { size: before.size, ..wrong }, before);
        }
    }
}

#[test]
fn a_part_of_two_levels_is_made_anew() {
    for parent in [&[][..], &[0], &[2]] {
        for child in 0..3 {
            let mut wrong = tree(parent.len() as u32 + 3);
            at(&mut wrong, parent).children[child] = None;
            let repaired = repair(&mut wrong).unwrap_or_else(|error| panic!("{parent:?}, child {child}: {error}"));
            assert_eq!((repaired.changes.len(), repaired.added.len()), (2, 3), "{parent:?}, child {child}: {repaired}");
            assert_eq!(repaired.dropped.len(), 0);
        }
    }
}

#[test]
fn a_part_of_three_levels_is_made_anew() {
    let mut wrong = tree(4);
    at(&mut wrong, &[]).children[2] = None;
    let repaired = repair(&mut wrong).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!((repaired.changes.len(), repaired.added.len(), repaired.dropped.len()), (2, 7, 0), "{repaired}");
}

#[test]
fn several_leaves_are_made_anew() {
    let mut wrong = tree(4);
    for (parent, child) in [([0, 1], 0), ([1, 2], 1), ([2, 2], 2), ([2, 0], 0)] {
        at(&mut wrong, &parent).children[child] = None;
    }
    let repaired = repair(&mut wrong).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!((repaired.changes.len(), repaired.added.len(), repaired.dropped.len()), (5, 4, 0), "{repaired}");
}

#[test]
fn as_much_is_made_as_is_allowed() {
    // 36 nodes are left: bounds have room for 40.
    let lost = || {
        let mut wrong = tree(4);
        at(&mut wrong, &[1]).children[1] = None;
        wrong
    };
    for (fresh, is_enough) in [(0, false), (2, false), (3, true)] {
        let mut wrong = lost();
        let repaired = Repair::new().max_tries(20_000).fresh(fresh).repair(&mut wrong);
        assert_eq!(repaired.is_ok(), is_enough, "{fresh}");
        assert!(is_enough || wrong == lost());
    }
    let mut wrong = lost();
    let kept = Repair::new().max_tries(20_000).keep(field!(Node.children)).repair(&mut wrong);
    assert!(kept.is_err(), "no link may change");
    assert_eq!(wrong, lost());
}

#[test]
fn within_bounds_it_is_made_of_their_objects() {
    let mut wrong = tree(2);
    at(&mut wrong, &[]).children[1] = None;
    let bounds = Tree::scope(32).objects::<Node>(4);
    let repaired = Repair::new().within(bounds).max_tries(20_000).repair(&mut wrong).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!((repaired.changes.len(), repaired.added.len()), (2, 1), "{repaired}");
    assert!(wrong.rep_ok());
}

#[test]
fn a_wrong_length_far_above_is_found_though_a_key_was_changed_first() {
    for depth in [4, 6] {
        let mut wrong = tree(depth);
        at(&mut wrong, &[]).len = 3;
        let repaired = repair(&mut wrong).unwrap_or_else(|error| panic!("depth {depth}: {error}"));
        assert_eq!((repaired.changes.len(), &wrong), (1, &tree(depth)), "depth {depth}: {repaired}");
    }
}

#[test]
fn a_wrong_key_far_above_becomes_right_in_a_few_steps() {
    for key in [None, Some(3), Some(11)] {
        let mut wrong = tree(7);
        at(&mut wrong, &[]).keys[1] = key;
        let repaired =
            Repair::new().max_tries(1_000).repair(&mut wrong).unwrap_or_else(|error| panic!("{key:?}: {error}"));
        assert_eq!(repaired.changes.len(), 1, "{key:?}: {repaired}");
        assert!(wrong.rep_ok());
    }
}
