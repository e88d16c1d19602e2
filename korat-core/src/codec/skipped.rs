//! Fields that are left out: no slot, and always the same value, made anew for each object; while a value is repaired, its own.
//!
//! # Why it is sound
//! A cell belongs to a heap and is never freed. What it shows of the user's is the address of a field of a value that a repair has borrowed: nothing
//! is written to it before the predicate has run for the last time, and `Lent`, which the repair holds, takes the address back before the
//! heap is left to others.

use std::cell::Cell;
use std::marker::PhantomData;
use std::ops::Deref;
use std::panic::RefUnwindSafe;
use std::ptr;

use crate::abstraction::{Abstraction, OutOfBounds};
use crate::class::Codec;
use crate::machine::drops_unnoticed;
use crate::plan::{Attrs, Planner, SlotMaker};
use crate::slot::{AnySlot, Shown};
use crate::twin::{Elem, Part};

/// A field with `#[finitize(skip = expr)]`.
pub struct Skipped<T>(PhantomData<T>);

/// How its value is made.
pub struct SkippedPlan<T> {
    make: fn(usize) -> T,
    scope: usize,
}

/// What a predicate sees of it.
pub struct SkippedCell<T> {
    made: T,
    /// Where the field of the user's own object lies, while that is repaired.
    own: Own,
}

/// Where a field of the user's lies; null if there is none.
type Own = Cell<*const ()>;

/// Skipped fields whose own values are seen, until this is dropped.
#[derive(Default)]
pub(crate) struct Lent(Vec<*const Own>);

impl Lent {
    /// Shows a field of the user's in place of what was made.
    ///
    /// # Safety
    /// The cell is one of a heap's. The field is alive and not written to as long as a predicate may read the cell, and this is dropped
    /// before anybody else searches that heap.
    pub(crate) unsafe fn lend<T>(&mut self, field: &T, cell: &SkippedCell<T>) {
        cell.own.set(ptr::from_ref(field).cast());
        self.0.push(&raw const cell.own);
    }
}

impl Drop for Lent {
    fn drop(&mut self) {
        for &own in &self.0 {
            // SAFETY: the cell is one of a heap's, as `lend` was promised; these are not freed.
            unsafe { &*own }.set(ptr::null());
        }
    }
}

/// What it shows changes only between two runs of a predicate.
impl<T: RefUnwindSafe> RefUnwindSafe for SkippedCell<T> {}

impl<T> SkippedCell<T> {
    /// What a predicate sees.
    #[inline(always)]
    pub fn __korat_read(&self) -> &T {
        let own = self.own.get().cast::<T>();
        // SAFETY: it is null, or the field of an object that is alive and not written to while a predicate reads it, as `lend` was
        // promised.
        unsafe { own.as_ref() }.unwrap_or(&self.made)
    }

    /// What the pattern of a field is matched against.
    #[inline(always)]
    pub fn __korat_cell(&self) -> &T {
        self.__korat_read()
    }
}

impl<T> Deref for SkippedCell<T> {
    type Target = T;
    #[inline(always)]
    fn deref(&self) -> &T {
        self.__korat_read()
    }
}

impl<T> Shown for SkippedCell<T> {
    type Out = T;
    #[inline]
    fn shown(&self) -> &T {
        self.__korat_read()
    }
}

impl<T: 'static> Codec for Skipped<T> {
    type Value = T;
    type Leaf = fn(usize) -> T;
    type Lifted = T;
    type Cell = SkippedCell<T>;
    type Plan = SkippedPlan<T>;

    fn plan(planner: &mut Planner<'_>, attrs: Attrs<Self::Leaf>) -> Self::Plan {
        planner.layout.scope = Some(planner.scope());
        planner.note_unseen(!drops_unnoticed::<T>());
        let make = attrs.values.ok().and_then(|values| values.into_iter().next());
        SkippedPlan { make: make.expect("[korat internal bug] a skipped field has its value"), scope: planner.scope() }
    }
    fn cell(plan: &Self::Plan, _: &mut SlotMaker<'_>) -> Self::Cell {
        SkippedCell { made: (plan.make)(plan.scope), own: Cell::default() }
    }
    fn elem(cell: &'static Self::Cell, slots: &mut SlotMaker<'_>) -> Elem<T> {
        Elem::part(slots.keep(Part::new(cell)))
    }
    fn visit(_: &Self::Cell, _: &mut dyn FnMut(&dyn AnySlot)) {}
    fn materialise(_: &Self::Cell, plan: &Self::Plan) -> T {
        (plan.make)(plan.scope)
    }
    fn abstract_to(value: &T, cell: &Self::Cell, _: &Self::Plan, to: &mut Abstraction<'_>) -> Result<(), OutOfBounds> {
        to.lend(value, cell);
        Ok(())
    }
}
