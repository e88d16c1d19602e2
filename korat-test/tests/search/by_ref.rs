//! Properties that see values by reference: they see what a property sees that takes its values, patched or built.

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::fmt::Debug;
use std::ptr;
use std::rc::Rc;

use korat::{Error, Finitize, RepOk, Report, Search, Summaries, rep_ok};

use crate::search_trees::SearchTree;

/// The values, in order, and the counts.
type Seen = (Vec<String>, u64, u64);

fn taken<T: Finitize + RepOk + Debug>(search: Search<T>) -> Seen {
    let mut seen = Vec::new();
    let Report { valid, explored, .. } = search.for_each(|value| seen.push(format!("{value:?}")));
    (seen, valid, explored)
}

fn looked_at<T: Finitize + RepOk + Debug>(search: Search<T>) -> Seen {
    let mut seen = Vec::new();
    let Report { valid, explored, .. } = search.for_each_ref(|value| seen.push(format!("{value:?}")));
    (seen, valid, explored)
}

/// Asserts that both see the same values within these scopes, however they are found.
#[track_caller]
fn assert_same<T: Finitize + RepOk + Debug>(scopes: std::ops::RangeInclusive<usize>) {
    for scope in scopes {
        for summaries in [Summaries::Always, Summaries::Never, Summaries::Auto] {
            let search = || Search::new(T::scope(scope)).summaries(summaries).regressions(false);
            let all = taken(search());
            assert!(all.0.len() > 1, "{}", all.0.len());
            assert_eq!(looked_at(search()), all, "{scope}, {summaries:?}");
            assert_eq!(looked_at(search().limit(5)), taken(search().limit(5)), "{scope}, {summaries:?}");
            assert_eq!(looked_at(search().sample(20)), taken(search().sample(20)), "{scope}, {summaries:?}");
            assert_same_failures(search, all.0.len());
        }
    }
}

/// Asserts that a property that panics on every third value is reported in the same way, and that it sees what follows.
#[track_caller]
fn assert_same_failures<T: Finitize + RepOk + Debug>(search: impl Fn() -> Search<T>, values: usize) {
    fn told(result: Result<Report, Error>) -> Vec<(String, String, String)> {
        match result {
            Ok(_) => Vec::new(),
            Err(Error::Property(failed)) => {
                failed.failures.into_iter().map(|failure| (failure.message, failure.replay, failure.debug)).collect()
            }
            Err(other) => panic!("the property fails, and not: {other:?}"),
        }
    }
    let judge = |seen: &mut Vec<String>, value: &T| {
        seen.push(format!("{value:?}"));
        assert!(!seen.len().is_multiple_of(3), "it panicked");
        match seen.len() % 7 {
            0 => Err(format!("value {}", seen.len())),
            _ => Ok(()),
        }
    };
    for failures in [1, 2, 4, values + 1] {
        let (mut one, mut other) = (Vec::new(), Vec::new());
        let taken = search().failures(failures).try_for_each(|value| judge(&mut one, &value));
        let looked_at = search().failures(failures).try_for_each_ref(|value| judge(&mut other, value));
        assert_eq!(told(looked_at), told(taken), "{failures}");
        assert_eq!(other, one, "{failures}");
    }
}

#[test]
fn boxes_are_patched() {
    assert_same::<SearchTree>(2..=4);
}

#[test]
fn one_value_serves_all_calls() {
    for summaries in [Summaries::Always, Summaries::Never] {
        let mut roots = BTreeSet::new();
        let search = Search::new(SearchTree::scope(4)).exact().summaries(summaries);
        let report = search.for_each_ref(|tree| roots.extend(tree.root.as_deref().map(ptr::from_ref)));
        assert_eq!((report.valid, roots.len()), (70, 1));
    }
}

#[derive(Debug, Finitize)]
struct Node {
    /// Nothing reads it.
    mark: bool,
    next: Option<Box<Node>>,
    #[finitize(skip = vec![scope; 2])]
    cache: Vec<usize>,
}

/// Two chains: one grows while the other shrinks.
#[derive(Debug, Finitize)]
struct TwoChains {
    one: Option<Box<Node>>,
    unread: Option<u8>,
    other: Option<Box<Node>>,
    #[finitize(0..=scope)]
    len: usize,
}

#[rep_ok]
impl TwoChains {
    fn rep_ok(&self) -> bool {
        Self::len(&self.one) + Self::len(&self.other) == self.len
    }

    fn len(link: &Option<Box<Node>>) -> usize {
        match link {
            Some(node) => 1 + Self::len(&node.next),
            None => 0,
        }
    }
}

#[test]
fn two_roots_and_unread_fields_are_patched() {
    assert_same::<TwoChains>(1..=2);
}

#[derive(Debug, Finitize)]
enum Expr {
    Number(bool),
    Negated(Box<Expr>),
    Sum(Box<Expr>, Option<Box<Expr>>),
    Named { name: String, inner: Box<Expr> },
}

#[derive(Debug, Finitize)]
struct Program {
    first: Box<Expr>,
    last: Option<Box<Expr>>,
}

#[rep_ok]
impl Program {
    fn rep_ok(&self) -> bool {
        Self::is_even(&self.first) && self.last.as_ref().is_none_or(|last| !Self::is_even(last))
    }

    fn is_even(expr: &Expr) -> bool {
        match expr {
            Expr::Number(number) => *number,
            Expr::Negated(inner) | Expr::Named { inner, .. } => !Self::is_even(inner),
            Expr::Sum(one, other) => Self::is_even(one) == other.as_ref().is_none_or(|other| Self::is_even(other)),
        }
    }
}

#[test]
fn variants_give_way_to_others() {
    assert_same::<Program>(2..=3);
}

#[derive(Clone, Copy, Debug, PartialEq, Finitize)]
enum Colour {
    Red,
    Green,
}

#[derive(Debug, Finitize)]
struct Inner {
    colour: Colour,
    number: Option<u8>,
    child: Option<Box<Inner>>,
}

#[derive(Debug, Finitize)]
struct Outer {
    one: Inner,
    two: Option<Inner>,
    pair: (bool, Option<Colour>),
    array: [Option<Box<Inner>>; 2],
    #[finitize(len = 0..=2)]
    list: Vec<bool>,
}

#[rep_ok]
impl Outer {
    fn rep_ok(&self) -> bool {
        let is_small = |inner: &Inner| inner.number.is_none_or(|number| number == 0) && inner.colour == Colour::Red;
        is_small(&self.one)
            && self.one.child.is_none()
            && self.two.as_ref().is_none_or(|two| is_small(two) && two.child.is_none())
            && self.array.iter().flatten().all(|inner| is_small(inner) && inner.child.is_none())
            && self.list.iter().all(|bit| *bit == self.pair.0)
    }
}

#[test]
fn classes_by_value_are_patched() {
    assert_same::<Outer>(1..=2);
}

#[derive(Debug, Finitize)]
struct Branch {
    #[finitize(len = 0..=2)]
    children: Vec<Branch>,
    leaf: Option<Box<Branch>>,
}

#[derive(Debug, Finitize)]
struct Rose {
    root: Option<Box<Branch>>,
}

#[rep_ok]
impl Rose {
    fn rep_ok(&self) -> bool {
        self.root.as_ref().is_none_or(|root| Self::is_right(root))
    }

    fn is_right(branch: &Branch) -> bool {
        branch.children.len() != 1
            && branch.children.iter().all(Self::is_right)
            && branch.leaf.as_ref().is_none_or(|leaf| Self::is_right(leaf))
    }
}

#[test]
fn vectors_are_built_inside() {
    assert_same::<Rose>(1..=3);
}

#[derive(Debug, Finitize)]
struct Shared {
    value: Cell<bool>,
    next: Option<Rc<RefCell<Shared>>>,
}

#[derive(Debug, Finitize)]
struct SharedChain {
    head: Option<Rc<RefCell<Shared>>>,
}

#[rep_ok]
impl SharedChain {
    fn rep_ok(&self) -> bool {
        let mut left = 3;
        let mut link = self.head.clone();
        while let Some(node) = link {
            left -= 1;
            if left == 0 {
                return false;
            }
            link = node.borrow().next.clone();
        }
        true
    }
}

#[test]
fn shared_nodes_are_built() {
    assert_same::<SharedChain>(1..=3);
    let (mut kept, mut seen) = (Vec::new(), Vec::new());
    Search::new(SharedChain::scope(3)).for_each_ref(|chain| {
        seen.push(format!("{chain:?}"));
        if let Some(head) = &chain.head {
            head.borrow().value.set(true);
            head.borrow_mut().next = None;
            kept.push(Rc::clone(head));
        }
    });
    assert_eq!(seen, taken(Search::new(SharedChain::scope(3))).0);
}

#[derive(Clone, Debug, PartialEq)]
struct Counter(Cell<u8>);

#[derive(Debug, Finitize)]
struct Counted {
    #[finitize(values = [Counter(Cell::new(1)), Counter(Cell::new(2))])]
    counter: Counter,
    #[finitize(skip = Cell::new(7))]
    skipped: Cell<u8>,
    next: Option<Box<Counted>>,
}

#[rep_ok]
impl Counted {
    fn rep_ok(&self) -> bool {
        self.next.as_ref().is_none_or(|next| next.rep_ok())
    }
}

#[test]
fn cells_of_listed_values_are_fresh() {
    assert_same::<Counted>(1..=3);
    for summaries in [Summaries::Always, Summaries::Never] {
        let search = || Search::new(Counted::scope(3)).summaries(summaries);
        let mut seen = Vec::new();
        search().for_each_ref(|counted| {
            seen.push(format!("{counted:?}"));
            let mut link = Some(counted);
            while let Some(node) = link {
                node.counter.0.set(9);
                node.skipped.set(9);
                link = node.next.as_deref();
            }
        });
        assert_eq!(seen, taken(search()).0);
    }
}

thread_local! {
    static DROPPED: Cell<u64> = const { Cell::new(0) };
}

#[derive(Debug, Finitize)]
struct Noisy {
    bit: bool,
    next: Option<Box<Noisy>>,
}

impl Drop for Noisy {
    fn drop(&mut self) {
        DROPPED.set(DROPPED.get() + 1);
    }
}

#[derive(Debug, Finitize)]
struct NoisyChain {
    head: Option<Box<Noisy>>,
}

#[rep_ok]
impl NoisyChain {
    fn rep_ok(&self) -> bool {
        Self::is_right(&self.head)
    }

    fn is_right(link: &Option<Box<Noisy>>) -> bool {
        link.as_ref().is_none_or(|node| Self::is_right(&node.next))
    }
}

#[test]
fn destructors_run_once_for_each_value() {
    assert_same::<NoisyChain>(1..=3);
    let drops = |run: &dyn Fn(Search<NoisyChain>)| {
        let before = DROPPED.get();
        run(Search::new(NoisyChain::scope(3)));
        DROPPED.get() - before
    };
    let (taken, looked_at) =
        (drops(&|search| drop(search.for_each(drop))), drops(&|search| drop(search.for_each_ref(|_| {}))));
    assert_eq!(looked_at, taken);
}

#[derive(Debug, Finitize)]
struct Link {
    next: Option<Box<Link>>,
}

#[derive(Debug, Finitize)]
struct Long {
    head: Option<Box<Link>>,
    mark: bool,
}

#[rep_ok]
impl Long {
    fn rep_ok(&self) -> bool {
        true
    }
}

#[test]
fn deep_values_are_built() {
    for summaries in [Summaries::Always, Summaries::Never] {
        let search = || Search::new(Long::scope(180)).sizes(150..=180).summaries(summaries);
        assert_eq!(looked_at(search()), taken(search()));
    }
}

#[test]
fn all_answers_are_given() {
    let search = || Search::new(TwoChains::scope(1));
    let (mut one, mut other) = (Vec::new(), Vec::new());
    search().for_each(|chains| one.push((format!("{chains:?}"), korat::choose(0..=chains.len))));
    search().for_each_ref(|chains| other.push((format!("{chains:?}"), korat::choose(0..=chains.len))));
    assert!(one.len() > 10);
    assert_eq!(other, one);
}

#[test]
fn a_failing_draw_is_shrunk() {
    let search = || Search::new(SearchTree::scope(6)).sample(100).regressions(false);
    let failed = |result: Result<Report, Error>| match result {
        Err(Error::Property(failed)) => failed.failures[0].replay.clone(),
        other => panic!("the property fails, and not: {other:?}"),
    };
    let taken = failed(search().try_for_each(|tree| format!("{tree:?}").len() < 200));
    assert_eq!(failed(search().try_for_each_ref(|tree| format!("{tree:?}").len() < 200)), taken);
}
