//! A doubly linked deque on raw pointers: a node is a box that is leaked when it is linked and freed by hand.

use std::fmt;
use std::marker::PhantomData;
use std::ptr::NonNull;

use korat::{Finitize, rep_ok};

type Link = Option<NonNull<Node>>;

/// An element and its neighbours in both directions.
#[derive(Finitize)]
struct Node {
    #[finitize(0..=1)]
    elem: u32,
    front: Link,
    back: Link,
}

/// A double-ended queue.
///
/// All `unsafe` code below relies on the same facts: every link points to a node that came from a box and was not
/// freed, no two deques share a node, and no reference to a node is held while its links are changed.
#[derive(Default, Finitize)]
pub struct Deque {
    front: Link,
    back: Link,
    /// The number of elements.
    len: usize,
}

#[rep_ok]
impl Deque {
    /// Returns whether every node reached from `front` links back to its predecessor, `back` is the last node, and
    /// `len` is the number of nodes.
    pub fn rep_ok(&self) -> bool {
        let mut count = 0;
        let mut before: Option<NonNull<Node>> = None;
        let mut next = self.front;
        while let Some(node) = next {
            // SAFETY: links point to live nodes, even if they point to the wrong ones.
            let node_ref = unsafe { node.as_ref() };
            // A node that is reached a second time has another predecessor than before, so this also detects cycles.
            if node_ref.front != before {
                return false;
            }
            count += 1;
            before = Some(node);
            next = node_ref.back;
        }
        self.back == before && self.len == count
    }
}

impl Deque {
    /// Creates an empty deque.
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns the number of elements.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Returns whether the deque is empty.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Returns the element at the front.
    pub fn front(&self) -> Option<&u32> {
        // SAFETY: the node is live, and stays so while `self` is borrowed.
        self.front.map(|node| unsafe { &(*node.as_ptr()).elem })
    }

    /// Returns the element at the back.
    pub fn back(&self) -> Option<&u32> {
        // SAFETY: the node is live, and stays so while `self` is borrowed.
        self.back.map(|node| unsafe { &(*node.as_ptr()).elem })
    }

    /// Adds an element at the front.
    pub fn push_front(&mut self, elem: u32) {
        let node = NonNull::from(Box::leak(Box::new(Node { elem, front: None, back: self.front })));
        match self.front {
            // SAFETY: the old front is live.
            Some(old) => unsafe { (*old.as_ptr()).front = Some(node) },
            None => self.back = Some(node),
        }
        self.front = Some(node);
        self.len += 1;
    }

    /// Adds an element at the back.
    pub fn push_back(&mut self, elem: u32) {
        let node = NonNull::from(Box::leak(Box::new(Node { elem, front: self.back, back: None })));
        match self.back {
            // SAFETY: the old back is live.
            Some(old) => unsafe { (*old.as_ptr()).back = Some(node) },
            None => self.front = Some(node),
        }
        self.back = Some(node);
        self.len += 1;
    }

    /// Removes and returns the element at the front.
    pub fn pop_front(&mut self) -> Option<u32> {
        // SAFETY: the node belongs to this deque.
        self.front.map(|node| unsafe { self.unlink(node) })
    }

    /// Removes and returns the element at the back.
    pub fn pop_back(&mut self) -> Option<u32> {
        // SAFETY: the node belongs to this deque.
        self.back.map(|node| unsafe { self.unlink(node) })
    }

    /// Moves all elements of `other` to the back of this deque.
    pub fn append(&mut self, other: &mut Deque) {
        let Some(first) = other.front.take() else {
            return;
        };
        match self.back {
            // SAFETY: both nodes are live.
            Some(last) => unsafe {
                (*last.as_ptr()).back = Some(first);
                (*first.as_ptr()).front = Some(last);
            },
            None => self.front = Some(first),
        }
        self.back = other.back.take();
        self.len += std::mem::take(&mut other.len);
    }

    /// Moves the first `mid` elements to the back by relinking nodes.
    pub fn rotate_left(&mut self, mid: usize) {
        assert!(mid <= self.len, "{mid} elements of {}", self.len);
        let (Some(old_front), Some(old_back), Some(new_front)) = (self.front, self.back, self.node(mid)) else {
            return;
        };
        // SAFETY: all of these nodes belong to this deque.
        unsafe {
            // Close the ring, then cut it elsewhere; if `mid` is 0, at the same place.
            (*old_back.as_ptr()).back = Some(old_front);
            (*old_front.as_ptr()).front = Some(old_back);
            self.back = (*new_front.as_ptr()).front.take();
            self.front = Some(new_front);
            if let Some(new_back) = self.back {
                (*new_back.as_ptr()).back = None;
            }
        }
    }

    /// Returns a double-ended iterator over the elements, front to back.
    pub fn iter(&self) -> Iter<'_> {
        Iter { front: self.front, back: self.back, len: self.len, deque: PhantomData }
    }

    /// Returns the node of element `at`, counted from the front.
    fn node(&self, at: usize) -> Link {
        // SAFETY: the nodes are live.
        std::iter::successors(self.front, |node| unsafe { (*node.as_ptr()).back }).nth(at)
    }

    /// Removes a node from the deque and frees it.
    ///
    /// # Safety
    ///
    /// The node must belong to this deque.
    unsafe fn unlink(&mut self, node: NonNull<Node>) -> u32 {
        // SAFETY: the node is live, and once its neighbours are relinked below, nothing points to it.
        let Node { elem, front, back } = *unsafe { Box::from_raw(node.as_ptr()) };
        match front {
            // SAFETY: neighbours are live.
            Some(front) => unsafe { (*front.as_ptr()).back = back },
            None => self.front = back,
        }
        match back {
            // SAFETY: neighbours are live.
            Some(back) => unsafe { (*back.as_ptr()).front = front },
            None => self.back = front,
        }
        self.len -= 1;
        elem
    }
}

impl Drop for Deque {
    fn drop(&mut self) {
        let mut next = self.front;
        while let Some(node) = next {
            // SAFETY: the node is live, and no link to it is followed after this.
            next = unsafe { Box::from_raw(node.as_ptr()) }.back;
        }
    }
}

/// An iterator over the elements of a [`Deque`].
pub struct Iter<'d> {
    front: Link,
    back: Link,
    len: usize,
    deque: PhantomData<&'d Deque>,
}

impl<'d> Iter<'d> {
    /// Returns the node behind a link, if any elements are left.
    fn next_node(&mut self, link: Link) -> Option<&'d Node> {
        self.len = self.len.checked_sub(1)?;
        // SAFETY: the node is live, and stays so while the deque is borrowed.
        link.map(|node| unsafe { &*node.as_ptr() })
    }
}

impl<'d> Iterator for Iter<'d> {
    type Item = &'d u32;

    fn next(&mut self) -> Option<&'d u32> {
        let node = self.next_node(self.front)?;
        self.front = node.back;
        Some(&node.elem)
    }
}

impl<'d> DoubleEndedIterator for Iter<'d> {
    fn next_back(&mut self) -> Option<&'d u32> {
        let node = self.next_node(self.back)?;
        self.back = node.front;
        Some(&node.elem)
    }
}

impl FromIterator<u32> for Deque {
    fn from_iter<I: IntoIterator<Item = u32>>(elems: I) -> Self {
        let mut deque = Self::new();
        elems.into_iter().for_each(|elem| deque.push_back(elem));
        deque
    }
}

impl Clone for Deque {
    fn clone(&self) -> Self {
        self.iter().copied().collect()
    }
}

impl fmt::Debug for Deque {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::seeded::found_at;
    use std::collections::VecDeque;

    type Rotate = fn(&mut Deque, usize);

    /// A buggy `rotate_left`: it cuts the ring in one direction only, so that the new front still links to the new
    /// back. Such a deque can be dropped, which follows the other direction, but `pop_front` would leave a dangling
    /// link.
    pub(crate) fn rotate_left_cutting_once(deque: &mut Deque, mid: usize) {
        let (Some(old_front), Some(old_back), Some(new_front)) = (deque.front, deque.back, deque.node(mid)) else {
            return;
        };
        // SAFETY: all of these nodes belong to the deque.
        unsafe {
            (*old_back.as_ptr()).back = Some(old_front);
            (*old_front.as_ptr()).front = Some(old_back);
            deque.back = (*new_front.as_ptr()).front;
            deque.front = Some(new_front);
            if let Some(new_back) = deque.back {
                (*new_back.as_ptr()).back = None;
            }
        }
    }

    /// Checks the invariant, and that the elements equal those of the model in both directions.
    fn assert_is(deque: &Deque, model: &VecDeque<u32>) {
        assert!(deque.rep_ok());
        assert_eq!(deque.len(), model.len());
        assert!(deque.iter().eq(model));
        assert!(deque.iter().rev().eq(model.iter().rev()));
        assert_eq!((deque.front(), deque.back()), (model.front(), model.back()));
    }

    fn check_ends(deque: &Deque) {
        let (mut deque, mut model) = (deque.clone(), deque.iter().copied().collect::<VecDeque<u32>>());
        deque.push_front(8);
        model.push_front(8);
        assert_is(&deque, &model);
        deque.push_back(9);
        model.push_back(9);
        assert_is(&deque, &model);
        while !model.is_empty() {
            assert_eq!(deque.pop_front(), model.pop_front());
            assert_is(&deque, &model);
            assert_eq!(deque.pop_back(), model.pop_back());
            assert_is(&deque, &model);
        }
    }

    fn check_append(deque: &Deque) {
        for elems in [&[][..], &[7], &[7, 8]] {
            let mut model: VecDeque<u32> = deque.iter().copied().chain(elems.iter().copied()).collect();
            let (mut long, mut other) = (deque.clone(), elems.iter().copied().collect::<Deque>());
            long.append(&mut other);
            assert_is(&long, &model);
            assert_is(&other, &VecDeque::new());
            model.rotate_left(deque.len());
            let mut other: Deque = elems.iter().copied().collect();
            other.append(&mut deque.clone());
            assert_is(&other, &model);
        }
    }

    fn check_rotate(deque: &Deque, rotate_left: Rotate) {
        for mid in 0..=deque.len() {
            let (mut deque, mut model) = (deque.clone(), deque.iter().copied().collect::<VecDeque<u32>>());
            rotate_left(&mut deque, mid);
            model.rotate_left(mid);
            assert_is(&deque, &model);
        }
    }

    /// A typical hand-written test: checks the elements in both directions, and some operations afterwards.
    fn example(rotate_left: Rotate) {
        let mut deque: Deque = (1..=5).collect();
        rotate_left(&mut deque, 2);
        assert!(deque.iter().eq(&[3, 4, 5, 1, 2]));
        assert!(deque.iter().rev().eq(&[2, 1, 5, 4, 3]));
        assert_eq!((deque.front(), deque.back(), deque.len()), (Some(&3), Some(&2), 5));
        deque.push_back(6);
        deque.push_front(0);
        assert_eq!((deque.pop_back(), deque.pop_back()), (Some(6), Some(2)));
        assert!(deque.iter().eq(&[0, 3, 4, 5, 1]));
    }

    #[test]
    fn a_rotated_deque_has_the_same_elements() {
        example(Deque::rotate_left);
        example(rotate_left_cutting_once);
    }

    #[test]
    fn operations_agree_with_a_deque_of_std_on_some_deques() {
        for len in 0..=4 {
            let deque: Deque = (0..len).collect();
            check_ends(&deque);
            check_append(&deque);
            check_rotate(&deque, Deque::rotate_left);
        }
    }

    #[test]
    fn operations_do_what_a_deque_of_std_does() {
        korat::for_each_valid(Deque::scope(5), |deque| {
            check_ends(&deque);
            check_append(&deque);
            check_rotate(&deque, Deque::rotate_left);
        })
        // All sequences of zeros and ones of each length up to 5.
        .expect_count((2 << 5) - 1);
    }

    /// One node suffices, linked to itself by a rotation by zero. Iterators stop after `len` elements and do not
    /// notice.
    #[test]
    fn a_ring_cut_in_one_direction_is_found() {
        let found = found_at(0, |scope| {
            korat::for_each_valid(Deque::scope(scope), |deque| check_rotate(&deque, rotate_left_cutting_once));
        });
        assert_eq!(found, Some(1));
    }
}
