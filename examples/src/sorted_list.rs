//! A singly linked list whose elements are in strictly increasing order.

use std::collections::HashSet;

use korat::{Finitize, rep_ok};

/// An element and the rest of the list.
#[derive(Clone, Debug, PartialEq, Finitize)]
pub struct Node {
    /// The nodes with larger elements.
    pub next: Option<Box<Node>>,
    /// The element.
    #[finitize(0..=scope)]
    pub elem: usize,
}

/// A set of elements.
#[derive(Clone, Debug, Default, PartialEq, Finitize)]
pub struct SortedList {
    /// The node with the smallest element; `None` for an empty list.
    pub head: Option<Box<Node>>,
    /// The number of elements.
    #[finitize(scope..=scope)]
    pub size: usize,
}

#[rep_ok]
impl SortedList {
    /// Returns whether the list ends, `size` is the number of its nodes, and the elements strictly increase.
    pub fn rep_ok(&self) -> bool {
        let mut seen: HashSet<*const Node> = HashSet::new();
        let mut rest = &self.head;
        while let Some(node) = rest {
            if !seen.insert(&**node) {
                return false;
            }
            rest = &node.next;
        }
        seen.len() == self.size && self.increasing()
    }

    /// Returns whether the elements strictly increase.
    fn increasing(&self) -> bool {
        let mut last: Option<usize> = None;
        let mut rest = &self.head;
        while let Some(node) = rest {
            let elem = node.elem;
            if last.is_some_and(|last| elem <= last) {
                return false;
            }
            last = Some(elem);
            rest = &node.next;
        }
        true
    }
}

impl SortedList {
    /// Creates an empty list.
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns the number of elements.
    pub fn len(&self) -> usize {
        self.size
    }

    /// Returns whether the list is empty.
    pub fn is_empty(&self) -> bool {
        self.size == 0
    }

    /// Returns the elements in increasing order.
    pub fn iter(&self) -> impl Iterator<Item = usize> {
        std::iter::successors(self.head.as_deref(), |node| node.next.as_deref()).map(|node| node.elem)
    }

    /// Returns whether the list contains `elem`.
    pub fn contains(&self, elem: usize) -> bool {
        self.iter().find(|&other| other >= elem) == Some(elem)
    }

    /// Inserts `elem` at its position. Returns whether it was new.
    pub fn insert(&mut self, elem: usize) -> bool {
        let place = Self::seek(&mut self.head, elem);
        if place.as_ref().is_some_and(|node| node.elem == elem) {
            return false;
        }
        let next = place.take();
        *place = Some(Box::new(Node { next, elem }));
        self.size += 1;
        true
    }

    /// Removes `elem`. Returns whether it was present.
    pub fn remove(&mut self, elem: usize) -> bool {
        let place = Self::seek(&mut self.head, elem);
        let Some(node) = place.take_if(|node| node.elem == elem) else {
            return false;
        };
        *place = node.next;
        self.size -= 1;
        true
    }

    /// Adds the elements of `other`.
    pub fn merge(&mut self, other: &SortedList) {
        let mut place = &mut self.head;
        for elem in other.iter() {
            place = Self::seek(place, elem);
            if place.as_ref().is_none_or(|node| node.elem != elem) {
                let next = place.take();
                *place = Some(Box::new(Node { next, elem }));
                self.size += 1;
            }
        }
    }

    /// Returns the first link, from `place` on, to a node whose element is at least `elem`, or the link at the end.
    fn seek(mut place: &mut Option<Box<Node>>, elem: usize) -> &mut Option<Box<Node>> {
        while place.as_ref().is_some_and(|node| node.elem < elem) {
            place = &mut place.as_mut().unwrap().next;
        }
        place
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::set_model::{self, up_to};
    use std::collections::BTreeSet;

    #[test]
    fn contains_finds_exactly_the_elements() {
        up_to!(SortedList, 6)
            .for_each(|list| set_model::finds_exactly_its_keys(&list, 0..=7))
            // At most six of the seven elements: all their subsets but one.
            .expect_count((1 << 7) - 1);
    }

    #[test]
    fn insert_does_what_a_set_does() {
        up_to!(SortedList, 6).for_each(|list| set_model::insert_agrees(&list, 0..=7));
    }

    #[test]
    fn remove_does_what_a_set_does() {
        up_to!(SortedList, 6).for_each(|list| set_model::remove_agrees(&list, 0..=7, SortedList::remove));
    }

    #[test]
    fn remove_undoes_insert() {
        korat::for_each_valid(SortedList::scope(6), |list| set_model::remove_restores_the_shape(&list, 0..=7));
    }

    #[test]
    fn merge_is_the_union() {
        for (m, n) in [(0, 3), (3, 0), (2, 4), (4, 2), (4, 4)] {
            korat::for_each_valid(SortedList::scope(m), |left| {
                korat::for_each_valid(SortedList::scope(n), |right| {
                    let mut merged = left.clone();
                    merged.merge(&right);
                    assert!(merged.rep_ok());
                    let union: BTreeSet<usize> = left.iter().chain(right.iter()).collect();
                    assert!(merged.iter().eq(union));
                });
            });
        }
    }

    #[test]
    #[should_panic]
    fn an_element_out_of_order_is_found() {
        korat::for_each_valid(SortedList::scope(3), |mut list| {
            if let Some(node) = &mut list.head {
                node.elem = 2;
            }
            assert!(list.rep_ok());
        });
    }
}
