//! `[T]` in a lifted predicate. Its elements are read lazily, one by one.

use std::cmp::Ordering;
use std::ops::{Index, IndexMut, Range, RangeFrom, RangeFull, RangeInclusive, RangeTo, RangeToInclusive};

use super::sequence::{Elements, sequence_traits};
use super::slice_iter::{Iter, IterMut};
use super::{Elem, Vec};

/// The twin of `[T]`.
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
        // SAFETY: `Slice` is a transparent wrapper of `[Elem<T>]`, and the result replaces the given reference.
        unsafe { &mut *(std::ptr::from_mut(elems) as *mut Self) }
    }

    pub(crate) fn elems(&self) -> &[Elem<T>] {
        &self.0
    }

    pub(crate) fn referenced_elems<'a, 'b>(slice: &'a &'b Self) -> &'a &'b [Elem<T>] {
        // SAFETY: `Slice` is a transparent wrapper of `[Elem<T>]`, so references to both have the same layout.
        unsafe { &*std::ptr::from_ref(slice).cast() }
    }

    /// Returns the number of elements.
    #[inline]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns whether it is empty.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns an iterator over the elements in order, each read when the iterator reaches it.
    #[inline]
    pub fn iter(&self) -> Iter<'_, T> {
        Iter(self.0.iter())
    }

    /// Returns an iterator over mutable references to the elements, in order.
    pub fn iter_mut(&mut self) -> IterMut<'_, T> {
        self.0.iter_mut().map(Elem::get_mut)
    }

    /// Returns the element or the subslice at `index`.
    #[inline]
    pub fn get<I: SliceIndex<T>>(&self, index: I) -> Option<&I::Out> {
        index.get(self)
    }

    /// Returns a mutable reference to the element at `index`.
    pub fn get_mut(&mut self, index: usize) -> Option<&mut T> {
        self.0.get_mut(index).map(Elem::get_mut)
    }

    /// Returns the first element.
    #[inline]
    pub fn first(&self) -> Option<&T> {
        self.0.first().map(Elem::get)
    }

    /// Returns the last element.
    #[inline]
    pub fn last(&self) -> Option<&T> {
        self.0.last().map(Elem::get)
    }

    /// Returns a mutable reference to the first element.
    pub fn first_mut(&mut self) -> Option<&mut T> {
        self.0.first_mut().map(Elem::get_mut)
    }

    /// Returns a mutable reference to the last element.
    pub fn last_mut(&mut self) -> Option<&mut T> {
        self.0.last_mut().map(Elem::get_mut)
    }

    /// Returns the first element and the rest.
    pub fn split_first(&self) -> Option<(&T, &Slice<T>)> {
        self.0.split_first().map(|(first, rest)| (first.get(), Slice::of(rest)))
    }

    /// Returns the last element and the rest.
    pub fn split_last(&self) -> Option<(&T, &Slice<T>)> {
        self.0.split_last().map(|(last, rest)| (last.get(), Slice::of(rest)))
    }

    /// Splits the slice at `mid`.
    pub fn split_at(&self, mid: usize) -> (&Slice<T>, &Slice<T>) {
        let (left, right) = self.0.split_at(mid);
        (Slice::of(left), Slice::of(right))
    }

    /// Returns an iterator over all windows of `size` adjacent elements.
    pub fn windows(&self, size: usize) -> impl DoubleEndedIterator<Item = &Slice<T>> + ExactSizeIterator + Clone {
        self.0.windows(size).map(Slice::of)
    }

    /// Returns an iterator over chunks of `size` elements; the last one may be shorter.
    pub fn chunks(&self, size: usize) -> impl DoubleEndedIterator<Item = &Slice<T>> + ExactSizeIterator + Clone {
        self.0.chunks(size).map(Slice::of)
    }

    /// Returns whether an element equals `value`. Stops reading at the first that does.
    pub fn contains(&self, value: &T) -> bool
    where
        T: PartialEq,
    {
        self.iter().any(|element| element == value)
    }

    /// Returns whether the elements begin with `start`.
    pub fn starts_with(&self, start: &Slice<T>) -> bool
    where
        T: PartialEq,
    {
        start.len() <= self.len() && self.iter().zip(start).all(|(one, other)| one == other)
    }

    /// Returns whether the elements are sorted. Stops reading at the first that is less than its predecessor.
    pub fn is_sorted(&self) -> bool
    where
        T: PartialOrd,
    {
        self.iter().is_sorted()
    }

    /// Returns whether the keys are sorted.
    pub fn is_sorted_by_key<K: PartialOrd>(&self, key: impl FnMut(&T) -> K) -> bool {
        self.iter().map(key).is_sorted()
    }

    /// Searches for a value by binary search. Reads only the elements that it compares.
    pub fn binary_search(&self, value: &T) -> Result<usize, usize>
    where
        T: Ord,
    {
        self.binary_search_by(|element| element.cmp(value))
    }

    /// Searches by binary search with a comparison function.
    pub fn binary_search_by(&self, mut compare: impl FnMut(&T) -> Ordering) -> Result<usize, usize> {
        self.0.binary_search_by(|elem| compare(elem.get()))
    }

    /// Searches for a key by binary search.
    pub fn binary_search_by_key<K: Ord>(&self, key: &K, mut key_of: impl FnMut(&T) -> K) -> Result<usize, usize> {
        self.binary_search_by(|element| key_of(element).cmp(key))
    }

    /// Returns the index of the first element for which `holds` is false. The elements must be partitioned accordingly.
    pub fn partition_point(&self, mut holds: impl FnMut(&T) -> bool) -> usize {
        self.0.partition_point(|elem| holds(elem.get()))
    }

    /// Returns whether the elements end with `end`.
    pub fn ends_with(&self, end: &Slice<T>) -> bool
    where
        T: PartialEq,
    {
        end.len() <= self.len() && self[self.len() - end.len()..] == *end
    }

    /// Returns whether `sorted` holds for all pairs of adjacent elements.
    pub fn is_sorted_by(&self, mut sorted: impl FnMut(&T, &T) -> bool) -> bool {
        self.iter().is_sorted_by(|one, other| sorted(one, other))
    }

    /// Returns an iterator over chunks of `size` elements, omitting a shorter rest.
    pub fn chunks_exact(&self, size: usize) -> impl DoubleEndedIterator<Item = &Slice<T>> + ExactSizeIterator + Clone {
        self.0.chunks_exact(size).map(Slice::of)
    }

    /// Returns an iterator over chunks of `size` elements from the end; the last one may be shorter.
    pub fn rchunks(&self, size: usize) -> impl DoubleEndedIterator<Item = &Slice<T>> + ExactSizeIterator + Clone {
        self.0.rchunks(size).map(Slice::of)
    }

    /// Returns an iterator over maximal runs in which `together` holds for adjacent elements.
    pub fn chunk_by(&self, mut together: impl FnMut(&T, &T) -> bool) -> impl DoubleEndedIterator<Item = &Slice<T>> {
        self.0.chunk_by(move |one, other| together(one.get(), other.get())).map(Slice::of)
    }

    /// Returns an iterator over the subslices between elements for which `separates` holds.
    pub fn split(&self, mut separates: impl FnMut(&T) -> bool) -> impl DoubleEndedIterator<Item = &Slice<T>> {
        self.0.split(move |elem| separates(elem.get())).map(Slice::of)
    }

    /// Copies the elements to a vector owned by the predicate.
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

    /// Reverses the order of the elements.
    pub fn reverse(&mut self) {
        self.0.reverse();
    }

    /// Sorts the elements.
    pub fn sort(&mut self)
    where
        T: Ord,
    {
        self.0.sort_by(|one, other| one.get().cmp(other.get()));
    }

    /// Sorts the elements; may reorder equal ones.
    pub fn sort_unstable(&mut self)
    where
        T: Ord,
    {
        self.0.sort_unstable_by(|one, other| one.get().cmp(other.get()));
    }

    /// Sorts the elements with a comparison function.
    pub fn sort_by(&mut self, mut compare: impl FnMut(&T, &T) -> Ordering) {
        self.0.sort_by(|one, other| compare(one.get(), other.get()));
    }

    /// Sorts the elements with a comparison function; may reorder equal ones.
    pub fn sort_unstable_by(&mut self, mut compare: impl FnMut(&T, &T) -> Ordering) {
        self.0.sort_unstable_by(|one, other| compare(one.get(), other.get()));
    }

    /// Sorts the elements by a key; may reorder equal ones.
    pub fn sort_unstable_by_key<K: Ord>(&mut self, mut key: impl FnMut(&T) -> K) {
        self.0.sort_unstable_by_key(|elem| key(elem.get()));
    }

    /// Moves the first `mid` elements to the end.
    pub fn rotate_left(&mut self, mid: usize) {
        self.0.rotate_left(mid);
    }

    /// Moves the last `k` elements to the front.
    pub fn rotate_right(&mut self, k: usize) {
        self.0.rotate_right(k);
    }

    /// Splits the slice at `mid` into two mutable slices.
    pub fn split_at_mut(&mut self, mid: usize) -> (&mut Slice<T>, &mut Slice<T>) {
        let (left, right) = self.0.split_at_mut(mid);
        (Slice::of_mut(left), Slice::of_mut(right))
    }

    /// Sorts the elements by a key.
    pub fn sort_by_key<K: Ord>(&mut self, mut key: impl FnMut(&T) -> K) {
        self.0.sort_by_key(|elem| key(elem.get()));
    }

    /// Copies the elements of `source`, which has the same length.
    #[track_caller]
    pub fn copy_from_slice<S: Elements<T> + ?Sized>(&mut self, source: &S)
    where
        T: Copy,
    {
        self.clone_from_slice(source);
    }

    /// Clones the elements of `source`, which has the same length.
    #[track_caller]
    pub fn clone_from_slice<S: Elements<T> + ?Sized>(&mut self, source: &S)
    where
        T: Clone,
    {
        assert_eq!(self.len(), source.count(), "source and destination slices have different lengths");
        for (at, elem) in self.0.iter_mut().enumerate() {
            *elem = Elem::own(source.element(at).clone());
        }
    }

    /// Sets every element to a clone of `value`.
    pub fn fill(&mut self, value: T)
    where
        T: Clone,
    {
        self.0.fill_with(|| Elem::own(value.clone()));
    }
}

/// An index into a slice: a number or a range.
pub trait SliceIndex<T> {
    /// An element or a subslice.
    type Out: ?Sized;
    /// Returns the element or subslice at this index.
    fn get(self, slice: &Slice<T>) -> Option<&Self::Out>;
}

impl<T> SliceIndex<T> for usize {
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
        impl<T> SliceIndex<T> for $range {
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

impl<T: Clone> ToOwned for Slice<T> {
    type Owned = Vec<T>;
    fn to_owned(&self) -> Vec<T> {
        self.to_vec()
    }
}

impl<T> std::borrow::Borrow<Slice<T>> for Vec<T> {
    fn borrow(&self) -> &Slice<T> {
        self
    }
}

impl<T> AsRef<Slice<T>> for Slice<T> {
    fn as_ref(&self) -> &Slice<T> {
        self
    }
}

sequence_traits!([T] Slice<T>);
