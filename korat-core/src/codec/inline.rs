//! Classes held by value. In a field, an array or an option, the cells of the class are part of the field; in a vector
//! or a map, which a class may use to contain more of itself, every element is an object of the class.

use std::marker::PhantomData;
use std::ops::Deref;
use std::ptr;

use smallvec::SmallVec;

use super::pointer::{NoDomain, Required};
use super::tuple_option::Copied;
use crate::class::abstraction::{Abstraction, OutOfBounds};
use crate::class::alloc::boxed::Embedded;
use crate::class::alloc::pointee::Pointee;
use crate::class::class_plan::{ClassPlan, ObjectPlace};
use crate::class::codec::{Codec, elems_apart};
use crate::class::copies::Copies;
use crate::class::cycles::AnyStrong;
use crate::class::form::{FormReader, FormWriter};
use crate::class::patch::Patch;
use crate::class::plan::planner::{Attrs, Planner};
use crate::class::plan::slot_maker::SlotMaker;
use crate::class::rewrite::Rewrite;
use crate::class::traits::{Class, View};
use crate::model::ids::FieldId;
use crate::predicate::context;
use crate::predicate::twin;
use crate::predicate::twin::{Elem, Part};
use crate::slots::object_view::{Located, ObjectView};
use crate::slots::slot::{AnySlot, ReadCell, Slot};

/// The codec of a class in a field.
pub struct Inline<C>(PhantomData<C>);

fn planned<C: Class>(plan: &Option<ClassPlan<C>>) -> &ClassPlan<C> {
    plan.as_ref().expect("[korat internal bug] a class that holds itself is an error of the bounds")
}

impl<C: Class> Codec for Inline<C> {
    type Value = C;
    type Leaf = NoDomain;
    type Lifted = C::Lifted;
    type Cell = View<C>;
    type Plan = Option<ClassPlan<C>>;

    fn plan(planner: &mut Planner<'_>, _: Attrs<NoDomain>) -> Self::Plan {
        planner.by_value()
    }
    fn cell(plan: &Self::Plan, slots: &mut SlotMaker<'_>) -> Self::Cell {
        planned(plan).view(slots)
    }
    fn elem(cell: &'static Self::Cell, slots: &mut SlotMaker<'_>) -> Elem<Self::Lifted> {
        Elem::part(slots.keep(Part::new(cell)))
    }
    fn visit(cell: &Self::Cell, visit: &mut dyn FnMut(&dyn AnySlot)) {
        ClassPlan::<C>::visit(cell, visit);
    }
    fn copy_out(cell: &Self::Cell, copies: &mut Copies) -> C {
        C::copy_out(Located::look(cell), copies)
    }
    fn materialise(cell: &Self::Cell, plan: &Self::Plan) -> C {
        planned(plan).materialise(cell)
    }
    fn patches() -> bool {
        true
    }
    fn patch(value: &mut C, cell: &Self::Cell, plan: &Self::Plan, to: &mut Patch) {
        planned(plan).patch(value, cell, to);
    }
    fn write_form<const DRAFTS: bool>(value: &C, to: &mut FormWriter<'_, DRAFTS>) {
        to.by_value(value);
    }
    fn read_form(from: &mut FormReader<'_>) -> C {
        from.by_value()
    }
    fn abstract_to(
        value: &C,
        cell: &Self::Cell,
        plan: &Self::Plan,
        to: &mut Abstraction<'_>,
    ) -> Result<(), OutOfBounds> {
        planned(plan).abstract_to(value, cell, to)
    }
    fn rewrite(value: &mut C, cell: &Self::Cell, plan: &Self::Plan, to: &mut Rewrite<'_>) {
        planned(plan).rewrite(value, cell, to);
    }
    fn each_strong(value: &C, visit: &mut dyn FnMut(&dyn AnyStrong)) {
        value.each_strong(visit);
    }
    fn sever(value: &mut C) {
        value.sever();
    }
    fn sever_cells(value: &C) {
        value.sever_cells();
    }
}

impl<C: Class> Copied for Inline<C> {
    type Member = <View<C> as ObjectPlace<C::Lifted>>::Member;
    fn value(cell: &Self::Cell) -> Self::Member {
        cell.member()
    }
    fn stamp(_: &Self::Cell, _: &mut dyn FnMut(u32)) {}
}

/// The codec of `Option<C>`: one slot for `None` or one of the alternatives of the class.
pub struct MaybeInline<C>(PhantomData<C>);

/// The plan of an `Option<C>`.
pub struct MaybeInlinePlan<C: Class> {
    field: FieldId,
    class: Option<ClassPlan<C>>,
}

impl<C: Class> Codec for MaybeInline<C> {
    type Value = Option<C>;
    type Leaf = NoDomain;
    type Lifted = Option<C::Lifted>;
    type Cell = Slot<Option<C::Lifted>>;
    type Plan = MaybeInlinePlan<C>;

    fn plan(planner: &mut Planner<'_>, _: Attrs<NoDomain>) -> Self::Plan {
        let (field, class) = planner.optional_by_value();
        MaybeInlinePlan { field, class }
    }
    fn cell(plan: &Self::Plan, slots: &mut SlotMaker<'_>) -> Self::Cell {
        let tag = slots.reserve(plan.field);
        let mut values = vec![None];
        C::alternatives(planned(&plan.class).fields(), slots, |alternative| values.push(Some(alternative)));
        slots.note_inside(plan.field, tag, 0);
        let values: &'static Vec<Option<C::Lifted>> = slots.keep(values);
        slots.reserved(tag, plan.field, values)
    }
    fn elem(cell: &'static Self::Cell, _: &mut SlotMaker<'_>) -> Elem<Self::Lifted> {
        Elem::field(cell)
    }
    fn visit(cell: &Self::Cell, visit: &mut dyn FnMut(&dyn AnySlot)) {
        visit(cell);
        if cell.is_assigned()
            && let Some(lifted) = cell.__korat_read()
        {
            C::visit(lifted, visit);
        }
    }
    fn copy_out(cell: &Self::Cell, copies: &mut Copies) -> Option<C> {
        cell.__korat_read().as_ref().map(|lifted| C::copy_out(lifted, copies))
    }
    fn materialise(cell: &Self::Cell, plan: &Self::Plan) -> Option<C> {
        cell.__korat_read().as_ref().map(|lifted| C::materialise(lifted, planned(&plan.class).fields()))
    }
    fn patches() -> bool {
        true
    }
    fn patch(value: &mut Option<C>, cell: &Self::Cell, plan: &Self::Plan, to: &mut Patch) {
        match (&mut *value, cell.__korat_read()) {
            (Some(value), Some(lifted)) => value.patch(lifted, planned(&plan.class).fields(), to),
            (Some(_) | None, _) => *value = Self::materialise(cell, plan),
        }
    }
    fn write_form<const DRAFTS: bool>(value: &Option<C>, to: &mut FormWriter<'_, DRAFTS>) {
        to.option(value.as_ref(), |value, to| to.by_value(value));
    }
    fn read_form(from: &mut FormReader<'_>) -> Option<C> {
        (from.number() != 0).then(|| from.by_value())
    }
    fn abstract_to(
        value: &Option<C>,
        cell: &Self::Cell,
        plan: &Self::Plan,
        to: &mut Abstraction<'_>,
    ) -> Result<(), OutOfBounds> {
        let index = match value {
            Some(value) => {
                let alternatives: SmallVec<[&C::Lifted; 8]> = cell.__korat_domain().iter().flatten().collect();
                value.abstract_to(&alternatives, planned(&plan.class).fields(), to)? + 1
            }
            None => 0,
        };
        to.set_slot(cell, index);
        Ok(())
    }
    fn rewrite(value: &mut Option<C>, cell: &Self::Cell, plan: &Self::Plan, to: &mut Rewrite<'_>) {
        let is_other = to.changes(cell.id());
        if is_other && to.attaches() {
            *value = Self::materialise(cell, plan);
        } else if let Some(value) = value {
            let alternatives: Vec<&C::Lifted> = cell.__korat_domain().iter().flatten().collect();
            to.within(is_other, |to| value.rewrite(&alternatives, planned(&plan.class).fields(), to));
        }
    }
    fn each_strong(value: &Option<C>, visit: &mut dyn FnMut(&dyn AnyStrong)) {
        value.iter().for_each(|value| value.each_strong(visit));
    }
    fn sever(value: &mut Option<C>) {
        *value = None;
    }
    fn sever_cells(value: &Option<C>) {
        value.iter().for_each(Class::sever_cells);
    }
}

impl<C: Class> Copied for MaybeInline<C> {
    type Member = &'static Option<C::Lifted>;
    fn value(cell: &Self::Cell) -> Self::Member {
        // SAFETY: a cell lies in a heap, which is never freed. Its value changes only after everything that has read it
        // was undone, and what is assembled from it is known by its index.
        unsafe { &*ptr::from_ref(cell.__korat_read()) }
    }
    fn stamp(cell: &Self::Cell, tell: &mut dyn FnMut(u32)) {
        tell(cell.index());
    }
}

/// The codec of a class as an element of a vector: an object.
pub struct ObjectOf<C>(PhantomData<C>);

/// The slot that says which object an element is.
pub struct ObjectCell<V: 'static>(Slot<twin::Box<V>>);

impl<V: ObjectView> ObjectCell<V> {
    /// Returns the value that a field pattern is matched against.
    pub fn __korat_cell(&self) -> &V {
        self
    }
}

impl<V: ObjectView> Deref for ObjectCell<V> {
    type Target = V;
    fn deref(&self) -> &V {
        self.0.__korat_read()
    }
}

impl<V: ObjectView> ReadCell for ObjectCell<V> {
    type Out = V;
    fn read_cell(&self) -> &V {
        self
    }
    fn is_decided(&self) -> bool {
        self.0.is_assigned()
    }
}

impl<C: Class + Pointee<Class = C, Lifted = <C as Class>::Lifted>> Codec for ObjectOf<C> {
    type Value = C;
    type Leaf = NoDomain;
    type Lifted = <C as Class>::Lifted;
    type Cell = ObjectCell<<C as Class>::Lifted>;
    type Plan = <Required<Embedded<C>> as Codec>::Plan;

    fn plan(planner: &mut Planner<'_>, attrs: Attrs<NoDomain>) -> Self::Plan {
        Required::<Embedded<C>>::plan(planner, attrs)
    }
    fn cell(plan: &Self::Plan, slots: &mut SlotMaker<'_>) -> Self::Cell {
        ObjectCell(Required::<Embedded<C>>::cell(plan, slots))
    }
    fn elem(cell: &'static Self::Cell, slots: &mut SlotMaker<'_>) -> Elem<Self::Lifted> {
        Elem::part(slots.keep(Part::new(cell)))
    }
    fn elems(
        cells: &'static [Self::Cell],
        plan: &Self::Plan,
        slots: &mut SlotMaker<'_>,
    ) -> *const [Elem<Self::Lifted>] {
        let with_objects = plan.table.class.elems_with_objects(cells, slots);
        with_objects.unwrap_or_else(|| elems_apart::<Self>(cells, slots))
    }
    fn visit(cell: &Self::Cell, visit: &mut dyn FnMut(&dyn AnySlot)) {
        visit(&cell.0);
    }
    fn copy_out(cell: &Self::Cell, copies: &mut Copies) -> C {
        context::call();
        C::copy_out(cell, copies)
    }
    fn materialise(cell: &Self::Cell, plan: &Self::Plan) -> C {
        Required::<Embedded<C>>::materialise(&cell.0, plan)
    }
    fn patches() -> bool {
        true
    }
    fn patch(value: &mut C, cell: &Self::Cell, plan: &Self::Plan, to: &mut Patch) {
        Required::<Embedded<C>>::patch(value, &cell.0, plan, to);
    }
    fn write_form<const DRAFTS: bool>(value: &C, to: &mut FormWriter<'_, DRAFTS>) {
        to.by_value(value);
    }
    fn read_form(from: &mut FormReader<'_>) -> C {
        from.by_value()
    }
    fn abstract_to(
        value: &C,
        cell: &Self::Cell,
        plan: &Self::Plan,
        to: &mut Abstraction<'_>,
    ) -> Result<(), OutOfBounds> {
        let number = plan.object_number(value, to)?;
        to.fix_slot(&cell.0, number, || plan.table.class.element_with_object(cell, number));
        Ok(())
    }
    fn rewrite(value: &mut C, cell: &Self::Cell, plan: &Self::Plan, to: &mut Rewrite<'_>) {
        // An object stored by value cannot move elsewhere, so it is still the original one.
        plan.table.class.rewrite_part(value, to.original(cell.0.id()), to);
    }
    fn each_strong(value: &C, visit: &mut dyn FnMut(&dyn AnyStrong)) {
        value.each_strong(visit);
    }
    fn sever(value: &mut C) {
        Class::sever(value);
    }
    fn sever_cells(value: &C) {
        Class::sever_cells(value);
    }
}
