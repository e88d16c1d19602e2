//! The entries of maps and sets in the order in which a predicate meets them: those of its own containers, which are there, and
//! those of a field, where there is one for every key that there may be, and a slot says whether it is there.

use std::slice;

use super::Elem;
use crate::slot::Slot;

/// A key that a map or a set in a field may have.
pub struct FieldEntry<K, V> {
    key: K,
    presence: Slot<bool>,
    value: Elem<V>,
}

impl<K, V> FieldEntry<K, V> {
    /// The value is looked at only where `presence` says that the key is there.
    pub(crate) fn new(key: K, presence: Slot<bool>, value: Elem<V>) -> Self {
        FieldEntry { key, presence, value }
    }

    #[inline]
    pub(crate) fn key(&self) -> &K {
        &self.key
    }

    pub(crate) fn presence(&self) -> &Slot<bool> {
        &self.presence
    }

    /// Whether the key is there, decided now if it was not.
    #[inline]
    pub(crate) fn is_present(&self) -> bool {
        *self.presence.__korat_read()
    }
}

/// What the header of a container knows of the field that it shows, if it shows one.
pub(crate) struct Field<K, V>(*const [FieldEntry<K, V>]);

impl<K, V> Field<K, V> {
    /// The container is the predicate's own.
    pub(crate) const NONE: Self = Field(std::ptr::slice_from_raw_parts(std::ptr::null(), 0));

    /// The keys of a field, which the heap keeps.
    pub(crate) fn of(entries: &'static [FieldEntry<K, V>]) -> Self {
        Field(entries)
    }

    /// The keys of the field, whether they are there or not.
    #[inline(always)]
    pub(crate) fn keys(&self) -> Option<&[FieldEntry<K, V>]> {
        // SAFETY: `of` was given entries that their heap keeps, and heaps are never freed.
        (!self.0.is_null()).then(|| unsafe { &*self.0 })
    }

    /// What is changed is the predicate's own: fields are only looked at.
    #[inline]
    pub(crate) fn assert_none(&self) {
        assert!(self.0.is_null(), "[korat internal bug] a predicate writes to a field");
    }
}

/// An entry that is there.
pub(crate) enum Entry<'m, K, V> {
    Own(&'m (K, V)),
    Field(&'m FieldEntry<K, V>),
}

impl<'m, K, V> Entry<'m, K, V> {
    #[inline]
    pub(crate) fn key(self) -> &'m K {
        match self {
            Entry::Own((key, _)) => key,
            Entry::Field(entry) => &entry.key,
        }
    }

    /// The value, decided now if it was not.
    #[inline]
    pub(crate) fn value(self) -> &'m V {
        self.pair().1
    }

    /// Both of them.
    #[inline]
    pub(crate) fn pair(self) -> (&'m K, &'m V) {
        match self {
            Entry::Own((key, value)) => (key, value),
            Entry::Field(entry) => (&entry.key, entry.value.get()),
        }
    }
}

/// The entries that are there, in order; of a field, each is decided when the iterator reaches it.
pub(crate) enum Entries<'m, K, V> {
    Own(slice::Iter<'m, (K, V)>),
    Field(slice::Iter<'m, FieldEntry<K, V>>),
}

impl<K, V> Clone for Entries<'_, K, V> {
    fn clone(&self) -> Self {
        match self {
            Entries::Own(entries) => Entries::Own(entries.clone()),
            Entries::Field(entries) => Entries::Field(entries.clone()),
        }
    }
}

impl<'m, K, V> Iterator for Entries<'m, K, V> {
    type Item = Entry<'m, K, V>;
    #[inline]
    fn next(&mut self) -> Option<Entry<'m, K, V>> {
        match self {
            Entries::Own(entries) => entries.next().map(Entry::Own),
            Entries::Field(entries) => entries.find(|entry| entry.is_present()).map(Entry::Field),
        }
    }

    /// Exact, so that all keys that are left are decided.
    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = match self {
            Entries::Own(entries) => entries.len(),
            Entries::Field(entries) => entries.clone().filter(|entry| entry.is_present()).count(),
        };
        (left, Some(left))
    }
}

impl<K, V> DoubleEndedIterator for Entries<'_, K, V> {
    #[inline]
    fn next_back(&mut self) -> Option<Self::Item> {
        match self {
            Entries::Own(entries) => entries.next_back().map(Entry::Own),
            Entries::Field(entries) => entries.rfind(|entry| entry.is_present()).map(Entry::Field),
        }
    }
}
