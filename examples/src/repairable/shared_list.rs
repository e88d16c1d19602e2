//! A doubly linked list of reference-counted cells: each node owns the next one and refers weakly to the previous one.
//! Nodes without an owner are freed, so fewer faults are possible than in an arena.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::fmt;
use std::rc::{Rc, Weak};

use korat::{Finitize, rep_ok};
use rand::rngs::StdRng;

use super::faults::{Fault, Faulty, another, count_true, replace};

/// An element and its neighbours.
#[derive(Finitize)]
pub struct Node {
    /// The element.
    #[finitize(0..=scope)]
    pub elem: usize,
    /// The next node.
    pub next: Option<Rc<RefCell<Node>>>,
    /// The previous node.
    pub prev: Option<Weak<RefCell<Node>>>,
}

/// A sequence of elements.
#[derive(Default, Finitize)]
pub struct SharedList {
    /// The first node.
    pub head: Option<Rc<RefCell<Node>>>,
    /// The last node.
    pub tail: Option<Weak<RefCell<Node>>>,
    /// The number of elements.
    #[finitize(0..=scope)]
    pub size: usize,
}

#[rep_ok]
impl SharedList {
    /// Returns whether the list ends, each node's `prev` is its predecessor, `tail` is the last node, and `size` is the
    /// number of nodes.
    pub fn rep_ok(&self) -> bool {
        let mut seen: HashSet<*const RefCell<Node>> = HashSet::new();
        let mut before: Option<Rc<RefCell<Node>>> = None;
        let mut rest = self.head.clone();
        while let Some(node) = rest {
            if !seen.insert(Rc::as_ptr(&node)) {
                return false;
            }
            if !Self::is_link_to(&node.borrow().prev, before.as_ref()) {
                return false;
            }
            rest = node.borrow().next.clone();
            before = Some(node);
        }
        Self::is_link_to(&self.tail, before.as_ref()) && self.size == seen.len()
    }

    /// Returns whether `link` points to `node`, or is `None` if `node` is. A dangling link is never correct.
    fn is_link_to(link: &Option<Weak<RefCell<Node>>>, node: Option<&Rc<RefCell<Node>>>) -> bool {
        match (link, node) {
            (None, None) => true,
            (Some(link), Some(node)) => link.upgrade().is_some_and(|target| Rc::ptr_eq(&target, node)),
            _ => false,
        }
    }
}

impl SharedList {
    /// Returns the stored number of elements.
    pub fn len(&self) -> usize {
        self.size
    }

    /// Returns whether the stored number of elements is zero.
    pub fn is_empty(&self) -> bool {
        self.size == 0
    }

    /// Returns the elements, first to last. Stops where a cyclic list re-enters itself.
    pub fn content(&self) -> Vec<usize> {
        self.path().map(|node| node.borrow().elem).collect()
    }

    /// Returns the node at a position.
    fn node(&self, place: usize) -> Option<Rc<RefCell<Node>>> {
        std::iter::successors(self.head.clone(), |node| node.borrow().next.clone()).nth(place)
    }

    /// Returns the nodes, first to last, up to the end of the list or where it re-enters itself.
    fn path(&self) -> impl Iterator<Item = Rc<RefCell<Node>>> {
        let mut seen = HashSet::new();
        let mut next = self.head.clone();
        std::iter::from_fn(move || {
            let node = next.take().filter(|node| seen.insert(Rc::as_ptr(node)))?;
            next = node.borrow().next.clone();
            Some(node)
        })
    }
}

impl SharedList {
    /// Returns the size, the position of the last node, and for each node its element and the positions that its links
    /// lead to.
    fn fields(&self) -> Vec<Option<usize>> {
        let nodes: Vec<_> = self.path().collect();
        let places: HashMap<_, usize> =
            nodes.iter().enumerate().map(|(place, node)| (Rc::as_ptr(node), place)).collect();
        let place = |node: &Rc<RefCell<Node>>| places.get(&Rc::as_ptr(node)).copied();
        let weak_place = |link: &Option<Weak<RefCell<Node>>>| place(&link.as_ref()?.upgrade()?);
        let of_node = |node: &Rc<RefCell<Node>>| {
            let node = node.borrow();
            [Some(node.elem), node.next.as_ref().and_then(place), weak_place(&node.prev)]
        };
        [Some(self.size), weak_place(&self.tail)].into_iter().chain(nodes.iter().flat_map(of_node)).collect()
    }
}

impl Faulty for SharedList {
    /// Builds a list of the numbers from 0 on.
    fn build(n: usize) -> Self {
        let mut list = Self { head: None, tail: None, size: n };
        for elem in (0..n).rev() {
            let node = Rc::new(RefCell::new(Node { elem, next: list.head.take(), prev: None }));
            match &node.borrow().next {
                Some(second) => second.borrow_mut().prev = Some(Rc::downgrade(&node)),
                None => list.tail = Some(Rc::downgrade(&node)),
            }
            list.head = Some(node);
        }
        list
    }

    fn faults() -> &'static [Fault] {
        &[Fault::WrongLink, Fault::Cycle, Fault::NullInTheMiddle, Fault::WrongSize]
    }

    /// Only the last node can link back without losing other nodes.
    fn most(fault: Fault) -> usize {
        if matches!(fault, Fault::Cycle | Fault::WrongSize) { 1 } else { usize::MAX }
    }

    fn sites(&self) -> usize {
        self.reachable()
    }

    /// Owning links, which lead to the next node, are changed only where they are null, so that no node is lost.
    fn inject(&mut self, fault: Fault, site: usize, rng: &mut StdRng) -> bool {
        match fault {
            Fault::WrongLink => {
                let (Some(node), Some(wrong)) = (self.node(site), another(site + 1, site.checked_sub(1), rng)) else {
                    return false;
                };
                let wrong = self.node(wrong).map(|wrong| Rc::downgrade(&wrong));
                node.borrow_mut().prev = wrong;
                true
            }
            Fault::Cycle => {
                let (Some(last), Some(node)) = (self.tail.as_ref().and_then(Weak::upgrade), self.node(site)) else {
                    return false;
                };
                last.borrow_mut().next.replace(node).is_none()
            }
            Fault::NullInTheMiddle => self.node(site).is_some_and(|node| node.borrow_mut().prev.take().is_some()),
            Fault::WrongSize => {
                let n = self.size;
                replace(&mut self.size, n + 1, rng)
            }
            Fault::SharedChild | Fault::WrongKey | Fault::WrongHeight => panic!("a list does not have {fault:?}"),
        }
    }

    fn reachable(&self) -> usize {
        self.path().count()
    }

    /// Compares links by the positions of their targets. A node that only one of the lists has counts with all its
    /// fields.
    fn differences(&self, other: &Self) -> usize {
        let (own, others) = (self.fields(), other.fields());
        count_true(own.iter().zip(&others).map(|(a, b)| a != b)) + own.len().abs_diff(others.len())
    }
}

/// Prints only the elements: a node contains the rest of the list, which may be cyclic.
impl fmt::Debug for SharedList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SharedList").field("elems", &self.content()).field("size", &self.size).finish()
    }
}

/// Frees one node after the other: the default would recurse into the next node, and overflow the stack on a long list.
/// This also breaks a cycle.
impl Drop for SharedList {
    fn drop(&mut self) {
        let mut next = self.head.take();
        while let Some(node) = next {
            next = node.borrow_mut().next.take();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::repairable::checks;

    #[test]
    fn a_list_built_has_its_elements_in_order() {
        for n in [0, 1, 2, 100] {
            let list = SharedList::build(n);
            assert!(list.rep_ok());
            assert_eq!((list.len(), list.is_empty()), (n, n == 0));
            assert!(list.content().into_iter().eq(0..n));
        }
    }

    #[test]
    fn there_is_one_list_for_each_sequence() {
        checks::counts::<SharedList>(&[1, 1 + 2, 1 + 3 + 9, 1 + 4 + 16 + 64, 1 + 5 + 25 + 125 + 625]);
    }

    #[test]
    fn every_fault_breaks_the_invariant() {
        checks::faults_are_noticed::<SharedList>();
    }

    #[test]
    fn a_fault_changes_one_field() {
        checks::one_field_is_changed::<SharedList>();
    }

    #[test]
    fn a_list_that_runs_back_is_freed() {
        let mut list = SharedList::build(10);
        assert!(super::super::faults::corrupt(&mut list, Fault::Cycle, 5, 0) == 1);
        let nodes: Vec<_> = list.path().map(|node| Rc::downgrade(&node)).collect();
        assert_eq!(list.content().len(), 10);
        assert_eq!(format!("{list:?}"), "SharedList { elems: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9], size: 10 }");
        drop(list);
        assert!(nodes.iter().all(|node| node.upgrade().is_none()));
    }

    #[test]
    fn a_million_nodes_are_no_problem() {
        checks::large::<SharedList>();
    }
}
