//! Disjoint sets as a forest in an arena, linked by rank: each element refers to the next one on the path to its set's
//! representative.

use std::collections::HashSet;

use korat::{Finitize, rep_ok};
use rand::RngExt;
use rand::SeedableRng;
use rand::rngs::StdRng;

use super::faults::{Fault, Faulty, count_true, replace};
use super::shuffled;

/// An element.
#[derive(Clone, Debug, Default, PartialEq, Finitize)]
pub struct Node {
    /// The next element on the path to the set's representative, which has no parent.
    #[finitize(index_of = nodes)]
    pub parent: Option<usize>,
    /// An upper bound on the height of the tree below the element.
    #[finitize(0..=highest_rank(scope))]
    pub rank: usize,
}

/// A collection of elements, each in exactly one set.
#[derive(Clone, Debug, Default, PartialEq, Finitize)]
pub struct DisjointSets {
    /// The elements.
    pub nodes: Vec<Node>,
    /// The number of sets.
    #[finitize(0..=scope)]
    pub sets: usize,
}

#[rep_ok]
impl DisjointSets {
    /// Returns whether every parent has a higher rank, and `sets` is the number of elements without a parent.
    ///
    /// Ranks that increase on every step up exclude cycles, so every path ends at an element without a parent.
    pub fn rep_ok(&self) -> bool {
        let mut seen: HashSet<usize> = HashSet::new();
        let mut roots = 0;
        for start in 0..self.nodes.len() {
            let mut at = start;
            // Stop at an element from which an earlier path went on.
            while seen.insert(at) {
                let node = &self.nodes[at];
                let Some(parent) = node.parent else {
                    roots += 1;
                    break;
                };
                let Some(above) = self.nodes.get(parent) else {
                    return false;
                };
                if above.rank <= node.rank {
                    return false;
                }
                at = parent;
            }
        }
        self.sets == roots
    }
}

impl DisjointSets {
    /// Returns the number of elements.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Returns whether there are no elements.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Returns the representative of the set of `at`. Does not terminate on a cycle.
    pub fn root(&self, mut at: usize) -> usize {
        while let Some(parent) = self.nodes[at].parent {
            at = parent;
        }
        at
    }
}

/// Returns the highest rank possible with a number of elements: each rank needs twice as many as the one before.
fn highest_rank(elements: usize) -> usize {
    elements.checked_ilog2().unwrap_or(0) as usize
}

impl Faulty for DisjointSets {
    /// Builds sets of 1 to 32 elements, each as unions of sets of equal size make it.
    fn build(n: usize) -> Self {
        let order = shuffled(n);
        let mut rng = StdRng::seed_from_u64(n as u64);
        let mut nodes = vec![Node::default(); n];
        let mut sets = 0;
        let mut rest = &order[..];
        while !rest.is_empty() {
            let (set, others) = rest.split_at(rng.random_range(1..=32).min(rest.len()));
            // The tree of repeated halving: the parent of a position is that position without its lowest set bit.
            for place in (1..set.len()).rev() {
                let parent = set[place & (place - 1)];
                let rank = nodes[set[place]].rank + 1;
                nodes[set[place]].parent = Some(parent);
                nodes[parent].rank = rank.max(nodes[parent].rank);
            }
            sets += 1;
            rest = others;
        }
        Self { nodes, sets }
    }

    fn faults() -> &'static [Fault] {
        &[Fault::WrongLink, Fault::Cycle, Fault::NullInTheMiddle, Fault::WrongSize, Fault::WrongHeight]
    }

    fn sites(&self) -> usize {
        self.nodes.len()
    }

    fn inject(&mut self, fault: Fault, site: usize, rng: &mut StdRng) -> bool {
        let n = self.nodes.len();
        match fault {
            Fault::WrongLink => match self.one_not_above(site, rng) {
                Some(wrong) => self.nodes[site].parent.replace(wrong) != Some(wrong),
                None => false,
            },
            Fault::Cycle => {
                let below = self.some_steps_down(site, rng);
                self.nodes[site].parent.replace(below) != Some(below)
            }
            Fault::NullInTheMiddle => self.nodes[site].parent.take().is_some(),
            Fault::WrongSize => replace(&mut self.sets, n + 1, rng),
            Fault::WrongHeight => match self.nodes[site].parent.and_then(|parent| self.nodes.get(parent)) {
                Some(parent) => {
                    let wrong = rng.random_range(parent.rank..=highest_rank(n).max(parent.rank));
                    std::mem::replace(&mut self.nodes[site].rank, wrong) != wrong
                }
                // Rank 0 is too low for a root with children; one without children has it already.
                None => std::mem::take(&mut self.nodes[site].rank) > 0,
            },
            Fault::SharedChild | Fault::WrongKey => panic!("disjoint sets do not have {fault:?}"),
        }
    }

    /// Returns all elements, since sets consist of elements and not of links.
    fn reachable(&self) -> usize {
        self.nodes.len()
    }

    fn differences(&self, other: &Self) -> usize {
        let nodes = self.nodes.iter().zip(&other.nodes);
        let fields = nodes.flat_map(|(a, b)| [a.parent != b.parent, a.rank != b.rank]);
        count_true(fields.chain([self.sets != other.sets]))
    }
}

impl DisjointSets {
    /// Returns an element other than the parent of `at` whose rank is not above that of `at`, usually from another set.
    fn one_not_above(&self, at: usize, rng: &mut StdRng) -> Option<usize> {
        // Half of the elements have the lowest rank, so 64 tries nearly always suffice.
        let mut tries = (0..64).map(|_| rng.random_range(0..self.nodes.len()));
        tries.find(|&other| self.nodes[other].rank <= self.nodes[at].rank && self.nodes[at].parent != Some(other))
    }

    /// Returns the element itself or a descendant a few steps down. There are no child links, so it scans all elements.
    fn some_steps_down(&self, mut at: usize, rng: &mut StdRng) -> usize {
        for _ in 0..rng.random_range(0..4) {
            at = self.nodes.iter().position(|node| node.parent == Some(at)).unwrap_or(at);
        }
        at
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::repairable::checks;

    #[test]
    fn sets_built_have_all_elements() {
        for n in (0..70).chain([1000]) {
            let sets = DisjointSets::build(n);
            assert!(sets.rep_ok(), "{sets:?}");
            assert_eq!((sets.len(), sets.is_empty()), (n, n == 0));
            let roots: HashSet<usize> = (0..n).map(|at| sets.root(at)).collect();
            assert_eq!(roots.len(), sets.sets);
            assert!(sets.nodes.iter().all(|node| node.rank <= highest_rank(n)));
        }
    }

    /// Counts the forests of up to `scope` elements with ranks that increase upwards, up to isomorphism: a tree is its
    /// rank and a multiset of trees of lower rank, a forest a multiset of trees.
    fn forests(scope: usize) -> u64 {
        // Returns the number of elements of each multiset of the given trees with at most `room` elements in total.
        // Takes the trees in one order, so that no multiset occurs twice.
        fn bags(trees: &[usize], room: usize) -> Vec<usize> {
            let Some((&elements, others)) = trees.split_first() else {
                return vec![0];
            };
            let with = (0..).map(|times| times * elements).take_while(|&taken| taken <= room);
            with.flat_map(|taken| bags(others, room - taken).into_iter().map(move |more| taken + more)).collect()
        }
        let mut trees: Vec<usize> = Vec::new();
        for _ in 0..=highest_rank(scope) {
            let of_this_rank: Vec<usize> = match scope.checked_sub(1) {
                Some(room) => bags(&trees, room).into_iter().map(|below| below + 1).collect(),
                None => Vec::new(),
            };
            trees.extend(of_this_rank);
        }
        bags(&trees, scope).len() as u64
    }

    #[test]
    fn there_is_one_value_for_each_forest() {
        let expected: Vec<u64> = (0..5).map(forests).collect();
        assert_eq!(expected[..3], [1, 2, 7]);
        checks::counts::<DisjointSets>(&expected);
    }

    #[test]
    fn every_fault_breaks_the_invariant() {
        checks::faults_are_noticed::<DisjointSets>();
    }

    #[test]
    fn a_fault_changes_one_field() {
        checks::one_field_is_changed::<DisjointSets>();
    }

    #[test]
    fn a_million_elements_are_no_problem() {
        checks::large::<DisjointSets>();
    }
}
