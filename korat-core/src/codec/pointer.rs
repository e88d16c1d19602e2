//! References to objects: one slot, whose domain is null and the objects of a class.

use std::any::Any;
use std::marker::PhantomData;

use super::tuple_option::Copied;
use crate::class::abstraction::{Abstraction, Aliasing, OutOfBounds};
use crate::class::alloc::pointee::Pointee;
use crate::class::alloc::{Alloc, AllocEdge, AllocTable};
use crate::class::codec::Codec;
use crate::class::copies::Copies;
use crate::class::cycles::AnyStrong;
use crate::class::form::{FormReader, FormWriter};
use crate::class::patch::Patch;
use crate::class::plan::planner::{Attrs, Planner};
use crate::class::plan::slot_maker::SlotMaker;
use crate::class::rewrite::Rewrite;
use crate::class::traits::Class;
use crate::memory::pages;
use crate::model::ids::{FieldId, to_u32};
use crate::model::outline::OutlineLink;
use crate::predicate::compared::note_pointers;
use crate::predicate::machine::early::note_convertible;
use crate::predicate::twin::Elem;
use crate::slots::kinds::Edge;
use crate::slots::slot::{AnySlot, Slot};

/// The leaf type of fields that take no domain, such as references, which range over objects.
#[derive(Clone)]
pub enum NoDomain {}

/// The codec of `Box<P>`, `Rc<P>` and `Arc<P>`.
pub struct Required<A>(PhantomData<A>);
/// The codec of `Option<Box<P>>`, `Option<Rc<P>>` and `Option<Arc<P>>`.
pub struct Nullable<A>(PhantomData<A>);

/// The plan of a field that refers to objects with allocation kind `A` and shows them as `L`.
pub struct PointerPlan<A: Alloc, L: 'static> {
    pub(super) field: FieldId,
    pub(super) table: &'static AllocTable<A>,
    /// The nulls, then the objects. Fields of the same type share one list.
    pub(super) values: &'static Vec<L>,
}

impl<A: Alloc, L: 'static> PointerPlan<A, L> {
    pub(super) fn new(planner: &mut Planner<'_>, edge: Edge, nulls: Vec<L>, show: impl Fn(A::Twin) -> L) -> Self {
        let table = planner.alloc::<A>();
        note_pointers::<<A::Pointee as Pointee>::Lifted>();
        // A predicate can also compare pointers to the content of a cell.
        note_pointers::<<<A::Pointee as Pointee>::Class as Class>::Lifted>();
        note_convertible::<A::Twin>();
        planner.note_side_effects(A::Pointee::WAITS);
        let settable = A::Pointee::SETTABLE;
        let field = planner.reference_field(table.class.id, table.id, edge, to_u32(nulls.len()), settable);
        let values = planner.pointers(table.id, nulls.len(), || {
            let mut values = pages::with_capacity(nulls.len() + table.class.count());
            values.extend(nulls.into_iter().chain(table.twins().map(show)));
            values
        });
        PointerPlan { field, table, values }
    }

    pub(super) fn object_number(&self, strong: &A::Strong, to: &mut Abstraction<'_>) -> Result<u32, OutOfBounds> {
        self.object_number_holding(A::address(strong), to, || A::hold(strong))
    }

    /// Returns the number of the object at an address, which must stay alive until the walk is over.
    pub(super) fn object_number_at(
        &self,
        object: *const A::Pointee,
        to: &mut Abstraction<'_>,
    ) -> Result<u32, OutOfBounds> {
        self.object_number_holding(object, to, || None)
    }

    fn object_number_holding(
        &self,
        object: *const A::Pointee,
        to: &mut Abstraction<'_>,
        hold: impl FnOnce() -> Option<Box<dyn Any>>,
    ) -> Result<u32, OutOfBounds> {
        let aliasing = match A::EDGE {
            AllocEdge::Shared => Aliasing::ByAnyPointer,
            AllocEdge::Owned | AllocEdge::Part if size_of::<A::Pointee>() == 0 => Aliasing::Never,
            AllocEdge::Owned | AllocEdge::Part => Aliasing::ByRawPointers,
        };
        to.object_number(self.table.id, self.table.class, object.cast(), aliasing, hold)
    }

    /// Takes an object out of the user's value and stores it for its next owner.
    fn detach(&self, ordinal: u32, strong: A::Strong) {
        self.table.keep(ordinal as usize, strong);
    }

    fn take(&self, ordinal: u32) -> A::Strong {
        self.table.take(ordinal as usize)
    }
}

impl<A: Alloc> PointerPlan<A, Option<A::Twin>> {
    /// Makes a nullable pointer of a value what its cell says.
    #[inline(never)]
    fn patch_nullable(&self, value: &mut Option<A::Strong>, cell: &Slot<Option<A::Twin>>, to: &mut Patch) {
        match (value.as_mut(), cell.assigned()) {
            (Some(strong), &Some(twin)) => {
                if !self.table.patch(strong, twin, to) {
                    *value = Nullable::<A>::materialise(cell, self);
                }
            }
            (None, &Some(twin)) => {
                *value = self.table.take_spare(twin, to).or_else(|| Nullable::<A>::materialise(cell, self));
            }
            (Some(_), None) => value.take().into_iter().for_each(|strong| self.table.lose(strong, to)),
            (None, None) => {}
        }
    }
}

impl<A: Alloc> Codec for Required<A> {
    type Value = A::Strong;
    type Leaf = NoDomain;
    type Lifted = A::Twin;
    type Cell = Slot<A::Twin>;
    type Plan = PointerPlan<A, A::Twin>;

    fn plan(planner: &mut Planner<'_>, _attrs: Attrs<NoDomain>) -> Self::Plan {
        PointerPlan::new(planner, A::EDGE.edge(), Vec::new(), |twin| twin)
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
    fn copy_out(cell: &Self::Cell, copies: &mut Copies) -> A::Strong {
        copies.object::<A, _>(A::object(*cell.__korat_read()), A::take)
    }
    fn materialise(cell: &Self::Cell, plan: &Self::Plan) -> A::Strong {
        plan.take(cell.index())
    }
    fn patches() -> bool {
        A::PATCHES
    }
    fn patch(value: &mut A::Strong, cell: &Self::Cell, plan: &Self::Plan, to: &mut Patch) {
        if !plan.table.patch(value, *cell.assigned(), to) {
            *value = Self::materialise(cell, plan);
        }
    }
    fn write_form<const DRAFTS: bool>(value: &A::Strong, to: &mut FormWriter<'_, DRAFTS>) {
        to.owned::<A>(value, 0);
    }
    fn read_form(from: &mut FormReader<'_>) -> A::Strong {
        from.owned::<A>(0).unwrap_or_else(|_| unreachable!("[korat internal bug] the pointer has no null"))
    }
    fn abstract_to(
        value: &A::Strong,
        cell: &Self::Cell,
        plan: &Self::Plan,
        to: &mut Abstraction<'_>,
    ) -> Result<(), OutOfBounds> {
        let number = plan.object_number(value, to)?;
        to.set_slot(cell, number);
        Ok(())
    }
    fn rewrite(value: &mut A::Strong, cell: &Self::Cell, plan: &Self::Plan, to: &mut Rewrite<'_>) {
        // An object with one owner cannot be moved out of a pointer that is never null. A shared one is released when
        // another takes its place.
        if A::EDGE == AllocEdge::Shared {
            if to.attaches() && to.changes(cell.id()) {
                *value = plan.take(cell.index());
            }
        } else {
            to.whole::<Self>(value, cell, plan);
        }
    }
    fn each_strong(value: &A::Strong, visit: &mut dyn FnMut(&dyn AnyStrong)) {
        A::each_strong(value, visit);
    }
    fn sever_cells(value: &A::Strong) {
        A::sever_cells(value);
    }
}

impl<A: Alloc> Codec for Nullable<A> {
    type Value = Option<A::Strong>;
    type Leaf = NoDomain;
    type Lifted = Option<A::Twin>;
    type Cell = Slot<Option<A::Twin>>;
    type Plan = PointerPlan<A, Option<A::Twin>>;

    fn plan(planner: &mut Planner<'_>, _attrs: Attrs<NoDomain>) -> Self::Plan {
        PointerPlan::new(planner, A::EDGE.edge(), vec![None], Some)
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
    fn copy_out(cell: &Self::Cell, copies: &mut Copies) -> Self::Value {
        cell.__korat_read().map(|object| copies.object::<A, _>(A::object(object), A::take))
    }
    fn materialise(cell: &Self::Cell, plan: &Self::Plan) -> Self::Value {
        let ordinal = cell.index().checked_sub(1)?;
        Some(plan.take(ordinal))
    }
    fn patches() -> bool {
        A::PATCHES
    }
    #[inline(always)]
    fn patch(value: &mut Self::Value, cell: &Self::Cell, plan: &Self::Plan, to: &mut Patch) {
        // Half of the links of a tree are null, before and after.
        if value.is_some() || cell.assigned().is_some() {
            plan.patch_nullable(value, cell, to);
        }
    }
    fn write_form<const DRAFTS: bool>(value: &Self::Value, to: &mut FormWriter<'_, DRAFTS>) {
        match value {
            None => to.null(0, OutlineLink::Owned),
            Some(strong) => to.owned::<A>(strong, 1),
        }
    }
    fn read_form(from: &mut FormReader<'_>) -> Self::Value {
        from.owned::<A>(1).ok()
    }
    fn abstract_to(
        value: &Self::Value,
        cell: &Self::Cell,
        plan: &Self::Plan,
        to: &mut Abstraction<'_>,
    ) -> Result<(), OutOfBounds> {
        let index = match value {
            Some(strong) => plan.object_number(strong, to)? + 1,
            None => 0,
        };
        to.set_slot(cell, index);
        Ok(())
    }
    fn rewrite(value: &mut Self::Value, cell: &Self::Cell, plan: &Self::Plan, to: &mut Rewrite<'_>) {
        if !to.changes(cell.id()) {
            return;
        }
        if to.detaches()
            && let Some(strong) = value.take()
        {
            plan.detach(to.original(cell.id()) - 1, strong);
        } else if to.attaches() {
            *value = Self::materialise(cell, plan);
        }
    }
    fn each_strong(value: &Self::Value, visit: &mut dyn FnMut(&dyn AnyStrong)) {
        if let Some(strong) = value {
            A::each_strong(strong, visit);
        }
    }
    fn sever(value: &mut Self::Value) {
        *value = None;
    }
    fn sever_cells(value: &Self::Value) {
        value.iter().for_each(A::sever_cells);
    }
}

/// Implements `Copied` for codecs of one slot with a pointer.
macro_rules! copied {
    ($([$($generics:tt)*] $codec:ty;)*) => {$(
        impl<$($generics)*> Copied for $codec {
            type Member = Self::Lifted;
            fn value(cell: &Self::Cell) -> Self::Lifted {
                *cell.__korat_read()
            }
            fn stamp(cell: &Self::Cell, tell: &mut dyn FnMut(u32)) {
                tell(cell.index());
            }
        }
    )*};
}

copied! {
    [A: Alloc] Required<A>;
    [A: Alloc] Nullable<A>;
}

pub(super) use copied;
