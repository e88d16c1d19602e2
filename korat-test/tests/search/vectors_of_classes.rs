//! Trees whose nodes hold their children in vectors, against closed formulas for their numbers. A length is tried only if
//! enough objects are left for its elements, so that each candidate is a value; `explored` is exact.

use std::collections::{LinkedList, VecDeque};
use std::fmt::Debug;

use arrayvec::ArrayVec;
use korat::{Backtracking, Finitize, Order, Pruning, RepOk, Search, SelfCheck, rep_ok};
use smallvec::SmallVec;

/// A tree with its children in a container.
macro_rules! trees {
    ($($module:ident: $children:ty;)*) => {$(
        mod $module {
            use super::*;

            #[derive(Debug, Finitize)]
            #[allow(clippy::vec_box, reason = "boxes in a vector are what is tested")]
            pub struct Node {
                pub children: $children,
            }

            #[rep_ok]
            impl Node {
                fn rep_ok(&self) -> bool {
                    self.children.iter().all(|child| child.rep_ok())
                }
            }
        }
    )*};
}

trees! {
    vector: Vec<Node>;
    deque: VecDeque<Node>;
    list: LinkedList<Node>;
    slice: Box<[Node]>;
    vector_of_boxes: Vec<Box<Node>>;
    small_vector: SmallVec<[Box<Node>; 2]>;
    array_vector: ArrayVec<Box<Node>, 9>;
}

/// The number of trees with `nodes` nodes: Catalan's number of `nodes - 1`, `binom(2n, n) / (n + 1)`.
fn trees_of(nodes: u64) -> u64 {
    let n = nodes - 1;
    (1..=n).fold(1, |binomial, k| binomial * (n + k) / k) / (n + 1)
}

/// The number of trees with `nodes` nodes of which none has more than two children: Motzkin's number of `nodes - 1`, by
/// its recurrence `(n + 2) M(n) = (2n + 1) M(n - 1) + 3 (n - 1) M(n - 2)`.
fn narrow_trees_of(nodes: u64) -> u64 {
    let next = |(before, last): (u64, u64), n: u64| (last, ((2 * n + 1) * last + 3 * (n - 1) * before) / (n + 2));
    (1..nodes).fold((0, 1), next).1
}

/// Every candidate is a value, in both ways of backtracking, in passes and in one; and the values of each size are as many
/// as they should be.
fn assert_exact<T: Finitize + RepOk + Debug>(scope: usize, of_size: impl Fn(u64) -> u64) {
    let by_size: Vec<(usize, u64)> = (1..=scope).map(|size| (size, of_size(size as u64))).collect();
    let all: u64 = by_size.iter().map(|(_, values)| values).sum();
    for backtracking in [Backtracking::Checkpoint, Backtracking::Reexecute] {
        for order in [Order::SmallestFirst, Order::AsFound] {
            let search = Search::new(T::scope(scope)).backtracking(backtracking).order(order);
            let report = search.self_check(SelfCheck::All).report();
            let context = format!("{} at scope {scope}, {backtracking:?}, {order:?}", T::NAME);
            assert_eq!((report.explored, report.valid, report.is_complete()), (all, all, true), "{context}");
            assert_eq!(report.by_size, by_size, "{context}");
        }
    }
}

#[test]
fn every_candidate_is_a_tree() {
    for scope in 1..=8 {
        assert_exact::<vector::Node>(scope, trees_of);
    }
    assert_eq!((1..=8).map(trees_of).sum::<u64>(), 626);
}

#[test]
fn every_container_is_alike() {
    for scope in [1, 4, 6] {
        assert_exact::<deque::Node>(scope, trees_of);
        assert_exact::<list::Node>(scope, trees_of);
        assert_exact::<slice::Node>(scope, trees_of);
        assert_exact::<vector_of_boxes::Node>(scope, trees_of);
        assert_exact::<small_vector::Node>(scope, trees_of);
        assert_exact::<array_vector::Node>(scope, trees_of);
    }
}

/// A tree of which no node has more than two children.
#[derive(Debug, Finitize)]
struct Narrow {
    #[finitize(len = 0..=2)]
    children: Vec<Narrow>,
}

#[rep_ok]
impl Narrow {
    fn rep_ok(&self) -> bool {
        self.children.iter().all(|child| child.rep_ok())
    }
}

#[test]
fn short_vectors_leave_objects_over() {
    assert_eq!((1..=7).map(narrow_trees_of).collect::<Vec<_>>(), [1, 1, 2, 4, 9, 21, 51]);
    for scope in 1..=7 {
        assert_exact::<Narrow>(scope, narrow_trees_of);
    }
}

/// A node whose children are read after all others of its level.
#[derive(Debug, Finitize)]
struct Level {
    children: Vec<Level>,
}

#[rep_ok]
impl Level {
    fn rep_ok(&self) -> bool {
        let mut work = VecDeque::from([self]);
        while let Some(level) = work.pop_front() {
            for child in &level.children {
                work.push_back(child);
            }
        }
        true
    }
}

#[test]
fn order_of_reads_does_not_matter() {
    for scope in 1..=7 {
        assert_exact::<Level>(scope, trees_of);
    }
}

/// Trees under a root of another class, which all objects together must fill.
#[derive(Debug, Finitize)]
struct Forest {
    trees: Vec<vector::Node>,
    first: Option<Box<Label>>,
    #[finitize(scope..=scope)]
    size: usize,
}

#[derive(Debug, Finitize)]
struct Label {
    next: Option<Box<Label>>,
}

#[rep_ok]
impl Forest {
    fn rep_ok(&self) -> bool {
        let mut work: Vec<&vector::Node> = self.trees.iter().collect();
        let mut nodes = 0;
        while let Some(node) = work.pop() {
            nodes += 1;
            work.extend(node.children.iter());
        }
        let (mut labels, mut at) = (0, &self.first);
        while let Some(label) = at {
            (labels, at) = (labels + 1, &label.next);
        }
        nodes + labels == self.size
    }
}

#[test]
fn promised_objects_count_towards_the_size() {
    // A forest of n nodes is a tree of n + 1 without its root.
    let forests = |nodes: u64| trees_of(nodes + 1);
    for scope in 1..=6 {
        let all: u64 = (0..=scope).map(forests).sum();
        for backtracking in [Backtracking::Checkpoint, Backtracking::Reexecute] {
            let search = || Search::new(Forest::scope(scope as usize)).backtracking(backtracking);
            let report = search().report();
            assert_eq!((report.explored, report.valid), (all * (scope + 1), all), "scope {scope}");
            // With at most `scope` objects in all, the labels get what the trees leave.
            let within = search().sizes(0..=scope as usize).report();
            let left: u64 = (0..=scope).map(|nodes| forests(nodes) * (scope - nodes + 1)).sum();
            assert_eq!((within.explored, within.valid), (left, all), "scope {scope}");
        }
    }
}

#[test]
fn classic_search_tries_what_it_always_tried() {
    let report = |scope| Search::new(vector::Node::scope(scope)).pruning(Pruning::Classic).report();
    let explored = [2, 7, 46, 469].map(|explored| explored as u64);
    for (scope, explored) in (1..).zip(explored) {
        let report = report(scope);
        assert_eq!((report.explored, report.valid), (explored, (1..=scope as u64).map(trees_of).sum()));
    }
}
