//! `indexmap::IndexMap` and `IndexSet` as fields. The order of the keys is part of the value: one slot holds the keys in
//! their order, and every possible key has a cell for its value. A predicate that looks at any key decides all of them; it
//! decides a value when it reads it.

use std::hash::{BuildHasher, Hash};
use std::marker::PhantomData;

use indexmap::{IndexMap, IndexSet};

use super::ordered_twin::{Order, OrderedSetTwin, OrderedTwin};
use crate::class::abstraction::{Abstraction, OutOfBounds};
use crate::class::bounds::listed;
use crate::class::census::Gathered;
use crate::class::codec::{Codec, Field};
use crate::class::copies::Copies;
use crate::class::cycles::AnyStrong;
use crate::class::form::{FormReader, FormWriter};
use crate::class::list_cap;
use crate::class::plan::planner::{Attrs, Planner};
use crate::class::plan::slot_maker::SlotMaker;
use crate::class::traits::Lift;
use crate::codec::compound::Compound;
use crate::codec::entries::{Entries, Key, SetValue, entries_field, map_entries, set_entries};
use crate::codec::listed::Optional;
use crate::codec::pointer::NoDomain;
use crate::codec::tuple_option::{Copied, Maybe};
use crate::codec::whole::Whole;
use crate::model::ids::{FieldId, to_u32};
use crate::predicate::twin::{Elem, Part};
use crate::slots::slot::{AnySlot, Slot};

/// Returns every order of some of `count` keys, fewer keys first.
fn orders(count: usize) -> Result<Vec<Order>, String> {
    let _cut = list_cap::few_combinations();
    let mut all = vec![Vec::new()];
    let mut longest = all.clone();
    for _ in 0..count {
        let longer = |order: &Order| {
            let others = (0..to_u32(count)).filter(|key| !order.contains(key));
            others.map(|key| [&order[..], &[key]].concat()).collect::<Vec<_>>()
        };
        longest = listed(longest.iter().flat_map(longer))?;
        all = listed(all.into_iter().chain(longest.iter().cloned()))?;
    }
    Ok(all)
}

/// A map or a set with an order.
pub trait Ordered: Entries {
    /// The type that a predicate sees.
    type Twin: Clone + 'static;
    /// Creates the twin of a field.
    fn twin(entries: OrderedTwin<Self::Key, <Self::Codec as Codec>::Lifted>) -> Self::Twin;
}

/// The codec of a map or a set with an order.
pub struct OrderedOf<M>(PhantomData<M>);

/// The plan of a map: the possible keys, with the plans of their values, and the orders of keys.
pub struct OrderedPlan<M: Ordered> {
    gathered: Gathered<M::Key>,
    keys: Vec<(M::Key, <M::Codec as Codec>::Plan)>,
    field: FieldId,
    orders: &'static [Order],
}

/// A possible key and its value, as a predicate sees them.
type LiftedEntry<M> = (<M as Entries>::Key, Elem<<<M as Entries>::Codec as Codec>::Lifted>);

/// The cells of a map: the order of its keys, and each possible key with its value.
pub struct OrderedParts<M: Ordered> {
    order: &'static Slot<Order>,
    entries: &'static [LiftedEntry<M>],
    values: Vec<&'static <M::Codec as Codec>::Cell>,
}

impl<M: Ordered> Codec for OrderedOf<M> {
    type Value = M;
    type Leaf = M::Key;
    type Lifted = M::Twin;
    type Cell = Compound<M::Twin, OrderedParts<M>>;
    type Plan = OrderedPlan<M>;

    fn plan(planner: &mut Planner<'_>, attrs: Attrs<M::Key>) -> Self::Plan {
        let gathered = Gathered::new(planner.declared_path());
        let keys = planner.keys_of_value(gathered.path(), attrs.values);
        let keys = planner.checked(keys);
        let orders = orders(keys.len());
        let (field, orders) = planner.part(".keys()", |planner| planner.selecting_field(orders));
        let scope = planner.scope();
        let plan = |key: M::Key| {
            let attrs = Attrs { values: M::values(scope), len: None };
            let value = planner
                .part(&format!("[{key:?}]"), |planner| planner.as_whole(|planner| M::Codec::plan(planner, attrs)));
            (key, value)
        };
        OrderedPlan { gathered, keys: keys.into_iter().map(plan).collect(), field, orders }
    }
    fn cell(plan: &Self::Plan, slots: &mut SlotMaker<'_>) -> Self::Cell {
        let order = slots.slot(plan.field, plan.orders);
        let order: &'static Slot<Order> = slots.keep(order);
        let mut entry = |(key, plan): &(M::Key, _)| {
            let value = M::Codec::cell(plan, slots);
            let value: &'static _ = slots.keep(value);
            ((key.clone(), M::Codec::elem(value, slots)), value)
        };
        let (entries, values): (Vec<_>, Vec<_>) = plan.keys.iter().map(&mut entry).unzip();
        let entries: &'static Vec<_> = slots.keep(entries);
        Compound::new(M::twin(OrderedTwin { order, entries }), OrderedParts { order, entries, values })
    }
    fn elem(cell: &'static Self::Cell, slots: &mut SlotMaker<'_>) -> Elem<Self::Lifted> {
        Elem::part(slots.keep(Part::new(cell)))
    }
    fn visit(cell: &Self::Cell, visit: &mut dyn FnMut(&dyn AnySlot)) {
        let OrderedParts { order, values, .. } = &cell.parts;
        visit(*order);
        if order.is_assigned() {
            // In the order of the slots, whatever that of the map is.
            let mut keys = order.__korat_read().clone();
            keys.sort_unstable();
            keys.into_iter().for_each(|key| M::Codec::visit(values[key as usize], visit));
        }
    }
    fn copy_out(cell: &Self::Cell, copies: &mut Copies) -> M {
        let OrderedParts { order, entries, values } = &cell.parts;
        let copy = <M::Key as Field>::Codec::copy;
        M::of(order.__korat_read().iter().map(|&at| {
            let at = at as usize;
            (copy(&entries[at].0), M::Codec::copy_out(values[at], copies))
        }))
    }
    fn materialise(cell: &Self::Cell, plan: &Self::Plan) -> M {
        let OrderedParts { order, values, .. } = &cell.parts;
        let copy = <M::Key as Field>::Codec::copy;
        M::of(order.__korat_read().iter().map(|&at| {
            let (key, plan) = &plan.keys[at as usize];
            (copy(key), M::Codec::materialise(values[at as usize], plan))
        }))
    }
    fn write_form<const DRAFTS: bool>(value: &M, to: &mut FormWriter<'_, DRAFTS>) {
        to.len(value.entries().count());
        for (at, (key, value)) in value.entries().enumerate() {
            to.element(at, |to| {
                to.part(".0", |to| <M::Key as Field>::Codec::write_form(key, to));
                to.part(".1", |to| M::Codec::write_form(value, to));
            });
        }
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
        let OrderedParts { order, values, .. } = &cell.parts;
        to.lens.add_entries(value.entries().count());
        if let Some(plain_values) = to.gathered() {
            let copy = <M::Key as Field>::Codec::copy;
            value.entries().for_each(|(key, _)| plain_values.add(&plan.gathered, &copy(key)));
            let Some((cell, (_, plan))) = values.first().zip(plan.keys.first()) else { return Ok(()) };
            return value.entries().try_for_each(|(_, value)| {
                to.step()?;
                M::Codec::abstract_to(value, cell, plan, to)
            });
        }
        let mut found = Vec::new();
        for (key, value) in value.entries() {
            let at = plan.keys.iter().position(|(known, _)| known == key).ok_or_else(|| OutOfBounds::value(key))?;
            found.push((to_u32(at), value));
        }
        let order_of_keys: Order = found.iter().map(|(at, _)| *at).collect();
        found.sort_unstable_by_key(|(at, _)| *at);
        for (at, value) in found {
            to.step()?;
            M::Codec::abstract_to(value, values[at as usize], &plan.keys[at as usize].1, to)?;
        }
        let index = to.position(plan.orders, &order_of_keys).ok_or_else(|| OutOfBounds::value(order_of_keys))?;
        to.set_slot(order, to_u32(index));
        Ok(())
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

impl<M: Ordered> Copied for OrderedOf<M> {
    type Member = Self::Lifted;
    fn value(cell: &Self::Cell) -> M::Twin {
        (**cell).clone()
    }
    fn stamp(_: &Self::Cell, _: &mut dyn FnMut(u32)) {}
}

map_entries!([K: Key + Hash, V: Field, S: BuildHasher + Default + 'static] IndexMap<K, V, S>);
entries_field!([K: Key + Hash, V: Field, S: BuildHasher + Default + 'static] IndexMap<K, V, S>, OrderedOf);

impl<K: Key + Hash, V: Field, S: BuildHasher + Default + 'static> Ordered for IndexMap<K, V, S> {
    type Twin = OrderedTwin<K, <V::Element as Codec>::Lifted>;
    fn twin(entries: Self::Twin) -> Self::Twin {
        entries
    }
}

set_entries!([K: Key + Hash, S: BuildHasher + Default + 'static] IndexSet<K, S>);
entries_field!([K: Key + Hash, S: BuildHasher + Default + 'static] IndexSet<K, S>, OrderedOf);

impl<K: Key + Hash, S: BuildHasher + Default + 'static> Ordered for IndexSet<K, S> {
    type Twin = OrderedSetTwin<K>;
    fn twin(entries: OrderedTwin<K, ()>) -> Self::Twin {
        OrderedSetTwin(entries)
    }
}

impl<K: Lift<Lifted: Sized + 'static>, V: Lift<Lifted: Sized + 'static>, S> Lift for IndexMap<K, V, S> {
    type Lifted = OrderedTwin<K::Lifted, V::Lifted>;
}

impl<K: Lift<Lifted: Sized + 'static>, S> Lift for IndexSet<K, S> {
    type Lifted = OrderedSetTwin<K::Lifted>;
}
