//! `MaybeUninit` around plain values: a slot that says which value it holds, or that it holds none. The user's value does
//! not say that, so it cannot be abstracted; and since it is read only if the predicate accepts it, no invalid value is
//! built.

use std::marker::PhantomData;
use std::mem::MaybeUninit;

use super::compound::Compound;
use super::listed::{Listed, ListedPlan, Optional, PlainField};
use super::tuple_option::{Copied, Maybe};
use crate::class::abstraction::{Abstraction, OutOfBounds};
use crate::class::codec::{Codec, Field};
use crate::class::plan::planner::{Attrs, Planner};
use crate::class::plan::slot_maker::SlotMaker;
use crate::predicate::twin;
use crate::predicate::twin::{Elem, Part};
use crate::slots::slot::{AnySlot, Slot};

/// A type that a `MaybeUninit` may hold.
#[diagnostic::on_unimplemented(
    message = "a field of type `MaybeUninit<{Self}>` cannot be finitized: `{Self}` is not plain",
    label = "not a plain value",
    note = "write `Option<{Self}>`; or make the type plain: `#[finitize(plain)]`"
)]
pub trait MayBeMissing: PlainField {}

#[diagnostic::do_not_recommend]
impl<T: PlainField> MayBeMissing for T {}

/// The codec of `MaybeUninit<T>`.
pub struct UninitOf<T>(PhantomData<T>);

impl<T: MayBeMissing> Codec for UninitOf<T> {
    type Value = MaybeUninit<T>;
    type Leaf = T;
    type Lifted = twin::MaybeUninit<T>;
    type Cell = Compound<Self::Lifted, &'static Slot<Option<T>>>;
    type Plan = ListedPlan<Option<T>>;

    fn plan(planner: &mut Planner<'_>, attrs: Attrs<T>) -> Self::Plan {
        // A rejected value may hold nothing where the user's own predicate would read it.
        planner.note_side_effects(true);
        let values = attrs.values.map(|values| std::iter::once(None).chain(values.into_iter().map(Some)).collect());
        ListedPlan::without_meaning(planner, values)
    }
    fn cell(plan: &Self::Plan, slots: &mut SlotMaker<'_>) -> Self::Cell {
        let slot = Listed::cell(plan, slots);
        let slot: &'static Slot<Option<T>> = slots.keep(slot);
        Compound::new(twin::MaybeUninit::of_field(slot), slot)
    }
    fn elem(cell: &'static Self::Cell, slots: &mut SlotMaker<'_>) -> Elem<Self::Lifted> {
        Elem::part(slots.keep(Part::new(cell)))
    }
    fn visit(cell: &Self::Cell, visit: &mut dyn FnMut(&dyn AnySlot)) {
        visit(cell.parts);
    }
    fn materialise(cell: &Self::Cell, plan: &Self::Plan) -> MaybeUninit<T> {
        Listed::materialise(cell.parts, plan).map_or_else(MaybeUninit::uninit, MaybeUninit::new)
    }
    fn abstract_to(
        _: &MaybeUninit<T>,
        _: &Self::Cell,
        _: &Self::Plan,
        _: &mut Abstraction<'_>,
    ) -> Result<(), OutOfBounds> {
        Err(OutOfBounds::uninit())
    }
}

impl<T: MayBeMissing> Copied for UninitOf<T> {
    type Member = Self::Lifted;
    fn value(cell: &Self::Cell) -> Self::Lifted {
        cell.copied()
    }
    fn stamp(_: &Self::Cell, _: &mut dyn FnMut(u32)) {}
}

impl<T: MayBeMissing> Field for MaybeUninit<T> {
    type Codec = UninitOf<T>;
    type Element = UninitOf<T>;
    fn default_values(scope: usize) -> Result<Vec<T>, String> {
        <T as Field>::default_values(scope)
    }
}

impl<T: MayBeMissing> Optional for MaybeUninit<T> {
    type Codec = Maybe<UninitOf<T>>;
    fn default_values(scope: usize) -> Result<Vec<T>, String> {
        <T as Field>::default_values(scope)
    }
}
