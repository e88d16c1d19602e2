//! Labelled graphs as numbers, and one number for all that differ only in the order of their nodes. Takes how many weights nodes
//! and edges may have; knows no graph library.

/// What there is to a graph besides its nodes.
#[derive(Clone, Copy)]
pub(super) struct Kind {
    pub(super) is_directed: bool,
    /// How many weights a node may have.
    pub(super) node_weights: usize,
    /// How many weights an edge may have.
    pub(super) edge_weights: usize,
}

/// Graphs of one kind with so many nodes.
///
/// A graph is written as digits: the weight of each node, then for each pair of nodes that may have an edge 0, or 1 and more for
/// the weight of the edge. The first digit counts least in the graph's number.
pub(super) struct Graphs {
    kind: Kind,
    nodes: usize,
    /// The pairs that may have an edge.
    pairs: Vec<(usize, usize)>,
    /// For each order of the nodes, what each digit is worth when they are numbered in this order.
    worths: Vec<Vec<u64>>,
}

impl Kind {
    /// The pairs of nodes that may have an edge.
    fn pairs(self, nodes: usize) -> Vec<(usize, usize)> {
        let from = |one: usize| if self.is_directed { 0 } else { one };
        (0..nodes).flat_map(|one| (from(one)..nodes).map(move |other| (one, other))).collect()
    }

    /// How many labelled graphs with so many nodes there are, unless they are too many to count.
    pub(super) fn count(self, nodes: usize) -> Option<u128> {
        let exponent = |number: usize| u32::try_from(number).ok();
        let pairs = if self.is_directed { nodes.checked_mul(nodes)? } else { nodes.checked_mul(nodes + 1)? / 2 };
        let of_nodes = (self.node_weights as u128).checked_pow(exponent(nodes)?)?;
        let of_edges = (self.edge_weights as u128 + 1).checked_pow(exponent(pairs)?)?;
        of_nodes.checked_mul(of_edges)
    }
}

impl Graphs {
    pub(super) fn new(kind: Kind, nodes: usize) -> Self {
        let pairs = kind.pairs(nodes);
        let mut worth = 1;
        let mut next = |weights: usize| {
            let own = worth;
            worth *= weights as u64;
            own
        };
        let of_nodes: Vec<u64> = (0..nodes).map(|_| next(kind.node_weights)).collect();
        let of_pairs: Vec<u64> = pairs.iter().map(|_| next(kind.edge_weights + 1)).collect();
        let renumbered = |order: Vec<usize>| {
            let of_pair = |&(one, other): &(usize, usize)| {
                let (one, other) = (order[one], order[other]);
                let pair = if kind.is_directed { (one, other) } else { (one.min(other), one.max(other)) };
                of_pairs[pairs.binary_search(&pair).expect("[korat internal bug] pairs are in order")]
            };
            order.iter().map(|&node| of_nodes[node]).chain(pairs.iter().map(of_pair)).collect()
        };
        let worths = orders(nodes).into_iter().map(renumbered).collect();
        Graphs { kind, nodes, pairs, worths }
    }

    pub(super) fn nodes(&self) -> usize {
        self.nodes
    }

    /// The pairs that may have an edge, each with its place among the digits.
    pub(super) fn places(&self) -> impl Iterator<Item = (usize, (usize, usize))> {
        (self.nodes..).zip(self.pairs.iter().copied())
    }

    /// The digits of a graph's number.
    pub(super) fn digits(&self, mut number: u64) -> Vec<usize> {
        let of_nodes = std::iter::repeat_n(self.kind.node_weights, self.nodes);
        let of_pairs = std::iter::repeat_n(self.kind.edge_weights + 1, self.pairs.len());
        let digit = |base: usize| {
            let digit = number % base as u64;
            number /= base as u64;
            digit as usize
        };
        of_nodes.chain(of_pairs).map(digit).collect()
    }

    /// The numbers of a graph in all orders of its nodes.
    fn numbers(&self, digits: &[usize]) -> impl Iterator<Item = u64> {
        let number = |worths: &Vec<u64>| digits.iter().zip(worths).map(|(&digit, &worth)| digit as u64 * worth).sum();
        self.worths.iter().map(number)
    }

    /// The number that stands for a graph in any order of its nodes.
    pub(super) fn smallest(&self, digits: &[usize]) -> u64 {
        self.numbers(digits).min().unwrap_or(0)
    }

    /// Such a number for each graph, in ascending order; they are to be few enough to be marked one by one.
    pub(super) fn all(&self) -> Vec<u64> {
        let count = self.kind.count(self.nodes).and_then(|count| usize::try_from(count).ok());
        let mut is_known = vec![false; count.expect("[korat internal bug] there are too many graphs to list")];
        let mut all = Vec::new();
        for number in 0..is_known.len() {
            if !is_known[number] {
                all.push(number as u64);
                self.numbers(&self.digits(number as u64)).for_each(|same| is_known[same as usize] = true);
            }
        }
        all
    }
}

/// Every order of `0..count`.
fn orders(count: usize) -> Vec<Vec<usize>> {
    let Some(last) = count.checked_sub(1) else { return vec![Vec::new()] };
    let insert = |order: Vec<usize>| {
        (0..count).map(move |at| {
            let mut longer = order.clone();
            longer.insert(at, last);
            longer
        })
    };
    orders(last).into_iter().flat_map(insert).collect()
}
