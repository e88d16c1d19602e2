//! Sets and maps of plain values as arguments and results of calls. They are taken apart in their own order, and made again by
//! insertions, so keys must not be objects, which could be compared by what is in them.

use std::hash::Hash;

use super::portable::by_reference;
use super::{Packed, Portable};
use crate::predicate::twin::{BTreeMap, BTreeSet, HashMap, HashSet};

impl Packed {
    /// Writes the entries of a container, unless they would have to be read, or their keys are objects.
    fn push_entries<'k, K: Portable + 'k, E>(
        &mut self,
        is_field: bool,
        entries: impl ExactSizeIterator<Item = E>,
        parts: impl Fn(E, &mut Packed) -> &'k K,
    ) {
        if is_field {
            self.is_opaque = true;
            return;
        }
        self.push(entries.len() as u64);
        for entry in entries {
            let key = parts(entry, self);
            let (objects, sets) = (self.objects.len(), self.sets.len());
            key.pack(self);
            self.is_opaque |= self.objects.len() > objects || self.sets.len() > sets;
        }
    }

    fn next_entries<T, C: FromIterator<T>>(&mut self, unpack: impl Fn(&mut Packed) -> T) -> C {
        let len = self.next_word();
        (0..len).map(|_| unpack(self)).collect()
    }
}

macro_rules! sets {
    ($($set:ident: $($bound:ident)*;)*) => {$(
        impl<K: Portable $(+ $bound)*> Portable for $set<K> {
            fn pack(&self, to: &mut Packed) {
                to.push_entries(self.is_field(), self.iter(), |key, _| key);
            }
            fn unpack(from: &mut Packed) -> Self {
                from.next_entries(K::unpack)
            }
        }
        by_reference! { [K: Portable $(+ $bound)*] $set<K>; }
    )*};
}

sets! {
    HashSet: Hash Eq;
    BTreeSet: Ord;
}

macro_rules! maps {
    ($($map:ident: $($bound:ident)*;)*) => {$(
        impl<K: Portable $(+ $bound)*, V: Portable> Portable for $map<K, V> {
            fn pack(&self, to: &mut Packed) {
                to.push_entries(self.is_field(), self.iter(), |(key, value), to| {
                    value.pack(to);
                    key
                });
            }
            fn unpack(from: &mut Packed) -> Self {
                from.next_entries(|from| {
                    let value = V::unpack(from);
                    (K::unpack(from), value)
                })
            }
        }
        by_reference! { [K: Portable $(+ $bound)*, V: Portable] $map<K, V>; }
    )*};
}

maps! {
    HashMap: Hash Eq;
    BTreeMap: Ord;
}
