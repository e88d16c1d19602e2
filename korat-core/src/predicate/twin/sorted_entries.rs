//! Iteration over the entries of a sorted table, by value.

use std::mem::needs_drop;

use crate::twin::sorted::Sorted;

/// An iterator over the entries by value, in order.
pub struct IntoSortedEntries<K, V> {
    sorted: Sorted<K, V>,
    front: usize,
    back: usize,
}

impl<K, V> IntoSortedEntries<K, V> {
    pub(crate) fn of(sorted: Sorted<K, V>) -> Self {
        sorted.0.field.assert_all_known();
        IntoSortedEntries { sorted, front: 0, back: sorted.len() }
    }
}

impl<K, V> Iterator for IntoSortedEntries<K, V> {
    type Item = (K, V);
    #[inline]
    fn next(&mut self) -> Option<(K, V)> {
        if self.front == self.back {
            return None;
        }
        if const { needs_drop::<(K, V)>() } {
            self.back -= 1;
            return Some(self.sorted.remove_at(self.front));
        }
        self.front += 1;
        // SAFETY: the entry has a value, and without drop glue it may be duplicated.
        Some(unsafe { self.sorted.0.entries.add(self.front - 1).read() })
    }
    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.back - self.front, Some(self.back - self.front))
    }
}

impl<K, V> DoubleEndedIterator for IntoSortedEntries<K, V> {
    fn next_back(&mut self) -> Option<(K, V)> {
        if self.front == self.back {
            return None;
        }
        self.back -= 1;
        if const { needs_drop::<(K, V)>() } {
            return Some(self.sorted.remove_at(self.back));
        }
        // SAFETY: the entry has a value, and without drop glue it may be duplicated.
        Some(unsafe { self.sorted.0.entries.add(self.back).read() })
    }
}

impl<K, V> ExactSizeIterator for IntoSortedEntries<K, V> {}
