//! `slab::Slab` as a field, and its keys, which are numbers, as indices into it. Generated slabs look freshly filled in order: no
//! entry is vacant.

use slab::Slab;

use super::keyed_arena::{ArenaKeys, ArenaOf, ArenaTwin, KeyedArena};
use crate::class::codec::{Codec, Field};
use crate::class::traits::Lift;
use crate::codec::listed::Optional;
use crate::codec::sequence_types::Sequence;
use crate::codec::tuple_option::Maybe;
use crate::predicate::twin;

/// The keys of a slab.
pub struct SlabKeys;

impl ArenaKeys for SlabKeys {
    type Key = usize;
    fn at(position: usize) -> usize {
        position
    }
    fn position(key: usize) -> Option<usize> {
        Some(key)
    }
}

impl<L> ArenaTwin<SlabKeys, L> {
    /// Returns whether there is an element with a key. Does not read the element.
    pub fn contains(&self, key: usize) -> bool {
        self.contains_key(key)
    }

    /// Returns the key that the next element would get.
    pub fn vacant_key(&self) -> usize {
        self.next_id()
    }
}

impl<T: 'static> Sequence<T> for Slab<T> {
    type Twin<L: 'static> = twin::Vec<L>;
    fn of(elements: Vec<T>) -> Self {
        elements.into_iter().enumerate().collect()
    }
    fn elements(&self) -> impl ExactSizeIterator<Item = &T> {
        self.iter().map(|(_, element)| element)
    }
    fn elements_mut(&mut self) -> impl Iterator<Item = &mut T> {
        self.iter_mut().map(|(_, element)| element)
    }
    fn truncate(&mut self, len: usize) {
        // The last one first, so that the next element gets the first free key.
        (len..self.len()).rev().for_each(|key| drop(self.remove(key)));
    }
    fn extend(&mut self, elements: impl Iterator<Item = T>) {
        for element in elements {
            self.insert(element);
        }
    }
    fn sever(&mut self, _: fn(&mut T)) {
        self.clear();
    }
}

impl<T: 'static> KeyedArena<T> for Slab<T> {
    type Keys = SlabKeys;
    fn is_in_order(&self) -> bool {
        self.vacant_key() == self.len() && self.iter().enumerate().all(|(position, (key, _))| key == position)
    }
}

impl<T: Field> Field for Slab<T> {
    type Codec = ArenaOf<T::Element, Slab<T>>;
    type Element = Self::Codec;
    fn default_values(scope: usize) -> Result<Vec<<T::Codec as Codec>::Leaf>, String> {
        T::default_values(scope)
    }
}

impl<T: Field> Optional for Slab<T> {
    type Codec = Maybe<ArenaOf<T::Element, Slab<T>>>;
    fn default_values(scope: usize) -> Result<Vec<<T::Codec as Codec>::Leaf>, String> {
        T::default_values(scope)
    }
}

impl<T: Lift<Lifted: Sized>> Lift for Slab<T> {
    type Lifted = ArenaTwin<SlabKeys, T::Lifted>;
}
