//! `[T]` in a lifted predicate: elements are decided one by one, when they are looked at.

use std::cmp::Ordering;
use std::fmt;
use std::iter::FusedIterator;
use std::ops::{Index, IndexMut, Range, RangeFrom, RangeFull, RangeInclusive, RangeTo, RangeToInclusive};

use super::{Elem, Vec};

/// A run of elements.
#[repr(transparent)]
pub struct Slice<T>([Elem<T>]);

impl<T> Slice<T> {
    #[inline]
    pub(crate) fn of(elems: &[Elem<T>]) -> &Self {
        // SAFETY: `Slice` is a transparent wrapper of `[Elem<T>]`.
        unsafe { &*(std::ptr::from_ref(elems) as *const Self) }
    }

    #[inline]
    pub(crate) fn of_mut(elems: &mut [Elem<T>]) -> &mut Self {
        // SAFETY: as in `of`.
        unsafe { &mut *(std::ptr::from_mut(elems) as *mut Self) }
    }

    pub(crate) fn elems(&self) -> &[Elem<T>] {
        &self.0
    }

    /// How many elements.
    #[inline]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is none.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The elements in order, each decided when the iterator reaches it.
    #[inline]
    pub fn iter(&self) -> Iter<'_, T> {
        Iter(self.0.iter())
    }

    /// The elements in order, to be changed.
    pub fn iter_mut(&mut self) -> impl DoubleEndedIterator<Item = &mut T> + ExactSizeIterator {
        self.0.iter_mut().map(Elem::get_mut)
    }

    /// The element or the part at `index`.
    #[inline]
    pub fn get<I: Position<T>>(&self, index: I) -> Option<&I::Out> {
        index.get(self)
    }

    /// The element at `index`, to be changed.
    pub fn get_mut(&mut self, index: usize) -> Option<&mut T> {
        self.0.get_mut(index).map(Elem::get_mut)
    }

    /// The first element.
    #[inline]
    pub fn first(&self) -> Option<&T> {
        self.0.first().map(Elem::get)
    }

    /// The last element.
    #[inline]
    pub fn last(&self) -> Option<&T> {
        self.0.last().map(Elem::get)
    }

    /// The first element, to be changed.
    pub fn first_mut(&mut self) -> Option<&mut T> {
        self.0.first_mut().map(Elem::get_mut)
    }

    /// The last element, to be changed.
    pub fn last_mut(&mut self) -> Option<&mut T> {
        self.0.last_mut().map(Elem::get_mut)
    }

    /// The first element and the rest.
    pub fn split_first(&self) -> Option<(&T, &Slice<T>)> {
        self.0.split_first().map(|(first, rest)| (first.get(), Slice::of(rest)))
    }

    /// The last element and the rest.
    pub fn split_last(&self) -> Option<(&T, &Slice<T>)> {
        self.0.split_last().map(|(last, rest)| (last.get(), Slice::of(rest)))
    }

    /// Two parts.
    pub fn split_at(&self, mid: usize) -> (&Slice<T>, &Slice<T>) {
        let (left, right) = self.0.split_at(mid);
        (Slice::of(left), Slice::of(right))
    }

    /// Every run of `size` neighbours.
    pub fn windows(&self, size: usize) -> impl DoubleEndedIterator<Item = &Slice<T>> + ExactSizeIterator + Clone {
        self.0.windows(size).map(Slice::of)
    }

    /// Runs of `size`, the last one perhaps shorter.
    pub fn chunks(&self, size: usize) -> impl DoubleEndedIterator<Item = &Slice<T>> + ExactSizeIterator + Clone {
        self.0.chunks(size).map(Slice::of)
    }

    /// Whether an element equals `value`; looks no further than the first that does.
    pub fn contains(&self, value: &T) -> bool
    where
        T: PartialEq,
    {
        self.iter().any(|element| element == value)
    }

    /// Whether the elements begin with `start`.
    pub fn starts_with(&self, start: &Slice<T>) -> bool
    where
        T: PartialEq,
    {
        start.len() <= self.len() && self.iter().zip(start).all(|(one, other)| one == other)
    }

    /// Whether no element is below the one before it; looks no further than the first that is.
    pub fn is_sorted(&self) -> bool
    where
        T: PartialOrd,
    {
        self.iter().is_sorted()
    }

    /// Whether the keys are sorted.
    pub fn is_sorted_by_key<K: PartialOrd>(&self, key: impl FnMut(&T) -> K) -> bool {
        self.iter().map(key).is_sorted()
    }

    /// Binary search, looking only at the elements it compares.
    pub fn binary_search(&self, value: &T) -> Result<usize, usize>
    where
        T: Ord,
    {
        self.binary_search_by(|element| element.cmp(value))
    }

    /// Binary search by a comparison.
    pub fn binary_search_by(&self, mut compare: impl FnMut(&T) -> Ordering) -> Result<usize, usize> {
        self.0.binary_search_by(|elem| compare(elem.get()))
    }

    /// The elements in a vector of the predicate's own.
    pub fn to_vec(&self) -> Vec<T>
    where
        T: Clone,
    {
        self.iter().cloned().collect()
    }

    /// Swaps two elements.
    pub fn swap(&mut self, one: usize, other: usize) {
        self.0.swap(one, other);
    }

    /// Turns the order around.
    pub fn reverse(&mut self) {
        self.0.reverse();
    }

    /// Sorts.
    pub fn sort(&mut self)
    where
        T: Ord,
    {
        self.0.sort_by(|one, other| one.get().cmp(other.get()));
    }

    /// Sorts; equal elements may change places.
    pub fn sort_unstable(&mut self)
    where
        T: Ord,
    {
        self.0.sort_unstable_by(|one, other| one.get().cmp(other.get()));
    }

    /// Sorts by a comparison.
    pub fn sort_by(&mut self, mut compare: impl FnMut(&T, &T) -> Ordering) {
        self.0.sort_by(|one, other| compare(one.get(), other.get()));
    }

    /// Sorts by a key.
    pub fn sort_by_key<K: Ord>(&mut self, mut key: impl FnMut(&T) -> K) {
        self.0.sort_by_key(|elem| key(elem.get()));
    }

    /// Sets every element.
    pub fn fill(&mut self, value: T)
    where
        T: Clone,
    {
        self.0.fill_with(|| Elem::Own(value.clone()));
    }
}

/// An index into a slice: a number or a range.
pub trait Position<T> {
    /// An element or a part.
    type Out: ?Sized;
    /// What stands there.
    fn get(self, slice: &Slice<T>) -> Option<&Self::Out>;
}

impl<T> Position<T> for usize {
    type Out = T;
    #[inline]
    fn get(self, slice: &Slice<T>) -> Option<&T> {
        slice.0.get(self).map(Elem::get)
    }
}

impl<T> Index<usize> for Slice<T> {
    type Output = T;
    #[inline]
    #[track_caller]
    fn index(&self, index: usize) -> &T {
        self.0[index].get()
    }
}

impl<T> IndexMut<usize> for Slice<T> {
    #[inline]
    #[track_caller]
    fn index_mut(&mut self, index: usize) -> &mut T {
        self.0[index].get_mut()
    }
}

macro_rules! ranges {
    ($($range:ty)*) => {$(
        impl<T> Position<T> for $range {
            type Out = Slice<T>;
            #[inline]
            fn get(self, slice: &Slice<T>) -> Option<&Slice<T>> {
                slice.0.get(self).map(Slice::of)
            }
        }
        impl<T> Index<$range> for Slice<T> {
            type Output = Slice<T>;
            #[inline]
            #[track_caller]
            fn index(&self, index: $range) -> &Slice<T> {
                Slice::of(&self.0[index])
            }
        }
        impl<T> IndexMut<$range> for Slice<T> {
            #[inline]
            #[track_caller]
            fn index_mut(&mut self, index: $range) -> &mut Slice<T> {
                Slice::of_mut(&mut self.0[index])
            }
        }
    )*};
}

ranges! { Range<usize> RangeFrom<usize> RangeTo<usize> RangeFull RangeInclusive<usize> RangeToInclusive<usize> }

/// The elements of a slice in order.
pub struct Iter<'s, T>(std::slice::Iter<'s, Elem<T>>);

impl<T> Clone for Iter<'_, T> {
    fn clone(&self) -> Self {
        Iter(self.0.clone())
    }
}

impl<'s, T> Iterator for Iter<'s, T> {
    type Item = &'s T;
    #[inline]
    fn next(&mut self) -> Option<&'s T> {
        self.0.next().map(Elem::get)
    }
    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }
    // Elements that are skipped are not looked at.
    fn nth(&mut self, n: usize) -> Option<&'s T> {
        self.0.nth(n).map(Elem::get)
    }
    fn count(self) -> usize {
        self.0.count()
    }
}

impl<T> DoubleEndedIterator for Iter<'_, T> {
    #[inline]
    fn next_back(&mut self) -> Option<Self::Item> {
        self.0.next_back().map(Elem::get)
    }
}

impl<T> ExactSizeIterator for Iter<'_, T> {}
impl<T> FusedIterator for Iter<'_, T> {}

impl<'s, T> IntoIterator for &'s Slice<T> {
    type Item = &'s T;
    type IntoIter = Iter<'s, T>;
    #[inline]
    fn into_iter(self) -> Iter<'s, T> {
        self.iter()
    }
}

impl<T: PartialEq> PartialEq for Slice<T> {
    fn eq(&self, other: &Self) -> bool {
        self.len() == other.len() && self.iter().eq(other)
    }
}

impl<T: Eq> Eq for Slice<T> {}

impl<T: PartialOrd> PartialOrd for Slice<T> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        self.iter().partial_cmp(other)
    }
}

impl<T: fmt::Debug> fmt::Debug for Slice<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self).finish()
    }
}
