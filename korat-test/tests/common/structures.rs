//! Structures of every kind that a picture tells apart: trees, shared objects, weak and raw pointers, arenas, enums, containers.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fmt;
use std::ptr;
use std::rc::{Rc, Weak};

use korat::{Finitize, rep_ok};

/// A node of a binary tree.
#[derive(Debug, Finitize)]
pub struct TreeNode {
    left: Option<Box<TreeNode>>,
    right: Option<Box<TreeNode>>,
}

/// A binary tree of up to `scope` nodes.
#[derive(Debug, Finitize)]
pub struct Tree {
    root: Option<Box<TreeNode>>,
}

#[rep_ok]
impl Tree {
    /// Any tree will do.
    pub fn rep_ok(&self) -> bool {
        Self::walked(&self.root)
    }

    fn walked(node: &Option<Box<TreeNode>>) -> bool {
        match node {
            Some(node) => Self::walked(&node.left) && Self::walked(&node.right),
            None => true,
        }
    }
}

/// A general tree whose marks nothing reads.
#[derive(Debug, Finitize)]
pub struct Plant {
    mark: bool,
    children: Vec<Plant>,
}

#[rep_ok]
impl Plant {
    /// No node has more than two children.
    pub fn rep_ok(&self) -> bool {
        self.children.len() <= 2 && self.children.iter().all(|child| child.rep_ok())
    }
}

/// A node that several others may share.
#[derive(Debug, Finitize)]
pub struct Term {
    #[finitize(0..=1)]
    weight: u8,
    first: Option<Rc<Term>>,
    second: Option<Rc<Term>>,
}

/// A diamond: two nodes that share a third.
#[derive(Debug, Finitize)]
pub struct Diamond {
    top: Rc<Term>,
}

#[rep_ok]
impl Diamond {
    /// Both of the top's are there, are different, and share what is below them.
    pub fn rep_ok(&self) -> bool {
        let (Some(left), Some(right)) = (&self.top.first, &self.top.second) else { return false };
        let (Some(below), Some(other)) = (&left.first, &right.first) else { return false };
        !Rc::ptr_eq(left, right)
            && Rc::ptr_eq(below, other)
            && left.second.is_none()
            && right.second.is_none()
            && below.first.is_none()
            && below.second.is_none()
    }
}

/// A link of a chain.
#[derive(Debug, Finitize)]
pub struct Link {
    #[finitize(0..=0)]
    elem: u8,
    next: Option<Rc<RefCell<Link>>>,
    prev: Option<Weak<RefCell<Link>>>,
}

/// A list with pointers back, of up to `scope` links.
#[derive(Debug, Finitize)]
pub struct Chain {
    // The weak one comes first: it must not be drawn as if it owned the link.
    tail: Option<Weak<RefCell<Link>>>,
    head: Option<Rc<RefCell<Link>>>,
}

#[rep_ok]
impl Chain {
    /// Every link knows the one before it, and the chain its last.
    pub fn rep_ok(&self) -> bool {
        let mut before: Option<Rc<RefCell<Link>>> = None;
        let mut rest = self.head.clone();
        while let Some(link) = rest {
            let prev = link.borrow().prev.as_ref().map(|prev| prev.upgrade());
            let is_right = match (&before, &prev) {
                (None, None) => true,
                (Some(before), Some(Some(prev))) => Rc::ptr_eq(before, prev),
                _ => false,
            };
            if !is_right {
                return false;
            }
            rest = link.borrow().next.clone();
            before = Some(link);
        }
        match (&before, &self.tail) {
            (None, None) => true,
            (Some(last), Some(tail)) => tail.upgrade().is_some_and(|tail| Rc::ptr_eq(last, &tail)),
            _ => false,
        }
    }
}

/// Something that is looked at from elsewhere.
#[derive(Debug, Finitize)]
pub struct Leaf {
    #[finitize(7..=7)]
    value: u8,
}

/// An owner that also keeps a raw pointer.
#[derive(Debug, Finitize)]
pub struct Watched {
    watch: *const Leaf,
    owned: Box<Leaf>,
}

#[rep_ok]
impl Watched {
    /// The raw pointer leads to what is owned.
    pub fn rep_ok(&self) -> bool {
        ptr::eq(self.watch, &*self.owned)
    }
}

/// One of two.
#[derive(Debug, Finitize)]
pub struct Sibling {
    other: *const Sibling,
}

/// Two that refer to each other.
#[derive(Debug, Finitize)]
pub struct Siblings {
    first: Box<Sibling>,
    second: Box<Sibling>,
}

#[rep_ok]
impl Siblings {
    /// Each leads to the other.
    pub fn rep_ok(&self) -> bool {
        ptr::eq(self.first.other, &*self.second) && ptr::eq(self.second.other, &*self.first)
    }
}

/// A node of a tree in an arena.
#[derive(Debug, Finitize)]
pub struct Twig {
    #[finitize(index_of = twigs)]
    left: Option<usize>,
    #[finitize(index_of = twigs)]
    right: Option<usize>,
    #[finitize(index_of = twigs)]
    parent: Option<usize>,
}

/// A tree of two nodes in an arena.
#[derive(Debug, Finitize)]
pub struct Grove {
    twigs: Vec<Twig>,
    #[finitize(index_of = twigs)]
    root: usize,
}

#[rep_ok]
impl Grove {
    /// The root has one child, which knows its parent.
    pub fn rep_ok(&self) -> bool {
        if self.twigs.len() != 2 || self.root > 1 {
            return false;
        }
        let child = 1 - self.root;
        let (top, leaf) = (&self.twigs[self.root], &self.twigs[child]);
        let is_above = top.parent.is_none() && (top.left == Some(child)) != (top.right == Some(child));
        let has_one = top.left.is_none() || top.right.is_none();
        is_above && has_one && leaf.parent == Some(self.root) && leaf.left.is_none() && leaf.right.is_none()
    }
}

/// A node of a graph in an arena.
#[derive(Debug, Finitize)]
pub struct Vertex {
    #[finitize(index_of = vertices)]
    next: Option<usize>,
}

/// A graph in an arena: every vertex leads to at most one other.
#[derive(Debug, Finitize)]
pub struct Arena {
    #[finitize(len = scope..=scope)]
    vertices: Vec<Vertex>,
    #[finitize(index_of = vertices)]
    start: usize,
}

#[rep_ok]
impl Arena {
    /// Everything can be reached from the start.
    pub fn rep_ok(&self) -> bool {
        let mut seen = HashSet::new();
        let mut at = Some(self.start);
        while let Some(vertex) = at {
            if !seen.insert(vertex) {
                break;
            }
            at = self.vertices[vertex].next;
        }
        seen.len() == self.vertices.len()
    }
}

/// A graph whose vertices are no objects.
#[derive(Debug, Finitize)]
pub struct Graph {
    #[finitize(index_of = successors, set)]
    successors: Vec<Vec<usize>>,
}

#[rep_ok]
impl Graph {
    /// There are two vertices, one of which leads to the other and to itself.
    pub fn rep_ok(&self) -> bool {
        if self.successors.len() != 2 {
            return false;
        }
        let [one, other] = [&self.successors[0], &self.successors[1]];
        let leads_to_both = |out: &Vec<usize>| out.len() == 2 && out[0] != out[1];
        one.is_empty() && leads_to_both(other) || other.is_empty() && leads_to_both(one)
    }
}

/// An expression.
#[derive(Clone, Debug, Finitize)]
pub enum Expr {
    /// A number.
    Number(#[finitize(0..=1)] u8),
    /// Less than zero.
    Negative {
        /// What is negated.
        of: Box<Expr>,
    },
    /// A sum.
    Sum(Box<Expr>, Box<Expr>),
}

/// A formula with a sum on top.
#[derive(Debug, Finitize)]
pub struct Formula {
    expr: Box<Expr>,
}

#[rep_ok]
impl Formula {
    /// A sum of a negative number and another number.
    pub fn rep_ok(&self) -> bool {
        let Expr::Sum(left, right) = &*self.expr else { return false };
        let Expr::Negative { of } = &**left else { return false };
        matches!((&**of, &**right), (Expr::Number(1), Expr::Number(0)))
    }
}

/// A part in a list.
#[derive(Debug, Finitize)]
pub struct Part {
    #[finitize(5..=5)]
    number: u8,
}

/// Lists, sets and maps of all kinds.
#[derive(Debug, Finitize)]
pub struct Containers {
    #[finitize(len = 3..=3)]
    bits: Vec<bool>,
    #[finitize(len = 0..=0)]
    none: Vec<u8>,
    #[finitize(len = 2..=2)]
    pairs: Vec<(bool, bool)>,
    array: [bool; 2],
    #[finitize('a'..='b')]
    letters: BTreeSet<char>,
    #[finitize(1..=2)]
    names: BTreeMap<u8, bool>,
    #[finitize(len = 2..=2)]
    parts: Vec<Part>,
    #[finitize(len = 2..=2)]
    boxes: Vec<Option<Box<Part>>>,
}

#[rep_ok]
impl Containers {
    /// One value out of many.
    pub fn rep_ok(&self) -> bool {
        self.bits[0]
            && !self.bits[1]
            && self.bits[2]
            && self.pairs.iter().all(|pair| pair.0 && !pair.1)
            && self.array[0]
            && !self.array[1]
            && self.letters.contains(&'b')
            && !self.letters.contains(&'a')
            && self.names.get(&2) == Some(&true)
            && !self.names.contains_key(&1)
            && self.boxes[0].is_none()
            && self.boxes[1].is_some()
    }
}

/// A text that means something to everything that draws it, and is drawn as it stands.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Evil(pub &'static str);

impl fmt::Debug for Evil {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

/// Texts that mean something in HTML, SVG, DOT and scripts.
pub const EVIL: [&str; 7] = [
    "<script>alert('1')</script>",
    "&lt; \"quoted\" & 'single'",
    "{a|b} <port> \\N \\",
    "line\nbreak\tand \u{1b}[31m bell \u{7}",
    "</pre></svg>]]>--><!--",
    "\u{65e5}\u{672c} \u{1f600} \u{ffff}",
    "\\\"",
];

/// A value with such a text.
#[derive(Debug, Finitize)]
pub struct Hostile {
    #[finitize(values = EVIL.map(Evil))]
    text: Evil,
}

#[rep_ok(plain(Evil))]
impl Hostile {
    /// Every text will do.
    pub fn rep_ok(&self) -> bool {
        self.text.0.len() < 100
    }
}
