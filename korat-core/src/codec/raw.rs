//! Raw pointers: one slot, whose domain is null and the objects of a class, which boxes may own as well. A raw pointer
//! owns nothing; an object without a box is handed out as by `Box::into_raw`, and the user's structure has to free it.

use std::marker::PhantomData;
use std::ptr;
use std::ptr::NonNull;

use super::listed::Optional;
use super::pointer::{NoDomain, PointerPlan};
use super::raw_cell::{CellOf, RawCell, RawTarget};
use super::tuple_option::{Copied, Maybe};
use crate::class::abstraction::{Abstraction, OutOfBounds};
use crate::class::alloc::boxed::Boxed;
use crate::class::alloc::pointee::Pointee;
use crate::class::codec::{Codec, Field};
use crate::class::form::{FormReader, FormWriter};
use crate::class::plan::planner::{Attrs, Planner};
use crate::class::plan::slot_maker::SlotMaker;
use crate::class::rewrite::Rewrite;
use crate::model::outline::OutlineLink;
use crate::predicate::twin::Elem;
use crate::slots::kinds::Edge;
use crate::slots::slot::{AnySlot, ReadCell};

/// A raw pointer type.
pub trait Raw: Copy + 'static {
    /// The type that it points to.
    type Pointee: Pointee<Lifted: RawTarget>;
    /// The type that a predicate sees: the same kind of pointer, to the lifted object.
    type Lifted: Copy + 'static;
    /// Returns the lifted null pointer, if the type has one.
    fn lifted_null() -> Option<Self::Lifted>;
    /// Returns the lifted pointer to an object.
    fn lifted(object: NonNull<<Self::Pointee as Pointee>::Lifted>) -> Self::Lifted;
    /// Returns the user's pointer. `object` is `None` only if the type has a null pointer.
    fn of(object: Option<NonNull<Self::Pointee>>) -> Self;
    /// Returns the address; `None` for a null pointer.
    fn target(self) -> Option<NonNull<Self::Pointee>>;
}

impl<P: Pointee<Lifted: RawTarget>> Raw for *mut P {
    type Pointee = P;
    type Lifted = *mut P::Lifted;
    fn lifted_null() -> Option<Self::Lifted> {
        Some(ptr::null_mut())
    }
    fn lifted(object: NonNull<P::Lifted>) -> Self::Lifted {
        object.as_ptr()
    }
    fn of(object: Option<NonNull<P>>) -> Self {
        object.map_or(ptr::null_mut(), NonNull::as_ptr)
    }
    fn target(self) -> Option<NonNull<P>> {
        NonNull::new(self)
    }
}

impl<P: Pointee<Lifted: RawTarget>> Raw for *const P {
    type Pointee = P;
    type Lifted = *const P::Lifted;
    fn lifted_null() -> Option<Self::Lifted> {
        Some(ptr::null())
    }
    fn lifted(object: NonNull<P::Lifted>) -> Self::Lifted {
        object.as_ptr()
    }
    fn of(object: Option<NonNull<P>>) -> Self {
        <*mut P as Raw>::of(object)
    }
    fn target(self) -> Option<NonNull<P>> {
        NonNull::new(self.cast_mut())
    }
}

impl<P: Pointee<Lifted: RawTarget>> Raw for NonNull<P> {
    type Pointee = P;
    type Lifted = NonNull<P::Lifted>;
    fn lifted_null() -> Option<Self::Lifted> {
        None
    }
    fn lifted(object: NonNull<P::Lifted>) -> Self::Lifted {
        object
    }
    fn of(object: Option<NonNull<P>>) -> Self {
        object.expect("[korat internal bug] every index stands for an object")
    }
    fn target(self) -> Option<NonNull<P>> {
        Some(self)
    }
}

impl<P: Pointee<Lifted: RawTarget>> Raw for Option<NonNull<P>> {
    type Pointee = P;
    type Lifted = Option<NonNull<P::Lifted>>;
    fn lifted_null() -> Option<Self::Lifted> {
        Some(None)
    }
    fn lifted(object: NonNull<P::Lifted>) -> Self::Lifted {
        Some(object)
    }
    fn of(object: Option<NonNull<P>>) -> Self {
        object
    }
    fn target(self) -> Option<NonNull<P>> {
        self
    }
}

/// The codec of a raw pointer `R`.
pub struct RawOf<R>(PhantomData<R>);

/// The number of pointers in a domain that lead to no object.
fn nulls<R: Raw>() -> u32 {
    u32::from(R::lifted_null().is_some())
}

impl<R: Raw> Codec for RawOf<R> {
    type Value = R;
    type Leaf = NoDomain;
    type Lifted = R::Lifted;
    type Cell = CellOf<R>;
    type Plan = PointerPlan<Boxed<R::Pointee>, <CellOf<R> as RawCell<R>>::Listed>;

    fn plan(planner: &mut Planner<'_>, _attrs: Attrs<NoDomain>) -> Self::Plan {
        let nulls = R::lifted_null().map(CellOf::<R>::null).into_iter().collect();
        PointerPlan::new(planner, Edge::Raw, nulls, CellOf::<R>::object)
    }
    fn cell(plan: &Self::Plan, slots: &mut SlotMaker<'_>) -> Self::Cell {
        CellOf::<R>::around(slots.slot(plan.field, plan.values))
    }
    fn elem(cell: &'static Self::Cell, slots: &mut SlotMaker<'_>) -> Elem<Self::Lifted> {
        cell.elem(slots)
    }
    fn visit(cell: &Self::Cell, visit: &mut dyn FnMut(&dyn AnySlot)) {
        visit(cell.slot());
    }
    fn materialise(cell: &Self::Cell, plan: &Self::Plan) -> R {
        R::of(
            cell.slot()
                .index()
                .checked_sub(nulls::<R>())
                .and_then(|ordinal| plan.table.with_store(ordinal as usize, |store| NonNull::new(Boxed::raw(store)))),
        )
    }
    fn write_form<const DRAFTS: bool>(value: &R, to: &mut FormWriter<'_, DRAFTS>) {
        match value.target() {
            None => to.null(0, OutlineLink::Raw),
            Some(object) => to.raw(object.as_ptr().cast_const(), nulls::<R>().into()),
        }
    }
    fn read_form(from: &mut FormReader<'_>) -> R {
        let object = from.raw::<Boxed<R::Pointee>, _>(nulls::<R>().into(), Boxed::raw);
        R::of(object.ok().and_then(NonNull::new))
    }
    fn abstract_to(
        value: &R,
        cell: &Self::Cell,
        plan: &Self::Plan,
        to: &mut Abstraction<'_>,
    ) -> Result<(), OutOfBounds> {
        let index = match value.target() {
            Some(object) => plan.object_number_at(object.as_ptr(), to)? + nulls::<R>(),
            None => 0,
        };
        to.set_slot(cell.slot(), index);
        Ok(())
    }
    fn rewrite(value: &mut R, cell: &Self::Cell, plan: &Self::Plan, to: &mut Rewrite<'_>) {
        if to.attaches() && to.changes(cell.slot().id()) {
            *value = Self::materialise(cell, plan);
        }
    }
}

impl<R: Raw> Copied for RawOf<R> {
    type Member = Self::Lifted;
    fn value(cell: &Self::Cell) -> Self::Lifted {
        *cell.read_cell()
    }
    fn stamp(cell: &Self::Cell, tell: &mut dyn FnMut(u32)) {
        cell.stamp(tell);
    }
}

macro_rules! raw {
    ($($pointer:ty, $optional:ty;)*) => {$(
        impl<P: Pointee<Lifted: RawTarget>> Field for $pointer {
            type Codec = RawOf<$pointer>;
            type Element = RawOf<$pointer>;
            fn default_values(_scope: usize) -> Result<Vec<NoDomain>, String> {
                Ok(Vec::new())
            }
        }
        impl<P: Pointee<Lifted: RawTarget>> Optional for $pointer {
            type Codec = $optional;
            fn default_values(_scope: usize) -> Result<Vec<NoDomain>, String> {
                Ok(Vec::new())
            }
        }
    )*};
}

raw! {
    *mut P, Maybe<RawOf<*mut P>>;
    *const P, Maybe<RawOf<*const P>>;
    NonNull<P>, RawOf<Option<NonNull<P>>>;
}
