//! A singly linked list whose elements are in strictly increasing order.

use std::collections::HashSet;

use korat::{Finitize, rep_ok};

/// One element and the rest of the list.
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
    /// The node with the smallest element, if there is any.
    pub head: Option<Box<Node>>,
    /// The number of elements.
    #[finitize(scope..=scope)]
    pub size: usize,
}

#[rep_ok]
impl SortedList {
    /// The list ends, `size` counts its nodes, and each element is larger than the one before.
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

    /// Whether each element is larger than the one before.
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
    /// The empty list.
    pub fn new() -> Self {
        Self::default()
    }

    /// The number of elements.
    pub fn len(&self) -> usize {
        self.size
    }

    /// Whether there is no element.
    pub fn is_empty(&self) -> bool {
        self.size == 0
    }

    /// The elements, smallest first.
    pub fn iter(&self) -> impl Iterator<Item = usize> {
        std::iter::successors(self.head.as_deref(), |node| node.next.as_deref()).map(|node| node.elem)
    }

    /// Whether `elem` is in the list.
    pub fn contains(&self, elem: usize) -> bool {
        self.iter().find(|&other| other >= elem) == Some(elem)
    }

    /// Adds `elem` in its place; says whether it was new.
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

    /// Removes `elem`; says whether it was there.
    pub fn remove(&mut self, elem: usize) -> bool {
        let place = Self::seek(&mut self.head, elem);
        let Some(node) = place.take_if(|node| node.elem == elem) else {
            return false;
        };
        *place = node.next;
        self.size -= 1;
        true
    }

    /// Keeps every element of either list.
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

    /// The link, at `place` or after it, to the first node whose element is not below `elem`.
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
    use korat::{Search, field};
    use std::collections::BTreeSet;

    /// All lists of up to `most` elements from `0..=most`, smallest first. By itself a scope means those of exactly that size, as in the
    /// literature.
    fn up_to(most: usize) -> Search<SortedList> {
        Search::new(SortedList::scope(most)).domain(field!(SortedList.size), 0..=most)
    }

    #[test]
    fn contains_finds_exactly_the_elements() {
        up_to(6)
            .for_each(|list| {
                let elems: Vec<usize> = list.iter().collect();
                assert_eq!(elems.len(), list.len());
                assert!(elems.is_sorted_by(|a, b| a < b));
                for elem in 0..=7 {
                    assert_eq!(list.contains(elem), elems.contains(&elem));
                }
            })
            // At most six of the seven elements: all their subsets but one.
            .expect_count((1 << 7) - 1);
    }

    #[test]
    fn insert_does_what_a_set_does() {
        up_to(6).for_each(|list| {
            for elem in 0..=7 {
                let mut list = list.clone();
                let mut model: BTreeSet<usize> = list.iter().collect();
                assert_eq!(list.insert(elem), model.insert(elem));
                assert!(list.rep_ok());
                assert!(list.iter().eq(model));
            }
        });
    }

    #[test]
    fn remove_does_what_a_set_does() {
        up_to(6).for_each(|list| {
            for elem in 0..=7 {
                let mut list = list.clone();
                let mut model: BTreeSet<usize> = list.iter().collect();
                assert_eq!(list.remove(elem), model.remove(&elem));
                assert!(list.rep_ok());
                assert!(list.iter().eq(model));
            }
        });
    }

    #[test]
    fn remove_undoes_insert() {
        korat::for_each_valid(SortedList::scope(6), |list| {
            for elem in (0..=7).filter(|&elem| !list.contains(elem)) {
                let mut changed = list.clone();
                assert!(changed.insert(elem));
                assert!(changed.remove(elem));
                assert_eq!(changed, list);
            }
        });
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
