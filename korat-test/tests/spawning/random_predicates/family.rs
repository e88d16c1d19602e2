//! The classes that random predicates are about: their source, their fields, and how a node of them is held and read.

/// What a field holds, as far as expressions care.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `usize`.
    Num,
    /// `u8`.
    Small,
    /// `bool`.
    Flag,
    /// The enum `Tint`.
    Tint,
    /// `Vec<usize>`.
    Numbers,
    /// `[u8; 2]`.
    Pair,
    /// `Option<_>` of a pointer to a node.
    Link,
    /// `Weak<_>` of a node.
    Weak,
}

/// One field of a class.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    pub name: &'static str,
    pub kind: Kind,
}

/// How a predicate holds on to a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Handle {
    /// `&Node`.
    Ref,
    /// `Rc<Node>`.
    Rc,
    /// `Rc<RefCell<Node>>`.
    Cell,
}

/// A root class and a class of nodes.
#[derive(Debug)]
pub struct Family {
    pub root: &'static str,
    pub node: &'static str,
    pub handle: Handle,
    pub root_fields: &'static [Field],
    pub node_fields: &'static [Field],
    /// The classes.
    pub source: &'static str,
    /// A helper that refuses what no value can be, and its call: without it a classic search ends at the first such
    /// candidate that is accepted.
    pub tidy: Option<(&'static str, &'static str)>,
}

impl Family {
    /// The type of a node at hand.
    pub fn node_type(&self, lifetime: &str) -> String {
        match self.handle {
            Handle::Ref if lifetime.is_empty() => format!("&{}", self.node),
            Handle::Ref => format!("&{lifetime} {}", self.node),
            Handle::Rc => format!("Rc<{}>", self.node),
            Handle::Cell => format!("Rc<RefCell<{}>>", self.node),
        }
    }

    /// The type of a node's identity.
    pub fn pointer_type(&self) -> String {
        match self.handle {
            Handle::Ref | Handle::Rc => format!("*const {}", self.node),
            Handle::Cell => format!("*const RefCell<{}>", self.node),
        }
    }

    /// Whether a node at hand is `Copy`.
    pub fn copies(&self) -> bool {
        self.handle == Handle::Ref
    }
}

const fn field(name: &'static str, kind: Kind) -> Field {
    Field { name, kind }
}

pub const FAMILIES: [Family; 4] = [
    Family {
        root: "Tree",
        node: "Node",
        handle: Handle::Ref,
        root_fields: &[field("root", Kind::Link), field("size", Kind::Num)],
        node_fields: &[
            field("key", Kind::Num),
            field("left", Kind::Link),
            field("right", Kind::Link),
            field("flag", Kind::Flag),
        ],
        source: "
#[cfg_attr(feature = \"lifted\", derive(Debug, Finitize))]
pub struct Node {
    #[cfg_attr(feature = \"lifted\", finitize(0..=2))]
    key: usize,
    left: Option<Box<Node>>,
    right: Option<Box<Node>>,
    flag: bool,
}

#[cfg_attr(feature = \"lifted\", derive(Debug, Finitize))]
pub struct Tree {
    root: Option<Box<Node>>,
    #[cfg_attr(feature = \"lifted\", finitize(0..=scope))]
    size: usize,
}
",
        tidy: Some((
            "
fn tidy(node: Option<&Node>, known: &mut HashSet<*const Node>) -> bool {
    let Some(node) = node else { return true };
    known.insert(node) && Self::tidy(node.left.as_deref(), known) && Self::tidy(node.right.as_deref(), known)
}
",
            "Self::tidy(self.root.as_deref(), &mut HashSet::new())",
        )),
    },
    Family {
        root: "List",
        node: "Item",
        handle: Handle::Ref,
        root_fields: &[field("head", Kind::Link), field("len", Kind::Num), field("tally", Kind::Pair)],
        node_fields: &[
            field("value", Kind::Small),
            field("next", Kind::Link),
            field("marks", Kind::Numbers),
            field("tint", Kind::Tint),
        ],
        source: "
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = \"lifted\", derive(Finitize))]
pub enum Tint {
    Red,
    Green,
    Blue,
}

#[cfg_attr(feature = \"lifted\", derive(Debug, Finitize))]
pub struct Item {
    #[cfg_attr(feature = \"lifted\", finitize(0..=2))]
    value: u8,
    next: Option<Box<Item>>,
    #[cfg_attr(feature = \"lifted\", finitize(0..=1, len = 0..=2))]
    marks: Vec<usize>,
    tint: Tint,
}

#[cfg_attr(feature = \"lifted\", derive(Debug, Finitize))]
pub struct List {
    head: Option<Box<Item>>,
    #[cfg_attr(feature = \"lifted\", finitize(0..=scope))]
    len: usize,
    #[cfg_attr(feature = \"lifted\", finitize(0..=1))]
    tally: [u8; 2],
}
",
        tidy: Some((
            "
fn tidy(&self) -> bool {
    let mut known = Vec::new();
    let mut at = &self.head;
    while let Some(item) = at {
        if known.contains(&(&raw const **item)) {
            return false;
        }
        known.push(&raw const **item);
        at = &item.next;
    }
    true
}
",
            "self.tidy()",
        )),
    },
    Family {
        root: "Route",
        node: "Spot",
        handle: Handle::Rc,
        root_fields: &[
            field("start", Kind::Link),
            field("end", Kind::Link),
            field("depth", Kind::Num),
            field("best", Kind::Weak),
        ],
        node_fields: &[
            field("mark", Kind::Small),
            field("next", Kind::Link),
            field("other", Kind::Link),
            field("home", Kind::Weak),
        ],
        source: "
#[cfg_attr(feature = \"lifted\", derive(Debug, Finitize))]
pub struct Spot {
    #[cfg_attr(feature = \"lifted\", finitize(0..=1))]
    mark: u8,
    next: Option<Rc<Spot>>,
    other: Option<Rc<Spot>>,
    home: Weak<Spot>,
}

#[cfg_attr(feature = \"lifted\", derive(Debug, Finitize))]
pub struct Route {
    start: Option<Rc<Spot>>,
    end: Option<Rc<Spot>>,
    #[cfg_attr(feature = \"lifted\", finitize(0..=scope))]
    depth: usize,
    best: Weak<Spot>,
}
",
        tidy: Some((
            "
fn tidy(spot: &Option<Rc<Spot>>, path: &mut Vec<*const Spot>) -> bool {
    let Some(spot) = spot else { return true };
    if path.contains(&Rc::as_ptr(spot)) {
        return false;
    }
    path.push(Rc::as_ptr(spot));
    let fine = Self::tidy(&spot.next, path) && Self::tidy(&spot.other, path);
    path.pop();
    fine
}
",
            "Self::tidy(&self.start, &mut Vec::new()) && Self::tidy(&self.end, &mut Vec::new())",
        )),
    },
    Family {
        root: "Ring",
        node: "Knot",
        handle: Handle::Cell,
        root_fields: &[field("first", Kind::Link), field("len", Kind::Num), field("counts", Kind::Numbers)],
        node_fields: &[field("next", Kind::Link), field("on", Kind::Flag), field("weight", Kind::Num)],
        source: "
#[cfg_attr(feature = \"lifted\", derive(Debug, Finitize))]
pub struct Knot {
    next: Option<Rc<RefCell<Knot>>>,
    on: bool,
    #[cfg_attr(feature = \"lifted\", finitize(0..=2))]
    weight: usize,
}

#[cfg_attr(feature = \"lifted\", derive(Debug, Finitize))]
pub struct Ring {
    first: Option<Rc<RefCell<Knot>>>,
    #[cfg_attr(feature = \"lifted\", finitize(0..=scope))]
    len: usize,
    #[cfg_attr(feature = \"lifted\", finitize(0..=1, len = 0..=2))]
    counts: Vec<usize>,
}
",
        tidy: None,
    },
];
