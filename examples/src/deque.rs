//! A doubly linked deque on raw pointers: nodes are boxes that are leaked when they are linked, and freed by hand.

use std::fmt;
use std::marker::PhantomData;
use std::ptr::NonNull;

use korat::{Finitize, rep_ok};

type Link = Option<NonNull<Node>>;

/// One element and its neighbours, towards either end.
#[derive(Finitize)]
struct Node {
    #[finitize(0..=1)]
    elem: u32,
    front: Link,
    back: Link,
}

/// A sequence of elements with two ends.
///
/// All `unsafe` code below relies on the same: every link points to a node that came from a box and was not freed
/// since, no two deques have a node in common, and no reference to a node is held while its links are changed.
#[derive(Default, Finitize)]
pub struct Deque {
    front: Link,
    back: Link,
    /// The number of elements.
    len: usize,
}

#[rep_ok]
impl Deque {
    /// From `front`, every node links back to the one from which it is reached; the last is `back`; `len` counts them.
    pub fn rep_ok(&self) -> bool {
        let mut count = 0;
        let mut before: Option<NonNull<Node>> = None;
        let mut next = self.front;
        while let Some(node) = next {
            // SAFETY: links point to live nodes, whether or not they are the right ones.
            let node_ref = unsafe { node.as_ref() };
            // A node that is reached a second time was linked from another one before, so a ring ends here, too.
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
    /// The empty deque.
    pub fn new() -> Self {
        Self::default()
    }

    /// The number of elements.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there is no element.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The element at the front.
    pub fn front(&self) -> Option<&u32> {
        // SAFETY: the node is live, and stays so while `self` is borrowed.
        self.front.map(|node| unsafe { &(*node.as_ptr()).elem })
    }

    /// The element at the back.
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

    /// Takes the element at the front.
    pub fn pop_front(&mut self) -> Option<u32> {
        // SAFETY: the node is one of this deque.
        self.front.map(|node| unsafe { self.unlink(node) })
    }

    /// Takes the element at the back.
    pub fn pop_back(&mut self) -> Option<u32> {
        // SAFETY: the node is one of this deque.
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

    /// Moves the first `mid` elements to the back, without moving any in memory.
    pub fn rotate_left(&mut self, mid: usize) {
        assert!(mid <= self.len, "{mid} elements of {}", self.len);
        let (Some(old_front), Some(old_back), Some(new_front)) = (self.front, self.back, self.node(mid)) else {
            return;
        };
        // SAFETY: all of these are nodes of this deque.
        unsafe {
            // Close the ring, then cut it elsewhere; if `mid` is 0, that is where it was closed.
            (*old_back.as_ptr()).back = Some(old_front);
            (*old_front.as_ptr()).front = Some(old_back);
            self.back = (*new_front.as_ptr()).front.take();
            self.front = Some(new_front);
            if let Some(new_back) = self.back {
                (*new_back.as_ptr()).back = None;
            }
        }
    }

    /// The elements, front to back, or from either end.
    pub fn iter(&self) -> Iter<'_> {
        Iter { front: self.front, back: self.back, len: self.len, deque: PhantomData }
    }

    /// The node of element `at`, counted from the front.
    fn node(&self, at: usize) -> Link {
        // SAFETY: the nodes are live.
        std::iter::successors(self.front, |node| unsafe { (*node.as_ptr()).back }).nth(at)
    }

    /// Takes a node out of the deque and frees it.
    ///
    /// # Safety
    ///
    /// It must be a node of this deque.
    unsafe fn unlink(&mut self, node: NonNull<Node>) -> u32 {
        // SAFETY: the node is live, and with its neighbours changed below nothing points to it any more.
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
            // SAFETY: the node is live, and nothing will follow a link to it any more.
            next = unsafe { Box::from_raw(node.as_ptr()) }.back;
        }
    }
}

/// The elements of a [`Deque`].
pub struct Iter<'d> {
    front: Link,
    back: Link,
    len: usize,
    deque: PhantomData<&'d Deque>,
}

impl<'d> Iter<'d> {
    /// The node behind a link, if any elements are left.
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
mod tests {
    use super::*;
    use crate::seeded::found_at;
    use std::collections::VecDeque;

    type Rotate = fn(&mut Deque, usize);

    /// `rotate_left` with a bug: the ring is cut in one direction only, the new front still links to the new back. Such
    /// a deque can be dropped, which goes the other way, but `pop_front` would leave it with a link to what it freed.
    fn rotate_left_cutting_once(deque: &mut Deque, mid: usize) {
        let (Some(old_front), Some(old_back), Some(new_front)) = (deque.front, deque.back, deque.node(mid)) else {
            return;
        };
        // SAFETY: all of these are nodes of the deque.
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

    /// The invariant holds, and the elements are those of the model, from either end.
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

    /// What one would write by hand: the elements are right from either end, and so is what comes next.
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
        // Of each length up to 5, all rows of zeros and ones.
        .expect_count((2 << 5) - 1);
    }

    /// One node is enough, linked to itself, and a rotation by none. Iterators stop by `len` and never look.
    #[test]
    fn a_ring_cut_in_one_direction_is_found() {
        let found = found_at(0, |scope| {
            korat::for_each_valid(Deque::scope(scope), |deque| check_rotate(&deque, rotate_left_cutting_once));
        });
        assert_eq!(found, Some(1));
    }
}
