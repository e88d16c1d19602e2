//! Every byte that a search allocates, it frees: values, the bounded heap, and what a stopped run leaves behind. Memory
//! does not grow with the number of candidates.

use std::cell::RefCell;
use std::collections::HashSet;
use std::rc::{Rc, Weak};

use korat::{Finitize, Pruning, Report, Search, rep_ok};

use crate::counting::{LIVE, PEAK, left_by, panics};

/// The most bytes that were live at a time during `run`, beyond those before.
/// The first check of a search takes some kilobytes, once.
fn peak_of(run: impl FnOnce() -> Report) -> usize {
    let before = LIVE.get();
    PEAK.set(before);
    run();
    PEAK.get() - before
}

#[derive(Clone, Debug, Finitize)]
struct TreeNode {
    left: Option<Box<TreeNode>>,
    right: Option<Box<TreeNode>>,
    #[finitize(len = 0..=1)]
    cells: Vec<bool>,
}

#[derive(Clone, Debug, Finitize)]
struct Tree {
    root: Option<Box<TreeNode>>,
    #[finitize(scope..=scope)]
    size: usize,
}

#[rep_ok]
impl Tree {
    fn rep_ok(&self) -> bool {
        let mut seen = HashSet::new();
        Self::distinct(&self.root, &mut seen) && seen.len() == self.size
    }

    fn distinct(link: &Option<Box<TreeNode>>, seen: &mut HashSet<*const TreeNode>) -> bool {
        match link {
            Some(node) => {
                let first = seen.insert(&**node) && node.cells.is_empty();
                first && Self::distinct(&node.left, seen) && Self::distinct(&node.right, seen)
            }
            None => true,
        }
    }
}

/// The trees of a number of nodes: Catalan's numbers.
const TREES: [u64; 9] = [1, 1, 2, 5, 14, 42, 132, 429, 1430];

#[derive(Debug, Finitize)]
struct Link {
    next: Option<Rc<RefCell<Link>>>,
    prev: Weak<RefCell<Link>>,
}

#[derive(Debug, Finitize)]
struct DoublyLinked {
    head: Option<Rc<RefCell<Link>>>,
    tail: Weak<RefCell<Link>>,
}

#[rep_ok]
impl DoublyLinked {
    fn rep_ok(&self) -> bool {
        let mut seen = HashSet::new();
        let mut last: Weak<RefCell<Link>> = Weak::new();
        let mut at = self.head.clone();
        while let Some(link) = at {
            if !seen.insert(Rc::as_ptr(&link)) || !Weak::ptr_eq(&link.borrow().prev, &last) {
                return false;
            }
            last = Rc::downgrade(&link);
            at = link.borrow().next.clone();
        }
        Weak::ptr_eq(&self.tail, &last)
    }
}

#[derive(Debug, Finitize)]
struct Vertex {
    left: Option<Rc<Vertex>>,
    right: Option<Rc<Vertex>>,
}

#[derive(Debug, Finitize)]
struct Graph {
    start: Rc<Vertex>,
}

#[rep_ok]
impl Graph {
    fn rep_ok(&self) -> bool {
        self.start.left.is_some() && self.start.right.is_some()
    }
}

#[test]
fn trees_of_boxes() {
    assert_eq!(left_by(|| assert_eq!(korat::for_each_valid(Tree::scope(6), drop).valid, TREES[6])), 0);
}

#[test]
fn doubly_linked_lists() {
    let run = || {
        let report = korat::for_each_valid(DoublyLinked::scope(5), |list| {
            let tail = list.tail.upgrade();
            assert_eq!(tail.is_some(), list.head.is_some());
        });
        assert_eq!(report.valid, 6);
    };
    assert_eq!(left_by(run), 0);
}

#[test]
fn graphs_that_share() {
    let mut shared = 0;
    let run = || {
        korat::for_each_valid(Graph::scope(4), |graph| shared += usize::from(Rc::strong_count(&graph.start) > 1));
        let mut most = 0;
        for graph in korat::valid(Graph::scope(4)) {
            let (Some(left), Some(right)) = (&graph.start.left, &graph.start.right) else { panic!("both are there") };
            most = most.max(Rc::strong_count(left)).max(Rc::strong_count(right));
        }
        assert!(most > 2);
    };
    assert_eq!(left_by(run), 0);
    assert_eq!(shared, 0);
}

/// A plain value that owns memory.
#[derive(Clone, Debug, PartialEq, Finitize)]
#[finitize(plain)]
struct Name {
    #[finitize(values = ["", "long enough for the heap"].map(String::from))]
    text: String,
}

/// A term of a ring that ends, or not: no pointer in it may be null.
#[derive(Debug, Finitize)]
enum Term {
    End,
    Cons((Name, bool), Rc<RefCell<Term>>),
    Many(#[finitize(len = 0..=2)] Vec<Rc<RefCell<Term>>>, Option<[Name; 1]>),
}

#[derive(Debug, Finitize)]
struct Terms {
    first: Rc<RefCell<Term>>,
    by_value: Term,
}

#[rep_ok]
impl Terms {
    fn rep_ok(&self) -> bool {
        let Term::Cons((name, flag), next) = &self.by_value else { return false };
        match &*self.first.borrow() {
            Term::Cons((other, _), _) => *flag && name != other && !Rc::ptr_eq(next, &self.first),
            Term::Many(items, Some(names)) => items.len() == 2 && names[0] == *name,
            _ => false,
        }
    }
}

#[test]
fn enums_tuples_and_rings_through_both() {
    let run = || {
        let report = korat::for_each_valid(Terms::scope(2), drop);
        assert!(report.valid > 100, "{report}");
    };
    assert_eq!(left_by(run), 0);
}

/// A node that may lead back to itself through cells in options, tuples and behind pointers of their own.
#[derive(Debug, Finitize)]
struct Spot {
    #[finitize(['a'], len = 0..=1)]
    name: Rc<str>,
    next: Option<RefCell<Option<Rc<Spot>>>>,
    #[finitize(len = 0..=1)]
    near: Rc<RefCell<Vec<Rc<Spot>>>>,
    last: (Box<bool>, RefCell<Option<Rc<Spot>>>),
}

#[derive(Debug, Finitize)]
struct Spots {
    first: Rc<Spot>,
}

#[rep_ok]
impl Spots {
    fn rep_ok(&self) -> bool {
        self.first.near.borrow().len() == 1 && self.first.next.is_some() && *self.first.last.0
    }
}

#[test]
fn rings_through_cells_behind_pointers_and_in_options() {
    let run = || {
        let report = korat::for_each_valid(Spots::scope(2), drop);
        assert!(report.valid > 100, "{report}");
    };
    assert_eq!(left_by(run), 0);
}

#[test]
fn ring_of_which_a_cell_is_still_held_stays() {
    let mut held = Vec::new();
    korat::for_each_valid(Spots::scope(1), |spots| held.push(Rc::clone(&spots.first.near)));
    assert!(held.iter().all(|near| near.borrow().len() == 1), "something emptied a list that is in use");
}

#[test]
fn values_outlive_the_search() {
    let run = || {
        let trees: Vec<Tree> = korat::valid(Tree::scope(5)).collect();
        let lists: Vec<DoublyLinked> = korat::valid(DoublyLinked::scope(4)).collect();
        let graphs: Vec<Graph> = korat::valid(Graph::scope(3)).collect();
        assert!(trees.iter().all(Tree::rep_ok));
        assert!(lists.iter().all(DoublyLinked::rep_ok));
        assert!(graphs.iter().all(Graph::rep_ok));
    };
    assert_eq!(left_by(run), 0);
}

#[test]
fn an_iterator_that_is_dropped_half_way() {
    let run = || {
        let mut lists = korat::valid(DoublyLinked::scope(5));
        let kept = lists.nth(3);
        drop(lists);
        assert!(kept.expect("there are six").rep_ok());
    };
    assert_eq!(left_by(run), 0);
}

#[test]
fn values_that_still_wait_when_a_search_ends() {
    let run = || {
        // Larger lists wait while smaller ones are given.
        for limit in [2, 3, 4] {
            assert_eq!(Search::new(DoublyLinked::scope(5)).limit(limit).for_each(drop).valid, limit);
        }
        let mut lists = korat::valid(Graph::scope(3));
        drop((lists.next(), lists.next()));
    };
    assert_eq!(left_by(run), 0);
}

#[test]
fn a_failing_property() {
    let run = || {
        let search = Search::new(DoublyLinked::scope(3));
        assert!(panics(|| search.for_each(|list| assert!(list.head.is_none()))));
    };
    // Std keeps what it has read for its first backtrace.
    run();
    assert_eq!(left_by(run), 0);
}

#[test]
fn a_refused_invariant() {
    let run = || {
        let search = Search::new(Graph::scope(2)).pruning(Pruning::Classic);
        assert!(panics(|| search.report()));
        let search = Search::new(Tree::scope(3).objects::<Tree>(0));
        assert!(panics(|| search.report()));
    };
    assert_eq!(left_by(run), 0);
}

/// A ring that cannot be compared with one of another mark.
#[derive(Debug, Finitize)]
struct Marked {
    next: Option<Rc<RefCell<Marked>>>,
    mark: bool,
}

impl PartialEq for Marked {
    fn eq(&self, other: &Self) -> bool {
        assert_eq!(self.mark, other.mark);
        true
    }
}

#[derive(Debug, Finitize)]
struct TwoMarked {
    first: Rc<RefCell<Marked>>,
    second: Rc<RefCell<Marked>>,
}

#[rep_ok(panics = invalid)]
impl TwoMarked {
    fn rep_ok(&self) -> bool {
        *self.first.borrow() == *self.second.borrow()
    }
}

#[test]
fn an_operator_that_panics_on_copies_of_rings() {
    let run = || {
        let searched = || {
            let report = korat::for_each_valid(TwoMarked::scope(2), drop);
            assert!(report.valid > 0 && report.explored > report.valid, "{report}");
        };
        assert!(!panics(searched));
    };
    assert_eq!(left_by(run), 0);
}

#[test]
fn memory_does_not_grow_with_the_number_of_candidates() {
    let mut live = Vec::with_capacity(2000);
    let report = korat::for_each_valid(Tree::scope(8), |tree| {
        drop(tree);
        live.push(LIVE.get());
    });
    assert_eq!(report.valid, TREES[8]);
    let (early, late) = live.split_at(live.len() / 10);
    assert_eq!(early.iter().max(), late.iter().max());

    let few = peak_of(|| Search::new(Tree::scope(8)).limit(100).for_each(drop));
    let all = peak_of(|| Search::new(Tree::scope(8)).for_each(drop));
    assert!(all <= few + 8192, "{few} bytes for 100 values, {all} for all");
}

#[test]
fn memory_does_not_grow_with_the_candidates_of_classic_pruning() {
    let peak = |limit: u64| {
        let search = Search::new(Tree::scope(6)).pruning(Pruning::Classic).limit(limit);
        peak_of(|| search.report())
    };
    let (few, all) = (peak(5), peak(u64::MAX));
    assert!(all <= few + 8192, "{few} bytes for 5 values, {all} for all");
}

#[test]
fn a_leak_is_noticed() {
    let mut kept = Vec::with_capacity(2);
    assert_eq!(left_by(|| kept.push(Box::new(0u64))), 8);
}
