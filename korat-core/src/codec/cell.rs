//! `RefCell` around a field: what is inside can be set later, so references in it may close a cycle.

use std::cell::RefCell;
use std::marker::PhantomData;

use crate::abstraction::{Abstraction, OutOfBounds};
use crate::class::{Codec, Field};
use crate::cycles::AnyStrong;
use crate::plan::{Attrs, Planner, SlotMaker};
use crate::slot::AnySlot;
use crate::twin;
use crate::twin::{Elem, Part};

/// `RefCell<T>`.
pub struct InRefCell<C>(PhantomData<C>);

impl<C: Codec> Codec for InRefCell<C> {
    type Value = RefCell<C::Value>;
    type Leaf = C::Leaf;
    type Lifted = twin::RefCell<C::Cell>;
    type Cell = twin::RefCell<C::Cell>;
    type Plan = C::Plan;

    fn plan(planner: &mut Planner<'_>, attrs: Attrs<C::Leaf>) -> C::Plan {
        planner.inside_cell(|planner| C::plan(planner, attrs))
    }
    fn cell(plan: &C::Plan, slots: &mut SlotMaker<'_>) -> Self::Cell {
        twin::RefCell::around(C::cell(plan, slots))
    }
    fn elem(cell: &'static Self::Cell, slots: &mut SlotMaker<'_>) -> Elem<Self::Lifted> {
        Elem::part(slots.keep(Part::new(cell)))
    }
    fn visit(cell: &Self::Cell, visit: &mut dyn FnMut(&dyn AnySlot)) {
        C::visit(cell.inside(), visit);
    }
    fn materialise(cell: &Self::Cell, plan: &C::Plan) -> Self::Value {
        RefCell::new(C::materialise(cell.inside(), plan))
    }
    fn abstract_to(
        value: &Self::Value,
        cell: &Self::Cell,
        plan: &C::Plan,
        to: &mut Abstraction<'_>,
    ) -> Result<(), OutOfBounds> {
        match value.try_borrow() {
            Ok(value) => C::abstract_to(&value, cell.inside(), plan, to),
            Err(_) => Err(OutOfBounds::borrowed()),
        }
    }
    fn each_strong(value: &Self::Value, visit: &mut dyn FnMut(&dyn AnyStrong)) {
        if let Ok(value) = value.try_borrow() {
            C::each_strong(&value, visit);
        }
    }
    fn sever(value: &mut Self::Value) {
        C::sever(value.get_mut());
    }
    fn sever_cells(value: &Self::Value) {
        if let Ok(mut value) = value.try_borrow_mut() {
            C::sever(&mut value);
        }
    }
}

impl<T: Field> Field for RefCell<T> {
    type Codec = InRefCell<T::Codec>;
    type Element = Self::Codec;
    fn default_values(scope: usize) -> Result<Vec<<T::Codec as Codec>::Leaf>, String> {
        T::default_values(scope)
    }
}
