//! Histograms of values by size and by label: counts worked out by hand, whose labels they are, and what is printed of them.

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread;

use korat::{Backtracking, Finitize, Report, Search, Stats, Unread, label, rep_ok};

use crate::rerun;

#[derive(Debug, Finitize)]
struct Node {
    left: Option<Box<Node>>,
    right: Option<Box<Node>>,
}

#[derive(Debug, Finitize)]
struct Tree {
    root: Option<Box<Node>>,
}

#[rep_ok]
impl Tree {
    fn rep_ok(&self) -> bool {
        Self::is_whole(&self.root)
    }

    fn is_whole(node: &Option<Box<Node>>) -> bool {
        let Some(node) = node else { return true };
        Self::is_whole(&node.left) && Self::is_whole(&node.right)
    }
}

fn height(node: &Option<Box<Node>>) -> usize {
    node.as_ref().map_or(0, |node| 1 + height(&node.left).max(height(&node.right)))
}

fn stats(report: Report) -> Stats {
    report.stats.expect("they were asked for")
}

fn sizes(stats: &Stats) -> Vec<(usize, u64)> {
    stats.sizes().collect()
}

fn labels(stats: &Stats) -> Vec<(&str, u64)> {
    stats.labels().collect()
}

#[test]
fn trees_by_size_and_height() {
    for backtracking in [Backtracking::Checkpoint, Backtracking::Reexecute] {
        let search = Search::new(Tree::scope(4)).backtracking(backtracking).stats(true);
        let stats = stats(search.for_each(|tree| label!("height {}", height(&tree.root))));
        // The tree itself is a handle, and no node.
        assert_eq!(sizes(&stats), [(0, 1), (1, 1), (2, 2), (3, 5), (4, 14)]);
        // Three nodes: one tree is 2 high, four are 3 high. Four nodes: the two below the root of a tree of height 3 are one beside
        // two, on either side (2 * 2), or a tree of three nodes and height 2 on one side (2). Eight are chains.
        let expected = [("height 0", 1), ("height 1", 1), ("height 2", 2 + 1), ("height 3", 4 + 6), ("height 4", 8)];
        assert_eq!(labels(&stats), expected);
        assert_eq!((stats.values(), stats.unlabelled()), (23, 0));
    }
}

#[test]
fn a_label_counts_once_per_value() {
    let report = Search::new(Tree::scope(3)).stats(true).for_each(|tree| {
        let Some(root) = &tree.root else { return };
        for child in [&root.left, &root.right].into_iter().flatten() {
            label!("has a child");
            let side = if child.left.is_some() { "left" } else { "none" };
            label!("{side}");
        }
    });
    let stats = stats(report);
    // No node and one node: nothing. Two nodes: 2. Three nodes: two with a left grandchild, two with a right one, one with none.
    assert_eq!(labels(&stats), [("has a child", 2 + 5), ("left", 2), ("none", 2 + 3)]);
    assert_eq!((stats.values(), stats.unlabelled()), (9, 2));
}

#[test]
fn nothing_is_counted_unless_asked_for() {
    let report = Search::new(Tree::scope(2)).for_each(|_| label!("anything"));
    assert!(report.stats.is_none());
    assert!(Search::new(Tree::scope(2)).report().stats.is_none());
}

#[test]
fn sizes_without_a_property() {
    assert_eq!(sizes(&stats(Search::new(Tree::scope(2)).stats(true).report())), [(0, 1), (1, 1), (2, 2)]);
    let mut values = Search::new(Tree::scope(2)).stats(true).into_iter();
    assert!(values.next().is_some() && values.next().is_some());
    // No property runs here.
    label!("in a loop of the user's own");
    let so_far = stats(values.report());
    assert_eq!((sizes(&so_far).len(), so_far.values(), labels(&so_far).len()), (2, 2, 0));
}

#[test]
fn values_are_counted_not_candidates() {
    #[derive(Debug, Finitize)]
    struct Pair {
        one: bool,
        two: bool,
    }
    #[rep_ok]
    impl Pair {
        fn rep_ok(&self) -> bool {
            self.one
        }
    }
    let count = |unread| stats(Search::new(Pair::scope(1)).unread(unread).stats(true).report()).values();
    assert_eq!((count(Unread::All), count(Unread::First)), (2, 1));
}

/// Whose labels they are.
mod owners {
    use super::*;

    #[test]
    fn the_innermost_property_has_them() {
        let mut inner = Vec::new();
        let outer = Search::new(Tree::scope(1)).stats(true).for_each(|_| {
            label!("outer, before");
            let report = Search::new(Tree::scope(2)).stats(true).for_each(|_| label!("inner"));
            inner.push(stats(report));
            // Nobody wants these.
            korat::for_each_valid(Tree::scope(2), |_| label!("inner, without statistics"));
            label!("outer, after");
        });
        assert_eq!(labels(&stats(outer)), [("outer, after", 2), ("outer, before", 2)]);
        assert_eq!(inner.len(), 2);
        assert!(inner.iter().all(|stats| labels(stats) == [("inner", 4)]));
    }

    #[test]
    fn a_panic_inside_gives_them_back() {
        let outer = Search::new(Tree::scope(0)).stats(true).for_each(|_| {
            label!("before");
            let failed = catch_unwind(AssertUnwindSafe(|| {
                Search::new(Tree::scope(1)).stats(true).for_each(|tree| {
                    label!("lost");
                    assert!(tree.root.is_none());
                })
            }));
            assert!(failed.is_err());
            label!("after");
        });
        assert_eq!(labels(&stats(outer)), [("after", 1), ("before", 1)]);
        // And nobody is listening any more.
        label!("outside");
        assert_eq!(labels(&stats(Search::new(Tree::scope(0)).stats(true).for_each(|_| {}))), []);
    }

    #[test]
    fn other_threads_have_their_own() {
        let run =
            |name: &'static str| move || stats(Search::new(Tree::scope(4)).stats(true).for_each(|_| label!("{name}")));
        let (one, two) = (thread::spawn(run("one")), thread::spawn(run("two")));
        assert_eq!(labels(&one.join().expect("it holds")), [("one", 23)]);
        assert_eq!(labels(&two.join().expect("it holds")), [("two", 23)]);
        let report = Search::new(Tree::scope(1)).stats(true).for_each(|_| {
            thread::spawn(|| label!("on a thread of the property's own")).join().expect("it does nothing");
        });
        assert_eq!(stats(report).unlabelled(), 2);
    }

    /// Formatting may itself give labels, and is not done where nobody listens.
    #[test]
    fn formatting_runs_only_where_it_is_wanted() {
        struct Nosy;
        impl fmt::Display for Nosy {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                label!("while formatting");
                f.write_str("nosy")
            }
        }
        struct Never;
        impl fmt::Display for Never {
            fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
                panic!("nobody asked for the text")
            }
        }
        label!("{Never}");
        korat::for_each_valid(Tree::scope(0), |_| label!("{}", Never));
        let report = Search::new(Tree::scope(0)).stats(true).for_each(|_| label!("{Nosy}"));
        assert_eq!(labels(&stats(report)), [("nosy", 1), ("while formatting", 1)]);
    }
}

/// What is printed.
mod texts {
    use super::*;

    fn described(scope: usize) -> Report {
        Search::new(Tree::scope(scope)).stats(true).for_each(|tree| {
            let Some(root) = &tree.root else { return label!("empty") };
            if root.left.is_none() && root.right.is_none() {
                return;
            }
            label!("height {}", height(&tree.root));
        })
    }

    #[test]
    fn sizes_and_labels() {
        insta::assert_snapshot!(stats(described(6)));
    }

    #[test]
    fn sizes_only() {
        insta::assert_snapshot!(stats(Search::new(Tree::scope(8)).stats(true).report()));
    }

    #[test]
    fn nothing() {
        insta::assert_snapshot!(Stats::default());
    }

    #[test]
    fn two_nodes() {
        assert_eq!(described(2).valid, 4);
    }

    #[test]
    fn they_are_printed_at_the_end() {
        let printed = rerun::printed(&mut rerun::command(module_path!(), "two_nodes"));
        let (report, rest) = printed.split_once('\n').expect("there are several lines");
        assert!(report.starts_with("complete: all 4 values of Tree at scope 2; "), "{report}");
        insta::assert_snapshot!(rest);
    }
}
