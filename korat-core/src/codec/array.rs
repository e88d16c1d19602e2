//! Arrays: a fixed number of elements, each with its own slots.

use std::array;
use std::marker::PhantomData;
use std::mem::needs_drop;

use super::compound::Compound;
use super::listed::Optional;
use super::sequence::element_plan;
use super::tuple_option::{Copied, Maybe};
use crate::class::abstraction::{Abstraction, OutOfBounds};
use crate::class::codec::{Codec, Field};
use crate::class::copies::Copies;
use crate::class::cycles::AnyStrong;
use crate::class::plan::planner::{Attrs, Planner};
use crate::class::plan::slot_maker::SlotMaker;
use crate::class::rewrite::Rewrite;
use crate::predicate::twin;
use crate::predicate::twin::{Elem, Part};
use crate::slots::slot::AnySlot;

/// The codec of `[T; N]`.
pub struct ArrayOf<C, const N: usize>(PhantomData<C>);

/// The plan of an array, with one plan per element, because every element is a field of its own.
pub struct ArrayPlan<P>(Vec<P>);

impl<C: Codec, const N: usize> Codec for ArrayOf<C, N> {
    type Value = [C::Value; N];
    type Leaf = C::Leaf;
    type Lifted = twin::Array<C::Lifted, N>;
    type Cell = Compound<Self::Lifted, &'static [C::Cell; N]>;
    type Plan = ArrayPlan<C::Plan>;

    fn plan(planner: &mut Planner<'_>, attrs: Attrs<C::Leaf>) -> Self::Plan {
        ArrayPlan((0..N).map(|index| element_plan::<C>(planner, index, attrs.values.clone())).collect())
    }
    fn cell(plan: &Self::Plan, slots: &mut SlotMaker<'_>) -> Self::Cell {
        let cells = array::from_fn(|index| C::cell(&plan.0[index], slots));
        let cells: &'static [C::Cell; N] = slots.keep(cells);
        Compound::new(twin::Array::of_elems(cells.each_ref().map(|cell| C::elem(cell, slots))), cells)
    }
    fn elem(cell: &'static Self::Cell, slots: &mut SlotMaker<'_>) -> Elem<Self::Lifted> {
        Elem::part(slots.keep(Part::new(cell)))
    }
    fn visit(cell: &Self::Cell, visit: &mut dyn FnMut(&dyn AnySlot)) {
        cell.parts.iter().for_each(|cell| C::visit(cell, visit));
    }
    fn copy_out(cell: &Self::Cell, copies: &mut Copies) -> Self::Value {
        array::from_fn(|index| C::copy_out(&cell.parts[index], copies))
    }
    fn materialise(cell: &Self::Cell, plan: &Self::Plan) -> Self::Value {
        array::from_fn(|index| C::materialise(&cell.parts[index], &plan.0[index]))
    }
    fn abstract_to(
        value: &Self::Value,
        cell: &Self::Cell,
        plan: &Self::Plan,
        to: &mut Abstraction<'_>,
    ) -> Result<(), OutOfBounds> {
        let mut elements = value.iter().zip(cell.parts).zip(&plan.0);
        elements.try_for_each(|((value, cell), plan)| C::abstract_to(value, cell, plan, to))
    }
    fn rewrite(value: &mut Self::Value, cell: &Self::Cell, plan: &Self::Plan, to: &mut Rewrite<'_>) {
        for ((value, cell), plan) in value.iter_mut().zip(cell.parts).zip(&plan.0) {
            C::rewrite(value, cell, plan, to);
        }
    }
    fn each_strong(value: &Self::Value, visit: &mut dyn FnMut(&dyn AnyStrong)) {
        value.iter().for_each(|element| C::each_strong(element, visit));
    }
    fn sever(value: &mut Self::Value) {
        value.iter_mut().for_each(C::sever);
    }
    fn sever_cells(value: &Self::Value) {
        value.iter().for_each(C::sever_cells);
    }
}

impl<C: Codec<Lifted: Clone>, const N: usize> Copied for ArrayOf<C, N> {
    type Member = Self::Lifted;
    fn value(cell: &Self::Cell) -> Self::Lifted {
        (**cell).clone()
    }
    fn stamp(cell: &Self::Cell, tell: &mut dyn FnMut(u32)) {
        // A copied element still refers to its slot, unless it needs dropping: then the copy holds the value itself,
        // and depends on the index.
        if const { needs_drop::<C::Lifted>() } {
            Self::visit(cell, &mut |slot| tell(slot.index()));
        }
    }
}

impl<T: Field, const N: usize> Field for [T; N] {
    type Codec = ArrayOf<T::Codec, N>;
    type Element = Self::Codec;
    fn default_values(scope: usize) -> Result<Vec<<T::Codec as Codec>::Leaf>, String> {
        T::default_values(scope)
    }
}

impl<T: Field, const N: usize> Optional for [T; N]
where
    ArrayOf<T::Codec, N>: Copied + Codec<Value = [T; N], Leaf = <T::Codec as Codec>::Leaf>,
{
    type Codec = Maybe<ArrayOf<T::Codec, N>>;
    fn default_values(scope: usize) -> Result<Vec<<T::Codec as Codec>::Leaf>, String> {
        T::default_values(scope)
    }
}
