//! Smallest first: the same values as in one pass, each once, by size; and which sizes are wanted.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashSet};
use std::fmt::Debug;
use std::rc::{Rc, Weak};

use korat::{Backtracking, Finitize, Order, Pruning, RepOk, Search, SelfCheck, Unread, rep_ok};

use crate::panics::message_of;

#[derive(Clone, Debug, Finitize)]
struct Node {
    key: u8,
    left: Option<Box<Node>>,
    right: Option<Box<Node>>,
}

#[derive(Clone, Debug, Finitize)]
struct Tree {
    root: Option<Box<Node>>,
}

#[rep_ok]
impl Tree {
    /// A heap: no child has a greater key. Says nothing about a node without children but its key.
    fn rep_ok(&self) -> bool {
        self.root.as_deref().is_none_or(Self::is_heap)
    }

    fn is_heap(node: &Node) -> bool {
        [&node.left, &node.right].into_iter().flatten().all(|child| child.key <= node.key && Self::is_heap(child))
    }
}

/// The root is a node like others.
#[derive(Clone, Debug, Finitize)]
struct Chain {
    next: Option<Box<Chain>>,
    tag: bool,
}

#[rep_ok]
impl Chain {
    fn rep_ok(&self) -> bool {
        let mut at = self;
        while let Some(next) = &at.next {
            at = next;
        }
        true
    }
}

/// No part of it is read but the flag, so that all the rest is completed.
#[derive(Clone, Debug, Finitize)]
enum Expr {
    Add(Box<Expr>, Box<Expr>),
    Not(Box<Expr>),
    Leaf(bool),
}

#[derive(Clone, Debug, Finitize)]
struct Unlooked {
    flag: bool,
    expr: Expr,
}

#[rep_ok]
impl Unlooked {
    fn rep_ok(&self) -> bool {
        self.flag
    }
}

#[derive(Debug, Finitize)]
struct Link {
    next: RefCell<Option<Rc<Link>>>,
    back: RefCell<Weak<Link>>,
}

#[derive(Debug, Finitize)]
struct Ring {
    first: Option<Rc<Link>>,
}

#[rep_ok]
impl Ring {
    fn rep_ok(&self) -> bool {
        self.first.as_ref().is_none_or(|first| first.next.borrow().is_some())
    }
}

/// Elements of an arena are objects; their order does not matter.
#[derive(Clone, Debug, Finitize)]
struct Place {
    #[finitize(index_of = places)]
    up: Option<usize>,
}

#[derive(Clone, Debug, Finitize)]
struct Forest {
    places: Vec<Place>,
}

#[rep_ok]
impl Forest {
    fn rep_ok(&self) -> bool {
        (0..self.places.len()).all(|start| {
            let (mut at, mut steps) = (Some(start), 0);
            while let Some(place) = at {
                if steps > self.places.len() {
                    return false;
                }
                (at, steps) = (self.places[place].up, steps + 1);
            }
            true
        })
    }
}

/// A tree whose children are objects as soon as their number is known.
#[derive(Debug, Finitize)]
struct Rose {
    petals: Vec<Rose>,
    #[finitize(len = 0..=1)]
    thorns: Vec<Thorn>,
}

#[derive(Debug, Finitize)]
struct Thorn {
    sharp: bool,
}

#[rep_ok]
impl Rose {
    fn rep_ok(&self) -> bool {
        self.petals.iter().all(|petal| petal.thorns.is_empty() && petal.rep_ok())
    }
}

/// Keys and no objects: all values are of one size.
#[derive(Clone, Debug, Finitize)]
struct Keys {
    keys: BTreeMap<u8, bool>,
}

#[rep_ok]
impl Keys {
    fn rep_ok(&self) -> bool {
        self.keys.len() != 1
    }
}

const BOTH: [Pruning; 2] = [Pruning::Ownership, Pruning::Classic];

/// Runs the search both ways; both must see the same values and count the same candidates.
fn compared<T: Finitize + RepOk + Debug>(scope: usize, prunings: &[Pruning], sizes: &[(usize, u64)]) {
    for unread in [Unread::All, Unread::First] {
        for &pruning in prunings {
            for backtracking in [Backtracking::Checkpoint, Backtracking::Reexecute] {
                let search = || Search::new(T::scope(scope)).unread(unread).pruning(pruning).backtracking(backtracking);
                let mut as_found = Vec::new();
                let one_pass = search().order(Order::AsFound).for_each(|value| as_found.push(format!("{value:?}")));
                let mut smallest_first = Vec::new();
                let passes = search().for_each(|value| smallest_first.push(format!("{value:?}")));
                assert_eq!((passes.explored, passes.field_inits), (one_pass.explored, one_pass.field_inits));
                assert_eq!((passes.valid, passes.is_complete()), (one_pass.valid, true));
                assert_eq!(passes.by_size, one_pass.by_size);
                if unread == Unread::All {
                    assert_eq!(passes.by_size, sizes, "{}", T::NAME);
                }
                // Sizes go up, and values of one size come as the search finds them.
                let mut from = 0;
                for &(size, count) in &passes.by_size {
                    let only = search().sizes(size..=size);
                    let mut of_size = Vec::new();
                    let report = only.order(Order::AsFound).for_each(|value| of_size.push(format!("{value:?}")));
                    assert_eq!((report.valid, report.is_complete()), (count, true));
                    assert_eq!(&smallest_first[from..from + count as usize], of_size, "{} of size {size}", T::NAME);
                    from += count as usize;
                }
                let (mut one, mut other) = (as_found, smallest_first);
                one.sort();
                other.sort();
                assert_eq!(one, other);
            }
        }
    }
}

#[test]
fn trees() {
    // Heaps over the keys 0..=3 of up to three nodes; a leaf's key is read.
    compared::<Tree>(3, &[Pruning::Ownership], &[(0, 1), (1, 4), (2, 2 * 10), (3, 4 * 20 + 30)]);
}

#[test]
fn a_root_like_other_nodes_counts() {
    compared::<Chain>(3, &[Pruning::Ownership], &[(1, 2), (2, 4), (3, 8)]);
}

#[test]
fn what_is_not_read_counts_as_well() {
    // Expressions by boxed objects: the outermost is a part of the root.
    compared::<Unlooked>(2, &BOTH, &[(0, 2), (1, 2), (2, 4 + 2)]);
}

#[test]
fn rings_and_weak_references() {
    let sizes: Vec<(usize, u64)> = Search::new(Ring::scope(2)).report().by_size;
    assert_eq!(sizes.iter().map(|(size, _)| *size).collect::<Vec<_>>(), [0, 1, 2]);
    compared_shapes(&sizes);
}

/// Rings do not print: they are counted only.
fn compared_shapes(sizes: &[(usize, u64)]) {
    for unread in [Unread::All, Unread::First] {
        let one = Search::new(Ring::scope(2)).unread(unread).order(Order::AsFound).report();
        let mut seen = 0;
        let report = Search::new(Ring::scope(2))
            .unread(unread)
            .self_check(SelfCheck::Off)
            .into_iter()
            .inspect(|_| seen += 1)
            .count();
        assert_eq!((report as u64, seen), (one.valid, one.valid));
        if unread == Unread::All {
            assert_eq!(one.by_size, sizes);
        }
    }
}

#[test]
fn arenas() {
    // Rooted forests.
    compared::<Forest>(4, &BOTH, &[(0, 1), (1, 1), (2, 2), (3, 4), (4, 9)]);
}

#[test]
fn vectors_of_objects() {
    // Trees by Catalan's numbers, alone and with one of two thorns at the root.
    compared::<Rose>(3, &BOTH, &[(1, 1), (2, 1 + 2), (3, 2 + 2), (4, 2 * 2)]);
}

#[test]
fn values_of_one_size_come_in_one_pass() {
    compared::<Keys>(2, &BOTH, &[(0, 27 - 6)]);
}

#[test]
fn one_size_only() {
    let trees =
        |search: Search<Tree>| -> HashSet<String> { search.into_iter().map(|tree| format!("{tree:?}")).collect() };
    let all = trees(Search::new(Tree::scope(3)));
    let exact = trees(Search::new(Tree::scope(3)).exact());
    let others = trees(Search::new(Tree::scope(3)).sizes(0..=2));
    assert_eq!((all.len(), exact.len(), others.len()), (135, 110, 25));
    assert!(exact.is_disjoint(&others) && exact.union(&others).count() == all.len());
    // No list of the scope is empty, and no value has so many objects.
    let report = Search::new(Tree::scope(2)).sizes(3..=5).allow_empty(true).report();
    assert_eq!((report.valid, report.is_complete()), (0, true));
    assert_eq!(Search::new(Chain::scope(2)).sizes(0..=0).allow_empty(true).count(), 0);
}

/// All values have as many nodes as the scope says.
#[derive(Debug, Finitize)]
struct Sized {
    root: Option<Box<Node>>,
    #[finitize(scope..=scope)]
    len: usize,
}

#[rep_ok]
impl Sized {
    fn rep_ok(&self) -> bool {
        Self::count(&self.root) == self.len
    }

    fn count(node: &Option<Box<Node>>) -> usize {
        node.as_ref().map_or(0, |node| 1 + Self::count(&node.left) + Self::count(&node.right))
    }
}

#[test]
fn structures_of_one_large_size_are_come_to() {
    let report = Search::new(Sized::scope(60)).limit(2).unread(Unread::First).for_each(|tree| assert!(tree.rep_ok()));
    assert_eq!(report.by_size, [(60, 2)]);
    let text = message_of(|| Search::new(Sized::scope(60)).unread(Unread::First).for_each(|tree| tree.len == 0));
    assert!(text.starts_with("property failed on structure #1, size 60: it returned false"), "{text}");
}

#[test]
fn a_limit_takes_the_smallest() {
    let sizes = Search::new(Tree::scope(3)).limit(6).for_each(|_| {}).by_size;
    assert_eq!(sizes, [(0, 1), (1, 4), (2, 1)]);
}

/// Nothing but the weak pointer is read: what it points to must be held by something.
#[derive(Debug, Finitize)]
struct Star {
    friend: RefCell<Option<Rc<Star>>>,
}

#[derive(Debug, Finitize)]
struct Watcher {
    holder: Option<Rc<Star>>,
    other: Option<Rc<Star>>,
    watched: Weak<Star>,
}

#[rep_ok]
impl Watcher {
    fn rep_ok(&self) -> bool {
        self.watched.upgrade().is_some()
    }
}

#[test]
fn the_one_representative_of_unread_fields_is_the_same_for_all_sizes() {
    let search = || Search::new(Watcher::scope(2)).unread(Unread::First);
    let one_pass = search().order(Order::AsFound).report();
    assert_eq!(one_pass.valid, 1);
    assert_eq!(search().for_each(drop).by_size, one_pass.by_size);
}
