//! Arrays: a fixed number of elements, each with its own slots, and a length slot if indices lead into it.

use std::array;
use std::marker::PhantomData;
use std::mem::needs_drop;

use super::compound::Compound;
use super::listed::Optional;
use super::pointed::{AtPlace, Pointed, ToValue};
use super::sequence::{Elementwise, element_plan};
use super::tuple_option::{Copied, Maybe};
use crate::class::abstraction::{Abstraction, OutOfBounds};
use crate::class::codec::{Codec, Field};
use crate::class::copies::Copies;
use crate::class::cycles::AnyStrong;
use crate::class::form::{FormReader, FormWriter};
use crate::class::patch::Patch;
use crate::class::plan::arrays::PlannedLen;
use crate::class::plan::planner::{Attrs, Planner};
use crate::class::plan::slot_maker::SlotMaker;
use crate::class::rewrite::Rewrite;
use crate::predicate::twin;
use crate::predicate::twin::{Elem, Part};
use crate::slots::object_view::Located;
use crate::slots::slot::{AnySlot, Slot};

/// The codec of `[T; N]`.
pub struct ArrayOf<C, const N: usize>(PhantomData<C>);

#[diagnostic::do_not_recommend]
impl<C, const N: usize> Elementwise for ArrayOf<C, N> {}

/// The plan of an array.
pub struct ArrayPlan<P> {
    len: Option<PlannedLen>,
    /// One plan per element, because every element is a field of its own.
    elements: Vec<P>,
}

/// The cells of an array.
pub struct ArrayParts<C: 'static, const N: usize> {
    /// The slot of its length, if it is an arena and has one of its own.
    len: Option<&'static Slot<usize>>,
    elements: &'static [C; N],
}

impl<C: Codec, const N: usize> Codec for ArrayOf<C, N> {
    type Value = [C::Value; N];
    type Leaf = C::Leaf;
    type Lifted = twin::Array<C::Lifted, N>;
    type Cell = Compound<Self::Lifted, ArrayParts<C::Cell, N>>;
    type Plan = ArrayPlan<C::Plan>;

    fn plan(planner: &mut Planner<'_>, attrs: Attrs<C::Leaf>) -> Self::Plan {
        let len = planner.array(N);
        let plan = |index| element_plan::<C>(planner, index, attrs.values.clone());
        ArrayPlan { len, elements: (0..N).map(plan).collect() }
    }
    fn cell(plan: &Self::Plan, slots: &mut SlotMaker<'_>) -> Self::Cell {
        let planned = plan.len.as_ref().and_then(|planned| Some((planned.len.get()?, planned.is_parallel)));
        let len = planned.map(|(&(field, lens), is_parallel)| slots.length(field, lens, is_parallel));
        let arena =
            planned.zip(len).and_then(|((&(field, _), is_parallel), len)| slots.begin_vector(field, len, is_parallel));
        let cells = array::from_fn(|index| slots.element(arena, |slots| C::cell(&plan.elements[index], slots)));
        let cells: &'static [C::Cell; N] = slots.keep(cells);
        let len = len.filter(|_| planned.is_some_and(|(_, is_parallel)| !is_parallel));
        let elems = cells.each_ref().map(|cell| C::elem(cell, slots));
        Compound::new(twin::Array::of_elems(elems), ArrayParts { len, elements: cells })
    }
    fn elem(cell: &'static Self::Cell, slots: &mut SlotMaker<'_>) -> Elem<Self::Lifted> {
        Elem::part(slots.keep(Part::new(cell)))
    }
    fn visit(cell: &Self::Cell, visit: &mut dyn FnMut(&dyn AnySlot)) {
        cell.parts.len.into_iter().for_each(|len| visit(len));
        cell.parts.elements.iter().for_each(|cell| C::visit(cell, visit));
    }
    fn copy_out(cell: &Self::Cell, copies: &mut Copies) -> Self::Value {
        array::from_fn(|index| C::copy_out(&cell.parts.elements[index], copies))
    }
    fn materialise(cell: &Self::Cell, plan: &Self::Plan) -> Self::Value {
        array::from_fn(|index| C::materialise(&cell.parts.elements[index], &plan.elements[index]))
    }
    fn patches() -> bool {
        C::patches()
    }
    fn patch(value: &mut Self::Value, cell: &Self::Cell, plan: &Self::Plan, to: &mut Patch) {
        for ((value, cell), plan) in value.iter_mut().zip(cell.parts.elements).zip(&plan.elements) {
            C::patch(value, cell, plan, to);
        }
    }
    fn write_form<const DRAFTS: bool>(value: &Self::Value, to: &mut FormWriter<'_, DRAFTS>) {
        value.iter().enumerate().for_each(|(at, element)| to.element(at, |to| C::write_form(element, to)));
    }
    fn read_form(from: &mut FormReader<'_>) -> Self::Value {
        array::from_fn(|_| C::read_form(from))
    }
    fn abstract_to(
        value: &Self::Value,
        cell: &Self::Cell,
        plan: &Self::Plan,
        to: &mut Abstraction<'_>,
    ) -> Result<(), OutOfBounds> {
        cell.parts.len.into_iter().for_each(|len| to.set_slot(len, 0));
        let mut elements = value.iter().zip(cell.parts.elements).zip(&plan.elements);
        elements.try_for_each(|((value, cell), plan)| C::abstract_to(value, cell, plan, to))
    }
    fn rewrite(value: &mut Self::Value, cell: &Self::Cell, plan: &Self::Plan, to: &mut Rewrite<'_>) {
        for ((value, cell), plan) in value.iter_mut().zip(cell.parts.elements).zip(&plan.elements) {
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

#[diagnostic::do_not_recommend]
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

impl<C: Codec<Value: 'static>, const N: usize> AtPlace for ArrayOf<C, N> {
    fn place(cell: &'static Self::Cell, _: &mut SlotMaker<'_>) -> &'static Self::Lifted {
        cell
    }
}

impl<L: 'static, const N: usize> Located for twin::Array<L, N> {
    type Place = Self;
}

impl<T: Field, const N: usize> Pointed for [T; N] {
    type Target = ToValue;
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
