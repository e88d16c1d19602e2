//! Heaps for large values: laid out and filled in one pass over the objects, with no call inside a call for what a pointer leads to.

use korat::{Finitize, rep_ok};
use korat_core::{Searcher, Settings};

#[derive(Debug, Finitize)]
struct Link {
    next: Option<Box<Link>>,
}

#[derive(Debug, Finitize)]
struct Chain {
    head: Option<Box<Link>>,
    #[finitize(scope..=scope)]
    len: usize,
}

#[rep_ok]
impl Chain {
    fn rep_ok(&self) -> bool {
        let (mut at, mut len) = (&self.head, 0);
        while let Some(link) = at {
            (at, len) = (&link.next, len + 1);
        }
        len == self.len
    }
}

/// Otherwise a link would be dropped inside the drop of the one before it.
impl Drop for Chain {
    fn drop(&mut self) {
        let mut at = self.head.take();
        while let Some(mut link) = at {
            at = link.next.take();
        }
    }
}

fn chain(len: usize) -> Chain {
    let mut chain = Chain { head: None, len };
    for _ in 0..len {
        chain.head = Some(Box::new(Link { next: chain.head.take() }));
    }
    chain
}

#[test]
fn a_long_chain_is_taken_apart_on_a_small_stack() {
    const LEN: usize = 200_000;
    let run = || {
        let searcher = Searcher::new(&Chain::scope(LEN), Settings::default()).expect("bounds are good");
        let slots = searcher.abstract_value(&chain(LEN)).expect("within the bounds");
        assert_eq!(slots, searcher.abstract_value(&chain(LEN)).expect("within the bounds"));
        let mut longer = chain(LEN + 1);
        longer.len = LEN;
        let error = searcher.abstract_value(&longer).expect_err("too long");
        assert_eq!(error.to_string(), "there are more objects of Link than the bound allows");
    };
    let thread = std::thread::Builder::new().stack_size(128 << 10).spawn(run).expect("a thread");
    thread.join().expect("no link is looked at inside the call for another");
}

#[derive(Clone, Debug, PartialEq, Finitize)]
struct Node {
    #[finitize(index_of = nodes)]
    left: Option<usize>,
    #[finitize(index_of = nodes)]
    right: Option<usize>,
    key: usize,
}

#[derive(Clone, Debug, PartialEq, Finitize)]
struct Nodes {
    nodes: Vec<Node>,
    #[finitize(index_of = nodes)]
    root: Option<usize>,
    marks: Vec<(bool, usize)>,
}

#[rep_ok]
impl Nodes {
    fn rep_ok(&self) -> bool {
        self.nodes.iter().all(|node| node.key <= self.nodes.len()) && self.marks.len() <= self.nodes.len()
    }
}

/// A heap in the order of an array.
fn nodes(count: usize) -> Nodes {
    let at = |position: usize| (position < count).then_some(position);
    let node = |n: usize| Node { left: at(2 * n + 1), right: at(2 * n + 2), key: n * 7919 % count };
    Nodes { nodes: (0..count).map(node).collect(), root: at(0), marks: (0..count).map(|n| (n % 2 == 0, n)).collect() }
}

/// A list of values per element, or a search through all elements for one of them, would never end here.
#[test]
fn a_large_arena_comes_back() {
    const COUNT: usize = 20_000;
    let mut searcher = Searcher::new(&Nodes::scope(COUNT), Settings::default()).expect("bounds are good");
    let value = nodes(COUNT);
    let slots = searcher.abstract_value(&value).expect("within the bounds");
    assert_eq!(searcher.build(&slots), value);
    let mut other = value.clone();
    other.nodes[COUNT - 1].left = Some(COUNT);
    let error = searcher.abstract_value(&other).expect_err("there is no such element");
    assert_eq!(error.to_string(), "Some(20000) is not in the domain of its field");
}

/// Elements share what is known of their fields; each has its own name all the same.
#[test]
fn elements_have_names_of_their_own() {
    let mut searcher = Searcher::new(&Nodes::scope(3), Settings::default()).expect("bounds are good");
    let slots = searcher.abstract_value(&nodes(2)).expect("within the bounds");
    let outline = searcher.outline_of(&slots);
    let names: Vec<&str> = outline.objects[0].fields.iter().map(|(name, _)| name.as_str()).collect();
    let lens_and_nodes = ["nodes.len()", "nodes[0]", "nodes[1]", "root", "marks.len()"];
    assert_eq!(names, [&lens_and_nodes[..], &["marks[0].0", "marks[0].1", "marks[1].0", "marks[1].1"]].concat());
}
