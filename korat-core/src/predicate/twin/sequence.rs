//! Common parts of vectors, deques, arrays and slices: comparison with each other and with std arrays, order, hash,
//! `Debug`, and ranges of positions.

use std::ops::{Bound, Range, RangeBounds};

/// Implements comparison with other sequences and with arrays, order, hash and `Debug`. A comparison reads only as many
/// elements as it has to.
macro_rules! sequence_traits {
    ([$($generics:tt)*] $type:ty) => {
        impl<$($generics)*, O: ?Sized> PartialEq<O> for $type
        where
            T: PartialEq,
            O: $crate::predicate::twin::sequence::Elements<T>,
        {
            fn eq(&self, other: &O) -> bool {
                self.len() == other.count() && self.iter().enumerate().all(|(at, element)| element == other.element(at))
            }
        }

        impl<$($generics)*> Eq for $type where T: Eq {}

        impl<$($generics)*> PartialOrd for $type
        where
            T: PartialOrd,
        {
            fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
                self.iter().partial_cmp(other.iter())
            }
        }

        impl<$($generics)*> Ord for $type
        where
            T: Ord,
        {
            fn cmp(&self, other: &Self) -> std::cmp::Ordering {
                self.iter().cmp(other.iter())
            }
        }

        impl<$($generics)*> std::hash::Hash for $type
        where
            T: std::hash::Hash,
        {
            fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
                self.len().hash(state);
                self.iter().for_each(|element| element.hash(state));
            }
        }

        impl<$($generics)*> std::fmt::Debug for $type
        where
            T: std::fmt::Debug,
        {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.debug_list().entries(self.iter()).finish()
            }
        }

        impl<$($generics)*> $crate::predicate::twin::sequence::Elements<T> for $type {
            fn count(&self) -> usize {
                self.len()
            }
            fn element(&self, at: usize) -> &T {
                &self[at]
            }
        }
    };
}
pub(crate) use sequence_traits;

/// Converts a range to positions in a sequence of `len` elements.
#[track_caller]
pub(crate) fn span<R: RangeBounds<usize>>(range: R, len: usize) -> Range<usize> {
    let start = match range.start_bound() {
        Bound::Included(&start) => start,
        Bound::Excluded(&start) => start + 1,
        Bound::Unbounded => 0,
    };
    let end = match range.end_bound() {
        Bound::Included(&end) => end + 1,
        Bound::Excluded(&end) => end,
        Bound::Unbounded => len,
    };
    assert!(start <= end && end <= len, "range {start}..{end} out of range for a sequence of length {len}");
    start..end
}

/// A sequence that another one can be compared with.
pub trait Elements<T> {
    /// Returns the number of elements.
    fn count(&self) -> usize;
    /// Returns the element at a position.
    fn element(&self, at: usize) -> &T;
}

impl<T, const N: usize> Elements<T> for [T; N] {
    fn count(&self) -> usize {
        N
    }
    fn element(&self, at: usize) -> &T {
        &self[at]
    }
}

impl<T> Elements<T> for [T] {
    fn count(&self) -> usize {
        self.len()
    }
    fn element(&self, at: usize) -> &T {
        &self[at]
    }
}

impl<T, E: Elements<T> + ?Sized> Elements<T> for &E {
    fn count(&self) -> usize {
        (**self).count()
    }
    fn element(&self, at: usize) -> &T {
        (**self).element(at)
    }
}
