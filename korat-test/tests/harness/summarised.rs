//! What `KORAT_EXPLAIN` says about summaries: tables, and for each call or loop that was run the reason and what to write instead.

use std::collections::{HashMap, HashSet};

use korat::{Finitize, RepOk, Search, Summaries, rep_ok};

#[derive(Debug, Finitize)]
struct Node {
    #[finitize(0..=1)]
    key: u8,
    left: Option<Box<Node>>,
    right: Option<Box<Node>>,
}

#[derive(Debug, Finitize)]
struct Tree {
    root: Option<Box<Node>>,
    #[finitize(0..=scope)]
    len: usize,
}

/// What is said about the methods of a tree, without the numbers of lines.
fn told<T: Finitize + RepOk + std::fmt::Debug>(search: Search<T>) -> String {
    let report = search.summaries(Summaries::Always).for_each(|_| true);
    let text = report.summaries.expect("it was asked for").to_string();
    let without_number =
        |line: &str| line.trim_start_matches(|letter: char| letter.is_ascii_digit() || letter == ' ').to_string();
    let lines = text.lines().map(|line| match line.starts_with("        ") {
        true => line.to_string(),
        false => without_number(line),
    });
    lines.collect::<Vec<_>>().join("\n")
}

#[rep_ok]
impl Tree {
    fn rep_ok(&self) -> bool {
        let mut seen = HashSet::new();
        Self::visit(&self.root, &mut seen) && seen.len() == self.len
    }

    fn visit(link: &Option<Box<Node>>, seen: &mut HashSet<*const Node>) -> bool {
        let Some(node) = link else { return true };
        seen.insert(&**node) && Self::visit(&node.left, seen) && Self::visit(&node.right, seen)
    }
}

#[test]
fn what_was_summarised() {
    insta::assert_snapshot!(told(Search::new(Tree::scope(6))), @r"
    parts were summarised: 87 runs, 2 tables, 10 calls answered
    visit: 2 tables, 11 outcomes, 37 runs, 10 calls answered
    ");
}

/// Methods and loops that are run, each for a reason of its own.
#[derive(Debug, Finitize)]
struct Odd {
    root: Option<Box<Node>>,
    other: Option<Box<Node>>,
    #[finitize(0..=1)]
    key: u8,
}

#[rep_ok]
impl Odd {
    fn rep_ok(&self) -> bool {
        let mut depths = HashMap::new();
        let mut seen = HashSet::new();
        Self::count(&self.root) == Self::count(&self.other)
            && Self::depths(&self.root, &mut depths)
            && Self::all(&self.root, &|node| node.key < 2)
            && Self::any_sum(&self.root, 0u8) < 9
            && Self::first(&self.root).is_none_or(|node| node.key < 2)
            && Self::both((&self.root, self.key))
            && Self::listed(&self.other, &mut seen)
            && seen.iter().skip(1).count() < 9
            && Self::chain(&self.other) < 9
            && self.under(&self.other)
    }

    fn count(link: &Option<Box<Node>>) -> usize {
        link.as_ref().map_or(0, |node| 1 + Self::count(&node.left) + Self::count(&node.right))
    }

    fn depths(link: &Option<Box<Node>>, depths: &mut HashMap<*const Node, usize>) -> bool {
        let Some(node) = link else { return true };
        depths.insert(&**node, depths.len());
        Self::depths(&node.left, depths) && Self::depths(&node.right, depths)
    }

    fn all(link: &Option<Box<Node>>, holds: &dyn Fn(&Node) -> bool) -> bool {
        link.as_ref().is_none_or(|node| holds(node) && Self::all(&node.left, holds) && Self::all(&node.right, holds))
    }

    fn any_sum<N: Into<u8> + Copy>(link: &Option<Box<Node>>, start: N) -> u8 {
        link.as_ref().map_or(start.into(), |node| node.key + Self::any_sum(&node.left, start))
    }

    fn first(link: &Option<Box<Node>>) -> Option<&Node> {
        let node = link.as_ref()?;
        Self::first(&node.left).or(Some(node))
    }

    fn both((link, key): (&Option<Box<Node>>, u8)) -> bool {
        link.as_ref().is_none_or(|node| node.key <= key.max(1) && Self::both((&node.left, key)))
    }

    fn listed(link: &Option<Box<Node>>, seen: &mut HashSet<*const Node>) -> bool {
        let Some(node) = link else { return true };
        seen.insert(&**node) && Self::listed(&node.left, seen) && Self::listed(&node.right, seen)
    }

    fn chain(link: &Option<Box<Node>>) -> usize {
        let mut seen = HashSet::new();
        let mut at = link;
        while let Some(node) = at {
            if !seen.insert(&**node as *const Node) {
                return 9;
            }
            at = &node.left;
        }
        seen.len()
    }

    fn under(&self, link: &Option<Box<Node>>) -> bool {
        link.as_ref().is_none_or(|node| self.key <= 1 && self.under(&node.left) && self.under(&node.right))
    }
}

#[test]
fn why_others_were_run() {
    insta::assert_snapshot!(told(Search::new(Odd::scope(4))), @r"
    parts were summarised: 146 runs, 4 tables, 41 calls answered
    count: 1 table, 4 outcomes, 10 runs, 8 calls answered
    depths: not summarised
            187 calls run instead: it takes or returns `HashMap<*const Node, usize>`; pass a vector of plain values, or a set of addresses `HashSet<*const Node>`
    all: not summarised
            187 calls run instead: a parameter is a closure or an `impl` type; pass plain values
    any_sum: not summarised
            98 calls run instead: it has type parameters; write a method for each type that it is called with
    first: not summarised
            98 calls run instead: it returns a part, or a reference; return a plain value
    both: not summarised
            98 calls run instead: a parameter is a pattern; give it a name
    listed: not summarised
            187 calls run instead: the elements of its set of addresses are looked at one by one; use `insert`, `contains` and `len` only
    chain: 1 table, 1 outcome, 1 run, 3 calls answered
    loop in chain: not summarised
            37 calls run instead: the type of `seen` is not written out; write `let seen: .. =`
    under: 2 tables, 2 outcomes, 2 runs, 30 calls answered
            4 calls run instead: it takes a reference to a field, and the object that has it; pass one of them
    ");
}

#[derive(Debug, Finitize)]
struct Link {
    next: Option<Box<Link>>,
}

#[derive(Debug, Finitize)]
struct Long {
    head: Option<Box<Link>>,
}

#[rep_ok]
impl Long {
    fn rep_ok(&self) -> bool {
        self.head.as_ref().is_none_or(|link| link.next.is_none())
    }
}

#[test]
fn bounds_that_are_too_large_are_not_summarised() {
    insta::assert_snapshot!(
        told(Search::new(Long::scope(70_000)).sizes(0..=1)),
        @"parts were not summarised: its bounds allow more than 65,535 objects"
    );
    assert!(told(Search::new(Long::scope(7)).sizes(0..=1)).starts_with("parts were summarised"));
}
