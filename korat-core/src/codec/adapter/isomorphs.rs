//! Enumeration of labelled graphs up to isomorphism: graphs are encoded as numbers, and the smallest number over all
//! orders of the nodes is the canonical form. Knows only the number of node and edge weights, and no graph library.

/// The kind of a graph: everything but its nodes.
#[derive(Clone, Copy)]
pub(super) struct Kind {
    pub(super) is_directed: bool,
    /// The number of weights that a node may have.
    pub(super) node_weights: usize,
    /// The number of weights that an edge may have.
    pub(super) edge_weights: usize,
}

/// The graphs of one kind with a fixed number of nodes.
///
/// A graph is a sequence of digits: the weight of each node, then one digit per pair of nodes that may have an edge, 0
/// for no edge and `weight + 1` otherwise. The first digit of the graph's number is the least significant one.
pub(super) struct Graphs {
    kind: Kind,
    nodes: usize,
    /// The pairs of nodes that may have an edge.
    pairs: Vec<(usize, usize)>,
    /// For each permutation of the nodes, the place value of every digit after renumbering the nodes.
    worths: Vec<Vec<u64>>,
}

impl Kind {
    /// Returns the pairs of nodes that may have an edge.
    fn pairs(self, nodes: usize) -> Vec<(usize, usize)> {
        let from = |one: usize| if self.is_directed { 0 } else { one };
        (0..nodes).flat_map(|one| (from(one)..nodes).map(move |other| (one, other))).collect()
    }

    /// Returns the number of labelled graphs with `nodes` nodes; `None` if it overflows.
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

    /// Returns the pairs that may have an edge, each with its position among the digits.
    pub(super) fn places(&self) -> impl Iterator<Item = (usize, (usize, usize))> {
        (self.nodes..).zip(self.pairs.iter().copied())
    }

    /// Returns the digits of a graph's number.
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

    /// Returns the numbers of a graph under all permutations of its nodes.
    fn numbers(&self, digits: &[usize]) -> impl Iterator<Item = u64> {
        let number = |worths: &Vec<u64>| digits.iter().zip(worths).map(|(&digit, &worth)| digit as u64 * worth).sum();
        self.worths.iter().map(number)
    }

    /// Returns the canonical form of a graph.
    pub(super) fn smallest(&self, digits: &[usize]) -> u64 {
        self.numbers(digits).min().unwrap_or(0)
    }

    /// Returns the canonical forms of all graphs, in ascending order. There must be few enough for a table of all
    /// numbers.
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

/// Returns every permutation of `0..count`.
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
