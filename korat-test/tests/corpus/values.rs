//! Classes by value, in fields, vectors, arrays and options; tuple structs, unit structs, nested modules.

use std::cmp::Ordering;
use std::collections::{HashMap, VecDeque};

use korat::{Finitize, rep_ok};

/// A node with its children in it.
#[derive(Clone, Debug, PartialEq, Finitize)]
pub struct Node {
    #[finitize(0..=1)]
    key: u8,
    children: Vec<Node>,
}

#[rep_ok(helpers)]
impl Node {
    fn height(&self) -> usize {
        self.children.iter().map(Node::height).max().map_or(0, |height| height + 1)
    }

    fn size(&self) -> usize {
        1 + self.children.iter().map(|child| child.size()).sum::<usize>()
    }

    fn check(&self) -> bool {
        self.children.iter().all(|child| child.key >= self.key) && self.children.iter().all(Self::check)
    }
}

/// Trees of nodes by value, one type for each invariant.
macro_rules! trees {
    ($($Type:ident)*) => {$(
        #[derive(Debug, Finitize)]
        pub struct $Type {
            root: Node,
        }
    )*};
}

trees! { Heaped Tall Level Siblings Breadth Spine Paths }

#[rep_ok]
impl Heaped {
    fn rep_ok(&self) -> bool {
        self.root.check()
    }
}

#[rep_ok]
impl Tall {
    fn rep_ok(&self) -> bool {
        self.root.height() + 1 == self.root.size()
    }
}

#[rep_ok]
impl Level {
    /// The keys are the parities of the levels.
    fn rep_ok(&self) -> bool {
        Self::level(&self.root, 0)
    }

    fn level(node: &Node, depth: u8) -> bool {
        let Node { key, children } = node;
        *key == depth % 2 && children.iter().all(|child| Self::level(child, depth + 1))
    }
}

#[rep_ok]
impl Siblings {
    /// Siblings rise, by windows and by pattern.
    fn rep_ok(&self) -> bool {
        Self::rising(&self.root.children)
    }

    fn rising(nodes: &[Node]) -> bool {
        match nodes {
            [] => true,
            [only] => Self::rising(&only.children),
            [first, .., last] if first.key > last.key => false,
            [first, rest @ ..] => {
                nodes.windows(2).all(|w| w[0].key <= w[1].key) && Self::rising(&first.children) && Self::rising(rest)
            }
        }
    }
}

#[rep_ok]
impl Breadth {
    /// In order of breadth, ones come last.
    fn rep_ok(&self) -> bool {
        let mut queue = VecDeque::from([&self.root]);
        let mut last = 0;
        while let Some(Node { key, children }) = queue.pop_front() {
            if *key < last {
                return false;
            }
            last = *key;
            for child in children {
                queue.push_back(child);
            }
        }
        true
    }
}

#[rep_ok]
impl Spine {
    /// Only the first child has children.
    fn rep_ok(&self) -> bool {
        let mut at = Some(&self.root);
        while let Some(node) = at {
            if node.children.iter().skip(1).any(|node| !node.children.is_empty()) {
                return false;
            }
            at = node.children.first();
        }
        true
    }
}

#[rep_ok]
impl Paths {
    /// Every path has as many ones.
    fn rep_ok(&self) -> bool {
        Self::ones(&self.root).is_some()
    }

    fn ones(node: &Node) -> Option<u8> {
        let mut below = None;
        for child in &node.children {
            let ones = Self::ones(child)?;
            if *below.get_or_insert(ones) != ones {
                return None;
            }
        }
        Some(below.unwrap_or(0) + node.key)
    }
}

/// A point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Finitize)]
pub struct Point(#[finitize(0..=2)] u8, #[finitize(0..=1)] u8);

#[rep_ok(helpers)]
impl Point {
    fn before(&self, other: &Point) -> bool {
        self.0 < other.0 || (self.0 == other.0 && self.1 < other.1)
    }

    fn cmp_by_y(&self, other: &Self) -> Ordering {
        self.1.cmp(&other.1).then(self.0.cmp(&other.0))
    }
}

/// Nothing but itself.
#[derive(Clone, Copy, Debug, PartialEq, Finitize)]
pub struct Marker;

#[derive(Debug, Finitize)]
pub struct Segment {
    from: Point,
    to: Point,
    middle: Option<Point>,
    _marker: Marker,
}

#[rep_ok]
impl Segment {
    /// Upwards, and the middle in between.
    fn rep_ok(&self) -> bool {
        let Self { from, to, middle, .. } = self;
        if !from.before(to) {
            return false;
        }
        match middle {
            None => true,
            Some(Point(x, y)) => (from.0..=to.0).contains(x) && *y == from.1.min(to.1),
        }
    }
}

#[derive(Debug, Finitize)]
pub struct Polyline {
    points: Vec<Point>,
}

#[rep_ok]
impl Polyline {
    /// Strictly to the right.
    fn rep_ok(&self) -> bool {
        self.points.windows(2).all(|w| w[0].0 < w[1].0)
    }
}

#[derive(Debug, Finitize)]
pub struct ByHeight {
    points: Vec<Point>,
}

#[rep_ok]
impl ByHeight {
    fn rep_ok(&self) -> bool {
        let sorted = self.points.iter().zip(self.points.iter().skip(1)).all(|(a, b)| a.cmp_by_y(b) == Ordering::Less);
        let sum: u8 = self.points.iter().map(|&Point(x, _)| x).sum();
        let mut count = HashMap::new();
        for Point(x, y) in &self.points {
            *count.entry((*x, *y)).or_insert(0) += 1;
        }
        sorted && sum > 1 && count.values().all(|&n| n == 1)
    }
}

#[derive(Debug, Finitize)]
pub struct Corners {
    corners: [Point; 3],
}

#[rep_ok]
impl Corners {
    fn rep_ok(&self) -> bool {
        let [a, b, c] = &self.corners;
        a.before(b) && b.before(c) && self.corners.iter().any(|point| point.1 == 1)
    }
}

/// Cells of a table.
pub mod table {
    use korat::{Finitize, rep_ok};

    /// A cell.
    #[derive(Clone, Debug, Finitize)]
    pub struct Entry {
        #[finitize(0..=1)]
        pub key: u8,
        pub state: state::State,
    }

    pub mod state {
        use korat::{Finitize, rep_ok};

        /// What a cell holds.
        #[derive(Clone, Debug, Finitize)]
        pub enum State {
            Empty,
            Deleted,
            Full { hash: bool },
        }

        #[rep_ok(helpers)]
        impl State {
            pub fn is_free(&self) -> bool {
                !matches!(self, State::Full { .. })
            }
        }
    }

    /// A table by linear probing.
    #[derive(Debug, Finitize)]
    pub struct Table {
        #[finitize(len = 2..=2)]
        cells: Vec<Option<Entry>>,
        used: usize,
    }

    #[rep_ok]
    impl Table {
        fn rep_ok(&self) -> bool {
            use state::State;
            let full = self.cells.iter().flatten().filter(|entry| !entry.state.is_free()).count();
            if full != self.used {
                return false;
            }
            self.cells.iter().enumerate().all(|(i, cell)| match cell {
                Some(Entry { key, state: State::Full { hash } }) => usize::from(*hash) == i || *key == 0,
                Some(Entry { state: State::Deleted, key: 0 }) | None => true,
                Some(_) => false,
            })
        }
    }
}

/// A stack of frames by value, with the one in use beside.
#[derive(Debug, Finitize)]
pub struct Calls {
    frames: Vec<Frame>,
    current: Frame,
}

#[derive(Clone, Debug, Finitize)]
pub struct Frame {
    #[finitize(0..=1)]
    function: u8,
    #[finitize(len = 0..=1)]
    locals: Vec<Local>,
}

#[derive(Clone, Debug, Finitize)]
pub struct Local {
    live: bool,
    value: Option<bool>,
}

#[rep_ok]
impl Calls {
    /// What is live has a value; no function calls itself directly.
    fn rep_ok(&self) -> bool {
        let mut last: Option<&Frame> = None;
        for frame in self.frames.iter().chain(std::iter::once(&self.current)) {
            if last.is_some_and(|last| last.function == frame.function) {
                return false;
            }
            for &Local { live, value } in &frame.locals {
                if live != value.is_some() {
                    return false;
                }
            }
            last = Some(frame);
        }
        true
    }
}
