//! Cells that are set once: a slot says whether they are set. Their content cannot change afterwards, so strong
//! pointers in it close no cycle.

use std::cell::OnceCell;
use std::marker::PhantomData;
use std::sync::OnceLock;

use super::compound::Compound;
use super::listed::Optional;
use super::sequence::HasLen;
use super::tuple_option::{Copied, Maybe, MaybePlan};
use crate::class::abstraction::{Abstraction, OutOfBounds};
use crate::class::codec::{Codec, Field};
use crate::class::copies::Copies;
use crate::class::cycles::AnyStrong;
use crate::class::form::{FormReader, FormWriter};
use crate::class::plan::planner::{Attrs, Planner};
use crate::class::plan::slot_maker::SlotMaker;
use crate::predicate::twin;
use crate::predicate::twin::{Elem, Part};
use crate::slots::slot::AnySlot;

/// The codec of `W`: `OnceCell<T>` or `OnceLock<T>`.
pub struct OnceOf<C, W>(PhantomData<(C, W)>);

/// A std cell that is set once.
pub trait OnceContainer<T>: Default + 'static {
    /// Returns the value if it was set.
    fn look(&self) -> Option<&T>;
    /// Creates a cell with a value.
    fn set_to(value: T) -> Self;
}

macro_rules! sets {
    ($($cell:ident)*) => {$(
        impl<T: 'static> OnceContainer<T> for $cell<T> {
            fn look(&self) -> Option<&T> {
                self.get()
            }
            fn set_to(value: T) -> Self {
                $cell::from(value)
            }
        }

        impl<T: Field> Field for $cell<T> {
            type Codec = OnceOf<T::Codec, $cell<T>>;
            type Element = Self::Codec;
            fn default_values(scope: usize) -> Result<Vec<<T::Codec as Codec>::Leaf>, String> {
                T::default_values(scope)
            }
        }

        impl<T: Field> Optional for $cell<T> {
            type Codec = Maybe<OnceOf<T::Codec, $cell<T>>>;
            fn default_values(scope: usize) -> Result<Vec<<T::Codec as Codec>::Leaf>, String> {
                T::default_values(scope)
            }
        }
    )*};
}

sets! { OnceCell OnceLock }

impl<C: Codec, W: OnceContainer<C::Value>> Codec for OnceOf<C, W> {
    type Value = W;
    type Leaf = C::Leaf;
    type Lifted = twin::Once<C::Lifted>;
    type Cell = Compound<Self::Lifted, &'static C::Cell>;
    type Plan = MaybePlan<C::Plan>;

    fn plan(planner: &mut Planner<'_>, attrs: Attrs<C::Leaf>) -> Self::Plan {
        MaybePlan::new(planner, ".get().is_some()", |planner| C::plan(planner, attrs))
    }
    fn cell(plan: &Self::Plan, slots: &mut SlotMaker<'_>) -> Self::Cell {
        let is_set = plan.presence(slots);
        let is_set = slots.keep(is_set);
        let inside = C::cell(&plan.inside, slots);
        let inside: &'static C::Cell = slots.keep(inside);
        let elem = C::elem(inside, slots);
        Compound::new(twin::Once::of_field(is_set, slots.keep(elem)), inside)
    }
    fn elem(cell: &'static Self::Cell, slots: &mut SlotMaker<'_>) -> Elem<Self::Lifted> {
        Elem::part(slots.keep(Part::new(cell)))
    }
    fn visit(cell: &Self::Cell, visit: &mut dyn FnMut(&dyn AnySlot)) {
        visit(cell.is_set());
        if cell.is_set().is_assigned() && *cell.is_set().__korat_read() {
            C::visit(cell.parts, visit);
        }
    }
    fn copy_out(cell: &Self::Cell, copies: &mut Copies) -> W {
        if *cell.is_set().__korat_read() { W::set_to(C::copy_out(cell.parts, copies)) } else { W::default() }
    }
    fn materialise(cell: &Self::Cell, plan: &Self::Plan) -> W {
        if *cell.is_set().__korat_read() { W::set_to(C::materialise(cell.parts, &plan.inside)) } else { W::default() }
    }
    fn write_form<const DRAFTS: bool>(value: &W, to: &mut FormWriter<'_, DRAFTS>) {
        to.option(value.look(), C::write_form);
    }
    fn read_form(from: &mut FormReader<'_>) -> W {
        if from.number() != 0 { W::set_to(C::read_form(from)) } else { W::default() }
    }
    fn abstract_to(
        value: &W,
        cell: &Self::Cell,
        plan: &Self::Plan,
        to: &mut Abstraction<'_>,
    ) -> Result<(), OutOfBounds> {
        to.set_slot(cell.is_set(), u32::from(value.look().is_some()));
        match value.look() {
            Some(value) => C::abstract_to(value, cell.parts, &plan.inside, to),
            None => Ok(()),
        }
    }
    fn each_strong(value: &W, visit: &mut dyn FnMut(&dyn AnyStrong)) {
        value.look().into_iter().for_each(|value| C::each_strong(value, visit));
    }
    fn sever(value: &mut W) {
        *value = W::default();
    }
    fn sever_cells(value: &W) {
        value.look().into_iter().for_each(C::sever_cells);
    }
}

impl<C: Codec, W: OnceContainer<C::Value>> Copied for OnceOf<C, W> {
    type Member = Self::Lifted;
    fn value(cell: &Self::Cell) -> Self::Lifted {
        cell.copied()
    }
    fn stamp(_: &Self::Cell, _: &mut dyn FnMut(u32)) {}
}

#[diagnostic::do_not_recommend]
impl<C: HasLen, W> HasLen for OnceOf<C, W> {}
