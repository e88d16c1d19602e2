//! What the codecs of maps and sets share: the collections as lists of entries, whose keys are plain. `keyed` decides each key on
//! its own, `adapter::indexmap` all of them and their order at once.

use std::fmt;

use super::pointer::NoDomain;
use super::whole::Whole;
use crate::class::abstraction::{Abstraction, OutOfBounds};
use crate::class::codec::{Codec, Field};
use crate::class::copies::Copies;
use crate::class::form::{FormReader, FormWriter};
use crate::class::plan::planner::{Attrs, Planner};
use crate::class::plan::slot_maker::SlotMaker;
use crate::predicate::twin::Elem;
use crate::slots::slot::AnySlot;

/// A type whose values can be the keys of a map or a set in a field.
#[diagnostic::on_unimplemented(
    message = "the keys of a map or a set in a field must be plain, and `{Self}` is not",
    label = "its keys are not plain values",
    note = "integers, `bool`, `char`, texts, and types that derive `Finitize` with `#[finitize(plain)]` and enums without fields are plain, and so are tuples and arrays of these; they are `Clone`, `Eq` and `Debug`"
)]
pub trait Key: Field<Codec: Whole<Self>> + Clone + Eq + fmt::Debug {}
#[diagnostic::do_not_recommend]
impl<K: Field<Codec: Whole<K>> + Clone + Eq + fmt::Debug> Key for K {}

/// A map or a set in the user's value.
pub trait Entries: 'static {
    /// The type of the keys.
    type Key: Key;
    /// The type of the values; `()` for a set.
    type Value: 'static;
    /// Handles the values.
    type Codec: Codec<Value = Self::Value>;

    /// Returns the default values of one slot of a value.
    fn values(scope: usize) -> Result<Vec<<Self::Codec as Codec>::Leaf>, String>;
    /// Creates a collection from its entries.
    fn of(entries: impl Iterator<Item = (Self::Key, Self::Value)>) -> Self;
    /// Returns the entries, in the order of the collection.
    fn entries(&self) -> impl Iterator<Item = (&Self::Key, &Self::Value)>;
    /// Removes all entries.
    fn clear(&mut self);
}

/// The codec of the values of a set: there are none.
pub struct SetValue;

impl Codec for SetValue {
    type Value = ();
    type Leaf = NoDomain;
    type Lifted = ();
    type Cell = ();
    type Plan = ();

    fn plan(_: &mut Planner<'_>, _: Attrs<NoDomain>) {}
    fn cell(_: &(), _: &mut SlotMaker<'_>) {}
    fn elem(_: &'static (), _: &mut SlotMaker<'_>) -> Elem<()> {
        Elem::own(())
    }
    fn visit(_: &(), _: &mut dyn FnMut(&dyn AnySlot)) {}
    fn copy_out(_: &(), _: &mut Copies) {}
    fn materialise(_: &(), _: &()) {}
    fn write_form<const DRAFTS: bool>(_: &(), _: &mut FormWriter<'_, DRAFTS>) {}
    fn read_form(_: &mut FormReader<'_>) {}
    fn abstract_to(_: &(), _: &(), _: &(), _: &mut Abstraction<'_>) -> Result<(), OutOfBounds> {
        Ok(())
    }
}

/// Implements `Entries` for a map with keys `K` and values `V`.
macro_rules! map_entries {
    ([$($generics:tt)*] $type:ty) => {
        impl<$($generics)*> Entries for $type {
            type Key = K;
            type Value = V;
            type Codec = V::Element;

            fn values(scope: usize) -> Result<Vec<<V::Element as Codec>::Leaf>, String> {
                V::default_values(scope)
            }
            fn of(entries: impl Iterator<Item = (K, V)>) -> Self {
                entries.collect()
            }
            fn entries(&self) -> impl Iterator<Item = (&K, &V)> {
                self.iter()
            }
            fn clear(&mut self) {
                self.clear();
            }
        }
    };
}

/// Implements `Entries` for a set with keys `K`.
macro_rules! set_entries {
    ([$($generics:tt)*] $type:ty) => {
        impl<$($generics)*> Entries for $type {
            type Key = K;
            type Value = ();
            type Codec = SetValue;

            fn values(_: usize) -> Result<Vec<NoDomain>, String> {
                Ok(Vec::new())
            }
            fn of(entries: impl Iterator<Item = (K, ())>) -> Self {
                entries.map(|(key, ())| key).collect()
            }
            fn entries(&self) -> impl Iterator<Item = (&K, &())> {
                self.iter().map(|key| (key, &()))
            }
            fn clear(&mut self) {
                self.clear();
            }
        }
    };
}

/// Implements `Field` for a map or a set with this codec.
macro_rules! entries_field {
    ([$($generics:tt)*] $type:ty, $codec:ident) => {
        impl<$($generics)*> Field for $type {
            type Codec = $codec<Self>;
            type Element = $codec<Self>;
            fn default_values(scope: usize) -> Result<Vec<K>, String> {
                K::Codec::keys(scope)
            }
        }

        impl<$($generics)*> Optional for $type {
            type Codec = Maybe<$codec<Self>>;
            fn default_values(scope: usize) -> Result<Vec<K>, String> {
                K::Codec::keys(scope)
            }
        }
    };
}

pub(super) use {entries_field, map_entries, set_entries};
