//! Iterators over deques: by reference over the two runs of elements, and by value.

use std::mem::needs_drop;
use std::{mem, slice};

use super::deque::VecDeque;
use super::elem::Elem;

/// An iterator over the elements in order: the rest of two runs.
pub struct Iter<'d, T>(pub(super) slice::Iter<'d, Elem<T>>, pub(super) slice::Iter<'d, Elem<T>>);

/// An iterator over mutable references to the elements, in order.
pub struct IterMut<'d, T>(pub(super) slice::IterMut<'d, Elem<T>>, pub(super) slice::IterMut<'d, Elem<T>>);

impl<T> Clone for Iter<'_, T> {
    fn clone(&self) -> Self {
        Iter(self.0.clone(), self.1.clone())
    }
}

macro_rules! two_runs {
    ($iter:ident, $item:ty, $look:path) => {
        impl<'d, T> Iterator for $iter<'d, T> {
            type Item = $item;
            #[inline]
            fn next(&mut self) -> Option<$item> {
                if self.0.len() == 0 {
                    mem::swap(&mut self.0, &mut self.1);
                }
                self.0.next().map($look)
            }
            // Skipped elements are not read.
            fn nth(&mut self, n: usize) -> Option<$item> {
                let first = self.0.len();
                if n < first {
                    return self.0.nth(n).map($look);
                }
                self.0 = Default::default();
                self.1.nth(n - first).map($look)
            }
            fn count(self) -> usize {
                self.len()
            }
            fn size_hint(&self) -> (usize, Option<usize>) {
                let left = self.0.len() + self.1.len();
                (left, Some(left))
            }
        }

        impl<'d, T> DoubleEndedIterator for $iter<'d, T> {
            #[inline]
            fn next_back(&mut self) -> Option<$item> {
                if self.1.len() == 0 {
                    mem::swap(&mut self.0, &mut self.1);
                }
                self.1.next_back().map($look)
            }
        }

        impl<T> ExactSizeIterator for $iter<'_, T> {}
        impl<T> std::iter::FusedIterator for $iter<'_, T> {}
    };
}

two_runs!(Iter, &'d T, Elem::get);
two_runs!(IterMut, &'d mut T, Elem::get_mut);

/// An iterator over the elements by value, in order.
pub struct IntoIter<T> {
    deque: VecDeque<T>,
    front: usize,
    back: usize,
}

impl<T: Clone> Clone for IntoIter<T> {
    fn clone(&self) -> Self {
        self.deque.range(self.front..self.back).cloned().collect::<VecDeque<T>>().into_iter()
    }
}

impl<T> Iterator for IntoIter<T> {
    type Item = T;
    #[inline]
    fn next(&mut self) -> Option<T> {
        if self.front == self.back {
            return None;
        }
        if const { needs_drop::<T>() } {
            self.back -= 1;
            return self.deque.pop_front();
        }
        self.front += 1;
        // SAFETY: the element has a value, and without drop glue it may be duplicated.
        Some(unsafe { self.deque.0.place(self.front - 1).read() }.into_inner())
    }
    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.back - self.front, Some(self.back - self.front))
    }
}

impl<T> DoubleEndedIterator for IntoIter<T> {
    fn next_back(&mut self) -> Option<T> {
        if self.front == self.back {
            return None;
        }
        self.back -= 1;
        if const { needs_drop::<T>() } {
            return self.deque.pop_back();
        }
        // SAFETY: the element has a value, and without drop glue it may be duplicated.
        Some(unsafe { self.deque.0.place(self.back).read() }.into_inner())
    }
}

impl<T> ExactSizeIterator for IntoIter<T> {}
impl<T> std::iter::FusedIterator for IntoIter<T> {}

impl<T> IntoIterator for VecDeque<T> {
    type Item = T;
    type IntoIter = IntoIter<T>;
    #[inline]
    fn into_iter(self) -> IntoIter<T> {
        let back = self.len();
        IntoIter { deque: self, front: 0, back }
    }
}

impl<'d, T> IntoIterator for &'d VecDeque<T> {
    type Item = &'d T;
    type IntoIter = Iter<'d, T>;
    #[inline]
    fn into_iter(self) -> Iter<'d, T> {
        self.iter()
    }
}

impl<'d, T> IntoIterator for &'d mut VecDeque<T> {
    type Item = &'d mut T;
    type IntoIter = IterMut<'d, T>;
    fn into_iter(self) -> IterMut<'d, T> {
        self.iter_mut()
    }
}
