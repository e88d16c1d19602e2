//! Trees whose parts have to fit each other: what was lost for good is made anew, as large as it has to be, and what is wrong with a part
//! is found though it shows only beside the next one.

#![allow(missing_docs)]

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

mod perfect {
    use korat::{Finitize, Repair, rep_ok};

    #[derive(Clone, Debug, PartialEq, Finitize)]
    struct Node {
        height: u32,
        left: Option<Box<Node>>,
        right: Option<Box<Node>>,
    }

    impl Node {
        fn new(height: u32) -> Option<Box<Node>> {
            let child = || Node::new(height - 1);
            (height > 0).then(|| Box::new(Node { height, left: child(), right: child() }))
        }
    }

    /// A tree whose nodes know how high they are. They have two children or none, which are equally high.
    #[derive(Clone, Debug, PartialEq, Finitize)]
    struct Tree {
        root: Option<Box<Node>>,
    }

    #[rep_ok]
    impl Tree {
        fn rep_ok(&self) -> bool {
            self.root.as_ref().is_some_and(|root| root.height == 5 && Self::is_perfect(root))
        }

        fn is_perfect(node: &Node) -> bool {
            // It is read before that is which it is compared with.
            let height = node.height;
            match (&node.left, &node.right) {
                (None, None) => height == 1,
                (Some(left), Some(right)) => {
                    Self::is_perfect(left)
                        && Self::is_perfect(right)
                        && left.height == right.height
                        && height == left.height + 1
                }
                _ => false,
            }
        }
    }

    #[test]
    fn what_is_made_anew_knows_its_height() {
        for (way, added) in [(&[0, 0, 0][..], 1), (&[1, 0, 1], 1), (&[1, 1, 1], 1), (&[0, 1], 3), (&[1, 0], 3)] {
            let mut wrong = Tree { root: Node::new(5) };
            let mut node = wrong.root.as_mut().expect("there is a root");
            for &child in way {
                node = [&mut node.left, &mut node.right][child].as_mut().expect("there is a child");
            }
            node.right = None;
            assert!(!wrong.rep_ok());
            let repaired = Repair::new().max_tries(20_000).repair(&mut wrong);
            let repaired = repaired.unwrap_or_else(|error| panic!("{way:?}: {error}"));
            assert_eq!((repaired.changes.len(), repaired.added.len()), (1, added), "{way:?}: {repaired}");
            assert_eq!(wrong, Tree { root: Node::new(5) });
        }
    }
}

mod coloured {
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
}

mod with_parents {
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
}
