//! Vectors whose order does not matter.

use super::*;

#[derive(Clone, Debug, Finitize)]
struct Bag {
    #[finitize(set)]
    items: Vec<u8>,
}

#[rep_ok]
impl Bag {
    fn rep_ok(&self) -> bool {
        self.items.iter().rev().copied().map(u32::from).sum::<u32>() % 2 == 0
    }
}

#[test]
fn bags_of_numbers() {
    for scope in 0..=4 {
        let all = lists_up_to(&(0..=scope as u8).collect::<Vec<_>>(), scope).into_iter().map(|items| Bag { items });
        agree(scope, all, |bag| {
            let mut items = bag.items.clone();
            items.sort();
            format!("{items:?}")
        });
    }
}

#[derive(Clone, Debug, Finitize)]
struct Crowd {
    #[finitize(identity, set, len = scope..=scope)]
    names: Vec<u8>,
}

#[rep_ok]
impl Crowd {
    fn rep_ok(&self) -> bool {
        true
    }
}

#[test]
fn partitions_of_numbers() {
    let counts: Vec<u64> = (0..=6).map(|scope| Search::new(Crowd::scope(scope)).report().valid).collect();
    assert_eq!(counts, [1, 1, 2, 3, 5, 7, 11]);
}

#[derive(Clone, Debug, Finitize)]
struct Tree {
    #[finitize(set)]
    children: Vec<Tree>,
}

#[derive(Clone, Debug, Finitize)]
struct Rooted {
    root: Box<Tree>,
    #[finitize(scope..=scope)]
    size: usize,
}

#[rep_ok]
impl Rooted {
    fn rep_ok(&self) -> bool {
        Self::count(&self.root) == self.size
    }
    fn count(tree: &Tree) -> usize {
        let mut count = 1;
        for child in &tree.children {
            count += Self::count(child);
        }
        count
    }
}

#[test]
fn trees_whose_children_have_no_order() {
    // A000081.
    let counts: Vec<u64> = (1..=6).map(|scope| Search::new(Rooted::scope(scope)).report().valid).collect();
    assert_eq!(counts, [1, 1, 2, 4, 9, 20]);
}

#[derive(Clone, Debug, Finitize)]
struct Graph {
    #[finitize(index_of = edges, set)]
    edges: Vec<Vec<usize>>,
}

#[rep_ok]
impl Graph {
    /// Edges are without direction, between different nodes, and stand in both lists.
    fn rep_ok(&self) -> bool {
        self.edges.iter().enumerate().all(|(from, to)| {
            to.iter().all(|&to| to != from && self.edges[to].contains(&from))
                && to.iter().enumerate().all(|(at, one)| !to[..at].contains(one))
        })
    }
}

#[test]
fn graphs_without_numbers() {
    // A000088: 1, 1, 2, 4, 11; up to a size, their sums.
    let counts: Vec<u64> = (0..=4).map(|scope| Search::new(Graph::scope(scope)).report().valid).collect();
    assert_eq!(counts, [1, 2, 4, 8, 19]);
}
