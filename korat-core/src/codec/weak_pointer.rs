//! Weak pointers: one slot, whose domain is what leads nowhere and the objects of a class.

use std::marker::PhantomData;
use std::{rc, sync};

use super::listed::Optional;
use super::pointer::{NoDomain, PointerPlan, copied};
use super::tuple_option::Copied;
use crate::class::abstraction::{Abstraction, OutOfBounds};
use crate::class::alloc::Alloc;
use crate::class::alloc::counted::{Atomic, Counted, CountedAlloc};
use crate::class::alloc::pointee::Pointee;
use crate::class::codec::{Codec, Field};
use crate::class::copies::Copies;
use crate::class::form::{FormReader, FormWriter};
use crate::class::plan::planner::{Attrs, Planner};
use crate::class::plan::slot_maker::SlotMaker;
use crate::class::rewrite::Rewrite;
use crate::model::outline::OutlineLink;
use crate::predicate::twin;
use crate::predicate::twin::Elem;
use crate::slots::kinds::Edge;
use crate::slots::slot::{AnySlot, Slot};

/// The codec of `Weak<P>`; `Weak::new()` is its null.
pub struct WeakOf<A>(PhantomData<A>);

/// The type that a predicate sees in place of a weak pointer.
type WeakTwin<A> = twin::Weak<<<A as Alloc>::Pointee as Pointee>::Lifted>;

impl<A: CountedAlloc> Codec for WeakOf<A> {
    type Value = A::Weak;
    type Leaf = NoDomain;
    type Lifted = WeakTwin<A>;
    type Cell = Slot<WeakTwin<A>>;
    type Plan = PointerPlan<A, WeakTwin<A>>;

    fn plan(planner: &mut Planner<'_>, _attrs: Attrs<NoDomain>) -> Self::Plan {
        PointerPlan::new(planner, Edge::Weak, vec![twin::Weak::new()], |strong| twin::Rc::downgrade(&strong))
    }
    fn cell(plan: &Self::Plan, slots: &mut SlotMaker<'_>) -> Self::Cell {
        slots.slot(plan.field, plan.values)
    }
    fn elem(cell: &'static Self::Cell, _: &mut SlotMaker<'_>) -> Elem<Self::Lifted> {
        Elem::field(cell)
    }
    fn visit(cell: &Self::Cell, visit: &mut dyn FnMut(&dyn AnySlot)) {
        visit(cell);
    }
    fn copy_out(cell: &Self::Cell, copies: &mut Copies) -> A::Weak {
        let target = cell.__korat_read().upgrade();
        target.map_or_else(A::dangling, |object| copies.object::<A, _>(A::object(object), |store| A::weak(store)))
    }
    fn materialise(cell: &Self::Cell, plan: &Self::Plan) -> A::Weak {
        match cell.index().checked_sub(1) {
            Some(ordinal) => plan.table.with_store(ordinal as usize, |store| A::weak(store)),
            None => A::dangling(),
        }
    }
    fn write_form<const DRAFTS: bool>(value: &A::Weak, to: &mut FormWriter<'_, DRAFTS>) {
        match A::upgrade(value) {
            None => to.null(0, OutlineLink::Weak),
            Some(strong) => _ = to.shared::<A>(&strong, 1, OutlineLink::Weak),
        }
    }
    fn read_form(from: &mut FormReader<'_>) -> A::Weak {
        from.shared::<A, _>(1, |store| A::weak(store)).map_or_else(|_| A::dangling(), |(_, weak)| weak)
    }
    fn abstract_to(
        value: &A::Weak,
        cell: &Self::Cell,
        plan: &Self::Plan,
        to: &mut Abstraction<'_>,
    ) -> Result<(), OutOfBounds> {
        // A weak pointer to a dropped object equals one that never pointed anywhere.
        let index = match A::upgrade(value) {
            Some(strong) => plan.object_number(&strong, to)? + 1,
            None => 0,
        };
        to.set_slot(cell, index);
        Ok(())
    }
    fn rewrite(value: &mut Self::Value, cell: &Self::Cell, plan: &Self::Plan, to: &mut Rewrite<'_>) {
        if to.attaches() && to.changes(cell.id()) {
            *value = Self::materialise(cell, plan);
        }
    }
}

/// The codec of `Option<Weak<P>>`: `None`, `Some(Weak::new())`, or a pointer to an object.
pub struct NullableWeakOf<A>(PhantomData<A>);

impl<A: CountedAlloc> Codec for NullableWeakOf<A> {
    type Value = Option<A::Weak>;
    type Leaf = NoDomain;
    type Lifted = Option<WeakTwin<A>>;
    type Cell = Slot<Option<WeakTwin<A>>>;
    type Plan = PointerPlan<A, Option<WeakTwin<A>>>;

    fn plan(planner: &mut Planner<'_>, _attrs: Attrs<NoDomain>) -> Self::Plan {
        let nulls = vec![None, Some(twin::Weak::new())];
        PointerPlan::new(planner, Edge::Weak, nulls, |strong| Some(twin::Rc::downgrade(&strong)))
    }
    fn cell(plan: &Self::Plan, slots: &mut SlotMaker<'_>) -> Self::Cell {
        slots.slot(plan.field, plan.values)
    }
    fn elem(cell: &'static Self::Cell, _: &mut SlotMaker<'_>) -> Elem<Self::Lifted> {
        Elem::field(cell)
    }
    fn visit(cell: &Self::Cell, visit: &mut dyn FnMut(&dyn AnySlot)) {
        visit(cell);
    }
    fn copy_out(cell: &Self::Cell, copies: &mut Copies) -> Option<A::Weak> {
        cell.__korat_read().map(|weak| {
            let target = weak.upgrade();
            target.map_or_else(A::dangling, |object| copies.object::<A, _>(A::object(object), |store| A::weak(store)))
        })
    }
    fn materialise(cell: &Self::Cell, plan: &Self::Plan) -> Option<A::Weak> {
        match cell.index() {
            0 => None,
            1 => Some(A::dangling()),
            index => Some(plan.table.with_store(index as usize - 2, |store| A::weak(store))),
        }
    }
    fn write_form<const DRAFTS: bool>(value: &Option<A::Weak>, to: &mut FormWriter<'_, DRAFTS>) {
        match value.as_ref().map(A::upgrade) {
            None => to.null(0, OutlineLink::Weak),
            Some(None) => to.null(1, OutlineLink::Weak),
            Some(Some(strong)) => _ = to.shared::<A>(&strong, 2, OutlineLink::Weak),
        }
    }
    fn read_form(from: &mut FormReader<'_>) -> Option<A::Weak> {
        match from.shared::<A, _>(2, |store| A::weak(store)) {
            Ok((_, weak)) => Some(weak),
            Err(null) => (null == 1).then(A::dangling),
        }
    }
    fn abstract_to(
        value: &Option<A::Weak>,
        cell: &Self::Cell,
        plan: &Self::Plan,
        to: &mut Abstraction<'_>,
    ) -> Result<(), OutOfBounds> {
        let index = match value.as_ref().map(A::upgrade) {
            None => 0,
            Some(None) => 1,
            Some(Some(strong)) => plan.object_number(&strong, to)? + 2,
        };
        to.set_slot(cell, index);
        Ok(())
    }
    fn rewrite(value: &mut Self::Value, cell: &Self::Cell, plan: &Self::Plan, to: &mut Rewrite<'_>) {
        if to.attaches() && to.changes(cell.id()) {
            *value = Self::materialise(cell, plan);
        }
    }
}

copied! {
    [A: CountedAlloc] WeakOf<A>;
    [A: CountedAlloc] NullableWeakOf<A>;
}

macro_rules! weak_pointers {
    ($($pointer:ty: $required:ty, $optional:ty;)*) => {$(
        impl<P: Pointee> Field for $pointer {
            type Codec = $required;
            type Element = $required;
            fn default_values(_scope: usize) -> Result<Vec<NoDomain>, String> {
                Ok(Vec::new())
            }
        }
        impl<P: Pointee> Optional for $pointer {
            type Codec = $optional;
            fn default_values(_scope: usize) -> Result<Vec<NoDomain>, String> {
                Ok(Vec::new())
            }
        }
    )*};
}

weak_pointers! {
    rc::Weak<P>: WeakOf<Counted<P>>, NullableWeakOf<Counted<P>>;
    sync::Weak<P>: WeakOf<Atomic<P>>, NullableWeakOf<Atomic<P>>;
}
