//! Classes by value: a node that holds its children, structs in fields, arrays, options and vectors of options, tuple structs
//! and unit structs, a class that holds counted pointers.

use std::rc::Rc;

use korat::{Finitize, rep_ok};

use crate::canonical::{canonical_fields, canonical_plain};
use crate::harness::{Space, Subject};

/// A node with its children in it.
#[derive(Clone, Debug, Finitize)]
pub struct Node {
    #[finitize(0..=1)]
    key: u8,
    #[finitize(len = 0..=2)]
    children: Vec<Node>,
}

/// A heap, whose nodes have their lighter child first.
#[derive(Clone, Debug, Finitize)]
pub struct Rose {
    root: Node,
}

#[rep_ok]
impl Rose {
    pub fn rep_ok(&self) -> bool {
        let mut seen = Vec::new();
        self.root.is_heap(&mut seen)
    }
}

#[rep_ok(helpers)]
impl Node {
    fn is_heap(&self, seen: &mut Vec<*const Node>) -> bool {
        if seen.contains(&std::ptr::from_ref(self)) {
            return false;
        }
        seen.push(self);
        self.children.windows(2).all(|pair| pair[0].weight() <= pair[1].weight())
            && self.children.iter().all(|Node { key, .. }| *key >= self.key)
            && self.children.iter().all(|child| child.is_heap(seen))
    }

    fn weight(&self) -> usize {
        self.children.len()
    }
}

/// All nodes with at most `objects` below them, and how many those are.
fn nodes(objects: usize) -> Vec<(Node, usize)> {
    let mut lists = vec![(vec![], 0)];
    if let Some(rest) = objects.checked_sub(1) {
        for (one, used) in nodes(rest) {
            lists.push((vec![one.clone()], 1 + used));
            let Some(rest) = rest.checked_sub(1 + used) else { continue };
            lists.extend(nodes(rest).into_iter().map(|(two, more)| (vec![one.clone(), two], 2 + used + more)));
        }
    }
    let with_key =
        |key: u8| lists.iter().map(move |(children, used)| (Node { key, children: children.clone() }, *used));
    with_key(0).chain(with_key(1)).collect()
}

canonical_plain! { Rose }

impl Subject for Rose {
    const EXCLUDES_IMPOSSIBLE_SHAPES: bool = true;

    fn untouched(&self) -> bool {
        self.rep_ok()
    }

    fn each_raw(scope: usize, visit: &mut dyn FnMut(Self)) {
        nodes(scope).into_iter().for_each(|(root, _)| visit(Rose { root }));
    }
}

/// A point.
#[derive(Clone, Copy, Debug, Finitize)]
pub struct Point(#[finitize(0..=1)] i8, #[finitize(0..=1)] i8);

/// Nothing but itself.
#[derive(Clone, Copy, Debug, Finitize)]
pub struct Seal;

/// Points in every place that a struct has for them.
#[derive(Clone, Copy, Debug, Finitize)]
pub struct Figure {
    center: Point,
    corners: [Point; 2],
    label: Option<Point>,
    seal: Option<Seal>,
}

#[rep_ok]
impl Figure {
    pub fn rep_ok(&self) -> bool {
        let Figure { center: Point(x, y), corners: [low, high], .. } = self;
        if low.0 > *x || *y > high.1 {
            return false;
        }
        match self.label {
            Some(Point(x, _)) if self.seal.is_none() => x == high.0,
            Some(Point(0, y)) => y == low.1,
            Some(_) => false,
            None => self.corners.iter().all(|&Point(x, y)| x == y),
        }
    }
}

canonical_plain! { Figure }

fn points() -> Vec<Point> {
    vec![Point(0, 0), Point(0, 1), Point(1, 0), Point(1, 1)]
}

impl Subject for Figure {
    const EXCLUDES_IMPOSSIBLE_SHAPES: bool = true;

    fn untouched(&self) -> bool {
        self.rep_ok()
    }

    fn each_raw(_: usize, visit: &mut dyn FnMut(Self)) {
        let labels: Vec<Option<Point>> = std::iter::once(None).chain(points().into_iter().map(Some)).collect();
        for center in points() {
            for low in points() {
                for high in points() {
                    for &label in &labels {
                        for seal in [None, Some(Seal)] {
                            visit(Figure { center, corners: [low, high], label, seal });
                        }
                    }
                }
            }
        }
    }
}

/// Something in a place, or nothing.
#[derive(Clone, Debug, Finitize)]
pub struct Entry {
    #[finitize(0..=1)]
    key: u8,
    gone: bool,
}

/// A table with open addressing: a key is in its place, or its place is taken.
#[derive(Clone, Debug, Finitize)]
pub struct Table {
    #[finitize(len = 0..=2)]
    places: Vec<Option<Entry>>,
    used: usize,
}

#[rep_ok]
impl Table {
    pub fn rep_ok(&self) -> bool {
        let used = self.places.iter().flatten().filter(|entry| !entry.gone).count();
        if used != self.used {
            return false;
        }
        for (at, place) in self.places.iter().enumerate() {
            let Some(Entry { key, gone: false }) = place else { continue };
            let home = usize::from(*key) % self.places.len();
            if home != at && self.places[home].is_none() {
                return false;
            }
            let again = |other: &Option<Entry>| matches!(other, Some(other) if other.key == *key && !other.gone);
            if self.places[at + 1..].iter().any(again) {
                return false;
            }
        }
        true
    }
}

canonical_plain! { Table }

impl Subject for Table {
    const EXCLUDES_IMPOSSIBLE_SHAPES: bool = true;

    fn untouched(&self) -> bool {
        self.rep_ok()
    }

    fn each_raw(scope: usize, visit: &mut dyn FnMut(Self)) {
        let mut space = Space::default();
        let (len, used) = (space.slot(3), space.slot(scope + 1));
        let places = space.objects(2, [2, 2, 2]);
        space.each(|raw| {
            let entry = |place: &[usize; 3]| {
                let [some, key, gone] = place.map(|digit| raw[digit]);
                (some == 1).then_some(Entry { key: key as u8, gone: gone == 1 })
            };
            visit(Table { places: places[..raw[len]].iter().map(entry).collect(), used: raw[used] });
        });
    }
}

/// A coin.
#[derive(Debug, Finitize)]
pub struct Coin {
    heads: bool,
}

/// A pocket by value, with counted coins in it.
#[derive(Debug, Finitize)]
pub struct Pocket {
    coin: Option<Rc<Coin>>,
    torn: bool,
}

/// Two pockets share a coin if one is torn.
#[derive(Debug, Finitize)]
pub struct Coat {
    left: Pocket,
    inner: [Pocket; 1],
    right: Option<Pocket>,
}

#[rep_ok]
impl Coat {
    pub fn rep_ok(&self) -> bool {
        let Some(Pocket { coin, torn }) = &self.right else { return self.left.torn };
        match (&self.left.coin, coin, self.inner[0].coin.as_ref()) {
            (Some(one), Some(two), _) if Rc::ptr_eq(one, two) => *torn,
            (Some(one), Some(two), Some(three)) => one.heads && !Rc::ptr_eq(two, three),
            (_, None, Some(inner)) => inner.heads != self.inner[0].torn,
            (None, Some(_), _) | (_, _, None) => !torn,
        }
    }
}

canonical_fields! { Coin { heads } Pocket { coin, torn } Coat { left, inner, right } }

impl Subject for Coat {
    const EXCLUDES_IMPOSSIBLE_SHAPES: bool = true;

    fn untouched(&self) -> bool {
        self.rep_ok()
    }

    fn each_raw(scope: usize, visit: &mut dyn FnMut(Self)) {
        let mut space = Space::default();
        let pockets = space.objects(3, [scope + 1, 2]);
        let (right, coins) = (space.slot(2), space.objects(scope, [2]));
        space.each(|raw| {
            let coins: Vec<Rc<Coin>> = coins.iter().map(|[heads]| Rc::new(Coin { heads: raw[*heads] == 1 })).collect();
            let pocket = |number: usize| {
                let [coin, torn] = pockets[number].map(|place| raw[place]);
                Pocket { coin: coin.checked_sub(1).map(|coin| Rc::clone(&coins[coin])), torn: torn == 1 }
            };
            let value = Coat { left: pocket(0), inner: [pocket(1)], right: (raw[right] == 1).then(|| pocket(2)) };
            drop(coins);
            visit(value);
        });
    }
}
