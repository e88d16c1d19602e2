//! Common parts of maps and sets: iterators over entries, keys and values, and the entry API.

use std::iter::FusedIterator;
use std::slice;

use super::keyed::Entries;

/// An iterator over the entries, in the order of the container.
pub struct Iter<'m, K, V>(pub(super) Entries<'m, K, V>);

/// An iterator over the keys, which does not read the values.
pub struct Keys<'m, K, V = ()>(pub(super) Entries<'m, K, V>);

/// An iterator over the values, in the order of the container.
pub struct Values<'m, K, V>(pub(super) Entries<'m, K, V>);

/// An iterator over the entries, with mutable references to the values.
pub struct IterMut<'m, K, V>(pub(super) slice::IterMut<'m, (K, V)>);

/// An iterator over the keys by value, made from one over entries.
pub struct IntoKeys<E>(pub(super) E);

macro_rules! in_order {
    ([$($generics:tt)*] $iter:ty, $item:ty, $entry:pat => $show:expr) => {
        impl<$($generics)*> Iterator for $iter {
            type Item = $item;
            #[inline]
            fn next(&mut self) -> Option<$item> {
                self.0.next().map(|$entry| $show)
            }
            // Skipped values are not read.
            fn nth(&mut self, n: usize) -> Option<$item> {
                self.0.nth(n).map(|$entry| $show)
            }
            fn count(self) -> usize {
                self.0.count()
            }
            fn size_hint(&self) -> (usize, Option<usize>) {
                self.0.size_hint()
            }
        }

        impl<$($generics)*> DoubleEndedIterator for $iter {
            fn next_back(&mut self) -> Option<$item> {
                self.0.next_back().map(|$entry| $show)
            }
        }

        impl<$($generics)*> ExactSizeIterator for $iter {}
        impl<$($generics)*> FusedIterator for $iter {}
    };
}

in_order!(['m, K, V] Iter<'m, K, V>, (&'m K, &'m V), entry => entry.pair());
in_order!(['m, K, V] Keys<'m, K, V>, &'m K, entry => entry.key());
in_order!(['m, K, V] Values<'m, K, V>, &'m V, entry => entry.value());
in_order!(['m, K, V] IterMut<'m, K, V>, (&'m K, &'m mut V), (key, value) => (&*key, value));

macro_rules! clonable {
    ($($iter:ident)*) => {$(
        impl<K, V> Clone for $iter<'_, K, V> {
            fn clone(&self) -> Self {
                $iter(self.0.clone())
            }
        }
    )*};
}

clonable! { Iter Keys Values }

impl<K, E: Iterator<Item = (K, ())>> Iterator for IntoKeys<E> {
    type Item = K;
    #[inline]
    fn next(&mut self) -> Option<K> {
        self.0.next().map(|(key, ())| key)
    }
    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }
}

impl<K, E: DoubleEndedIterator<Item = (K, ())>> DoubleEndedIterator for IntoKeys<E> {
    fn next_back(&mut self) -> Option<K> {
        self.0.next_back().map(|(key, ())| key)
    }
}

impl<K, E: ExactSizeIterator<Item = (K, ())>> ExactSizeIterator for IntoKeys<E> {}
impl<K, E: Iterator<Item = (K, ())>> FusedIterator for IntoKeys<E> {}

/// Defines `Entry` and its two variants, for a map whose entries have positions.
macro_rules! entry_api {
    ($map:ident, $($bound:tt)*) => {
        /// The entry of a key, occupied or vacant.
        pub enum Entry<'m, K, V> {
            /// The key has an entry.
            Occupied(OccupiedEntry<'m, K, V>),
            /// The key has no entry.
            Vacant(VacantEntry<'m, K, V>),
        }

        /// An occupied entry.
        pub struct OccupiedEntry<'m, K, V> {
            map: &'m mut $map<K, V>,
            at: usize,
        }

        /// A vacant entry.
        pub struct VacantEntry<'m, K, V> {
            map: &'m mut $map<K, V>,
            /// Where the entry would be inserted.
            place: usize,
            key: K,
        }

        impl<'m, K: $($bound)*, V> Entry<'m, K, V> {
            /// Returns the value, inserting `default` if there is none.
            pub fn or_insert(self, default: V) -> &'m mut V {
                self.or_insert_with(|| default)
            }

            /// Returns the value, inserting the result of `default` if there is none.
            pub fn or_insert_with(self, default: impl FnOnce() -> V) -> &'m mut V {
                self.or_insert_with_key(|_| default())
            }

            /// Returns the value, inserting the result of `default` for the key if there is none.
            pub fn or_insert_with_key(self, default: impl FnOnce(&K) -> V) -> &'m mut V {
                match self {
                    Entry::Occupied(entry) => entry.into_mut(),
                    Entry::Vacant(entry) => {
                        let value = default(&entry.key);
                        entry.insert(value)
                    }
                }
            }

            /// Returns the value, inserting the default value if there is none.
            pub fn or_default(self) -> &'m mut V
            where
                V: Default,
            {
                self.or_insert_with(V::default)
            }

            /// Changes the value, if there is one.
            pub fn and_modify(self, change: impl FnOnce(&mut V)) -> Self {
                match self {
                    Entry::Occupied(mut entry) => {
                        change(entry.get_mut());
                        Entry::Occupied(entry)
                    }
                    Entry::Vacant(entry) => Entry::Vacant(entry),
                }
            }

            /// Returns the key.
            pub fn key(&self) -> &K {
                match self {
                    Entry::Occupied(entry) => entry.key(),
                    Entry::Vacant(entry) => entry.key(),
                }
            }
        }

        impl<'m, K: $($bound)*, V> OccupiedEntry<'m, K, V> {
            /// Returns the key.
            pub fn key(&self) -> &K {
                &self.map.0.entries()[self.at].0
            }
            /// Returns the value.
            pub fn get(&self) -> &V {
                &self.map.0.entries()[self.at].1
            }
            /// Saves the value and returns it for changes.
            pub fn get_mut(&mut self) -> &mut V {
                &mut self.map.0.entry_mut(self.at).1
            }
            /// Returns a mutable reference to the value, for as long as the map is borrowed.
            pub fn into_mut(self) -> &'m mut V {
                &mut self.map.0.entry_mut(self.at).1
            }
            /// Sets the value. Returns the previous one.
            pub fn insert(&mut self, value: V) -> V {
                std::mem::replace(self.get_mut(), value)
            }
            /// Removes the entry. Returns its value.
            pub fn remove(self) -> V {
                self.remove_entry().1
            }
            /// Removes and returns the entry.
            pub fn remove_entry(self) -> (K, V) {
                self.map.0.remove_at(self.at)
            }
        }

        impl<'m, K: $($bound)*, V> VacantEntry<'m, K, V> {
            /// Returns the key.
            pub fn key(&self) -> &K {
                &self.key
            }
            /// Returns the key, by value.
            pub fn into_key(self) -> K {
                self.key
            }
            /// Inserts the entry. Returns a mutable reference to its value.
            pub fn insert(self, value: V) -> &'m mut V {
                let at = self.map.0.insert_at(self.place, self.key, value);
                &mut self.map.0.entry_mut(at).1
            }
        }
    };
}
pub(super) use entry_api;
