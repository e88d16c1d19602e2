//! Vectors and arrays: one slot per element, and for a vector one for its length, which is read first.

use std::array;
use std::marker::PhantomData;

use crate::abstraction::{Abstraction, OutOfBounds};
use crate::bounds::listed;
use crate::class::{Codec, Field};
use crate::cycles::AnyStrong;
use crate::ids::{FieldId, small};
use crate::plan::{Attrs, Planner, SlotMaker};
use crate::slot::{AnySlot, Slot};
use crate::twin;
use crate::twin::Elem;

/// A codec whose cell is a single slot, so that it can be an element.
#[diagnostic::on_unimplemented(
    message = "the elements of a vector or an array cannot be vectors, arrays or cells yet",
    label = "not a plain value, not a pointer",
    note = "list the values: `#[finitize(values = [..])]`; or hold the elements through a class"
)]
pub trait SlotCodec: Codec<Cell = Slot<<Self as Codec>::Lifted>> {}
#[diagnostic::do_not_recommend]
impl<C: Codec<Cell = Slot<<C as Codec>::Lifted>>> SlotCodec for C {}

/// `[T; N]`.
pub struct ArrayOf<C, const N: usize>(PhantomData<C>);
/// `Vec<T>`.
pub struct VecOf<C>(PhantomData<C>);

/// A codec whose fields have a length to bound.
#[diagnostic::on_unimplemented(
    message = "`len` on a field that has no length",
    label = "not a vector",
    note = "`len = ..` bounds the length of a `Vec`; remove it"
)]
pub trait HasLen {}

impl<C> HasLen for VecOf<C> {}

/// Evaluates the `len` of a field with the codec `C`.
pub fn lens<C: HasLen>(lens: impl IntoIterator<Item = usize>) -> Option<Result<Vec<usize>, String>> {
    Some(listed(lens))
}

/// Every element has a plan of its own, because every element is a field of its own.
pub struct ArrayPlan<P>(Vec<P>);

fn element_plans<C: Codec>(
    planner: &mut Planner<'_>,
    count: usize,
    values: &Result<Vec<C::Leaf>, String>,
) -> Vec<C::Plan> {
    let plan_one = |index: usize| {
        let attrs = Attrs { values: values.clone(), len: None };
        planner.part(&format!("[{index}]"), |planner| C::plan(planner, attrs))
    };
    (0..count).map(plan_one).collect()
}

fn element<C: SlotCodec>(plan: &C::Plan, slots: &mut SlotMaker<'_>) -> Elem<C::Lifted> {
    let slot = C::cell(plan, slots);
    Elem::field(slots.keep(slot))
}

fn slot_of<T>(elem: &Elem<T>) -> &Slot<T> {
    elem.slot().expect("[korat internal bug] the elements of a field are slots")
}

impl<C: SlotCodec, const N: usize> Codec for ArrayOf<C, N> {
    type Value = [C::Value; N];
    type Leaf = C::Leaf;
    type Lifted = twin::Array<C::Lifted, N>;
    type Cell = twin::Array<C::Lifted, N>;
    type Plan = ArrayPlan<C::Plan>;

    fn plan(planner: &mut Planner<'_>, attrs: Attrs<C::Leaf>) -> Self::Plan {
        ArrayPlan(element_plans::<C>(planner, N, &attrs.values))
    }
    fn cell(plan: &Self::Plan, slots: &mut SlotMaker<'_>) -> Self::Cell {
        twin::Array::of_elems(array::from_fn(|index| element::<C>(&plan.0[index], slots)))
    }
    fn visit(cell: &Self::Cell, visit: &mut dyn FnMut(&dyn AnySlot)) {
        cell.elems().iter().for_each(|elem| visit(slot_of(elem)));
    }
    fn materialise(cell: &Self::Cell, plan: &Self::Plan) -> Self::Value {
        array::from_fn(|index| C::materialise(slot_of(&cell.elems()[index]), &plan.0[index]))
    }
    fn abstract_to(
        value: &Self::Value,
        cell: &Self::Cell,
        plan: &Self::Plan,
        to: &mut Abstraction<'_>,
    ) -> Result<(), OutOfBounds> {
        let elements = value.iter().zip(cell.elems()).zip(&plan.0);
        elements.into_iter().try_for_each(|((value, elem), plan)| C::abstract_to(value, slot_of(elem), plan, to))
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

/// The plan of a vector: its length, and each element it may have.
pub struct VecPlan<P> {
    len_field: FieldId,
    lens: &'static [usize],
    elements: Vec<P>,
}

impl<C: SlotCodec> Codec for VecOf<C> {
    type Value = Vec<C::Value>;
    type Leaf = C::Leaf;
    type Lifted = twin::Vec<C::Lifted>;
    type Cell = twin::Vec<C::Lifted>;
    type Plan = VecPlan<C::Plan>;

    fn plan(planner: &mut Planner<'_>, attrs: Attrs<C::Leaf>) -> Self::Plan {
        planner.layout.has_vectors = true;
        let lens = attrs.len.unwrap_or_else(|| listed(0..=planner.scope()));
        let longest = lens.as_ref().map_or(0, |lens| lens.iter().copied().max().unwrap_or(0));
        let (len_field, lens) = planner.part(".len()", |planner| planner.value_field(lens));
        let elements = element_plans::<C>(planner, longest, &attrs.values);
        VecPlan { len_field, lens, elements }
    }
    fn cell(plan: &Self::Plan, slots: &mut SlotMaker<'_>) -> Self::Cell {
        let len = slots.slot(plan.len_field, plan.lens);
        let len = slots.keep(len);
        let elems: Vec<Elem<C::Lifted>> = plan.elements.iter().map(|plan| element::<C>(plan, slots)).collect();
        let elems: &'static [Elem<C::Lifted>] = slots.keep(elems);
        twin::Vec::of_field(slots.keep(twin::Header::field(len, elems)))
    }
    fn visit(cell: &Self::Cell, visit: &mut dyn FnMut(&dyn AnySlot)) {
        visit(cell.len_slot());
        cell.elems().iter().for_each(|elem| visit(slot_of(elem)));
    }
    fn materialise(cell: &Self::Cell, plan: &Self::Plan) -> Self::Value {
        cell.elems().iter().zip(&plan.elements).map(|(elem, plan)| C::materialise(slot_of(elem), plan)).collect()
    }
    fn abstract_to(
        value: &Self::Value,
        cell: &Self::Cell,
        plan: &Self::Plan,
        to: &mut Abstraction<'_>,
    ) -> Result<(), OutOfBounds> {
        let index = plan.lens.iter().position(|&len| len == value.len());
        let index = index.ok_or_else(|| OutOfBounds::value(format!("length {}", value.len())))?;
        to.set(cell.len_slot().id(), small(index));
        let elements = value.iter().zip(cell.all_elems()).zip(&plan.elements);
        elements.into_iter().try_for_each(|((value, elem), plan)| C::abstract_to(value, slot_of(elem), plan, to))
    }
    fn each_strong(value: &Self::Value, visit: &mut dyn FnMut(&dyn AnyStrong)) {
        value.iter().for_each(|element| C::each_strong(element, visit));
    }
    fn sever(value: &mut Self::Value) {
        value.clear();
    }
    fn sever_cells(value: &Self::Value) {
        value.iter().for_each(C::sever_cells);
    }
}

impl<T: Field, const N: usize> Field for [T; N]
where
    T::Codec: SlotCodec,
{
    type Codec = ArrayOf<T::Codec, N>;
    fn default_values(scope: usize) -> Result<Vec<<T::Codec as Codec>::Leaf>, String> {
        T::default_values(scope)
    }
}

impl<T: Field> Field for Vec<T>
where
    T::Codec: SlotCodec,
{
    type Codec = VecOf<T::Codec>;
    fn default_values(scope: usize) -> Result<Vec<<T::Codec as Codec>::Leaf>, String> {
        T::default_values(scope)
    }
}
