//! `[T]` in a lifted predicate: elements are decided one by one, when they are looked at.

use std::cmp::Ordering;
use std::iter::FusedIterator;
use std::ops::{Index, IndexMut, Range, RangeFrom, RangeFull, RangeInclusive, RangeTo, RangeToInclusive};

use super::sequence::{Elements, sequence_traits};
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
        // SAFETY: `Slice` is a transparent wrapper of `[Elem<T>]`, and the reference is no other than the one that was given.
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
    pub fn iter_mut(&mut self) -> IterMut<'_, T> {
        self.0.iter_mut().map(Elem::get_mut)
    }

    /// The elements for a slice pattern, which binds them without deciding any.
    pub fn __korat_elems(&self) -> &[Elem<T>] {
        &self.0
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

    /// Binary search by a key.
    pub fn binary_search_by_key<K: Ord>(&self, key: &K, mut key_of: impl FnMut(&T) -> K) -> Result<usize, usize> {
        self.binary_search_by(|element| key_of(element).cmp(key))
    }

    /// Where the elements stop satisfying `holds`, which holds of a first part only.
    pub fn partition_point(&self, mut holds: impl FnMut(&T) -> bool) -> usize {
        self.0.partition_point(|elem| holds(elem.get()))
    }

    /// Whether the elements end with `end`.
    pub fn ends_with(&self, end: &Slice<T>) -> bool
    where
        T: PartialEq,
    {
        end.len() <= self.len() && self[self.len() - end.len()..] == *end
    }

    /// Whether `sorted` holds of all neighbours.
    pub fn is_sorted_by(&self, mut sorted: impl FnMut(&T, &T) -> bool) -> bool {
        self.iter().is_sorted_by(|one, other| sorted(one, other))
    }

    /// Runs of `size`, leaving out what is shorter at the end.
    pub fn chunks_exact(&self, size: usize) -> impl DoubleEndedIterator<Item = &Slice<T>> + ExactSizeIterator + Clone {
        self.0.chunks_exact(size).map(Slice::of)
    }

    /// Runs of `size` from the end, the last one perhaps shorter.
    pub fn rchunks(&self, size: usize) -> impl DoubleEndedIterator<Item = &Slice<T>> + ExactSizeIterator + Clone {
        self.0.rchunks(size).map(Slice::of)
    }

    /// Runs of neighbours that belong together.
    pub fn chunk_by(&self, mut together: impl FnMut(&T, &T) -> bool) -> impl DoubleEndedIterator<Item = &Slice<T>> {
        self.0.chunk_by(move |one, other| together(one.get(), other.get())).map(Slice::of)
    }

    /// The runs between the elements for which `separates` holds.
    pub fn split(&self, mut separates: impl FnMut(&T) -> bool) -> impl DoubleEndedIterator<Item = &Slice<T>> {
        self.0.split(move |elem| separates(elem.get())).map(Slice::of)
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

    /// Sorts by a comparison; equal elements may change places.
    pub fn sort_unstable_by(&mut self, mut compare: impl FnMut(&T, &T) -> Ordering) {
        self.0.sort_unstable_by(|one, other| compare(one.get(), other.get()));
    }

    /// Sorts by a key; equal elements may change places.
    pub fn sort_unstable_by_key<K: Ord>(&mut self, mut key: impl FnMut(&T) -> K) {
        self.0.sort_unstable_by_key(|elem| key(elem.get()));
    }

    /// Moves the first `mid` elements to the end.
    pub fn rotate_left(&mut self, mid: usize) {
        self.0.rotate_left(mid);
    }

    /// Moves the last `k` elements to the start.
    pub fn rotate_right(&mut self, k: usize) {
        self.0.rotate_right(k);
    }

    /// Two parts, to be changed.
    pub fn split_at_mut(&mut self, mid: usize) -> (&mut Slice<T>, &mut Slice<T>) {
        let (left, right) = self.0.split_at_mut(mid);
        (Slice::of_mut(left), Slice::of_mut(right))
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
        self.0.fill_with(|| Elem::own(value.clone()));
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

impl<E> Slice<E> {
    /// The elements of all elements, one after the other.
    pub fn concat<T: Clone>(&self) -> Vec<T>
    where
        E: Elements<T>,
    {
        self.iter().flat_map(|part| (0..part.count()).map(move |at| part.element(at).clone())).collect()
    }
}

impl<S: AsRef<str>> Slice<S> {
    /// The texts with `separator` between them.
    pub fn join(&self, separator: &str) -> String {
        let mut joined = String::new();
        for (place, part) in self.iter().enumerate() {
            if place > 0 {
                joined.push_str(separator);
            }
            joined.push_str(part.as_ref());
        }
        joined
    }
}

/// The elements of a slice in order.
pub struct Iter<'s, T>(std::slice::Iter<'s, Elem<T>>);

impl<'s, T> Iter<'s, T> {
    /// The elements that are left.
    pub fn as_slice(&self) -> &'s Slice<T> {
        Slice::of(self.0.as_slice())
    }
}

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

impl<'s, T> IntoIterator for &'s mut Slice<T> {
    type Item = &'s mut T;
    type IntoIter = IterMut<'s, T>;
    fn into_iter(self) -> IterMut<'s, T> {
        self.iter_mut()
    }
}

/// The elements of a slice in order, to be changed.
pub type IterMut<'s, T> = std::iter::Map<std::slice::IterMut<'s, Elem<T>>, fn(&'s mut Elem<T>) -> &'s mut T>;

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
