//! Iteration over the entries of a hash table, by value.

use std::mem::needs_drop;
use std::ptr;

use crate::twin::table::Table;

/// An iterator over the entries by value, in insertion order.
pub struct IntoTableEntries<K, V> {
    table: Table<K, V>,
    front: usize,
}

impl<K, V> IntoTableEntries<K, V> {
    pub(crate) fn of(table: Table<K, V>) -> Self {
        table.0.field.assert_all_known();
        IntoTableEntries { table, front: 0 }
    }
}

impl<K, V> Iterator for IntoTableEntries<K, V> {
    type Item = (K, V);
    fn next(&mut self) -> Option<(K, V)> {
        let header = &mut *self.table.0;
        if self.front >= header.len {
            return None;
        }
        // SAFETY: the entry has a value. With drop glue, the entries behind it close the gap, and `len` no longer
        // counts it; without, it may be duplicated.
        unsafe {
            let entry = header.entries.add(self.front).read();
            if const { needs_drop::<(K, V)>() } {
                ptr::copy(
                    header.entries.add(self.front + 1),
                    header.entries.add(self.front),
                    header.len - self.front - 1,
                );
                header.len -= 1;
            } else {
                self.front += 1;
            }
            Some(entry)
        }
    }
    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.table.len() - self.front;
        (left, Some(left))
    }
}

impl<K, V> ExactSizeIterator for IntoTableEntries<K, V> {}
