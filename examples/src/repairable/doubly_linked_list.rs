//! A doubly linked list in an arena: each node refers to the next and the previous one by index.

use std::collections::HashSet;

use korat::{Finitize, rep_ok};
use rand::RngExt;
use rand::rngs::StdRng;

use super::faults::{Fault, Faulty, another, count_true, replace};
use super::shuffled;

/// An element and its neighbours.
#[derive(Clone, Debug, PartialEq, Finitize)]
pub struct Node {
    /// The element.
    #[finitize(0..=scope)]
    pub elem: usize,
    /// The next node.
    #[finitize(index_of = nodes)]
    pub next: Option<usize>,
    /// The previous node.
    #[finitize(index_of = nodes)]
    pub prev: Option<usize>,
}

/// A sequence of elements.
#[derive(Clone, Debug, Default, PartialEq, Finitize)]
pub struct DoublyLinkedList {
    /// The nodes, in no particular order and without gaps.
    pub nodes: Vec<Node>,
    /// The first node.
    #[finitize(index_of = nodes)]
    pub head: Option<usize>,
    /// The last node.
    #[finitize(index_of = nodes)]
    pub tail: Option<usize>,
    /// The number of elements.
    #[finitize(0..=scope)]
    pub size: usize,
}

#[rep_ok]
impl DoublyLinkedList {
    /// Returns whether the list ends, each node's `prev` is its predecessor, every node of the arena is in the list,
    /// `tail` is the last node, and `size` is the number of nodes.
    pub fn rep_ok(&self) -> bool {
        let mut seen: HashSet<usize> = HashSet::new();
        let mut before = None;
        let mut link = self.head;
        while let Some(at) = link {
            if !seen.insert(at) {
                return false;
            }
            let Some(node) = self.nodes.get(at) else {
                return false;
            };
            if node.prev != before {
                return false;
            }
            before = link;
            link = node.next;
        }
        seen.len() == self.nodes.len() && self.tail == before && self.size == seen.len()
    }
}

impl DoublyLinkedList {
    /// Returns the stored number of elements.
    pub fn len(&self) -> usize {
        self.size
    }

    /// Returns whether the stored number of elements is zero.
    pub fn is_empty(&self) -> bool {
        self.size == 0
    }

    /// Returns the elements, first to last. Never ends if the list is cyclic.
    pub fn iter(&self) -> impl Iterator<Item = usize> {
        self.path().map(|at| self.nodes[at].elem)
    }

    /// Returns the nodes, first to last, as linked by `next`.
    fn path(&self) -> impl Iterator<Item = usize> {
        let inside = |link: Option<usize>| link.filter(|&at| at < self.nodes.len());
        std::iter::successors(inside(self.head), move |&at| inside(self.nodes[at].next))
    }
}

impl Faulty for DoublyLinkedList {
    /// Builds a list of the numbers from 0 on.
    fn build(n: usize) -> Self {
        let order = shuffled(n);
        let mut nodes = vec![Node { elem: 0, next: None, prev: None }; n];
        for (elem, &at) in order.iter().enumerate() {
            let next = order.get(elem + 1).copied();
            nodes[at] = Node { elem, next, prev: elem.checked_sub(1).map(|before| order[before]) };
        }
        Self { nodes, head: order.first().copied(), tail: order.last().copied(), size: n }
    }

    fn faults() -> &'static [Fault] {
        &[Fault::WrongLink, Fault::Cycle, Fault::NullInTheMiddle, Fault::WrongSize]
    }

    fn sites(&self) -> usize {
        self.nodes.len()
    }

    fn inject(&mut self, fault: Fault, site: usize, rng: &mut StdRng) -> bool {
        let n = self.nodes.len();
        match fault {
            Fault::WrongLink => {
                let node = &mut self.nodes[site];
                let link = if rng.random() { &mut node.next } else { &mut node.prev };
                let wrong = another(n, *link, rng);
                *link = wrong.or(*link);
                wrong.is_some()
            }
            Fault::Cycle => {
                let before = self.some_steps_back(site, rng);
                self.nodes[site].next.replace(before) != Some(before)
            }
            Fault::NullInTheMiddle => {
                let node = &mut self.nodes[site];
                let forwards = node.prev.is_none() || node.next.is_some() && rng.random();
                let link = if forwards { &mut node.next } else { &mut node.prev };
                link.take().is_some()
            }
            Fault::WrongSize => replace(&mut self.size, n + 1, rng),
            Fault::SharedChild | Fault::WrongKey | Fault::WrongHeight => panic!("a list does not have {fault:?}"),
        }
    }

    fn reachable(&self) -> usize {
        let mut seen = vec![false; self.nodes.len()];
        self.path().take_while(|&at| !std::mem::replace(&mut seen[at], true)).count()
    }

    fn differences(&self, other: &Self) -> usize {
        let nodes = self.nodes.iter().zip(&other.nodes);
        let fields = nodes.flat_map(|(a, b)| [a.elem != b.elem, a.next != b.next, a.prev != b.prev]);
        count_true(fields.chain([self.head != other.head, self.tail != other.tail, self.size != other.size]))
    }
}

impl DoublyLinkedList {
    /// Returns the node itself or an earlier one.
    fn some_steps_back(&self, mut at: usize, rng: &mut StdRng) -> usize {
        for _ in 0..rng.random_range(0..100) {
            at = self.nodes[at].prev.filter(|&prev| prev < self.nodes.len()).unwrap_or(at);
        }
        at
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::repairable::checks;

    #[test]
    fn a_list_built_has_its_elements_in_order() {
        for n in [0, 1, 2, 100] {
            let list = DoublyLinkedList::build(n);
            assert!(list.rep_ok());
            assert_eq!((list.len(), list.is_empty()), (n, n == 0));
            assert!(list.iter().eq(0..n));
        }
        assert!(!DoublyLinkedList::build(100).nodes.is_sorted_by_key(|node| node.elem));
    }

    #[test]
    fn there_is_one_list_for_each_sequence() {
        checks::counts::<DoublyLinkedList>(&[1, 1 + 2, 1 + 3 + 9, 1 + 4 + 16 + 64, 1 + 5 + 25 + 125 + 625]);
    }

    #[test]
    fn every_fault_breaks_the_invariant() {
        checks::faults_are_noticed::<DoublyLinkedList>();
    }

    #[test]
    fn a_fault_changes_one_field() {
        checks::one_field_is_changed::<DoublyLinkedList>();
    }

    #[test]
    fn nodes_behind_a_null_are_not_reached() {
        let mut list = DoublyLinkedList::build(10);
        let fifth = list.path().nth(4).unwrap();
        list.nodes[fifth].next = None;
        assert_eq!(list.reachable(), 5);
        list.nodes[fifth].next = list.head;
        assert_eq!(list.reachable(), 5);
        list.nodes[fifth].next = Some(99);
        assert!(!list.rep_ok());
        assert_eq!(list.reachable(), 5);
    }

    #[test]
    fn a_million_nodes_are_no_problem() {
        checks::large::<DoublyLinkedList>();
    }
}
