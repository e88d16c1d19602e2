//! A doubly linked list of reference-counted cells: each node owns the next one and refers weakly to the previous one.

use std::cell::RefCell;
use std::rc::{Rc, Weak};

use korat::{Finitize, rep_ok};

/// An element and its neighbours.
#[derive(Debug, Finitize)]
struct Node {
    #[finitize(identity)]
    elem: u32,
    next: Option<Rc<RefCell<Node>>>,
    /// Weak, because two nodes that own each other would never be freed.
    prev: Option<Weak<RefCell<Node>>>,
}

/// A sequence of elements.
#[derive(Debug, Default, Finitize)]
pub struct LinkedList {
    head: Option<Rc<RefCell<Node>>>,
    tail: Option<Weak<RefCell<Node>>>,
    /// The number of elements.
    len: usize,
}

#[rep_ok]
impl LinkedList {
    /// Returns whether the list ends, each node's `prev` is its predecessor, `tail` is the last node, and `len` is the
    /// number of nodes.
    pub fn rep_ok(&self) -> bool {
        let mut count = 0;
        let mut before: Option<Rc<RefCell<Node>>> = None;
        let mut rest = self.head.clone();
        // A cycle would re-enter the list at a node with another `prev`, so there is no need to remember the nodes.
        while let Some(node) = rest {
            if !Self::is_link_to(&node.borrow().prev, before.as_ref()) {
                return false;
            }
            count += 1;
            rest = node.borrow().next.clone();
            before = Some(node);
        }
        Self::is_link_to(&self.tail, before.as_ref()) && self.len == count
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

impl LinkedList {
    /// Creates an empty list.
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns the number of elements.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Returns whether the list is empty.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Returns the elements, first to last.
    pub fn iter(&self) -> impl Iterator<Item = u32> {
        std::iter::successors(self.head.clone(), |node| node.borrow().next.clone()).map(|node| node.borrow().elem)
    }

    /// Returns the elements, last to first.
    pub fn iter_back(&self) -> impl Iterator<Item = u32> {
        let follow = |link: &Option<Weak<RefCell<Node>>>| link.as_ref().and_then(Weak::upgrade);
        std::iter::successors(follow(&self.tail), move |node| follow(&node.borrow().prev))
            .map(|node| node.borrow().elem)
    }

    /// Adds an element before the first.
    pub fn push_front(&mut self, elem: u32) {
        let node = Rc::new(RefCell::new(Node { elem, next: self.head.take(), prev: None }));
        match &node.borrow().next {
            Some(second) => second.borrow_mut().prev = Some(Rc::downgrade(&node)),
            None => self.tail = Some(Rc::downgrade(&node)),
        }
        self.head = Some(node);
        self.len += 1;
    }

    /// Adds an element after the last.
    pub fn push_back(&mut self, elem: u32) {
        let last = self.last_node();
        let node = Rc::new(RefCell::new(Node { elem, next: None, prev: self.tail.take() }));
        self.tail = Some(Rc::downgrade(&node));
        match last {
            Some(last) => last.borrow_mut().next = Some(node),
            None => self.head = Some(node),
        }
        self.len += 1;
    }

    /// Removes and returns the first element.
    pub fn pop_front(&mut self) -> Option<u32> {
        let first = self.head.clone()?;
        self.unlink(&first);
        Some(first.borrow().elem)
    }

    /// Removes and returns the last element.
    pub fn pop_back(&mut self) -> Option<u32> {
        let last = self.last_node()?;
        self.unlink(&last);
        Some(last.borrow().elem)
    }

    /// Removes all elements equal to `elem`. Returns their number.
    pub fn remove_all(&mut self, elem: u32) -> usize {
        let len = self.len;
        let mut rest = self.head.clone();
        while let Some(node) = rest {
            rest = node.borrow().next.clone();
            if node.borrow().elem == elem {
                self.unlink(&node);
            }
        }
        len - self.len
    }

    /// Reverses the list.
    pub fn reverse(&mut self) {
        let mut rest = self.head.take();
        self.tail = rest.as_ref().map(Rc::downgrade);
        while let Some(node) = rest {
            rest = node.borrow_mut().next.take();
            node.borrow_mut().prev = rest.as_ref().map(Rc::downgrade);
            node.borrow_mut().next = self.head.replace(node.clone());
        }
    }

    /// Splits the list before element `at` and returns the second part.
    pub fn split_off(&mut self, at: usize) -> LinkedList {
        assert!(at <= self.len, "there is no element {at} in a list of {}", self.len);
        if at == 0 {
            return std::mem::take(self);
        }
        let Some(last) = self.node(at - 1) else {
            return LinkedList::new();
        };
        let Some(first) = last.borrow_mut().next.take() else {
            return LinkedList::new();
        };
        first.borrow_mut().prev = None;
        let tail = self.tail.replace(Rc::downgrade(&last));
        let len = self.len - at;
        self.len = at;
        LinkedList { head: Some(first), tail, len }
    }

    /// Moves all elements of `other` to the end of this list.
    pub fn append(&mut self, other: &mut LinkedList) {
        let Some(first) = other.head.take() else {
            return;
        };
        match self.last_node() {
            Some(last) => {
                first.borrow_mut().prev = self.tail.take();
                last.borrow_mut().next = Some(first);
            }
            None => self.head = Some(first),
        }
        self.tail = other.tail.take();
        self.len += std::mem::take(&mut other.len);
    }

    /// Returns the node of element `at`.
    fn node(&self, at: usize) -> Option<Rc<RefCell<Node>>> {
        std::iter::successors(self.head.clone(), |node| node.borrow().next.clone()).nth(at)
    }

    fn last_node(&self) -> Option<Rc<RefCell<Node>>> {
        self.tail.as_ref().and_then(Weak::upgrade)
    }

    /// Removes a node from this list.
    fn unlink(&mut self, node: &Rc<RefCell<Node>>) {
        let next = node.borrow_mut().next.take();
        let prev = node.borrow_mut().prev.take();
        let before = prev.as_ref().and_then(Weak::upgrade);
        match &next {
            Some(next) => next.borrow_mut().prev = prev,
            None => self.tail = prev,
        }
        match before {
            Some(before) => before.borrow_mut().next = next,
            None => self.head = next,
        }
        self.len -= 1;
    }
}

impl FromIterator<u32> for LinkedList {
    fn from_iter<I: IntoIterator<Item = u32>>(elems: I) -> Self {
        let mut list = Self::new();
        elems.into_iter().for_each(|elem| list.push_back(elem));
        list
    }
}

impl Clone for LinkedList {
    /// Copies every node.
    fn clone(&self) -> Self {
        self.iter().collect()
    }
}

impl Drop for LinkedList {
    /// Frees one node after the other. The default would recurse into the next node, and overflow the stack on a long
    /// list.
    fn drop(&mut self) {
        let mut rest = self.head.take();
        while let Some(node) = rest {
            rest = node.borrow_mut().next.take();
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::seeded::found_at;

    type SplitOff = fn(&mut LinkedList, usize) -> LinkedList;

    /// A buggy `split_off`: the first node of the second part still refers to the last node of the first part.
    pub(crate) fn split_off_without_unlinking(list: &mut LinkedList, at: usize) -> LinkedList {
        if at == 0 || at == list.len {
            return list.split_off(at);
        }
        let last = list.node(at - 1).unwrap();
        let first = last.borrow_mut().next.take();
        let tail = list.tail.replace(Rc::downgrade(&last));
        let len = list.len - at;
        list.len = at;
        LinkedList { head: first, tail, len }
    }

    /// Checks the invariant and the elements in both directions.
    fn assert_is(list: &LinkedList, expected: &[u32]) {
        assert!(list.rep_ok());
        assert_eq!(list.len(), expected.len());
        assert!(list.iter().eq(expected.iter().copied()));
        assert!(list.iter_back().eq(expected.iter().rev().copied()));
    }

    fn check_split_off(list: &LinkedList, split_off: SplitOff) {
        let model: Vec<u32> = list.iter().collect();
        for at in 0..=list.len() {
            let mut first = list.clone();
            let mut second = split_off(&mut first, at);
            assert_is(&first, &model[..at]);
            assert_is(&second, &model[at..]);
            first.append(&mut second);
            assert_is(&first, &model);
            assert_is(&second, &[]);
        }
    }

    fn check_ends(list: &LinkedList) {
        let model: Vec<u32> = list.iter().collect();
        let mut changed = list.clone();
        changed.push_front(9);
        assert_is(&changed, &[&[9], &model[..]].concat());
        changed.push_back(8);
        assert_is(&changed, &[&[9], &model[..], &[8]].concat());
        assert_eq!((changed.pop_front(), changed.pop_back()), (Some(9), Some(8)));
        assert_is(&changed, &model);
        let (mut shorter, mut model) = (changed.clone(), model);
        assert_eq!(shorter.pop_back(), model.pop());
        assert_is(&shorter, &model);
        assert_eq!(changed.pop_front(), list.iter().next());
        assert!(changed.rep_ok() && changed.iter().eq(list.iter().skip(1)));
    }

    fn check_reverse(list: &LinkedList) {
        let model: Vec<u32> = list.iter_back().collect();
        let mut reversed = list.clone();
        reversed.reverse();
        assert_is(&reversed, &model);
    }

    fn check_remove_all(list: &LinkedList) {
        for elem in 0..=5 {
            let mut list = list.clone();
            let mut model: Vec<u32> = list.iter().collect();
            let len = model.len();
            model.retain(|&other| other != elem);
            assert_eq!(list.remove_all(elem), len - model.len());
            assert_is(&list, &model);
        }
    }

    /// A typical hand-written test: checks both parts, and that elements can be added to them.
    fn example(split_off: SplitOff) {
        let mut list: LinkedList = [1, 2, 3, 4, 5].into_iter().collect();
        let mut rest = split_off(&mut list, 2);
        assert!(list.iter().eq([1, 2]) && list.iter_back().eq([2, 1]));
        assert!(rest.iter().eq([3, 4, 5]));
        assert_eq!((list.len(), rest.len()), (2, 3));
        list.push_back(6);
        rest.push_front(7);
        assert_eq!((list.pop_back(), rest.pop_back()), (Some(6), Some(5)));
        assert!(rest.iter().eq([7, 3, 4]) && rest.iter_back().eq([4, 3, 7]));
    }

    #[test]
    fn both_parts_of_a_split_are_lists() {
        example(LinkedList::split_off);
        example(split_off_without_unlinking);
    }

    #[test]
    fn operations_agree_with_a_vector_on_some_lists() {
        for elems in [&[][..], &[1], &[1, 2], &[1, 1, 2], &[3, 1, 1, 3]] {
            let list: LinkedList = elems.iter().copied().collect();
            check_ends(&list);
            check_reverse(&list);
            check_remove_all(&list);
            check_split_off(&list, LinkedList::split_off);
        }
    }

    #[test]
    fn a_long_list_is_freed_on_a_short_stack() {
        drop((0..1_000_000).collect::<LinkedList>());
    }

    #[test]
    fn operations_do_what_a_vector_does() {
        korat::for_each_valid(LinkedList::scope(5), |list| {
            check_ends(&list);
            check_reverse(&list);
            check_remove_all(&list);
            check_split_off(&list, LinkedList::split_off);
        });
    }

    /// Two nodes suffice, since the property checks `rep_ok` of both parts. The hand-written test walks the second part
    /// backwards only after `push_front` has repaired the link.
    #[test]
    fn a_link_across_the_cut_is_found() {
        let found = found_at(0, |scope| {
            korat::for_each_valid(LinkedList::scope(scope), |list| check_split_off(&list, split_off_without_unlinking));
        });
        assert_eq!(found, Some(2));
    }
}
