//! Skipped fields, and hashers: no slot, and the same value in every object, made anew for each. While a value is repaired, a
//! predicate sees the value's own field.

use std::hash::{BuildHasher, BuildHasherDefault, RandomState};
use std::marker::PhantomData;
use std::panic::{RefUnwindSafe, UnwindSafe};

use crate::class::abstraction::{Abstraction, OutOfBounds};
use crate::class::codec::{Codec, Field};
use crate::class::copies::{Copies, cannot_copy};
use crate::class::form::{FormReader, FormWriter};
use crate::class::plan::planner::{Attrs, Planner};
use crate::class::plan::slot_maker::SlotMaker;
use crate::class::skipped_cell::SkippedCell;
use crate::class::traits::Lift;
use crate::predicate::machine::probe::drops_unobservably;
use crate::predicate::twin::{Elem, Part};
use crate::slots::slot::AnySlot;

/// The codec of a field with `#[finitize(skip = expr)]`.
pub struct Skipped<T>(PhantomData<T>);

/// The plan of a skipped field: how to make its value.
pub struct SkippedPlan<T> {
    make: fn(usize) -> T,
    scope: usize,
}

impl<T: 'static> Codec for Skipped<T> {
    type Value = T;
    type Leaf = fn(usize) -> T;
    type Lifted = T;
    type Cell = SkippedCell<T>;
    type Plan = SkippedPlan<T>;

    fn plan(planner: &mut Planner<'_>, attrs: Attrs<Self::Leaf>) -> Self::Plan {
        planner.layout.scope = Some(planner.scope());
        planner.note_values_of::<T>();
        planner.note_side_effects(!drops_unobservably::<T>());
        let make = attrs.values.ok().and_then(|values| values.into_iter().next());
        SkippedPlan { make: make.expect("[korat internal bug] a skipped field has its value"), scope: planner.scope() }
    }
    fn cell(plan: &Self::Plan, _: &mut SlotMaker<'_>) -> Self::Cell {
        SkippedCell::new(plan.make, plan.scope)
    }
    fn elem(cell: &'static Self::Cell, slots: &mut SlotMaker<'_>) -> Elem<T> {
        Elem::part(slots.keep(Part::new(cell)))
    }
    fn visit(_: &Self::Cell, _: &mut dyn FnMut(&dyn AnySlot)) {}
    fn copy_out(cell: &Self::Cell, _: &mut Copies) -> T {
        cell.remade().unwrap_or_else(|| cannot_copy::<T>("a repair shows the value's own"))
    }
    fn materialise(_: &Self::Cell, plan: &Self::Plan) -> T {
        (plan.make)(plan.scope)
    }
    fn patches() -> bool {
        drops_unobservably::<T>()
    }
    fn abstract_to(value: &T, cell: &Self::Cell, _: &Self::Plan, to: &mut Abstraction<'_>) -> Result<(), OutOfBounds> {
        to.borrow_field(value, cell);
        Ok(())
    }
}

/// A type that a class's type parameter for a hasher may stand for. The hasher is not part of the structure. The
/// unwind-safety bounds have the same reason as those of `PlainField`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the hasher of a generated class",
    label = "korat makes hashers with `Default::default()`",
    note = "a hasher implements `BuildHasher` and `Default`, such as `RandomState` and `BuildHasherDefault<H>`; a `#[rep_ok]` block bounds its parameter: `S: BuildHasher`"
)]
pub trait HasherParameter: BuildHasher + Default + RefUnwindSafe + UnwindSafe + 'static {}
#[diagnostic::do_not_recommend]
impl<S: BuildHasher + Default + RefUnwindSafe + UnwindSafe + 'static> HasherParameter for S {}

/// The codec of a hasher: a skipped field with its default.
pub struct HasherOf<S>(PhantomData<S>);

impl<S: Default + 'static> Codec for HasherOf<S> {
    type Value = S;
    type Leaf = fn(usize) -> S;
    type Lifted = S;
    type Cell = SkippedCell<S>;
    type Plan = SkippedPlan<S>;

    fn plan(planner: &mut Planner<'_>, attrs: Attrs<Self::Leaf>) -> Self::Plan {
        Skipped::plan(planner, attrs)
    }
    fn cell(plan: &Self::Plan, slots: &mut SlotMaker<'_>) -> Self::Cell {
        Skipped::cell(plan, slots)
    }
    fn elem(cell: &'static Self::Cell, slots: &mut SlotMaker<'_>) -> Elem<S> {
        Skipped::elem(cell, slots)
    }
    fn visit(cell: &Self::Cell, visit: &mut dyn FnMut(&dyn AnySlot)) {
        Skipped::visit(cell, visit);
    }
    fn copy_out(cell: &Self::Cell, copies: &mut Copies) -> S {
        Skipped::copy_out(cell, copies)
    }
    fn materialise(cell: &Self::Cell, plan: &Self::Plan) -> S {
        Skipped::materialise(cell, plan)
    }
    fn patches() -> bool {
        Skipped::<S>::patches()
    }
    fn write_form<const DRAFTS: bool>(_: &S, _: &mut FormWriter<'_, DRAFTS>) {}
    fn read_form(_: &mut FormReader<'_>) -> S {
        S::default()
    }
    fn abstract_to(
        value: &S,
        cell: &Self::Cell,
        plan: &Self::Plan,
        to: &mut Abstraction<'_>,
    ) -> Result<(), OutOfBounds> {
        Skipped::abstract_to(value, cell, plan, to)
    }
}

/// Declares hashers that fields may have without an attribute.
macro_rules! hashers {
    ($([$($generics:tt)*] $type:ty;)*) => {$(
        impl<$($generics)*> Field for $type {
            type Codec = HasherOf<Self>;
            type Element = HasherOf<Self>;
            fn default_values(_scope: usize) -> Result<Vec<fn(usize) -> Self>, String> {
                Ok(vec![|_| Self::default()])
            }
        }

        impl<$($generics)*> Lift for $type {
            type Lifted = Self;
        }
    )*};
}

hashers! {
    [] RandomState;
    [H: 'static] BuildHasherDefault<H>;
}
