//! Entries of maps and sets, in the order in which a predicate meets them. A container owned by the predicate has only
//! the entries that exist; a field has one for every possible key, with a slot that says whether the key is present.

use std::slice;

use super::Elem;
use super::ghosts::Ghosts;
use crate::predicate::calls::{SetLook, look_at_set};
use crate::slots::slot::Slot;

/// A possible key of a map or set in a field.
pub struct FieldEntry<K, V> {
    key: K,
    presence: Slot<bool>,
    value: Elem<V>,
}

impl<K, V> FieldEntry<K, V> {
    /// Creates an entry, whose value is read only if `presence` says that the key is present.
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

    /// Returns whether the key is present. Makes the choice if the slot is unassigned.
    #[inline]
    pub(crate) fn is_present(&self) -> bool {
        *self.presence.__korat_read()
    }
}

/// What a container shows beside its own entries: a field, or the ghosts of a set (see `ghosts`).
pub(crate) struct FieldKeys<K, V>(*const [FieldEntry<K, V>]);

/// The length that tells ghosts from the keys of a field. No slice is that long.
const GHOSTS: usize = usize::MAX;

impl<K, V> FieldKeys<K, V> {
    /// The container belongs to the predicate, which knows all of it.
    pub(crate) const NONE: Self = FieldKeys(std::ptr::slice_from_raw_parts(std::ptr::null(), 0));

    /// Wraps the keys of a field, which the heap keeps.
    pub(crate) fn of(entries: &'static [FieldEntry<K, V>]) -> Self {
        FieldKeys(entries)
    }

    /// Shows ghosts, beside the entries of a set that belongs to the predicate.
    pub(crate) fn of_ghosts(ghosts: &'static Ghosts) -> Self {
        FieldKeys(std::ptr::slice_from_raw_parts(std::ptr::from_ref(ghosts).cast(), GHOSTS))
    }

    /// Returns whether the container is its own entries.
    #[inline(always)]
    pub(crate) fn is_none(&self) -> bool {
        self.0.is_null()
    }

    /// Returns the possible keys of the field, present or not.
    #[inline(always)]
    pub(crate) fn keys(&self) -> Option<&[FieldEntry<K, V>]> {
        // SAFETY: `of` was given entries that their heap keeps, and heaps are never freed.
        (!self.0.is_null() && self.0.len() != GHOSTS).then(|| unsafe { &*self.0 })
    }

    /// Returns the possible keys of the field; ends the run if there are ghosts, since somebody looks at all elements.
    #[inline(always)]
    pub(crate) fn all_keys(&self) -> Option<&[FieldEntry<K, V>]> {
        if self.is_none() {
            return None;
        }
        if self.ghosts().is_some() {
            look_at_set(SetLook::Elements);
        }
        self.keys()
    }

    /// Returns the ghosts, if there are some.
    pub(crate) fn ghosts(&self) -> Option<&'static Ghosts> {
        // SAFETY: only `of_ghosts` makes such a pointer, from a reference.
        (!self.0.is_null() && self.0.len() == GHOSTS).then(|| unsafe { &*self.0.cast() })
    }

    /// Asserts that this is not a field: fields are read-only.
    #[inline]
    pub(crate) fn assert_none(&self) {
        assert!(self.keys().is_none(), "[korat internal bug] a predicate writes to a field");
    }

    /// Asserts that this is not a field, and ends the run if there are ghosts: all elements are taken.
    #[inline]
    pub(crate) fn assert_all_known(&self) {
        assert!(self.all_keys().is_none(), "[korat internal bug] a predicate writes to a field");
    }
}

/// An existing entry.
pub(crate) enum EntryRef<'m, K, V> {
    Own(&'m (K, V)),
    Field(&'m FieldEntry<K, V>),
}

impl<'m, K, V> EntryRef<'m, K, V> {
    #[inline]
    pub(crate) fn key(self) -> &'m K {
        match self {
            EntryRef::Own((key, _)) => key,
            EntryRef::Field(entry) => &entry.key,
        }
    }

    /// Returns the value. Makes the choice if its slot is unassigned.
    #[inline]
    pub(crate) fn value(self) -> &'m V {
        self.pair().1
    }

    /// Returns the key and the value.
    #[inline]
    pub(crate) fn pair(self) -> (&'m K, &'m V) {
        match self {
            EntryRef::Own((key, value)) => (key, value),
            EntryRef::Field(entry) => (&entry.key, entry.value.get()),
        }
    }
}

/// An iterator over the existing entries, in order. It reads the presence of a field's key when it reaches the key.
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
    type Item = EntryRef<'m, K, V>;
    #[inline]
    fn next(&mut self) -> Option<EntryRef<'m, K, V>> {
        match self {
            Entries::Own(entries) => entries.next().map(EntryRef::Own),
            Entries::Field(entries) => entries.find(|entry| entry.is_present()).map(EntryRef::Field),
        }
    }

    /// Returns the exact count, so it reads the presence of all remaining keys.
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
            Entries::Own(entries) => entries.next_back().map(EntryRef::Own),
            Entries::Field(entries) => entries.rfind(|entry| entry.is_present()).map(EntryRef::Field),
        }
    }
}
