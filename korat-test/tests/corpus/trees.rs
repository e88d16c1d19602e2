//! Binary trees of boxes: search order, balance, shape, by recursion and by stacks.

use std::collections::{BTreeMap, HashSet, VecDeque};

use korat::{Finitize, rep_ok};

#[derive(Debug, Finitize)]
pub struct Node {
    #[finitize(0..=2)]
    key: u8,
    left: Option<Box<Node>>,
    right: Option<Box<Node>>,
}

/// Trees of at most `scope` nodes, one type for each invariant.
macro_rules! trees {
    ($($Tree:ident)*) => {$(
        #[derive(Debug, Finitize)]
        pub struct $Tree {
            root: Option<Box<Node>>,
        }
    )*};
}

trees! {
    SearchByBounds SearchByKeys SearchByStack Balanced Complete HeapOrdered Alternating Mirrored Full RisingPaths Narrow
    PostOrder Summary Leaning
}

#[rep_ok]
impl SearchByBounds {
    fn rep_ok(&self) -> bool {
        Self::between(&self.root, None, None)
    }

    fn between(node: &Option<Box<Node>>, lo: Option<u8>, hi: Option<u8>) -> bool {
        match node {
            None => true,
            Some(n) => {
                if let Some(lo) = lo
                    && n.key <= lo
                {
                    return false;
                }
                hi.is_none_or(|hi| n.key < hi)
                    && Self::between(&n.left, lo, Some(n.key))
                    && Self::between(&n.right, Some(n.key), hi)
            }
        }
    }
}

#[rep_ok]
impl SearchByKeys {
    fn rep_ok(&self) -> bool {
        fn collect(node: Option<&Node>, keys: &mut Vec<u8>) {
            if let Some(node) = node {
                collect(node.left.as_deref(), keys);
                keys.push(node.key);
                collect(node.right.as_deref(), keys);
            }
        }
        let mut keys = Vec::new();
        collect(self.root.as_deref(), &mut keys);
        keys.windows(2).all(|pair| pair[0] < pair[1])
    }
}

#[rep_ok]
impl SearchByStack {
    fn rep_ok(&self) -> bool {
        let mut stack: Vec<&Node> = vec![];
        let mut current = &self.root;
        let mut previous: Option<u8> = None;
        loop {
            while let Some(node) = current {
                stack.push(node);
                current = &node.left;
            }
            let Some(node) = stack.pop() else { return true };
            if previous.is_some_and(|previous| previous >= node.key) {
                return false;
            }
            previous = Some(node.key);
            current = &node.right;
        }
    }
}

#[rep_ok]
impl Balanced {
    fn rep_ok(&self) -> bool {
        Self::height(&self.root).is_ok_and(|height| height != 1)
    }

    /// The height, or the key of a node that leans too far.
    fn height(node: &Option<Box<Node>>) -> Result<i32, u8> {
        let Some(node) = node else { return Ok(0) };
        let left = Self::height(&node.left)?;
        let right = Self::height(&node.right)?;
        if (left - right).abs() > 1 {
            return Err(node.key);
        }
        Ok(1 + left.max(right))
    }
}

#[rep_ok]
impl Complete {
    fn rep_ok(&self) -> bool {
        let mut queue = VecDeque::from([self.root.as_ref()]);
        let mut gap = false;
        while let Some(next) = queue.pop_front() {
            match next {
                None => gap = true,
                Some(_) if gap => return false,
                Some(node) => {
                    queue.push_back(node.left.as_ref());
                    queue.push_back(node.right.as_ref());
                }
            }
        }
        true
    }
}

#[rep_ok]
impl HeapOrdered {
    fn rep_ok(&self) -> bool {
        self.root.as_ref().is_none_or(|root| Self::dominates(root))
    }

    fn dominates(node: &Node) -> bool {
        for child in [&node.left, &node.right].into_iter().flatten() {
            if child.key > node.key || !Self::dominates(child) {
                return false;
            }
        }
        true
    }
}

#[rep_ok]
impl Alternating {
    /// Keys are even on even levels and odd on odd ones.
    fn rep_ok(&self) -> bool {
        Self::even(&self.root)
    }

    fn even(node: &Option<Box<Node>>) -> bool {
        node.as_ref().is_none_or(|n| n.key % 2 == 0 && Self::odd(&n.left) && Self::odd(&n.right))
    }

    fn odd(node: &Option<Box<Node>>) -> bool {
        node.as_ref().is_none_or(|n| n.key % 2 == 1 && Self::even(&n.left) && Self::even(&n.right))
    }
}

#[rep_ok]
impl Mirrored {
    fn rep_ok(&self) -> bool {
        let Some(root) = &self.root else { return false };
        Self::mirror(&root.left, &root.right)
    }

    fn mirror(one: &Option<Box<Node>>, other: &Option<Box<Node>>) -> bool {
        match (one, other) {
            (None, None) => true,
            (Some(a), Some(b)) => a.key == b.key && Self::mirror(&a.left, &b.right) && Self::mirror(&a.right, &b.left),
            _ => false,
        }
    }
}

#[rep_ok]
impl Full {
    /// Every node has no child or two.
    fn rep_ok(&self) -> bool {
        let mut work: Vec<&Box<Node>> = self.root.iter().collect();
        while let Some(node) = work.pop() {
            if node.left.is_some() != node.right.is_some() {
                return false;
            }
            work.extend(node.left.iter().chain(&node.right));
        }
        true
    }
}

#[rep_ok]
impl RisingPaths {
    fn rep_ok(&self) -> bool {
        let mut path = Vec::new();
        Self::rises(&self.root, &mut path) && path.is_empty()
    }

    fn rises(node: &Option<Box<Node>>, path: &mut Vec<u8>) -> bool {
        let Some(n) = node else { return true };
        let last = path.last();
        if let Some(last) = last {
            if n.key < *last || (n.key == *last && path.len() > 1) {
                return false;
            }
        }
        path.push(n.key);
        let rises = Self::rises(&n.left, path) && Self::rises(&n.right, path);
        path.pop();
        rises
    }
}

#[rep_ok]
impl Narrow {
    /// No level has more nodes than the one above it has plus one, and the widest has two.
    fn rep_ok(&self) -> bool {
        let mut widths: BTreeMap<usize, usize> = BTreeMap::new();
        let mut work = vec![(self.root.as_deref(), 0)];
        while let Some((node, depth)) = work.pop() {
            let Some(node) = node else { continue };
            let width = widths.entry(depth).or_insert(0);
            *width += 1;
            if *width > 2 {
                return false;
            }
            work.push((node.left.as_deref(), depth + 1));
            work.push((node.right.as_deref(), depth + 1));
        }
        widths.values().max() == Some(&2)
    }
}

#[rep_ok]
impl PostOrder {
    /// Keys do not fall in post-order; a stack of frames that remember how far they have come.
    fn rep_ok(&self) -> bool {
        struct Frame<'a> {
            node: &'a Node,
            visited: u8,
        }
        let mut stack: Vec<Frame> = Vec::new();
        if let Some(root) = &self.root {
            stack.push(Frame { node: root, visited: 0 });
        }
        let mut last = 0;
        while let Some(top) = stack.last_mut() {
            let child = match top.visited {
                0 => &top.node.left,
                1 => &top.node.right,
                _ => {
                    if top.node.key < last {
                        return false;
                    }
                    last = top.node.key;
                    stack.pop();
                    continue;
                }
            };
            top.visited += 1;
            if let Some(child) = child {
                stack.push(Frame { node: child, visited: 0 });
            }
        }
        true
    }
}

#[rep_ok]
impl Summary {
    /// Least and greatest key of each subtree are at most one apart, and its size is at most its greatest key plus one.
    fn rep_ok(&self) -> bool {
        self.root.as_deref().is_none_or(|root| Self::summary(root).is_some())
    }

    fn summary(node: &Node) -> Option<(usize, u8, u8)> {
        let (mut size, mut least, mut greatest) = (1, node.key, node.key);
        for child in [node.left.as_deref(), node.right.as_deref()] {
            let Some(child) = child else { continue };
            let (more, low, high) = Self::summary(child)?;
            size += more;
            least = least.min(low);
            greatest = greatest.max(high);
        }
        if greatest - least > 1 || size > usize::from(greatest) + 1 {
            return None;
        }
        Some((size, least, greatest))
    }
}

#[rep_ok]
impl Leaning {
    /// A left-leaning heap: the right spine is nowhere longer than the left one.
    fn rep_ok(&self) -> bool {
        fn rank(node: &Option<Box<Node>>) -> usize {
            let mut rank = 0;
            let mut at = node;
            while let Some(n) = at {
                rank += 1;
                at = &n.right;
            }
            rank
        }
        fn leans(node: &Option<Box<Node>>) -> bool {
            let Some(node) = node else { return true };
            rank(&node.left) >= rank(&node.right) && leans(&node.left) && leans(&node.right)
        }
        leans(&self.root)
    }
}

/// A tree that knows its size.
#[derive(Debug, Finitize)]
pub struct Sized {
    root: Option<Box<Node>>,
    size: usize,
}

#[rep_ok]
impl Sized {
    fn rep_ok(&self) -> bool {
        let mut visited = HashSet::new();
        let mut count = 0;
        self.visit(&self.root, &mut visited, &mut count) && count == self.size
    }

    fn visit(&self, node: &Option<Box<Node>>, visited: &mut HashSet<*const Node>, count: &mut usize) -> bool {
        let Some(n) = node else { return true };
        if !visited.insert(&**n) {
            return false;
        }
        *count += 1;
        *count <= self.size && self.visit(&n.left, visited, count) && self.visit(&n.right, visited, count)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Finitize)]
pub enum Color {
    Red,
    Black,
}

#[derive(Debug, Finitize)]
pub struct Painted {
    color: Color,
    left: Option<Box<Painted>>,
    right: Option<Box<Painted>>,
}

/// The colours of a red-black tree.
#[derive(Debug, Finitize)]
pub struct RedBlack {
    root: Option<Box<Painted>>,
}

#[rep_ok]
impl RedBlack {
    fn rep_ok(&self) -> bool {
        match &self.root {
            Some(root) if root.color == Color::Red => false,
            root => Self::black_height(root, Color::Black).is_some(),
        }
    }

    fn black_height(node: &Option<Box<Painted>>, above: Color) -> Option<u32> {
        let node = match node {
            None => return Some(1),
            Some(node) => node,
        };
        let own = match (node.color, above) {
            (Color::Red, Color::Red) => return None,
            (Color::Red, Color::Black) => 0,
            (Color::Black, _) => 1,
        };
        let left = Self::black_height(&node.left, node.color)?;
        let right = Self::black_height(&node.right, node.color)?;
        (left == right).then_some(left + own)
    }
}
