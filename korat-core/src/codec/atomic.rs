//! Atomics: a slot for the value, which a predicate loads.

use std::marker::PhantomData;
use std::sync::atomic::{
    AtomicBool, AtomicI8, AtomicI16, AtomicI32, AtomicI64, AtomicIsize, AtomicU8, AtomicU16, AtomicU32, AtomicU64,
    AtomicUsize, Ordering,
};

use super::listed::{Listed, ListedPlan, Optional};
use super::pointed::{AtPlace, Pointed, ToValue};
use super::tuple_option::{Copied, Maybe};
use crate::class::abstraction::{Abstraction, OutOfBounds};
use crate::class::codec::{Codec, Field};
use crate::class::copies::Copies;
use crate::class::form::{FormReader, FormWriter};
use crate::class::plan::planner::{Attrs, Planner};
use crate::class::plan::slot_maker::SlotMaker;
use crate::class::traits::Lift;
use crate::predicate::twin;
use crate::predicate::twin::{Elem, Part};
use crate::slots::slot::{AnySlot, Slot};

/// An atomic type of std.
pub trait Atom: 'static {
    /// The type of the value.
    type Value: Field<Codec = Listed<Self::Value>> + Copy + PartialEq + std::fmt::Debug;
    /// Creates an atomic.
    fn of(value: Self::Value) -> Self;
    /// Returns the value.
    fn value(&self) -> Self::Value;
}

/// The codec of the atomic type `A`.
pub struct AtomicOf<A>(PhantomData<A>);

impl<A: Atom> Codec for AtomicOf<A> {
    type Value = A;
    type Leaf = A::Value;
    type Lifted = twin::Atomic<Slot<A::Value>>;
    type Cell = twin::Atomic<Slot<A::Value>>;
    type Plan = ListedPlan<A::Value>;

    fn plan(planner: &mut Planner<'_>, attrs: Attrs<A::Value>) -> Self::Plan {
        Listed::plan(planner, attrs)
    }
    fn cell(plan: &Self::Plan, slots: &mut SlotMaker<'_>) -> Self::Cell {
        twin::Atomic::around(Listed::cell(plan, slots))
    }
    fn elem(cell: &'static Self::Cell, slots: &mut SlotMaker<'_>) -> Elem<Self::Lifted> {
        Elem::part(slots.keep(Part::new(cell)))
    }
    fn visit(cell: &Self::Cell, visit: &mut dyn FnMut(&dyn AnySlot)) {
        visit(cell.inside());
    }
    fn copy_out(cell: &Self::Cell, copies: &mut Copies) -> A {
        A::of(Listed::copy_out(cell.inside(), copies))
    }
    fn materialise(cell: &Self::Cell, plan: &Self::Plan) -> A {
        A::of(Listed::materialise(cell.inside(), plan))
    }
    fn write_form<const DRAFTS: bool>(value: &A, to: &mut FormWriter<'_, DRAFTS>) {
        to.plain(&value.value());
    }
    fn read_form(from: &mut FormReader<'_>) -> A {
        A::of(from.plain())
    }
    fn abstract_to(
        value: &A,
        cell: &Self::Cell,
        plan: &Self::Plan,
        to: &mut Abstraction<'_>,
    ) -> Result<(), OutOfBounds> {
        Listed::abstract_to(&value.value(), cell.inside(), plan, to)
    }
}

impl<A: Atom> Copied for AtomicOf<A> {
    type Member = twin::Box<Self::Lifted>;
    fn value(cell: &Self::Cell) -> Self::Member {
        twin::Box::at(cell)
    }
    fn stamp(_: &Self::Cell, _: &mut dyn FnMut(u32)) {}
}

impl<A: Atom> AtPlace for AtomicOf<A> {
    fn place(cell: &'static Self::Cell, _: &mut SlotMaker<'_>) -> &'static Self::Cell {
        cell
    }
}

macro_rules! atomics {
    ($($atomic:ident: $value:ty;)*) => {$(
        impl Atom for $atomic {
            type Value = $value;
            fn of(value: $value) -> Self {
                $atomic::new(value)
            }
            fn value(&self) -> $value {
                self.load(Ordering::SeqCst)
            }
        }

        impl Field for $atomic {
            type Codec = AtomicOf<$atomic>;
            type Element = AtomicOf<$atomic>;
            #[inline]
            fn default_values(scope: usize) -> Result<Vec<$value>, String> {
                <$value as Field>::default_values(scope)
            }
        }

        impl Optional for $atomic {
            type Codec = Maybe<AtomicOf<$atomic>>;
            #[inline]
            fn default_values(scope: usize) -> Result<Vec<$value>, String> {
                <$value as Field>::default_values(scope)
            }
        }

        impl Pointed for $atomic {
            type Target = ToValue;
        }

        impl Lift for $atomic {
            type Lifted = twin::Atomic<Slot<$value>>;
        }
    )*};
}

atomics! {
    AtomicBool: bool;
    AtomicU8: u8;
    AtomicU16: u16;
    AtomicU32: u32;
    AtomicU64: u64;
    AtomicUsize: usize;
    AtomicI8: i8;
    AtomicI16: i16;
    AtomicI32: i32;
    AtomicI64: i64;
    AtomicIsize: isize;
}
