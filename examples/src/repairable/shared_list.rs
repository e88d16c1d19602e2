//! A doubly linked list of counted cells: each node owns the next one, and knows the one before without owning it. What
//! nothing owns is freed, so there are fewer faults than in an arena.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::fmt;
use std::rc::{Rc, Weak};

use korat::{Finitize, rep_ok};
use rand::rngs::StdRng;

use super::faults::{Fault, Faulty, another, count_true, replace};

/// One element and its neighbours.
#[derive(Finitize)]
pub struct Node {
    /// The element.
    #[finitize(0..=scope)]
    pub elem: usize,
    /// The node after this one.
    pub next: Option<Rc<RefCell<Node>>>,
    /// The node before this one.
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
    /// The list ends, each node's `prev` is the node from which it is reached, `tail` is the last one, and `size` counts
    /// them.
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

    /// Whether `link` leads to `node`, or nowhere if there is none. A link to a node that is no more is never right.
    fn is_link_to(link: &Option<Weak<RefCell<Node>>>, node: Option<&Rc<RefCell<Node>>>) -> bool {
        match (link, node) {
            (None, None) => true,
            (Some(link), Some(node)) => link.upgrade().is_some_and(|target| Rc::ptr_eq(&target, node)),
            _ => false,
        }
    }
}

impl SharedList {
    /// The number of elements.
    pub fn len(&self) -> usize {
        self.size
    }

    /// Whether there is no element.
    pub fn is_empty(&self) -> bool {
        self.size == 0
    }

    /// The elements, first to last; those of a list that runs back into itself once.
    pub fn content(&self) -> Vec<usize> {
        self.path().map(|node| node.borrow().elem).collect()
    }

    /// The node that so many others are before.
    fn node(&self, place: usize) -> Option<Rc<RefCell<Node>>> {
        std::iter::successors(self.head.clone(), |node| node.borrow().next.clone()).nth(place)
    }

    /// The nodes, first to last, up to where the list ends or runs back into itself.
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
    /// The size, the place of the last node, and of each node the element and the places of those that its links lead to.
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
    /// The elements are the numbers from 0 on.
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

    /// Only the last node can lead back without the loss of any.
    fn most(fault: Fault) -> usize {
        if matches!(fault, Fault::Cycle | Fault::WrongSize) { 1 } else { usize::MAX }
    }

    fn sites(&self) -> usize {
        self.reachable()
    }

    /// Links that own, which lead to the next node, are changed only where they own nothing.
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

    /// Links are compared by the places of what they lead to; a node that only one of them has counts with all its fields.
    fn differences(&self, other: &Self) -> usize {
        let (own, others) = (self.fields(), other.fields());
        count_true(own.iter().zip(&others).map(|(a, b)| a != b)) + own.len().abs_diff(others.len())
    }
}

/// Elements only: each node has the rest of the list in it, and that may not end.
impl fmt::Debug for SharedList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SharedList").field("elems", &self.content()).field("size", &self.size).finish()
    }
}

/// One by one: dropped with its owner, each node would need the stack for those after it. That ends a cycle, too.
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
