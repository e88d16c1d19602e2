//! `slotmap::SlotMap` as a field, and its keys as indices into it. Generated maps look freshly filled in order: no slot
//! is vacant, and every version is the first.
//!
//! `DefaultKey` needs no declaration. The user's own key type wraps a `KeyData`, which is a position, and is declared as
//! an id: `new_key_type! { #[derive(Finitize)] #[finitize(id)] struct NodeKey; }`.

use std::marker::PhantomData;

use slotmap::{DefaultKey, Key, KeyData, SecondaryMap, SlotMap, SparseSecondaryMap};

use super::keyed_arena::{ArenaKeys, ArenaOf, ArenaTwin, KeyedArena};
use crate::class::codec::{Codec, Field};
use crate::class::plan::index::Position;
use crate::class::traits::Lift;
use crate::codec::listed::{Listed, Optional, optional_values};
use crate::codec::sequence_types::Sequence;
use crate::codec::tuple_option::Maybe;
use crate::predicate::twin;

/// The version of a slot that was filled once, in the upper half of a key's number.
const FIRST_VERSION: u64 = 1 << 32;

/// The keys of a map.
pub struct SlotKeys<K>(PhantomData<K>);

impl<K: Key + 'static> ArenaKeys for SlotKeys<K> {
    type Key = K;
    fn at(position: usize) -> K {
        KeyData::at(position).into()
    }
    fn position(key: K) -> Option<usize> {
        // Slot 0 is never filled.
        let slot = key.data().as_ffi().checked_sub(FIRST_VERSION)?;
        usize::try_from(slot.checked_sub(1)?).ok()
    }
}

impl Position for KeyData {
    fn at(position: usize) -> Self {
        let slot = u32::try_from(position + 1).expect("a slot map has less than 2^32 slots");
        KeyData::from_ffi(FIRST_VERSION | u64::from(slot))
    }
    fn all(scope: usize) -> Result<Vec<Self>, String> {
        <Self as Field>::default_values(scope)
    }
}

impl Position for DefaultKey {
    fn at(position: usize) -> Self {
        KeyData::at(position).into()
    }
    fn all(scope: usize) -> Result<Vec<Self>, String> {
        <Self as Field>::default_values(scope)
    }
}

/// Implements `Field` for keys that are not indices: null, or the key of one of the first elements of a map.
macro_rules! key {
    ($($key:ty => $null:expr;)*) => {$(
        impl Field for $key {
            type Codec = Listed<$key>;
            type Element = Listed<$key>;
            fn default_values(scope: usize) -> Result<Vec<$key>, String> {
                Ok(std::iter::once($null).chain((0..scope).map(Position::at)).collect())
            }
        }

        impl Optional for $key {
            type Codec = Listed<Option<$key>>;
            fn default_values(scope: usize) -> Result<Vec<Option<$key>>, String> {
                optional_values::<$key>(scope)
            }
        }

        impl Lift for $key {
            type Lifted = $key;
        }
    )*};
}

key! {
    KeyData => KeyData::default();
    DefaultKey => DefaultKey::null();
}

impl<K: Key + 'static, V: 'static> Sequence<V> for SlotMap<K, V> {
    type Twin<L: 'static> = twin::Vec<L>;
    fn of(elements: Vec<V>) -> Self {
        let mut map = SlotMap::with_capacity_and_key(elements.len());
        for (position, element) in elements.into_iter().enumerate() {
            let key = map.insert(element);
            assert!(SlotKeys::position(key) == Some(position), "[korat internal bug] this slotmap has other keys");
        }
        map
    }
    fn elements(&self) -> impl ExactSizeIterator<Item = &V> {
        self.values()
    }
    fn elements_mut(&mut self) -> impl Iterator<Item = &mut V> {
        self.values_mut()
    }
    fn truncate(&mut self, len: usize) {
        let beyond: Vec<K> = self.keys().skip(len).collect();
        beyond.into_iter().rev().for_each(|key| drop(self.remove(key)));
    }
    fn extend(&mut self, elements: impl Iterator<Item = V>) {
        for element in elements {
            self.insert(element);
        }
    }
    fn sever(&mut self, _: fn(&mut V)) {
        self.clear();
    }
}

impl<K: Key + 'static, V: 'static> KeyedArena<V> for SlotMap<K, V> {
    type Keys = SlotKeys<K>;
    fn is_in_order(&self) -> bool {
        self.keys().enumerate().all(|(position, key)| SlotKeys::position(key) == Some(position))
    }
}

impl<K: Key + 'static, V: Field> Field for SlotMap<K, V> {
    type Codec = ArenaOf<V::Element, SlotMap<K, V>>;
    type Element = Self::Codec;
    fn default_values(scope: usize) -> Result<Vec<<V::Codec as Codec>::Leaf>, String> {
        V::default_values(scope)
    }
}

impl<K: Key + 'static, V: Field> Optional for SlotMap<K, V> {
    type Codec = Maybe<ArenaOf<V::Element, SlotMap<K, V>>>;
    fn default_values(scope: usize) -> Result<Vec<<V::Codec as Codec>::Leaf>, String> {
        V::default_values(scope)
    }
}

impl<K: Key + 'static, V: Lift<Lifted: Sized>> Lift for SlotMap<K, V> {
    type Lifted = ArenaTwin<SlotKeys<K>, V::Lifted>;
}

/// A predicate's own map, in which it stores data about elements.
impl<K: Key + 'static, V: Lift<Lifted: Sized>> Lift for SecondaryMap<K, V> {
    type Lifted = SecondaryMap<K, V::Lifted>;
}

impl<K: Key + 'static, V: Lift<Lifted: Sized>> Lift for SparseSecondaryMap<K, V> {
    type Lifted = SparseSecondaryMap<K, V::Lifted>;
}
