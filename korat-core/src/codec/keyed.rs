//! Maps and sets: one presence slot per possible key and, for a map, a cell for its value.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::fmt;
use std::hash::{BuildHasher, Hash};
use std::marker::PhantomData;

use super::compound::Compound;
use super::entries::{Entries, Key, SetValue, entries_field, map_entries, set_entries};
use super::listed::Optional;
use super::pointed::{AtPlace, Pointed, ToValue};
use super::pointer::NoDomain;
use super::tuple_option::{Copied, Maybe};
use super::whole::Whole;
use crate::class::abstraction::{Abstraction, OutOfBounds};
use crate::class::census::Gathered;
use crate::class::codec::{Codec, Field};
use crate::class::copies::Copies;
use crate::class::cycles::AnyStrong;
use crate::class::form::{FormReader, FormWriter};
use crate::class::plan::planner::{Attrs, Planner};
use crate::class::plan::slot_maker::SlotMaker;
use crate::model::deadline;
use crate::model::ids::FieldId;
use crate::predicate::twin;
use crate::predicate::twin::{Elem, FieldEntry, Part};
use crate::slots::layout::KeyNames;
use crate::slots::object_view::Located;
use crate::slots::slot::AnySlot;

/// A map or a set each of whose keys is decided on its own.
pub trait Keyed: Entries {
    /// The type that a predicate sees.
    type Twin: 'static;
    /// The method that tests for a key, for messages.
    const ASKED_BY: &'static str;

    /// Sorts keys into the order in which a predicate iterates over them.
    fn sort(keys: &mut [Self::Key]);
    /// Returns the value of a key.
    fn get(&self, key: &Self::Key) -> Option<&Self::Value>;
    /// Creates the twin of a field with these keys.
    fn twin(keys: &'static [LiftedEntry<Self>], slots: &mut SlotMaker<'_>) -> Self::Twin;
    /// Returns another handle to this twin.
    fn handle(twin: &Self::Twin) -> Self::Twin;
}

/// A possible key and its value, as a predicate sees them.
pub(super) type LiftedEntry<M> = FieldEntry<<M as Entries>::Key, <<M as Entries>::Codec as Codec>::Lifted>;

/// The codec of `HashMap<K, V>`, `BTreeSet<K>`, ..
pub struct KeyedOf<M>(PhantomData<M>);

/// The plan of a map: the possible keys.
pub struct KeyedPlan<M: Keyed> {
    /// The keys of a value, while they are gathered.
    gathered: Gathered<M::Key>,
    keys: Vec<KeyPlan<M>>,
}

/// The plan of one key.
struct KeyPlan<M: Keyed> {
    key: M::Key,
    presence: FieldId,
    value: <M::Codec as Codec>::Plan,
}

/// The cells of a map: for every possible key its presence and its value.
pub struct KeyedParts<M: Keyed> {
    keys: &'static [LiftedEntry<M>],
    values: Vec<&'static <M::Codec as Codec>::Cell>,
}

impl<M: Keyed> KeyedParts<M> {
    /// Returns every possible key with the cell of its value and its plan.
    fn each<'m>(&'m self, plan: &'m KeyedPlan<M>) -> impl Iterator<Item = EachKey<'m, M>> {
        self.keys.iter().zip(&self.values).zip(&plan.keys).map(|((key, value), plan)| (key, *value, plan))
    }
}

type EachKey<'m, M> = (&'m LiftedEntry<M>, &'m <<M as Entries>::Codec as Codec>::Cell, &'m KeyPlan<M>);

/// A value of a presence slot. The key makes the domains of different keys unequal, and is not printed.
#[derive(PartialEq)]
struct Presence<K>(K, bool);

impl<K> fmt::Debug for Presence<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.1, f)
    }
}

fn key_plan<M: Keyed>(planner: &mut Planner<'_>, key: M::Key) -> KeyPlan<M> {
    let (asked_by, values) = (M::ASKED_BY, M::values(planner.scope()));
    deadline::unwind_if_passed_after(values.as_ref().map_or(0, Vec::len));
    let presences = [false, true].map(|present| Presence(key.clone(), present));
    let names = KeyNames { presence: format!(".{asked_by}({key:?})"), value: format!("[{key:?}]") };
    let value_part = names.value.clone();
    let presence = planner.presence_field(names, presences);
    let value = planner
        .part(&value_part, |planner| planner.as_whole(|planner| M::Codec::plan(planner, Attrs { values, len: None })));
    KeyPlan { key, presence, value }
}

impl<M: Keyed> Codec for KeyedOf<M> {
    type Value = M;
    type Leaf = M::Key;
    type Lifted = M::Twin;
    type Cell = Compound<M::Twin, KeyedParts<M>>;
    type Plan = KeyedPlan<M>;

    fn plan(planner: &mut Planner<'_>, attrs: Attrs<M::Key>) -> Self::Plan {
        let gathered = Gathered::new(planner.declared_path());
        let keys = planner.keys_of_value(gathered.path(), attrs.values);
        let mut keys = planner.checked(keys);
        M::sort(&mut keys);
        KeyedPlan { gathered, keys: keys.into_iter().map(|key| key_plan(planner, key)).collect() }
    }
    fn cell(plan: &Self::Plan, slots: &mut SlotMaker<'_>) -> Self::Cell {
        let mut key = |plan: &KeyPlan<M>| {
            let presence = slots.slot(plan.presence, &[false, true]);
            let value = M::Codec::cell(&plan.value, slots);
            let value = slots.keep(value);
            (FieldEntry::new(plan.key.clone(), presence, M::Codec::elem(value, slots)), value)
        };
        let (keys, values) = plan.keys.iter().map(&mut key).unzip();
        let keys: &'static Vec<LiftedEntry<M>> = slots.keep(keys);
        Compound::new(M::twin(keys, slots), KeyedParts { keys, values })
    }
    fn elem(cell: &'static Self::Cell, slots: &mut SlotMaker<'_>) -> Elem<Self::Lifted> {
        Elem::part(slots.keep(Part::new(cell)))
    }
    fn visit(cell: &Self::Cell, visit: &mut dyn FnMut(&dyn AnySlot)) {
        for (key, value) in cell.parts.keys.iter().zip(&cell.parts.values) {
            visit(key.presence());
            if key.presence().is_assigned() && key.is_present() {
                M::Codec::visit(value, visit);
            }
        }
    }
    fn copy_out(cell: &Self::Cell, copies: &mut Copies) -> M {
        let entries = cell.parts.keys.iter().zip(&cell.parts.values).filter(|(key, _)| key.is_present());
        let copy = <M::Key as Field>::Codec::copy;
        M::of(entries.map(|(key, value)| (copy(key.key()), M::Codec::copy_out(value, copies))))
    }
    fn materialise(cell: &Self::Cell, plan: &Self::Plan) -> M {
        let present = cell.parts.each(plan).filter(|(key, ..)| key.is_present());
        let copy = <M::Key as Field>::Codec::copy;
        M::of(present.map(|(key, value, plan)| (copy(key.key()), M::Codec::materialise(value, &plan.value))))
    }
    fn write_form<const DRAFTS: bool>(value: &M, to: &mut FormWriter<'_, DRAFTS>) {
        let key = <M::Key as Field>::Codec::write_form;
        to.entries(value.entries(), key, M::Codec::write_form);
    }
    fn read_form(from: &mut FormReader<'_>) -> M {
        let len = from.number();
        M::of((0..len).map(|_| (<M::Key as Field>::Codec::read_form(from), M::Codec::read_form(from))))
    }
    fn abstract_to(
        value: &M,
        cell: &Self::Cell,
        plan: &Self::Plan,
        to: &mut Abstraction<'_>,
    ) -> Result<(), OutOfBounds> {
        let entries = value.entries().count();
        to.lens.add_entries(entries);
        if let Some(plain_values) = to.gathered() {
            let copy = <M::Key as Field>::Codec::copy;
            value.entries().for_each(|(key, _)| plain_values.add(&plan.gathered, &copy(key)));
            let Some((_, cell, plan)) = cell.parts.each(plan).next() else { return Ok(()) };
            return value.entries().try_for_each(|(_, value)| {
                to.step()?;
                M::Codec::abstract_to(value, cell, &plan.value, to)
            });
        }
        let mut left = entries;
        for (key, cell, plan) in cell.parts.each(plan) {
            to.step()?;
            let value = value.get(key.key());
            to.set_slot(key.presence(), u32::from(value.is_some()));
            if let Some(value) = value {
                left -= 1;
                M::Codec::abstract_to(value, cell, &plan.value, to)?;
            }
        }
        let is_planned = |key: &M::Key| plan.keys.iter().any(|plan| plan.key == *key);
        match value.entries().find(|(key, _)| left > 0 && !is_planned(key)) {
            Some((key, _)) => Err(OutOfBounds::value(key)),
            None => Ok(()),
        }
    }
    fn each_strong(value: &M, visit: &mut dyn FnMut(&dyn AnyStrong)) {
        value.entries().for_each(|(_, value)| M::Codec::each_strong(value, visit));
    }
    fn sever(value: &mut M) {
        value.clear();
    }
    fn sever_cells(value: &M) {
        value.entries().for_each(|(_, value)| M::Codec::sever_cells(value));
    }
}

impl<M: Keyed> Copied for KeyedOf<M> {
    type Member = Self::Lifted;
    fn value(cell: &Self::Cell) -> M::Twin {
        M::handle(cell)
    }
    fn stamp(_: &Self::Cell, _: &mut dyn FnMut(u32)) {}
}

impl<M: Keyed<Twin: Located<Place = M::Twin>>> AtPlace for KeyedOf<M> {
    fn place(cell: &'static Self::Cell, _: &mut SlotMaker<'_>) -> &'static M::Twin {
        cell
    }
}

/// Implements `Keyed` for a map or a set with a twin of std's methods.
macro_rules! keyed {
    ([$($generics:tt)*] $type:ty, $twin:ty, $of:ident, $asked_by:literal, $get:expr, $sort:expr) => {
        impl<$($generics)*> Keyed for $type {
            type Twin = $twin;
            const ASKED_BY: &'static str = $asked_by;

            fn sort(keys: &mut [K]) {
                ($sort)(keys);
            }
            fn get(&self, key: &K) -> Option<&Self::Value> {
                ($get)(self, key)
            }
            fn twin(keys: &'static [LiftedEntry<Self>], slots: &mut SlotMaker<'_>) -> Self::Twin {
                twin::$of::of_field(slots.keep(twin::$of::field_data(keys)))
            }
            fn handle(twin: &Self::Twin) -> Self::Twin {
                twin.handle()
            }
        }

        entries_field!([$($generics)*] $type, KeyedOf);

        impl<$($generics)*> Pointed for $type {
            type Target = ToValue;
        }
    };
}

macro_rules! map {
    ([$($generics:tt)*] $type:ty, $twin:ident, $sort:expr) => {
        map_entries!([$($generics)*] $type);
        keyed!([$($generics)*] $type, twin::$twin<K, <V::Element as Codec>::Lifted>, $twin, "contains_key", Self::get, $sort);
    };
}

macro_rules! set {
    ([$($generics:tt)*] $type:ty, $twin:ident, $sort:expr) => {
        set_entries!([$($generics)*] $type);
        keyed!([$($generics)*] $type, twin::$twin<K>, $twin, "contains", |set: &Self, key| set.contains(key).then_some(&()), $sort);
    };
}

#[cfg(feature = "hashbrown")]
pub(super) use {keyed, map, set};

/// Keeps the order of the domain, for hashed collections.
pub(super) fn as_listed<K>(_: &mut [K]) {}

map!([K: Key + Ord, V: Field] BTreeMap<K, V>, BTreeMap, <[K]>::sort);
set!([K: Key + Ord] BTreeSet<K>, BTreeSet, <[K]>::sort);
map!([K: Key + Hash, V: Field, S: BuildHasher + Default + 'static] HashMap<K, V, S>, HashMap, as_listed);
set!([K: Key + Hash, S: BuildHasher + Default + 'static] HashSet<K, S>, HashSet, as_listed);
