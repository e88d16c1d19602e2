//! `AtomicPtr`: a raw pointer that a predicate loads.

use std::marker::PhantomData;
use std::sync::atomic::{AtomicPtr, Ordering};

use super::listed::Optional;
use super::pointer::NoDomain;
use super::raw::RawOf;
use super::raw_cell::{CellOf, RawTarget};
use super::tuple_option::{Copied, Maybe};
use crate::class::abstraction::{Abstraction, OutOfBounds};
use crate::class::alloc::pointee::Pointee;
use crate::class::codec::{Codec, Field};
use crate::class::form::{FormReader, FormWriter};
use crate::class::plan::planner::{Attrs, Planner};
use crate::class::plan::slot_maker::SlotMaker;
use crate::class::rewrite::Rewrite;
use crate::class::traits::Lift;
use crate::predicate::twin;
use crate::predicate::twin::{Elem, Part};
use crate::slots::slot::AnySlot;

/// The codec of `AtomicPtr<P>`.
pub struct AtomicPtrOf<P>(PhantomData<P>);

/// The codec of the pointer inside.
type Inside<P> = RawOf<*mut P>;

impl<P: Pointee<Lifted: RawTarget>> Codec for AtomicPtrOf<P> {
    type Value = AtomicPtr<P>;
    type Leaf = NoDomain;
    type Lifted = twin::Atomic<CellOf<*mut P>>;
    type Cell = twin::Atomic<CellOf<*mut P>>;
    type Plan = <Inside<P> as Codec>::Plan;

    fn plan(planner: &mut Planner<'_>, attrs: Attrs<NoDomain>) -> Self::Plan {
        Inside::<P>::plan(planner, attrs)
    }
    fn cell(plan: &Self::Plan, slots: &mut SlotMaker<'_>) -> Self::Cell {
        twin::Atomic::around(Inside::<P>::cell(plan, slots))
    }
    fn elem(cell: &'static Self::Cell, slots: &mut SlotMaker<'_>) -> Elem<Self::Lifted> {
        Elem::part(slots.keep(Part::new(cell)))
    }
    fn visit(cell: &Self::Cell, visit: &mut dyn FnMut(&dyn AnySlot)) {
        Inside::<P>::visit(cell.inside(), visit);
    }
    fn materialise(cell: &Self::Cell, plan: &Self::Plan) -> AtomicPtr<P> {
        AtomicPtr::new(Inside::<P>::materialise(cell.inside(), plan))
    }
    fn write_form<const DRAFTS: bool>(value: &AtomicPtr<P>, to: &mut FormWriter<'_, DRAFTS>) {
        Inside::<P>::write_form(&value.load(Ordering::SeqCst), to);
    }
    fn read_form(from: &mut FormReader<'_>) -> AtomicPtr<P> {
        AtomicPtr::new(Inside::<P>::read_form(from))
    }
    fn abstract_to(
        value: &AtomicPtr<P>,
        cell: &Self::Cell,
        plan: &Self::Plan,
        to: &mut Abstraction<'_>,
    ) -> Result<(), OutOfBounds> {
        Inside::<P>::abstract_to(&value.load(Ordering::SeqCst), cell.inside(), plan, to)
    }
    fn rewrite(value: &mut AtomicPtr<P>, cell: &Self::Cell, plan: &Self::Plan, to: &mut Rewrite<'_>) {
        Inside::<P>::rewrite(value.get_mut(), cell.inside(), plan, to);
    }
}

impl<P: Pointee<Lifted: RawTarget>> Copied for AtomicPtrOf<P> {
    type Member = twin::Box<Self::Lifted>;
    fn value(cell: &Self::Cell) -> Self::Member {
        twin::Box::at(cell)
    }
    fn stamp(_: &Self::Cell, _: &mut dyn FnMut(u32)) {}
}

impl<P: Pointee<Lifted: RawTarget>> Field for AtomicPtr<P> {
    type Codec = AtomicPtrOf<P>;
    type Element = AtomicPtrOf<P>;
    fn default_values(_scope: usize) -> Result<Vec<NoDomain>, String> {
        Ok(Vec::new())
    }
}

impl<P: Pointee<Lifted: RawTarget>> Optional for AtomicPtr<P> {
    type Codec = Maybe<AtomicPtrOf<P>>;
    fn default_values(_scope: usize) -> Result<Vec<NoDomain>, String> {
        Ok(Vec::new())
    }
}

impl<P: Pointee<Lifted: RawTarget>> Lift for AtomicPtr<P> {
    type Lifted = twin::Atomic<CellOf<*mut P>>;
}
