//! `BTreeSet` in a lifted predicate: a field, or a set owned by the predicate, with elements in order. See `sorted`.

use std::borrow::Borrow;
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::{BitAnd, BitOr, BitXor, Deref, RangeBounds, Sub};

use super::entries::{IntoKeys, Keys};
use super::keyed::FieldEntry;
use super::sorted::Sorted;
use super::sorted_entries::IntoSortedEntries;
use super::{Array, sorted};
use crate::predicate::undo::bits::touch;
use crate::predicate::undo::keep_until_backtrack;

/// The twin of `std::collections::BTreeSet`: a handle, copied where the user's code moves the set.
pub struct BTreeSet<K>(pub(super) Sorted<K, ()>);

impl<K: Clone> Clone for BTreeSet<K> {
    fn clone(&self) -> Self {
        BTreeSet(self.0.duplicate())
    }

    fn clone_from(&mut self, source: &Self) {
        *touch(self) = Clone::clone(source);
    }
}

impl<K: Clone> Copy for BTreeSet<K> {}

impl<K: 'static> BTreeSet<K> {
    /// Creates the data of a field with these keys.
    pub(crate) fn field_data(keys: &'static [FieldEntry<K, ()>]) -> sorted::SortedHeader<K, ()> {
        sorted::SortedHeader::of_field(keys)
    }

    /// Returns the container of a field, whose data the heap keeps.
    pub(crate) fn of_field(data: &'static sorted::SortedHeader<K, ()>) -> Self {
        BTreeSet(Sorted::of_field(data))
    }

    /// Returns another handle to the same set.
    pub(crate) fn handle(&self) -> Self {
        BTreeSet(self.0)
    }
}

impl<K> BTreeSet<K> {
    /// Creates an empty set.
    #[inline]
    #[allow(clippy::new_without_default)]
    pub fn new() -> Self {
        BTreeSet(Sorted::new())
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

    /// Returns an iterator over the elements, in order.
    #[inline]
    pub fn iter(&self) -> Keys<'_, K> {
        Keys(self.0.iter())
    }

    /// Returns the least element.
    #[inline]
    pub fn first(&self) -> Option<&K> {
        self.iter().next()
    }

    /// Returns the greatest element.
    #[inline]
    pub fn last(&self) -> Option<&K> {
        self.iter().next_back()
    }

    /// Removes and returns the least element.
    pub fn pop_first(&mut self) -> Option<K> {
        self.0.iter().next()?;
        Some(self.0.remove_at(0).0)
    }

    /// Removes and returns the greatest element.
    #[inline]
    pub fn pop_last(&mut self) -> Option<K> {
        self.0.pop().map(|(key, ())| key)
    }

    /// Removes all elements.
    pub fn clear(&mut self) {
        self.0.lay_ghosts();
        self.0.truncate(0);
    }

    /// Keeps only the elements for which `keep` returns true.
    pub fn retain(&mut self, mut keep: impl FnMut(&K) -> bool) {
        self.0.retain(|key, ()| keep(key));
    }
}

impl<K: Ord> BTreeSet<K> {
    /// Inserts an element. Returns false if it was present.
    #[inline]
    pub fn insert(&mut self, key: K) -> bool {
        match self.0.find(&key) {
            Ok(_) => false,
            Err(at) => {
                self.0.insert_at(at, key, ());
                true
            }
        }
    }

    /// Inserts an element in place of an equal one. Returns the old one.
    pub fn replace(&mut self, key: K) -> Option<K> {
        match self.0.find(&key) {
            Ok(at) => Some(std::mem::replace(&mut self.0.entry_mut(at).0, key)),
            Err(at) => {
                self.0.insert_at(at, key, ());
                None
            }
        }
    }

    /// Returns whether the element is present.
    #[inline]
    pub fn contains<Q: Ord + ?Sized>(&self, key: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        self.0.get(key).is_some()
    }

    /// Returns the element that equals `key`.
    pub fn get<Q: Ord + ?Sized>(&self, key: &Q) -> Option<&K>
    where
        K: Borrow<Q>,
    {
        self.0.get(key).map(|entry| entry.key())
    }

    /// Removes an element. Returns false if it was not present.
    pub fn remove<Q: Ord + ?Sized>(&mut self, key: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        self.take(key).is_some()
    }

    /// Removes and returns an element.
    pub fn take<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<K>
    where
        K: Borrow<Q>,
    {
        self.0.find(key).ok().map(|at| self.0.remove_at(at).0)
    }

    /// Returns an iterator over the elements in a range.
    #[track_caller]
    pub fn range<Q: Ord + ?Sized, R: RangeBounds<Q>>(&self, range: R) -> Keys<'_, K>
    where
        K: Borrow<Q>,
    {
        Keys(self.0.range(&range))
    }

    /// Moves everything from `other` to `self`.
    pub fn append(&mut self, other: &mut BTreeSet<K>) {
        self.extend(BTreeSet(other.0.split_off(0)));
    }

    /// Removes and returns the elements from `key` on.
    pub fn split_off<Q: Ord + ?Sized>(&mut self, key: &Q) -> BTreeSet<K>
    where
        K: Borrow<Q>,
    {
        let (Ok(at) | Err(at)) = self.0.find(key);
        BTreeSet(self.0.split_off(at))
    }

    /// Returns an iterator over the union in order, which says whether each element is in `self` and in `other`.
    fn merge<'s>(&'s self, other: &'s BTreeSet<K>) -> impl Iterator<Item = (bool, bool, &'s K)> + Clone {
        let (mut one, mut two) = (self.iter().peekable(), other.iter().peekable());
        std::iter::repeat_with(move || {
            let order = match (one.peek(), two.peek()) {
                (Some(one), Some(two)) => one.cmp(two),
                (Some(_), None) => Ordering::Less,
                (None, _) => Ordering::Greater,
            };
            let (here, there) = (one.next_if(|_| order.is_le()), two.next_if(|_| order.is_ge()));
            here.or(there).map(|key| (here.is_some(), there.is_some(), key))
        })
        .map_while(|next| next)
    }

    /// Returns an iterator over the elements of either set, in order.
    pub fn union<'s>(&'s self, other: &'s BTreeSet<K>) -> impl Iterator<Item = &'s K> + Clone {
        self.merge(other).map(|(_, _, key)| key)
    }

    /// Returns an iterator over the elements of both sets, in order.
    pub fn intersection<'s>(&'s self, other: &'s BTreeSet<K>) -> impl Iterator<Item = &'s K> + Clone {
        self.iter().filter(|key| other.contains(*key))
    }

    /// Returns an iterator over the elements that are not in `other`, in order.
    pub fn difference<'s>(&'s self, other: &'s BTreeSet<K>) -> impl Iterator<Item = &'s K> + Clone {
        self.iter().filter(|key| !other.contains(*key))
    }

    /// Returns an iterator over the elements of exactly one of the sets, in order.
    pub fn symmetric_difference<'s>(&'s self, other: &'s BTreeSet<K>) -> impl Iterator<Item = &'s K> + Clone {
        self.merge(other).filter(|(one, two, _)| one != two).map(|(_, _, key)| key)
    }

    /// Returns whether every element is in `other`.
    pub fn is_subset(&self, other: &BTreeSet<K>) -> bool {
        self.iter().all(|key| other.contains(key))
    }

    /// Returns whether every element of `other` is in `self`.
    pub fn is_superset(&self, other: &BTreeSet<K>) -> bool {
        other.is_subset(self)
    }

    /// Returns whether the sets have no element in common.
    pub fn is_disjoint(&self, other: &BTreeSet<K>) -> bool {
        self.iter().all(|key| !other.contains(key))
    }
}

macro_rules! operators {
    ($($trait:ident $method:ident $of:ident;)*) => {$(
        impl<K: Ord + Clone> $trait for &BTreeSet<K> {
            type Output = BTreeSet<K>;
            fn $method(self, other: Self) -> BTreeSet<K> {
                self.$of(other).cloned().collect()
            }
        }
    )*};
}

operators! {
    BitAnd bitand intersection;
    BitOr bitor union;
    BitXor bitxor symmetric_difference;
    Sub sub difference;
}

/// Dereferences to a std set with equal elements, for functions that are not lifted.
impl<K: Ord + Clone> Deref for BTreeSet<K> {
    type Target = std::collections::BTreeSet<K>;
    #[cold]
    fn deref(&self) -> &Self::Target {
        keep_until_backtrack(self.iter().cloned().collect())
    }
}

impl<K> Default for BTreeSet<K> {
    fn default() -> Self {
        BTreeSet::new()
    }
}

impl<K: Ord> Extend<K> for BTreeSet<K> {
    fn extend<I: IntoIterator<Item = K>>(&mut self, keys: I) {
        for key in keys {
            self.insert(key);
        }
    }
}

impl<'k, K: Ord + Copy + 'k> Extend<&'k K> for BTreeSet<K> {
    fn extend<I: IntoIterator<Item = &'k K>>(&mut self, keys: I) {
        self.extend(keys.into_iter().copied());
    }
}

impl<K: Ord> FromIterator<K> for BTreeSet<K> {
    fn from_iter<I: IntoIterator<Item = K>>(keys: I) -> Self {
        let mut set = BTreeSet::new();
        set.extend(keys);
        set
    }
}

impl<K: Ord, const N: usize> From<[K; N]> for BTreeSet<K> {
    fn from(keys: [K; N]) -> Self {
        keys.into_iter().collect()
    }
}

impl<K: Ord, const N: usize> From<Array<K, N>> for BTreeSet<K> {
    fn from(keys: Array<K, N>) -> Self {
        keys.into_iter().collect()
    }
}

impl<K> IntoIterator for BTreeSet<K> {
    type Item = K;
    type IntoIter = IntoKeys<IntoSortedEntries<K, ()>>;
    fn into_iter(self) -> Self::IntoIter {
        IntoKeys(IntoSortedEntries::of(self.0))
    }
}

impl<'s, K> IntoIterator for &'s BTreeSet<K> {
    type Item = &'s K;
    type IntoIter = Keys<'s, K>;
    fn into_iter(self) -> Keys<'s, K> {
        self.iter()
    }
}

impl<K: PartialEq> PartialEq for BTreeSet<K> {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}

impl<K: Eq> Eq for BTreeSet<K> {}

impl<K: PartialOrd> PartialOrd for BTreeSet<K> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        self.iter().partial_cmp(other.iter())
    }
}

impl<K: Ord> Ord for BTreeSet<K> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.iter().cmp(other.iter())
    }
}

impl<K: Hash> Hash for BTreeSet<K> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.len().hash(state);
        self.iter().for_each(|key| key.hash(state));
    }
}

impl<K: fmt::Debug> fmt::Debug for BTreeSet<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self).finish()
    }
}

// It logs its own changes, so `machine::probe` may treat it as restorable.
impl<K: std::panic::RefUnwindSafe> std::panic::RefUnwindSafe for BTreeSet<K> {}
impl<K: std::panic::UnwindSafe> std::panic::UnwindSafe for BTreeSet<K> {}
