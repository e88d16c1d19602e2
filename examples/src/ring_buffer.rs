//! A ring buffer: a double-ended queue in an array of fixed size that wraps around at the end.

use korat::{Finitize, rep_ok};

/// A queue of at most `N` elements.
#[derive(Clone, Debug, PartialEq, Finitize)]
pub struct Ring<T, const N: usize> {
    /// The cells. The elements occupy `len` consecutive ones, with the first cell following the last.
    pub items: [Option<T>; N],
    /// The cell of the first element, or of the next one to be added to an empty queue.
    #[finitize(0..=scope)]
    pub head: usize,
    /// The number of elements.
    #[finitize(0..=scope)]
    pub len: usize,
}

#[rep_ok]
impl<T, const N: usize> Ring<T, N> {
    /// Returns whether exactly the `len` cells from `head` on hold elements.
    pub fn rep_ok(&self) -> bool {
        if self.len > N || self.head >= N.max(1) {
            return false;
        }
        for offset in 0..N {
            if self.items[(self.head + offset) % N].is_some() != (offset < self.len) {
                return false;
            }
        }
        true
    }
}

impl<T, const N: usize> Default for Ring<T, N> {
    fn default() -> Self {
        Self { items: [const { None }; N], head: 0, len: 0 }
    }
}

impl<T, const N: usize> Ring<T, N> {
    /// Creates an empty queue.
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns the number of elements.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Returns whether the queue is empty.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Returns whether the queue is full.
    pub fn is_full(&self) -> bool {
        self.len == N
    }

    /// Returns the element at `index`, counted from the front.
    pub fn get(&self, index: usize) -> Option<&T> {
        if index < self.len { self.items[self.place(index)].as_ref() } else { None }
    }

    /// Returns the elements, front to back.
    pub fn iter(&self) -> impl Iterator<Item = &T> {
        (0..self.len).filter_map(|index| self.get(index))
    }

    /// Adds an element at the back. Returns it as an error if the queue is full.
    pub fn push_back(&mut self, item: T) -> Result<(), T> {
        if self.is_full() {
            return Err(item);
        }
        let place = self.place(self.len);
        self.items[place] = Some(item);
        self.len += 1;
        Ok(())
    }

    /// Adds an element at the front. Returns it as an error if the queue is full.
    pub fn push_front(&mut self, item: T) -> Result<(), T> {
        if self.is_full() {
            return Err(item);
        }
        self.head = self.place(N - 1);
        self.items[self.head] = Some(item);
        self.len += 1;
        Ok(())
    }

    /// Removes and returns the first element.
    pub fn pop_front(&mut self) -> Option<T> {
        if self.is_empty() {
            return None;
        }
        let item = self.items[self.head].take();
        self.head = self.place(1);
        self.len -= 1;
        item
    }

    /// Removes and returns the last element.
    pub fn pop_back(&mut self) -> Option<T> {
        if self.is_empty() {
            return None;
        }
        self.len -= 1;
        let place = self.place(self.len);
        self.items[place].take()
    }

    /// Adds an element at the back. If the queue is full, removes and returns the first one, as a log does.
    pub fn push_over(&mut self, item: T) -> Option<T> {
        let Err(item) = self.push_back(item) else {
            return None;
        };
        let first = self.pop_front();
        match self.push_back(item) {
            Ok(()) => first,
            // Only if `N` is zero.
            Err(item) => Some(item),
        }
    }

    /// Removes and returns the element at `index`. Later elements move up.
    pub fn remove(&mut self, index: usize) -> Option<T> {
        if index >= self.len {
            return None;
        }
        for index in index..self.len - 1 {
            let (place, next) = (self.place(index), self.place(index + 1));
            self.items.swap(place, next);
        }
        self.pop_back()
    }

    /// Moves the elements to the start of the array, in order.
    pub fn straighten(&mut self) {
        self.items.rotate_left(self.head);
        self.head = 0;
    }

    /// Returns the cell of the element at `index`. `N` must not be zero.
    fn place(&self, index: usize) -> usize {
        (self.head + index) % N
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::seeded::found_at;
    use std::collections::VecDeque;

    /// An operation that removes the element at an index.
    type Remove<const N: usize> = fn(&mut Ring<u8, N>, usize) -> Option<u8>;

    /// A buggy [`Ring::remove`]: elements move up only to the end of the array, without wrapping around.
    pub(crate) fn remove_without_wrapping<const N: usize>(ring: &mut Ring<u8, N>, index: usize) -> Option<u8> {
        if index >= ring.len {
            return None;
        }
        let place = ring.place(index);
        let wrapped = place < ring.head;
        let end = if wrapped { ring.place(ring.len) } else { (ring.head + ring.len).min(N) };
        ring.items[place..end].rotate_left(1);
        ring.pop_back()
    }

    fn model<const N: usize>(ring: &Ring<u8, N>) -> VecDeque<u8> {
        ring.iter().copied().collect()
    }

    /// Checks that the ring is valid and has the elements of `expected`.
    fn check<const N: usize>(ring: &Ring<u8, N>, expected: &VecDeque<u8>) {
        assert!(ring.rep_ok());
        assert_eq!(&model(ring), expected);
        assert_eq!(ring.len(), expected.len());
        assert_eq!(ring.is_empty(), expected.is_empty());
        assert_eq!(ring.is_full(), expected.len() == N);
        for index in 0..=N {
            assert_eq!(ring.get(index), expected.get(index));
        }
    }

    fn ends_do_what_a_deque_does<const N: usize>(ring: &Ring<u8, N>) {
        let pushed = if ring.is_full() { Err(9) } else { Ok(()) };
        let (mut back, mut expected) = (ring.clone(), model(ring));
        assert_eq!(back.push_back(9), pushed);
        if pushed.is_ok() {
            expected.push_back(9);
        }
        check(&back, &expected);
        assert_eq!(back.pop_back(), expected.pop_back());
        check(&back, &expected);

        let (mut front, mut expected) = (ring.clone(), model(ring));
        assert_eq!(front.push_front(9), pushed);
        if pushed.is_ok() {
            expected.push_front(9);
        }
        check(&front, &expected);
        assert_eq!(front.pop_front(), expected.pop_front());
        check(&front, &expected);
    }

    fn push_over_keeps_the_newest<const N: usize>(ring: &Ring<u8, N>) {
        let (mut ring, mut expected) = (ring.clone(), model(ring));
        for item in 10..13 {
            expected.push_back(item);
            let dropped = if expected.len() > N { expected.pop_front() } else { None };
            assert_eq!(ring.push_over(item), dropped);
            check(&ring, &expected);
        }
    }

    fn remove_does_what_a_deque_does<const N: usize>(ring: &Ring<u8, N>, remove: Remove<N>) {
        for index in 0..=N {
            let (mut ring, mut expected) = (ring.clone(), model(ring));
            assert_eq!(remove(&mut ring, index), expected.remove(index));
            check(&ring, &expected);
        }
    }

    fn straighten_changes_no_element<const N: usize>(ring: &Ring<u8, N>) {
        let mut straight = ring.clone();
        straight.straighten();
        check(&straight, &model(ring));
        assert_eq!(straight.head, 0);
    }

    fn all_operations<const N: usize>(ring: &Ring<u8, N>) {
        check(ring, &model(ring));
        ends_do_what_a_deque_does(ring);
        push_over_keeps_the_newest(ring);
        remove_does_what_a_deque_does(ring, Ring::remove);
        straighten_changes_no_element(ring);
    }

    #[test]
    fn rep_ok_rejects_gaps() {
        let ring = |items, head, len| Ring { items, head, len };
        assert!(ring([None, None, None], 2, 0).rep_ok());
        assert!(ring([Some(1), None, Some(0)], 2, 2).rep_ok());
        assert!(!ring([Some(1), None, Some(0)], 2, 1).rep_ok());
        assert!(!ring([Some(1), None, Some(0)], 2, 3).rep_ok());
        assert!(!ring([Some(1), None, Some(0)], 0, 2).rep_ok());
        assert!(!ring([None, None, None], 3, 0).rep_ok());
        assert!(!ring([Some(1), Some(1), Some(1)], 0, 4).rep_ok());
        assert!(Ring::<u8, 0>::new().rep_ok());
    }

    #[test]
    fn no_places_are_enough_for_no_element() {
        all_operations(&Ring::<u8, 0>::new());
        assert_eq!(Ring::<u8, 0>::new().push_over(1), Some(1));
    }

    #[test]
    fn a_test_by_hand_does_not_tell_the_mistake() {
        for remove in [Ring::remove, remove_without_wrapping] {
            let mut ring = Ring::<u8, 4>::new();
            for item in 0..4 {
                assert_eq!(ring.push_back(item), Ok(()));
            }
            assert_eq!(remove(&mut ring, 1), Some(1));
            assert_eq!(ring.push_back(4), Ok(()));
            assert_eq!(remove(&mut ring, 4), None);
            assert_eq!((ring.pop_front(), ring.pop_front()), (Some(0), Some(2)));
            assert_eq!(ring.push_back(5), Ok(()));
            // The elements 3, 4, 5 wrap around now: the last is at the start of the array.
            assert_eq!(remove(&mut ring, 2), Some(5));
            check(&ring, &VecDeque::from([3, 4]));
        }
    }

    #[test]
    fn operations_do_what_a_deque_does() {
        korat::for_each_valid(Ring::<u8, 0>::scope(0), |ring| all_operations(&ring));
        korat::for_each_valid(Ring::<u8, 1>::scope(1), |ring| all_operations(&ring));
        korat::for_each_valid(Ring::<u8, 4>::scope(4), |ring| all_operations(&ring));
    }

    #[test]
    fn there_are_as_many_values_as_counted_by_hand() {
        // Three heads, and zero to three elements with four values each.
        korat::for_each_valid(Ring::<u8, 3>::scope(3), |_| {}).expect_count(3 * (1 + 4 + 16 + 64));
    }

    #[test]
    fn elements_that_do_not_move_around_the_end_are_found() {
        let found = found_at(0, |scope| {
            korat::for_each_valid(Ring::<u8, 3>::scope(scope), |ring| {
                remove_does_what_a_deque_does(&ring, remove_without_wrapping);
            });
        });
        assert_eq!(found, Some(2));
    }
}
