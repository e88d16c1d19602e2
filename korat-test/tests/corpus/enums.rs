//! Enums with data in vectors, arrays and shared pointers, and with invariants and helpers of their own.

use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

use korat::{Finitize, rep_ok};

/// A value of a small data language.
#[derive(Clone, Debug, Finitize)]
#[finitize(objects = scope)]
pub enum Json {
    Null,
    Bool(bool),
    Num {
        #[finitize(0..=1)]
        value: u8,
    },
    List(#[finitize(len = 0..=2)] Vec<Json>),
}

#[derive(Debug, Finitize)]
pub struct Uniform {
    root: Json,
}

#[rep_ok]
impl Uniform {
    /// The items of every list are of one kind.
    fn rep_ok(&self) -> bool {
        self.root.is_uniform() && self.root.depth() <= 2
    }
}

#[rep_ok(helpers)]
impl Json {
    fn kind(&self) -> u8 {
        match self {
            Self::Null => 0,
            Self::Bool(_) => 1,
            Self::Num { .. } => 2,
            Self::List(_) => 3,
        }
    }

    fn is_uniform(&self) -> bool {
        let Json::List(items) = self else { return true };
        items.windows(2).all(|pair| pair[0].kind() == pair[1].kind()) && items.iter().all(Self::is_uniform)
    }

    fn depth(&self) -> usize {
        match self {
            Json::List(items) => 1 + items.iter().map(Json::depth).max().unwrap_or(0),
            Json::Null | Json::Bool(_) | Json::Num { value: _ } => 0,
        }
    }

    fn sum(&self) -> u32 {
        match self {
            Json::Num { value } => (*value).into(),
            Json::List(items) => items.iter().map(|item| item.sum()).sum(),
            _ => 0,
        }
    }

    fn truths(&self) -> usize {
        match *self {
            Json::Bool(true) => 1,
            Json::List(ref items) => items.iter().map(Self::truths).sum(),
            _ => 0,
        }
    }
}

#[derive(Debug, Finitize)]
pub struct Weighed {
    root: Json,
    #[finitize(0..=2)]
    sum: u32,
}

#[rep_ok]
impl Weighed {
    /// `sum` is that of the numbers, and there are no more truths than it.
    fn rep_ok(&self) -> bool {
        self.sum == self.root.sum() && self.root.truths() as u32 <= self.sum
    }
}

/// A tree with keys in its leaves.
#[derive(Clone, Debug, PartialEq, Finitize)]
pub enum Tree {
    Leaf,
    Node {
        left: Box<Tree>,
        #[finitize(0..=2)]
        key: u8,
        right: Box<Tree>,
    },
}

#[rep_ok]
impl Tree {
    /// A search tree; the invariant is the enum's own.
    fn rep_ok(&self) -> bool {
        self.in_order().is_some()
    }

    fn in_order(&self) -> Option<Vec<u8>> {
        match self {
            Self::Leaf => Some(vec![]),
            Self::Node { left, key, right } => {
                let mut keys = left.in_order()?;
                if keys.last().is_some_and(|last| last >= key) {
                    return None;
                }
                keys.push(*key);
                let rest = right.in_order()?;
                if let Some(first) = rest.first() {
                    if first <= key {
                        return None;
                    }
                }
                keys.extend(rest);
                Some(keys)
            }
        }
    }
}

/// A shape.
#[derive(Clone, Copy, Debug, PartialEq, Finitize)]
pub enum Shape {
    Dot,
    Line(#[finitize(1..=2)] u8),
    Rect {
        #[finitize(1..=2)]
        w: u8,
        #[finitize(1..=2)]
        h: u8,
    },
}

#[derive(Debug, Finitize)]
pub struct Drawing {
    shapes: Vec<Shape>,
}

#[rep_ok]
impl Drawing {
    /// The shapes shrink, and the last is a dot.
    fn rep_ok(&self) -> bool {
        let areas: Vec<u8> = self
            .shapes
            .iter()
            .map(|shape| match shape {
                Shape::Dot => 0,
                Shape::Line(len) => *len,
                Shape::Rect { w, h } => w * h,
            })
            .collect();
        areas.windows(2).all(|pair| pair[0] > pair[1]) && matches!(self.shapes.last(), None | Some(Shape::Dot))
    }
}

#[derive(Debug, Finitize)]
pub struct Framed {
    #[finitize(len = 0..=3)]
    shapes: Vec<Shape>,
}

#[rep_ok]
impl Framed {
    /// Between two rectangles of one height; no two lines in a row.
    fn rep_ok(&self) -> bool {
        match self.shapes.as_slice() {
            [] => true,
            [Shape::Dot] => true,
            [first, .., last] => {
                let (Shape::Rect { h: a, .. }, Shape::Rect { h: b, .. }) = (first, last) else { return false };
                a == b && !self.shapes.windows(2).any(|pair| matches!(pair, [Shape::Line(_), Shape::Line(_)]))
            }
            _ => false,
        }
    }
}

/// A shared term.
#[derive(Debug, Finitize)]
pub enum Term {
    Unit,
    Pair(Rc<Term>, Rc<Term>),
    Tagged {
        #[finitize(0..=1)]
        tag: u8,
        inner: Option<Rc<Term>>,
    },
}

#[derive(Debug, Finitize)]
pub struct Shared {
    term: Rc<Term>,
}

#[rep_ok]
impl Shared {
    /// No cycle, and equal tags are one object.
    fn rep_ok(&self) -> bool {
        let mut path = Vec::new();
        let mut tags: HashMap<u8, *const Term> = HashMap::new();
        Self::walk(&self.term, &mut path, &mut tags)
    }

    fn walk(term: &Rc<Term>, path: &mut Vec<*const Term>, tags: &mut HashMap<u8, *const Term>) -> bool {
        let this = Rc::as_ptr(term);
        if path.contains(&this) {
            return false;
        }
        path.push(this);
        let fine = match &**term {
            Term::Unit => true,
            Term::Pair(a, b) => Self::walk(a, path, tags) && Self::walk(b, path, tags),
            Term::Tagged { tag, inner } => {
                *tags.entry(*tag).or_insert(this) == this
                    && inner.as_ref().is_none_or(|inner| Self::walk(inner, path, tags))
            }
        };
        path.pop();
        fine
    }
}

/// What happened.
#[derive(Clone, Debug, PartialEq, Finitize)]
pub enum Event {
    Open(#[finitize(0..=1)] u8),
    Close(#[finitize(0..=1)] u8),
    Write(#[finitize(0..=1)] u8, bool),
    Sync,
}

#[derive(Debug, Finitize)]
pub struct Log {
    events: Vec<Event>,
}

#[rep_ok]
impl Log {
    /// Files are opened before they are written or closed; nothing is unsynced at the end.
    fn rep_ok(&self) -> bool {
        let mut open = BTreeSet::new();
        let mut dirty = false;
        for (i, event) in self.events.iter().enumerate() {
            match event {
                Event::Open(file) => {
                    if !open.insert(*file) {
                        return false;
                    }
                }
                Event::Close(file) if !open.remove(file) => return false,
                Event::Close(_) => {}
                Event::Write(file, important) => {
                    if !open.contains(file) {
                        return false;
                    }
                    dirty |= *important;
                }
                Event::Sync if i == 0 => return false,
                Event::Sync => dirty = false,
            }
        }
        !dirty
    }
}

#[derive(Debug, Finitize)]
pub struct Slots {
    slots: [Option<Event>; 2],
    spare: Option<Box<Event>>,
}

#[rep_ok]
impl Slots {
    fn rep_ok(&self) -> bool {
        match (&self.slots[0], &self.slots[1]) {
            (Some(Event::Open(a)), Some(Event::Close(b))) => a == b,
            (Some(Event::Write(_, true)), None) => self.spare.is_none(),
            (None, None) => match self.spare.as_deref() {
                Some(Event::Sync) => true,
                Some(Event::Write(file, _)) => *file == 1,
                _ => false,
            },
            (None | Some(Event::Sync), Some(_)) => false,
            _ => self.spare.is_some(),
        }
    }
}
