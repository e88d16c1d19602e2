//! What maps and sets of a predicate have in common: iterators over entries, keys and values, and the place of a key.

use std::iter::FusedIterator;
use std::slice;

use super::keyed::Entries;

/// The entries, in the order of the container.
pub struct Iter<'m, K, V>(pub(super) Entries<'m, K, V>);

/// The keys, whose values are not looked at.
pub struct Keys<'m, K, V = ()>(pub(super) Entries<'m, K, V>);

/// The values, in the order of the container.
pub struct Values<'m, K, V>(pub(super) Entries<'m, K, V>);

/// The entries, whose values may be changed.
pub struct IterMut<'m, K, V>(pub(super) slice::IterMut<'m, (K, V)>);

/// The keys by value, of entries by value.
pub struct IntoKeys<E>(pub(super) E);

macro_rules! in_order {
    ([$($generics:tt)*] $iter:ty, $item:ty, $entry:pat => $show:expr) => {
        impl<$($generics)*> Iterator for $iter {
            type Item = $item;
            #[inline]
            fn next(&mut self) -> Option<$item> {
                self.0.next().map(|$entry| $show)
            }
            // Values that are skipped are not looked at.
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

/// `Entry` and its two sides, for a map whose entries have positions.
macro_rules! entry_api {
    ($map:ident, $($bound:tt)*) => {
        /// The place of a key.
        pub enum Entry<'m, K, V> {
            /// There is an entry.
            Occupied(OccupiedEntry<'m, K, V>),
            /// There is none.
            Vacant(VacantEntry<'m, K, V>),
        }

        /// An entry that is there.
        pub struct OccupiedEntry<'m, K, V> {
            map: &'m mut $map<K, V>,
            at: usize,
        }

        /// An entry that is not there.
        pub struct VacantEntry<'m, K, V> {
            map: &'m mut $map<K, V>,
            /// Where it would go.
            place: usize,
            key: K,
        }

        impl<'m, K: $($bound)*, V> Entry<'m, K, V> {
            /// The value, `default` if there was none.
            pub fn or_insert(self, default: V) -> &'m mut V {
                self.or_insert_with(|| default)
            }

            /// The value, made now if there was none.
            pub fn or_insert_with(self, default: impl FnOnce() -> V) -> &'m mut V {
                self.or_insert_with_key(|_| default())
            }

            /// The value, made of the key now if there was none.
            pub fn or_insert_with_key(self, default: impl FnOnce(&K) -> V) -> &'m mut V {
                match self {
                    Entry::Occupied(entry) => entry.into_mut(),
                    Entry::Vacant(entry) => {
                        let value = default(&entry.key);
                        entry.insert(value)
                    }
                }
            }

            /// The value, the default one if there was none.
            pub fn or_default(self) -> &'m mut V
            where
                V: Default,
            {
                self.or_insert_with(V::default)
            }

            /// Changes the value if there is one.
            pub fn and_modify(self, change: impl FnOnce(&mut V)) -> Self {
                match self {
                    Entry::Occupied(mut entry) => {
                        change(entry.get_mut());
                        Entry::Occupied(entry)
                    }
                    Entry::Vacant(entry) => Entry::Vacant(entry),
                }
            }

            /// The key.
            pub fn key(&self) -> &K {
                match self {
                    Entry::Occupied(entry) => entry.key(),
                    Entry::Vacant(entry) => entry.key(),
                }
            }
        }

        impl<'m, K: $($bound)*, V> OccupiedEntry<'m, K, V> {
            /// The key.
            pub fn key(&self) -> &K {
                &self.map.0.entries()[self.at].0
            }
            /// The value.
            pub fn get(&self) -> &V {
                &self.map.0.entries()[self.at].1
            }
            /// The value, to be changed.
            pub fn get_mut(&mut self) -> &mut V {
                &mut self.map.0.entry_mut(self.at).1
            }
            /// The value, to be changed, for as long as the map is borrowed.
            pub fn into_mut(self) -> &'m mut V {
                &mut self.map.0.entry_mut(self.at).1
            }
            /// Puts another value in its place.
            pub fn insert(&mut self, value: V) -> V {
                std::mem::replace(self.get_mut(), value)
            }
            /// Removes the entry.
            pub fn remove(self) -> V {
                self.remove_entry().1
            }
            /// Removes the entry and gives it.
            pub fn remove_entry(self) -> (K, V) {
                self.map.0.remove_at(self.at)
            }
        }

        impl<'m, K: $($bound)*, V> VacantEntry<'m, K, V> {
            /// The key.
            pub fn key(&self) -> &K {
                &self.key
            }
            /// The key, by value.
            pub fn into_key(self) -> K {
                self.key
            }
            /// Adds the entry.
            pub fn insert(self, value: V) -> &'m mut V {
                let at = self.map.0.insert_at(self.place, self.key, value);
                &mut self.map.0.entry_mut(at).1
            }
        }
    };
}
pub(super) use entry_api;
