//! Fields that are left out: no slot, always the same value, made anew for each object.

use std::marker::PhantomData;

use super::compound::Compound;
use crate::abstraction::{Abstraction, OutOfBounds};
use crate::class::Codec;
use crate::plan::{Attrs, Planner, SlotMaker};
use crate::slot::AnySlot;
use crate::twin::{Elem, Part};

/// A field with `#[finitize(skip = expr)]`.
pub struct Skipped<T>(PhantomData<T>);

/// How its value is made.
pub struct SkippedPlan<T> {
    make: fn(usize) -> T,
    scope: usize,
}

impl<T: 'static> Codec for Skipped<T> {
    type Value = T;
    type Leaf = fn(usize) -> T;
    type Lifted = T;
    type Cell = Compound<T, ()>;
    type Plan = SkippedPlan<T>;

    fn plan(planner: &mut Planner<'_>, attrs: Attrs<Self::Leaf>) -> Self::Plan {
        planner.layout.scope = Some(planner.scope());
        let make = attrs.values.ok().and_then(|values| values.into_iter().next());
        SkippedPlan { make: make.expect("[korat internal bug] a skipped field has its value"), scope: planner.scope() }
    }
    fn cell(plan: &Self::Plan, _: &mut SlotMaker<'_>) -> Self::Cell {
        Compound::new((plan.make)(plan.scope), ())
    }
    fn elem(cell: &'static Self::Cell, slots: &mut SlotMaker<'_>) -> Elem<T> {
        Elem::part(slots.keep(Part::new(cell)))
    }
    fn visit(_: &Self::Cell, _: &mut dyn FnMut(&dyn AnySlot)) {}
    fn materialise(_: &Self::Cell, plan: &Self::Plan) -> T {
        (plan.make)(plan.scope)
    }
    fn abstract_to(_: &T, _: &Self::Cell, _: &Self::Plan, _: &mut Abstraction<'_>) -> Result<(), OutOfBounds> {
        Ok(())
    }
}
